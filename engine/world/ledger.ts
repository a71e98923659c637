import type { Json } from '../expression/index.js';

/** One change as the ledger tells it. Folding the changes of all entries gives the state. */
export type LoggedChange =
  | { readonly op: 'put'; readonly collection: string; readonly id: string; readonly value: Json }
  | { readonly op: 'delete'; readonly collection: string; readonly id: string }
  | {
      readonly op: 'arm';
      readonly collection: string;
      readonly id: string;
      readonly trigger: string;
      readonly due: number;
    }
  | { readonly op: 'disarm'; readonly collection: string; readonly id: string; readonly trigger: string }
  | { readonly op: 'set'; readonly register: string; readonly key: string; readonly value: unknown }
  | { readonly op: 'clock'; readonly now: number };

/** One command that changed something: committed as a whole. */
export interface LedgerEntry {
  /** Counts from 1. */
  readonly n: number;
  /** World time in milliseconds. */
  readonly at: number;
  readonly command: string;
  readonly changes: readonly LoggedChange[];
}

/** The newest entries, oldest first; older ones are dropped beyond the limit. */
export class Ledger {
  #entries: LedgerEntry[] = [];
  #count = 0;

  constructor(private readonly limit: number) {}

  get count(): number {
    return this.#count;
  }

  /** O(1) on average: every `limit` entries as many are dropped at once. */
  append(at: number, command: string, changes: readonly LoggedChange[]): void {
    this.#entries.push({ n: ++this.#count, at, command, changes });
    if (this.#entries.length > this.limit * 2) this.#entries = this.#entries.slice(-this.limit);
  }

  entries(): readonly LedgerEntry[] {
    return this.#entries.length > this.limit ? this.#entries.slice(-this.limit) : this.#entries;
  }
}
