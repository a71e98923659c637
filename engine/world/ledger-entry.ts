import type { Json, JsonObject } from '../values/index.js';
import type { Provenance } from './rows.js';

/** Format of entries; raise it when they are written differently. */
export const LEDGER_FORMAT = 1;

/** Identifies the pack and configuration to which a ledger's entries belong. */
export interface LedgerHeader {
  readonly format: number;
  readonly pack: {
    readonly name: string;
    readonly version: string;
    /** Hash of the names and contents of the pack's files. */
    readonly hash: string;
    /** Values of the pack's variables, by name. */
    readonly vars: Readonly<Record<string, string>>;
  };
  readonly seed: string;
  /** Simulated time at which the world started, in milliseconds. */
  readonly t0: number;
  /** For a company: its description, from which it is recreated. */
  readonly company?: JsonObject;
  /** The world on the same server, and its entry, from which this one was forked; absent: not a fork. */
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

/** The text for Infinity in the ledger, since JSON can't express the number. */
export const NEVER = 'never';

/** One change of a world in the ledger, as JSON. */
export type StoredChange =
  | {
      readonly op: 'put';
      readonly collection: string;
      readonly id: string;
      /** Creation number: orders objects with equal sort keys, and distinguishes successive objects with one id. */
      readonly seq: number;
      readonly value: JsonObject;
      /** Origins of the object's external values; absent: none is recorded. */
      readonly from?: readonly Provenance[];
      /** The tenant to which the object belongs; absent: none. */
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
      /** Simulated time at which the timer is due, in milliseconds. */
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
      /** The number of the timer's `arm` change, since a replaced object may have had a timer with the same name. */
      readonly seq: number;
      readonly tenant?: string;
    }
  /** Sets a key of a register; a null value removes the key, and `NEVER` means Infinity. */
  | { readonly op: 'set'; readonly register: string; readonly key: string; readonly value: unknown }
  | { readonly op: 'clock'; readonly now: number; readonly t0?: number }
  /** The changes that follow belong to another pack of the company. `after`: positions of that pack's random streams. */
  | { readonly op: 'pack'; readonly pack: string; readonly after: Positions }
  | {
      readonly op: 'reset';
      readonly t0: number;
      readonly keep: readonly string[];
      /** Set if the world continues with a later state of its pack, which earlier entries may not fit. */
      readonly renewed?: true;
    };

/** Positions of a world's random streams. */
export interface Positions {
  readonly random: number;
  readonly seq: number;
  /** Position of the stream of request ids, which calls without changes advance too; the journal records it. */
  readonly requests: number;
  /** Position of the random stream for commands that follow from actions outside of the world. */
  readonly outside: number;
}

/** Where a command comes from: its name, origin, request and arguments. */
export interface CommandInfo {
  readonly command: string;
  readonly origin: EntryOrigin;
  /** Id of the vendor API request that caused the command; null: none. */
  readonly request?: string | null;
  /** Id of the trace that belongs to the command; null: none. */
  readonly trace?: string | null;
  /** Arguments of the command: method, path and parameters of a call; route and body of a control call; the fired timer. */
  readonly args?: Json;
}

/** One committed command in the ledger, with its changes. */
export interface StoredEntry {
  /** In a company, the name of the pack whose command made the entry. */
  readonly pack?: string;
  /** Number of the entry: counts from 1, and never repeats in a world, also after resets. */
  readonly n: number;
  /** Simulated time of the command, in milliseconds. */
  readonly at: number;
  readonly command: string;
  readonly origin: EntryOrigin;
  readonly request: string | null;
  readonly trace: string | null;
  readonly args: Json;
  readonly after: Positions;
  /** The command's changes, in order; each object once, in its last state. */
  readonly changes: readonly StoredChange[];
}
