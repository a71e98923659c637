import type { Build } from './build.js';
import { objectOr } from './document.js';
import { machineOf, STATE_FIELDS, stateAfter, statesOf } from './machine.js';
import { snake } from './names.js';
import type { ShownObjects } from './objects.js';
import type { Remarks } from './questions.js';
import type { SurveyedResource } from './survey.js';
import { isTimestamp } from './types.js';

/** The field of an object's state, the state that each action leads to, and the machine that says so. */
export interface StateFound {
  readonly field: string;
  readonly after: ReadonlyMap<string, string>;
  /** Undefined: callers may set the field, so no machine can. */
  readonly machine?: Record<string, unknown>;
  /** States of the machine that no call leads to. */
  readonly outside: readonly string[];
}

/** The state that actions and external events change. */
export function shownState(
  build: Build,
  found: SurveyedResource,
  objects: ShownObjects,
  remarks: Remarks,
): StateFound | undefined {
  const field = STATE_FIELDS.find((each) => objects.fields.has(each));
  const kept = field === undefined ? undefined : objects.fields.get(field);
  if (field === undefined || kept === undefined || found.isSingle === true) return undefined;
  const states = statesOf(kept);
  const after = new Map<string, string>();
  for (const { kind, name, call } of found.calls) {
    if (kind !== 'action') continue;
    const shown = new Set(build.examplesOf(call).map(({ response }) => objectOr(objects.within(response))[field]));
    // Examples of several states show that the action leads to none.
    const to = shown.size > 1 ? undefined : stateAfter(name, [...shown][0], states);
    if (to !== undefined && to !== kept.at_first) after.set(name, to);
  }
  const initial = kept.at_first;
  if (states.length === 0 || typeof initial !== 'string' || kept.nullable || objects.settable.has(field))
    return after.size === 0 ? undefined : { field, after, outside: [] };
  objects.fields.set(field, { ...kept, type: { enum: states, machine: true } });
  const { machine, outside } = machineOf(states, initial, after);
  const known = [...after].map(([operation, to]) => `'${operation}' leads to ${to}`);
  const ways = (most: number): string =>
    [
      ...known,
      ...(outside.length === 0 ? [] : [`only external events lead to ${outside.slice(0, most).join(', ')}`]),
    ].join(', ');
  remarks.notes.push(`${field}: ${ways(6)}; which transitions are there, and when? (its \`machine:\`)`);
  const next =
    outside.find((each) => each !== initial && !/fail|error|cancel|expire/i.test(each)) ??
    states.find((each) => each !== initial);
  remarks.questions.push({
    at: ['machine'],
    into: [],
    ask: `Which transitions does \`${field}\` have, and when? ${ways(4)}.`,
    write: `delays: { later: seconds(5) }, machine: { states: { ${initial}: { after: { later: ${next} } } } }`,
    calls: found.calls.length,
  });
  return { field, after, machine, outside };
}

/** Steps that lead to a state: by the machine where there is one, with the time in a field that is called like it. */
export function stepsTo(
  { field, machine }: StateFound,
  objects: ShownObjects,
  to: string,
  trigger: string,
): Record<string, unknown>[] {
  const stamps = [...objects.fields].filter(
    ([name, { at_first }]) => (at_first === null || at_first === undefined) && snake(name) === `${to}_at`,
  );
  const times = stamps.map(
    ([name, { type, now }]) => [name, now ?? (isTimestamp(type) ? '${now}' : '${unix(now)}')] as const,
  );
  const values = { ...(machine === undefined ? { [field]: to } : {}), ...Object.fromEntries(times) };
  return [
    ...(machine === undefined ? [] : [{ send: trigger }]),
    ...(Object.keys(values).length > 0 ? [{ set: 'self', to: values }] : []),
  ];
}

/** External events that lead to the states which no call leads to, for causes.yaml. */
export function causesOf(
  state: StateFound | undefined,
  objects: ShownObjects,
  { name }: SurveyedResource,
): Record<string, unknown> {
  if (state === undefined) return {};
  return Object.fromEntries(
    state.outside.map((to) => [
      `${name}.${to}`,
      {
        description: `A ${objects.title} becomes ${to}.`,
        subject: { param: `${name}_id`, resource: name },
        do: stepsTo(state, objects, to, to),
      },
    ]),
  );
}
