import type { Json, JsonObject } from '../expression/index.js';
import type { Provenance } from './rows.js';

/** Raise it when entries are written differently. */
export const LEDGER_FORMAT = 1;

/** What a ledger belongs to: with another pack its entries would add up to something else. */
export interface LedgerHeader {
  readonly format: number;
  readonly pack: {
    readonly name: string;
    readonly version: string;
    /** Of the names and contents of its files. */
    readonly hash: string;
    /** Its variables, as they were set. */
    readonly vars: Readonly<Record<string, string>>;
  };
  readonly seed: string;
  /** World time at the start, in milliseconds. */
  readonly t0: number;
}

/** What set a command off: a vendor call, a world event, the clock, seeding, the control plane, what became of a delivery. */
export type Origin = 'call' | 'cause' | 'clock' | 'seed' | 'control' | 'outside';

/** Infinity, which JSON does not have, as the ledger keeps it. */
export const NEVER = 'never';

/** One change as the ledger keeps it. Everything in it is JSON. */
export type StoredChange =
  | {
      readonly op: 'put';
      readonly collection: string;
      readonly id: string;
      /** Place among objects of the same order; tells an object from an earlier one of the same id. */
      readonly seq: number;
      readonly value: JsonObject;
      /** Where its exogenous values came from; absent: nothing is known. */
      readonly from?: readonly Provenance[];
    }
  | { readonly op: 'delete'; readonly collection: string; readonly id: string }
  | {
      readonly op: 'arm';
      readonly collection: string;
      readonly id: string;
      readonly trigger: string;
      /** World time in milliseconds. */
      readonly due: number;
      readonly seq: number;
    }
  | {
      readonly op: 'disarm';
      readonly collection: string;
      readonly id: string;
      readonly trigger: string;
      /** That of its `arm`: an object that was replaced may have left a timer of the same name. */
      readonly seq: number;
    }
  /** A null value: the key is gone; `NEVER` stands for Infinity. */
  | { readonly op: 'set'; readonly register: string; readonly key: string; readonly value: unknown }
  | { readonly op: 'clock'; readonly now: number; readonly t0?: number }
  | { readonly op: 'reset'; readonly t0: number; readonly keep: readonly string[] };

/** Positions of the streams that a world draws from. */
export interface Positions {
  readonly random: number;
  readonly seq: number;
  /** Of the stream of requests. Calls that change nothing move it too: the journal tells how far. */
  readonly requests: number;
  /** Of the stream for what follows from outside. */
  readonly outside: number;
}

/** Who did something, and why. */
export interface CommandInfo {
  readonly command: string;
  readonly origin: Origin;
  /** Id of the vendor's request. */
  readonly request?: string | null;
  /** Id of its trace. */
  readonly trace?: string | null;
  /** What it was told: method, path and parameters of a call, route and body of the control plane, the timer that fired. */
  readonly args?: Json;
}

/** One command that changed something: committed as a whole. */
export interface StoredEntry {
  /** Counts from 1 and never repeats in a world's life, over resets too. */
  readonly n: number;
  /** World time in milliseconds. */
  readonly at: number;
  readonly command: string;
  readonly origin: Origin;
  readonly request: string | null;
  readonly trace: string | null;
  readonly args: Json;
  readonly after: Positions;
  /** In order; of an object only its last state. */
  readonly changes: readonly StoredChange[];
}

/** The newest entries, oldest first; older ones are dropped beyond the limit. */
export class Ledger {
  #entries: StoredEntry[] = [];
  #count: number;

  /**
   * @param limit Infinity keeps everything
   * @param after the number of the last entry of the world's earlier life
   */
  constructor(
    private readonly limit: number,
    after = 0,
  ) {
    this.#count = after;
  }

  /** The number of the last entry. */
  get count(): number {
    return this.#count;
  }

  /** O(1) on average: every `limit` entries as many are dropped at once. */
  add(entry: StoredEntry): void {
    this.#count = entry.n;
    this.#entries.push(entry);
    if (this.#entries.length > this.limit * 2) this.#entries = this.#entries.slice(-this.limit);
  }

  entries(): readonly StoredEntry[] {
    return this.#entries.length > this.limit ? this.#entries.slice(-this.limit) : this.#entries;
  }
}
