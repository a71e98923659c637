import { candidates, type Candidate, type MachineConfig, nameList, slots, type StateConfig } from './config.js';
import { Oracle, xstateTrigger } from './oracle.js';
import type { Ask, TransitionOutcome, DelayedTrigger } from './outcome.js';

/** A compiled machine: what XState's pure functions would say, at the price of a table. */
export interface Machine {
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
 * Compiles a `machine:` block. Run `checkMachine` first: a machine with problems throws when it is used.
 * @param names `resource` names the machine in the triggers of its timers
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

/** Whether the first candidate that could be taken may be: a forbidden trigger lets nothing behind it happen. */
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

/** A guard's name and what it returned, in the order in which the results were needed. */
type GuardValues = readonly (readonly [guard: string, holds: boolean])[];

type StateNode<T> =
  | { readonly leaf: true; readonly value: T }
  | { readonly leaf: false; readonly guard: string; yes?: StateNode<T>; no?: StateNode<T> };

/**
 * Remembers a decision that depends on nothing but the responses of guards. What the oracle says for a path of responses is
 * kept, so a known path costs one question per guard and nothing else.
 */
class DecisionTree<T> {
  #root?: StateNode<T>;

  constructor(private readonly oracle: (ask: Ask) => T) {}

  /** The decision for these responses; every guard is asked at most once, in the oracle's order. */
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
