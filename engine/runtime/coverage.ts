import { UnsupportedUses } from './unsupported.js';

/** A way that an object's machine took: into its first state when `from` is null. */
export interface CoveredPath {
  readonly resource: number;
  readonly from: string | null;
  readonly trigger: string | null;
  /** Every state that was entered on it. */
  readonly entered: readonly string[];
}

/** What one command met. */
interface CoveredItems {
  readonly ways: readonly CoveredPath[];
  /** Names of events. */
  readonly events: readonly string[];
}

/** What the calls of a world have met of its pack since the process started, over resets and rewinds. A few look-ups per command. */
export class Coverage {
  /** By `stateKey`. */
  readonly states = new Set<string>();
  /** By `transitionKey`. */
  readonly transitions = new Set<string>();
  readonly events = new Set<string>();
  readonly errors = new Set<string>();
  readonly causes = new Set<string>();
  readonly magicValues = new Set<string>();
  readonly scenarios = new Set<string>();
  /** What calls asked for in vain. */
  readonly unsupported = new UnsupportedUses();

  /** The last way to each list of entered states: a machine gives the same lists again and again. */
  readonly #last = new WeakMap<readonly string[], CoveredPath>();

  /** Notes what a committed command met. */
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
