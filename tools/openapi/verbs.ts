/** Verbs in names of actions, and the states and flags that they lead to. */

/** Irregular participles. */
const IRREGULAR: Readonly<Record<string, readonly string[]>> = {
  send: ['sent'],
  pay: ['paid'],
  hold: ['held', 'on_hold'],
  void: ['void', 'voided'],
  freeze: ['frozen'],
  hide: ['hidden'],
  withdraw: ['withdrawn'],
  read: ['read'],
  open: ['open', 'opened'],
  begin: ['begun', 'in_progress'],
};

/** States after actions with unrelated names, most likely first. */
const ALSO: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:re)?(?:activate|enable)$|^(?:restore|resume|unpause|unarchive|unsuspend|unblock|unlock)$/,
    ['active', 'enabled', 'running', 'available', 'open'],
  ],
  [/^(?:deactivate|disable)$/, ['inactive', 'disabled', 'deactivated']],
  [/^(?:start|run|launch|begin|execute)$/, ['started', 'running', 'in_progress', 'active']],
  [/^(?:stop|halt|shutdown|poweroff)$/, ['stopped', 'off', 'halted']],
  [/^(?:finish|complete|end)$/, ['completed', 'complete', 'finished', 'done', 'succeeded']],
  [/^(?:cancel|abort)$/, ['canceled', 'cancelled', 'aborted']],
  [/^reopen$/, ['open', 'reopened', 'opened']],
  [/^unpublish$/, ['draft', 'unpublished']],
  [/^(?:retry|requeue)$/, ['queued', 'pending']],
];

/** Actions that undo a final action. */
export const REVIVES = /^(?:re(?:store|open|activate|sume|enable|try|queue)|un[a-z]+)/;

const OPPOSITES: Readonly<Record<string, string>> = { disable: 'enable', deactivate: 'activate', reject: 'approve' };

/** Participles of a verb: `verified` of `verify`, `canceled` and `cancelled` of `cancel`. */
export function participlesOf(verb: string): readonly string[] {
  const [last] = verb.slice(-1);
  const regular =
    last === 'e'
      ? [`${verb}d`]
      : /[^aeiou]y$/.test(verb)
        ? [verb.replace(/y$/, 'ied')]
        : [`${verb}ed`, `${verb}${last}ed`];
  return [...(IRREGULAR[verb] ?? []), ...regular];
}

/** The state after an action, by name. @param ends false: the transitional state, such as `cancelling` */
export function stateCalled(action: string, states: readonly string[], ends = true): string | undefined {
  const [verb] = action.split('_');
  if (verb.length < 3) return undefined;
  const find = (words: readonly string[]): string | undefined =>
    words.map((word) => states.find((state) => state.toLowerCase() === word)).find((each) => each !== undefined);
  const stem = verb.replace(/e$/, '');
  const begun = find([`${stem}ing`, `${verb}${verb.slice(-1)}ing`]);
  const also = ALSO.find(([pattern]) => pattern.test(verb))?.[1] ?? [];
  const ended = find(participlesOf(verb)) ?? find(also);
  return ends ? (ended ?? begun) : (begun ?? ended);
}

/**
 * Flags that an action sets or clears: `archive` sets `archived` and `is_archived`, `disable` clears `enabled`.
 * @returns names in snake case, without `is_`
 */
export function flagsSet(action: string): readonly { readonly name: string; readonly to: boolean }[] {
  const [verb] = action.split('_');
  if (verb.length < 3) return [];
  const adjectives = (of: string): readonly string[] => [
    ...participlesOf(of),
    ...(/^(?:re)?activate$/.test(of) ? ['active'] : []),
    ...(of === 'complete' ? ['complete', 'done'] : []),
  ];
  const opposite = OPPOSITES[verb] ?? (verb.startsWith('un') && verb.length > 4 ? verb.slice(2) : undefined);
  const sets = adjectives(verb).map((name) => ({ name, to: true }));
  const unsets = opposite === undefined ? [] : adjectives(opposite).map((name) => ({ name, to: false }));
  return [...unsets, ...sets];
}
