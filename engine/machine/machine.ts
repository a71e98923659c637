import { candidates, type Candidate, type MachineConfig, nameList, slots, type StateConfig } from './config.js';
import { Oracle, xstateTrigger } from './oracle.js';
import type { Ask, TransitionOutcome, DelayedTrigger } from './outcome.js';

/** A compiled machine: the results of XState's pure functions, stored in a table. */
export interface Machine {
  readonly initial: string;
  readonly states: readonly string[];
  /** Names (or inline texts) of guards, actions and delays in the config, each once. */
  readonly guards: readonly string[];
  readonly actions: readonly string[];
  readonly delays: readonly string[];
  /** Enters the initial state, and follows `always` transitions. */
  start(guard: Ask): TransitionOutcome;
  /**
   * Applies a trigger (or a timer's) in a state. Guards are evaluated lazily, in XState's order, each at most once.
   * @returns undefined if the state has no transition for it, or no guard is true; a transition without target and actions
   * counts, but has no effect
   * @throws MachineLoop if guards let `always` transitions run in a circle; errors of guards
   */
  send(state: string, trigger: string, guard: Ask): TransitionOutcome | undefined;
  /** Lists all triggers in `on` of states and of the machine; triggers of timers aren't in it. */
  triggers(): readonly string[];
  /** Whether the state has a transition for the trigger, independent of guards. */
  canSend(state: string, trigger: string): boolean;
  /** Lists the timers that run while an object is in a state. */
  timersOf(state: string): readonly DelayedTrigger[];
}

/**
 * Compiles a `machine:` block. Run `checkMachine` first: a machine with problems throws when used.
 * @param names `resource` is part of the triggers of its timers
 */
export function compileMachine(config: MachineConfig, names: { readonly resource: string }): Machine {
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

/** Whether the first candidate allows a transition: a forbidden trigger hides later candidates. */
function canMove([first]: readonly Candidate[]): boolean {
  return first !== undefined && !first.forbidden;
}

function usedNames(config: MachineConfig): Pick<Machine, 'guards' | 'actions' | 'delays'> {
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

/** Names of guards with their results, in the order of evaluation. */
type GuardValues = readonly (readonly [guard: string, holds: boolean])[];

type StateNode<T> =
  | { readonly leaf: true; readonly value: T }
  | { readonly leaf: false; readonly guard: string; yes?: StateNode<T>; no?: StateNode<T> };

/**
 * Caches decisions that depend only on the results of guards. XState is asked once for each sequence of results; after that a
 * decision evaluates only the guards.
 */
class DecisionTree<T> {
  #root?: StateNode<T>;

  constructor(private readonly oracle: (ask: Ask) => T) {}

  /** Returns the decision for the current results of guards; evaluates each guard at most once, in XState's order. */
  decide(ask: Ask): T {
    let node = this.#root;
    if (node?.leaf) return node.value;
    const values: [string, boolean][] = [];
    while (node && !node.leaf) {
      const value = ask(node.guard);
      values.push([node.guard, value]);
      node = value ? node.yes : node.no;
    }
    return node ? node.value : this.#explore(values, ask);
  }

  #explore(known: GuardValues, ask: Ask): T {
    const values = new Map(known);
    const value = this.oracle((guard) => {
      const found = values.get(guard);
      if (found !== undefined) return found;
      const value = ask(guard);
      values.set(guard, value);
      return value;
    });
    this.#root = grown(this.#root, [...values], 0, value);
    return value;
  }
}

function grown<T>(node: StateNode<T> | undefined, values: GuardValues, depth: number, value: T): StateNode<T> {
  if (depth === values.length) return node ?? { leaf: true, value };
  const [guard, holds] = values[depth];
  const made: StateNode<T> = node ?? { leaf: false, guard };
  if (made.leaf || made.guard !== guard) throw new Error(`the order of guards is not stable at '${guard}'`);
  const branch = holds ? 'yes' : 'no';
  made[branch] = grown(made[branch], values, depth + 1, value);
  return made;
}
