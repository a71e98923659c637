import { candidates, type Candidate, type MachineConfig, nameList, slots, type StateConfig } from './config.js';
import { Oracle, xstateTrigger } from './oracle.js';
import type { TransitionOutcome, DelayedTrigger } from './outcome.js';
import { type Ask, DecisionTree } from './tree.js';

/** A compiled machine: what XState's pure functions would say, at the price of a table. */
export interface Lifecycle {
  readonly initial: string;
  readonly states: readonly string[];
  /** Names (or inline texts) of guards, of actions and of delays that the config uses; each once. */
  readonly guards: readonly string[];
  readonly actions: readonly string[];
  readonly delays: readonly string[];
  /** Entering the initial state (and what `always` makes of it). */
  start(guard: Ask): TransitionOutcome;
  /**
   * Takes a trigger (or a timer's) in a state. Guards are asked lazily, in XState's order, each at most once.
   * @returns undefined when the state has no transition for it, or none whose guard holds; a transition without target and
   * actions is taken and does nothing
   * @throws MachineLoop when guards let `always` transitions run in a circle; whatever a guard throws
   */
  send(state: string, trigger: string, guard: Ask): TransitionOutcome | undefined;
  /** Every trigger that some state (or the machine itself) declares; timers' triggers are not among them. */
  triggers(): readonly string[];
  /** Whether the state declares a transition for the trigger, whatever its guards say. */
  canSend(state: string, trigger: string): boolean;
  /** The timers that run while an object is in the state. */
  timersOf(state: string): readonly DelayedTrigger[];
}

/**
 * Compiles a `machine:` block. Run `checkMachine` first: a machine with mistakes throws when it is used.
 * @param names `resource` names the machine in the triggers of its timers
 */
export function compileMachine(config: MachineConfig, names: { readonly resource: string }): Lifecycle {
  const oracle = new Oracle(config, names.resource);
  const states = Object.keys(config.states);
  const used = usedNames(config);
  const declared = new Map(states.map((state) => [state, declaredTriggers(config, state, oracle.timersOf(state))]));
  const decisions = new Map(
    states.map((state) => [state, decisionsOf(oracle, state, declared.get(state) ?? new Set())]),
  );
  const start = new DecisionTree((ask) => oracle.start(ask));
  const triggers = [
    ...new Set([config, ...Object.values(config.states)].flatMap((state) => Object.keys(state?.on ?? {}))),
  ];
  return {
    initial: config.initial,
    states,
    ...used,
    start: (guard) => start.decide(guard),
    send: (state, trigger, guard) => decisions.get(state)?.get(trigger)?.decide(guard),
    triggers: () => triggers,
    canSend: (state, trigger) => declared.get(state)?.has(trigger) ?? false,
    timersOf: (state) => oracle.timersOf(state),
  };
}

function decisionsOf(
  oracle: Oracle,
  state: string,
  triggers: ReadonlySet<string>,
): Map<string, DecisionTree<TransitionOutcome | undefined>> {
  return new Map(
    [...triggers].map((name) => [name, new DecisionTree((ask) => oracle.send(state, xstateTrigger(name), ask))]),
  );
}

function declaredTriggers(config: MachineConfig, name: string, timers: readonly DelayedTrigger[]): ReadonlySet<string> {
  const state = config.states[name] ?? {};
  if (state.type === 'final') return new Set();
  const names = new Set([...Object.keys(state.on ?? {}), ...Object.keys(config.on ?? {})]);
  const moving = [...names].filter((trigger) => canMove([...ways(state, trigger), ...ways(config, trigger)]));
  return new Set([...moving, ...timers.map((timer) => timer.trigger)]);
}

function ways(node: Pick<StateConfig, 'on'>, trigger: string): Candidate[] {
  return node.on !== undefined && Object.hasOwn(node.on, trigger) ? candidates(node.on[trigger], []) : [];
}

/** Whether the first candidate that could be taken may be: a forbidden trigger lets nothing behind it happen. */
function canMove([first]: readonly Candidate[]): boolean {
  return first !== undefined && !first.forbidden;
}

function usedNames(config: MachineConfig): Pick<Lifecycle, 'guards' | 'actions' | 'delays'> {
  const nodes: StateConfig[] = [{ on: config.on }, ...Object.values(config.states).map((state) => state ?? {})];
  const all = nodes.flatMap((node) => slots(node, []).flatMap((slot) => slot.candidates));
  const unique = (names: readonly string[]) => [...new Set(names)];
  return {
    guards: unique(all.flatMap(({ guard }) => (guard == null ? [] : [guard]))),
    actions: unique([
      ...nodes.flatMap((node) => [...nameList(node.entry), ...nameList(node.exit)]),
      ...all.flatMap((each) => nameList(each.actions)),
    ]),
    delays: unique(nodes.flatMap((node) => Object.keys(node.after ?? {}))),
  };
}
