import { createRequire } from 'node:module';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import {
  candidates,
  type MachineConfig,
  nameList,
  type StateConfig,
  targetState,
  type TransitionsConfig,
} from './config.js';
import type { Ask, TransitionOutcome, DelayedTrigger } from './outcome.js';

/** XState, loaded on first use, so that a start without transitions doesn't wait for it. */
const xstate = (): typeof import('xstate') =>
  (loaded ??= createRequire(import.meta.url)('xstate') as typeof import('xstate'));
let loaded: typeof import('xstate') | undefined;

/** Maximum number of successive `always` transitions; more mean that guards let the machine run in a circle. */
const MOST_STEPS = 200;

/** Thrown if guards let `always` transitions run in a circle. */
export class MachineLoop extends Error {}

/** One evaluation by XState: the source of its guards' results, and the error that a guard threw. */
interface OracleRun {
  readonly ask: Ask;
  failure?: { readonly error: unknown };
}

/** An action in XState's result. */
interface OracleQuestion {
  readonly type: string;
  readonly params?: unknown;
}

/** XState's pure functions for one machine: slow, but the definition of what is correct. */
export class Oracle {
  readonly #timers: ReadonlyMap<string, DelayedTrigger>;
  readonly #ofState: ReadonlyMap<string, readonly DelayedTrigger[]>;
  #built: AnyStateMachine | undefined;
  #run: OracleRun = { ask: () => false };

  constructor(
    private readonly config: MachineConfig,
    private readonly resource: string,
  ) {
    const states = Object.entries(config.states);
    this.#ofState = new Map(states.map(([name, state]) => [name, timersOf(name, state ?? {}, resource)]));
    this.#timers = new Map([...this.#ofState.values()].flat().map((timer) => [timer.trigger, timer]));
  }

  /** XState's machine, built on first use, since a process never uses most machines of a pack. */
  get #machine(): AnyStateMachine {
    this.#built ??= this.#build();
    return this.#built;
  }

  #build(): AnyStateMachine {
    const { on, initial, states } = this.config;
    const delays = Object.values(states).flatMap((state) => Object.keys(state?.after ?? {}));
    return xstate().createMachine(
      {
        id: this.resource,
        initial,
        on: mapSlots(on, '.'),
        states: Object.fromEntries(Object.entries(states).map(([name, state]) => [name, stateFor(name, state ?? {})])),
        options: { maxIterations: MOST_STEPS },
      },
      {
        guards: { ask: (_args: unknown, params: unknown) => this.#valueOf(nameIn(params)) },
        // A number keeps XState from raising the event at once; the world runs the timer.
        delays: Object.fromEntries(delays.map((delay) => [delayKey(delay), 1])),
      },
    );
  }

  timersOf(state: string): readonly DelayedTrigger[] {
    return this.#ofState.get(state) ?? [];
  }

  start(ask: Ask): TransitionOutcome {
    return this.#with({ ask }, () => {
      const [snapshot, actions] = xstate().initialTransition(this.#machine);
      return this.#outcome(undefined, snapshot, actions);
    });
  }

  /** Returns the outcome of a trigger; undefined if the state has no transition for it or is final. */
  send(state: string, trigger: string, ask: Ask): TransitionOutcome | undefined {
    if (this.config.states[state]?.type === 'final') return undefined;
    const event = { type: trigger };
    return this.#with({ ask }, () => {
      const before = this.#machine.resolveState({ value: state, context: {} });
      if (!before.can(event)) return undefined;
      const [after, actions] = xstate().transition(this.#machine, before, event);
      return this.#outcome(state, after, actions);
    });
  }

  #with<T>(run: OracleRun, body: () => T): T {
    const outer = this.#run;
    this.#run = run;
    try {
      return body();
    } catch (error) {
      if (run.failure) throw run.failure.error;
      if (error instanceof Error && error.message.startsWith('Infinite loop')) {
        throw new MachineLoop(
          `the machine of ${this.resource} never reaches a stable state: its \`always\` transitions form a cycle`,
        );
      }
      throw error;
    } finally {
      this.#run = outer;
    }
  }

  /** Evaluates a guard, and keeps an error that the guard throws, since XState wraps errors. */
  #valueOf(guard: string): boolean {
    try {
      return this.#run.ask(guard);
    } catch (error) {
      this.#run.failure = { error };
      throw error;
    }
  }

  #outcome(from: string | undefined, after: AnyMachineSnapshot, actions: readonly OracleQuestion[]): TransitionOutcome {
    // When it enters the initial state, XState stores an error in the snapshot instead of throwing it.
    if (after.status === 'error') throw after.error;
    const running = new Set((from === undefined ? [] : this.timersOf(from)).map((timer) => timer.trigger));
    const cancel: string[] = [];
    const armed = new Map<string, DelayedTrigger>();
    const done: string[] = [];
    const entered: string[] = [];
    for (const { type, params } of actions) {
      if (type === 'do') done.push(nameIn(params));
      else if (type === 'enter') entered.push(nameIn(params));
      else if (type !== 'take') {
        const trigger = timerId(params);
        const timer = trigger === undefined ? undefined : this.#timers.get(publicTrigger(trigger));
        if (!timer) throw new Error(`XState asked for '${type}', which no machine of a pack can`);
        if (type === 'xstate.raise') armed.set(timer.trigger, timer);
        else if (!armed.delete(timer.trigger) && running.delete(timer.trigger)) cancel.push(timer.trigger);
      }
    }
    return Object.freeze({
      changed: true,
      target: String(after.value),
      actions: done,
      entered,
      arm: [...armed.values()],
      cancel,
    });
  }
}

/** Returns the name of a delay for XState, with a prefix, since XState reads names like numbers as milliseconds. */
function delayKey(delay: string): string {
  return `:${delay}`;
}

function publicTrigger(id: string): string {
  return id.replace('xstate.after.:', 'xstate.after.');
}

function timersOf(name: string, state: StateConfig, resource: string): DelayedTrigger[] {
  if (state.type === 'final') return [];
  return Object.keys(state.after ?? {}).map((delay) => ({
    delay,
    trigger: `xstate.after.${delay}.${resource}.${name}`,
  }));
}

/** Converts a timer's trigger to the name that XState uses, `xstate.after.:NAME`. */
export function xstateTrigger(trigger: string): string {
  return trigger.replace(/^xstate\.after\./, 'xstate.after.:');
}

function named(type: string, name: string) {
  return { type, params: { name } };
}

function nameIn(params: unknown): string {
  if (typeof params === 'object' && params !== null && 'name' in params) return String(params.name);
  throw new Error('a marker of the machine lost its name');
}

/** Reads the name of a timer from an action: `xstate.raise` calls it `id`, `xstate.cancel` calls it `sendId`. */
function timerId(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  if ('sendId' in params) return String(params.sendId);
  return 'id' in params ? String(params.id) : undefined;
}

/**
 * XState treats a transition without target and actions like none; here it counts as taken, and only null forbids. A marker
 * action distinguishes them.
 */
function transitionsFor(config: TransitionsConfig | undefined, prefix: string) {
  return candidates(config, []).map(({ target, guard, actions, reenter, forbidden }) => ({
    ...(target == null ? {} : { target: prefix + targetState(target) }),
    ...(guard == null ? {} : { guard: named('ask', guard) }),
    ...(forbidden ? {} : { actions: [named('take', 'it'), ...nameList(actions).map((name) => named('do', name))] }),
    reenter: reenter ?? false,
  }));
}

function mapSlots(
  config: Readonly<Record<string, TransitionsConfig>> | undefined,
  prefix: string,
  key = (name: string) => name,
) {
  return Object.fromEntries(
    Object.entries(config ?? {}).map(([name, each]) => [key(name), transitionsFor(each, prefix)]),
  );
}

function stateFor(name: string, state: StateConfig) {
  const own = {
    entry: [named('enter', name), ...nameList(state.entry).map((action) => named('do', action))],
    exit: nameList(state.exit).map((action) => named('do', action)),
  };
  if (state.type === 'final') return { ...own, type: 'final' as const };
  return {
    ...own,
    on: mapSlots(state.on, ''),
    after: mapSlots(state.after, '', delayKey),
    ...(state.always == null ? {} : { always: transitionsFor(state.always, '') }),
  };
}
