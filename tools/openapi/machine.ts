import { listOr, objectOr } from './document.js';
import type { Field } from './types.js';
import { REVIVES, stateCalled } from './verbs.js';

/** The field that holds an object's state. */
export const STATE_FIELDS = ['status', 'state'] as const;
/** States that nothing leads out of. */
const FINAL =
  /^(?:completed?|succeeded|failed|expired|cancell?ed|deleted|archived|closed|done|finished|revoked|rejected|voided)$/i;
/** States that end by themselves. */
const PASSING =
  /^(?:queued|processing|in_?progress|provisioning|creating|building|starting|initiali[sz]ing|uploading|importing)$/i;
/** States that end by themselves where the call that leads to them says that it isn't done (202). */
const PASSING_LATER = /^(?:pending|new|scheduled|accepted|submitted|waiting|received|started|running|enqueued)$/i;
/** What comes when all goes well, the likeliest first. */
const WELL: readonly RegExp[] = [
  /^(?:completed?|succeeded|success|successful|done|finished)$/i,
  /^(?:ready|active|available|processed|delivered|sent|online|ok)$/i,
  /^running$/i,
];

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
 * @param ends false: the call isn't done when it returns (202)
 */
export function stateAfter(action: string, shown: unknown, states: readonly string[], ends = true): string | undefined {
  if (typeof shown === 'string' && (states.length === 0 || states.includes(shown))) return shown;
  return stateCalled(action, states, ends);
}

/** The state that a state becomes by itself. @param isLater calls that lead to it say that they aren't done */
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

/** The state that comes when all goes well. */
export function stateAtEnd(states: readonly string[]): string | undefined {
  return WELL.map((pattern) => states.find((each) => pattern.test(each))).find((each) => each !== undefined);
}

/** A machine, and what comes of it. */
interface MachineMade {
  readonly machine: Record<string, unknown>;
  /** States that only external events lead to. */
  readonly outside: readonly string[];
}

/**
 * A machine in which each action leads from every state that is not final to its own, and an external event of its name to every other.
 * @param later states that become another by themselves
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
