import type { UnsupportedUse } from '../world/index.js';

/** A transition of an object's machine; `from` is null when it enters its initial state. */
export interface CoveredPath {
  readonly resource: number;
  readonly from: string | null;
  readonly trigger: string | null;
  /** All states that the transition entered, in order. */
  readonly entered: readonly string[];
}

/** The transitions and events of one command, for coverage. */
interface CoveredItems {
  readonly ways: readonly CoveredPath[];
  /** Names of the events that the command emitted. */
  readonly events: readonly string[];
}

/**
 * Records the parts of a pack that the calls of a world have used since the process started, across resets and rewinds. Costs a
 * few look-ups per command.
 */
export class Coverage {
  /** States that objects have entered, as keys that `stateKey` makes. */
  readonly states = new Set<string>();
  /** Transitions that machines have taken, as keys that `transitionKey` makes. */
  readonly transitions = new Set<string>();
  readonly events = new Set<string>();
  readonly errors = new Set<string>();
  readonly causes = new Set<string>();
  readonly magicValues = new Set<string>();
  readonly scenarios = new Set<string>();
  /** Counts of uses of things that the pack doesn't emulate. */
  readonly unsupported = new UnsupportedUses();

  /** The last transition per list of entered states, to skip repetitions: machines return the same list again. */
  readonly #last = new WeakMap<readonly string[], CoveredPath>();

  /** Records the transitions and events of a committed command. */
  note({ ways, events }: CoveredItems): void {
    for (const way of ways) {
      const { resource, from, trigger, entered } = way;
      const last = this.#last.get(entered);
      if (last?.resource === resource && last.from === from && last.trigger === trigger) continue;
      this.#last.set(entered, way);
      for (const state of entered) this.states.add(stateKey(resource, state));
      if (from === null || trigger === null) continue;
      this.states.add(stateKey(resource, from));
      this.transitions.add(transitionKey(resource, from, trigger));
    }
    for (const name of events) this.events.add(name);
  }
}

export function stateKey(resource: number, state: string): string {
  return `${resource} ${state}`;
}

export function transitionKey(resource: number, state: string, trigger: string): string {
  return `${resource} ${state} ${trigger}`;
}

/** A use of something that the pack doesn't emulate, and how often it occurred. */
interface CountedUse extends UnsupportedUse {
  /** `<collection>.<operation>`; null: the request matched no operation. */
  readonly operation: string | null;
  count: number;
}

/** Maximum number of uses that are counted separately; further ones share a count, since callers can choose names. */
const MOST_USES = 1000;

/** Counts of uses of things that the pack doesn't emulate, since the process started. */
class UnsupportedUses {
  readonly #all = new Map<string, CountedUse>();

  /** Counts a use. @returns whether no use of the same kind, name and operation was counted before */
  note({ kind, name }: UnsupportedUse, operation: string | null): boolean {
    const key = `${kind} ${name} ${operation ?? ''}`;
    const known = this.#all.get(key);
    if (known !== undefined) {
      known.count++;
      return false;
    }
    if (this.#all.size >= MOST_USES) return false;
    this.#all.set(key, { kind, name, operation, count: 1 });
    return true;
  }

  /** Lists the counted uses, most frequent first. */
  list(): CountedUse[] {
    return [...this.#all.values()].sort((a, b) => b.count - a.count);
  }

  /** Returns the number of uses of things that aren't emulated, by kind. */
  counts(): Readonly<Record<string, number>> {
    const made: Record<string, number> = {};
    for (const { kind, count } of this.#all.values()) made[kind] = (made[kind] ?? 0) + count;
    return made;
  }
}
