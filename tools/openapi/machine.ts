import { listOr, objectOr } from './document.js';
import type { Field } from './fields.js';

/** The field that holds an object's state. */
export const STATE_FIELDS = ['status', 'state'] as const;
/** States that nothing leads out of. */
const FINAL =
  /^(?:completed?|succeeded|failed|expired|cancell?ed|deleted|archived|closed|done|finished|revoked|rejected|voided)$/i;

/** The state that an object begins in: the first that the document names, unless nothing leads out of it and there are others. */
export function firstState(states: readonly unknown[]): unknown {
  return states.find((state) => !FINAL.test(String(state))) ?? states[0];
}

/** States of a field, where it has a list of them. */
export function statesOf(field: Field | undefined): readonly string[] {
  const values = listOr(objectOr(field?.type)['enum']);
  return values.length > 1 && values.every((each) => typeof each === 'string' && /^[a-z]\w*$/i.test(each))
    ? (values as string[])
    : [];
}

/**
 * The state that an action leads to: what the document's example of it shows, else the state that is called like the action.
 * @param states that the field may have; none: any
 */
export function stateAfter(action: string, shown: unknown, states: readonly string[]): string | undefined {
  if (typeof shown === 'string' && (states.length === 0 || states.includes(shown))) return shown;
  const [verb] = action.split('_');
  const stem = verb.replace(/e$/, '').toLowerCase();
  if (stem.length < 4) return undefined;
  const named = states.filter((state) => new RegExp(`^${stem}(?:e?d|l?ed|l?ing|ing)$`, 'i').test(state));
  // `cancelling` comes before `cancelled`, but nothing here says when it ends.
  return named.find((state) => !/ing$/i.test(state)) ?? named[0];
}

/**
 * A machine in which each action leads from every state that is not final to its own, and an external event of its name to every other.
 * @returns the machine, and the states that only such events lead to
 */
export function machineOf(
  states: readonly string[],
  initial: string,
  after: ReadonlyMap<string, string>,
): { readonly machine: Record<string, unknown>; readonly outside: readonly string[] } {
  const reached = new Set(after.values());
  const isFinal = (state: string): boolean => state !== initial && FINAL.test(state);
  const outside = states.filter(
    (to) =>
      to !== initial && !reached.has(to) && !after.has(to) && states.some((from) => from !== to && !isFinal(from)),
  );
  const triggers = [...after, ...outside.map((state) => [state, state] as const)];
  const of = (state: string): Record<string, unknown> => {
    if (isFinal(state)) return {};
    return { on: Object.fromEntries(triggers.filter(([, to]) => to !== state)) };
  };
  return { machine: { initial, states: Object.fromEntries(states.map((state) => [state, of(state)])) }, outside };
}
