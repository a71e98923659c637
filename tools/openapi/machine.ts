import { listOr, objectOr } from './document.js';
import type { Field } from './types.js';
import { REVIVES, stateCalled } from './verbs.js';

/** Names of fields that can contain an object's state. */
export const STATE_FIELDS = ['status', 'state'] as const;
/** Final states. */
const FINAL =
  /^(?:completed?|succeeded|failed|expired|cancell?ed|deleted|archived|closed|done|finished|revoked|rejected|voided)$/i;
/** Transitional states, which end without a call. */
const PASSING =
  /^(?:queued|processing|in_?progress|provisioning|creating|building|starting|initiali[sz]ing|uploading|importing)$/i;
/** States that are transitional if the call that leads to them returns 202. */
const PASSING_LATER = /^(?:pending|new|scheduled|accepted|submitted|waiting|received|started|running|enqueued)$/i;
/** States of success, most likely first. */
const WELL: readonly RegExp[] = [
  /^(?:completed?|succeeded|success|successful|done|finished)$/i,
  /^(?:ready|active|available|processed|delivered|sent|online|ok)$/i,
  /^running$/i,
];

/** The initial state: the first that the document lists, unless it is final and others aren't. */
export function firstState(states: readonly unknown[]): unknown {
  return states.find((state) => !FINAL.test(String(state))) ?? states[0];
}

/** The values of a field that is an enum. */
export function statesOf(field: Field | undefined): readonly string[] {
  const values = listOr(objectOr(field?.type)['enum']);
  return values.length > 1 && values.every((each) => typeof each === 'string' && /^[a-z]\w*$/i.test(each))
    ? (values as string[])
    : [];
}

/**
 * The state after an action: the one in the document's example, else the one that is named after the action.
 * @param states possible states; empty if unknown
 * @param ends false if the call returns before the action is complete (202)
 */
export function stateAfter(action: string, shown: unknown, states: readonly string[], ends = true): string | undefined {
  if (typeof shown === 'string' && (states.length === 0 || states.includes(shown))) return shown;
  return stateCalled(action, states, ends);
}

/** The next state of a transitional state. @param isLater the calls that lead to it return 202 */
export function stateLater(state: string, states: readonly string[], isLater: boolean): string | undefined {
  const verb = /^([a-z]+?)(?:ing)$/i.exec(state)?.[1].toLowerCase();
  if (verb !== undefined && verb !== 'runn' && verb !== 'pend') {
    const ended = [verb, `${verb}e`, verb.slice(0, -1)]
      .map((each) => stateCalled(each, states))
      .find((each) => each !== undefined && each !== state);
    if (ended !== undefined) return ended;
  }
  if (!PASSING.test(state) && !(isLater && PASSING_LATER.test(state))) return undefined;
  return stateAtEnd(states.filter((each) => each !== state));
}

/** The state of success. */
export function stateAtEnd(states: readonly string[]): string | undefined {
  return WELL.map((pattern) => states.find((each) => pattern.test(each))).find((each) => each !== undefined);
}

/** A state machine, and the states that need external events. */
interface MachineMade {
  readonly machine: Record<string, unknown>;
  /** States that only external events lead to. */
  readonly outside: readonly string[];
}

/**
 * Builds a state machine. Each action leads from every state that isn't final to its own state; an external event, named after the state, leads to
 * each other state.
 * @param later the next state of each transitional state
 */
export function machineOf(
  states: readonly string[],
  initial: string,
  after: ReadonlyMap<string, string>,
  later: ReadonlyMap<string, string>,
): MachineMade {
  const reached = new Set(after.values());
  const isFinal = (state: string): boolean => state !== initial && FINAL.test(state);
  const outside = states.filter(
    (to) =>
      to !== initial && !reached.has(to) && !after.has(to) && states.some((from) => from !== to && !isFinal(from)),
  );
  const triggers = [...after, ...outside.map((state) => [state, state] as const)];
  const of = (state: string): Record<string, unknown> => {
    const on = triggers.filter(
      ([name, to]) => to !== state && (!isFinal(state) || (after.has(name) && REVIVES.test(name))),
    );
    const next = later.get(state);
    return {
      ...(on.length === 0 ? {} : { on: Object.fromEntries(on) }),
      ...(next === undefined ? {} : { after: { later: next } }),
    };
  };
  return { machine: { initial, states: Object.fromEntries(states.map((state) => [state, of(state)])) }, outside };
}
