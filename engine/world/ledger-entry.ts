import type { Json, JsonObject } from '../values/index.js';
import type { Provenance } from './rows.js';

/** Format of entries; raise it when they are written differently. */
export const LEDGER_FORMAT = 1;

/** Identifies a ledger: with another pack its entries would have another meaning. */
export interface LedgerHeader {
  readonly format: number;
  readonly pack: {
    readonly name: string;
    readonly version: string;
    /** Hash of the names and contents of the pack's files. */
    readonly hash: string;
    /** The values of the pack's variables. */
    readonly vars: Readonly<Record<string, string>>;
  };
  readonly seed: string;
  /** Simulated time at the start, in milliseconds. */
  readonly t0: number;
  /** For a company: what it needs to continue. */
  readonly company?: JsonObject;
  /** The entry of another world on the same server from which it was forked. */
  readonly fork?: {
    readonly world: string;
    readonly entry: number;
    /** Whether the fork sends no deliveries. */
    readonly silent: boolean;
  };
}

/**
 * The origin of a command: a vendor API call, an external event, the clock, a seed, the control API, the outcome of a delivery,
 * or a rule of a company.
 */
export type EntryOrigin = 'call' | 'cause' | 'clock' | 'seed' | 'control' | 'outside' | 'rule';

/** Infinity in the ledger, since JSON has none. */
export const NEVER = 'never';

/** One change in the ledger, as JSON. */
export type StoredChange =
  | {
      readonly op: 'put';
      readonly collection: string;
      readonly id: string;
      /** Position among objects with equal sort keys; distinguishes an object from an earlier one with its id. */
      readonly seq: number;
      readonly value: JsonObject;
      /** Origins of the object's values from outside; absent: unknown. */
      readonly from?: readonly Provenance[];
      /** The object's tenant; absent: none. */
      readonly tenant?: string;
    }
  | {
      readonly op: 'delete';
      readonly collection: string;
      readonly id: string;
      /** Whether the deleted object leaves no tombstone, since it exceeded the retention of its resource. */
      readonly expired?: true;
      readonly tenant?: string;
    }
  | {
      readonly op: 'arm';
      readonly collection: string;
      readonly id: string;
      readonly trigger: string;
      /** Simulated time in milliseconds. */
      readonly due: number;
      readonly seq: number;
      readonly line?: string;
      readonly tenant?: string;
    }
  | {
      readonly op: 'disarm';
      readonly collection: string;
      readonly id: string;
      readonly trigger: string;
      /** The number of its `arm` change: a replaced object may have left a timer with the same name. */
      readonly seq: number;
      readonly tenant?: string;
    }
  /** A null value removes the key; `NEVER` means Infinity. */
  | { readonly op: 'set'; readonly register: string; readonly key: string; readonly value: unknown }
  | { readonly op: 'clock'; readonly now: number; readonly t0?: number }
  /** The following changes belong to this pack of a company, whose streams continue from here. */
  | { readonly op: 'pack'; readonly pack: string; readonly after: Positions }
  | {
      readonly op: 'reset';
      readonly t0: number;
      readonly keep: readonly string[];
      /** The world continues with a later state of its pack, which earlier entries may not fit. */
      readonly renewed?: true;
    };

/** Positions of a world's random streams. */
export interface Positions {
  readonly random: number;
  readonly seq: number;
  /** Position of the stream of request ids, which calls without changes advance too; the journal records it. */
  readonly requests: number;
  /** Position of the random stream of what follows from outside of the world. */
  readonly outside: number;
}

/** The origin of a command. */
export interface CommandInfo {
  readonly command: string;
  readonly origin: EntryOrigin;
  /** Id of the vendor API request. */
  readonly request?: string | null;
  /** Id of the command's trace. */
  readonly trace?: string | null;
  /** Arguments of the command: method, path and parameters of a call; route and body of a control call; the fired timer. */
  readonly args?: Json;
}

/** One committed command with changes. */
export interface StoredEntry {
  /** The pack to which the entry belongs, in a company. */
  readonly pack?: string;
  /** Counts from 1 and never repeats in a world's life, across resets too. */
  readonly n: number;
  /** Simulated time in milliseconds. */
  readonly at: number;
  readonly command: string;
  readonly origin: EntryOrigin;
  readonly request: string | null;
  readonly trace: string | null;
  readonly args: Json;
  readonly after: Positions;
  /** Changes of the entry, in order; each object only in its last state. */
  readonly changes: readonly StoredChange[];
}
