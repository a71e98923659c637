import type { Json, JsonObject } from '../values/index.js';
import type { JournalRecord, LedgerHeader, StoredEntry } from '../world/index.js';
import type { ExportedFiles } from './files.js';

/** Version of the format in which one pack is exported; every change of the format increases it. */
export const BUG_FORMAT = 1;

/** Version of the format in which companies are exported: each step names its pack. */
export const COMPANY_BUG_FORMAT = 2;

/** One action on a world, in a form that a replay can repeat. */
export type BugAction =
  /** A call of the vendor API, with the arguments that the ledger recorded. */
  | { readonly kind: 'call'; readonly operation: string; readonly args: JsonObject }
  /** A call of the control API, such as `POST /faults`. */
  | { readonly kind: 'control'; readonly route: string; readonly body: JsonObject }
  /** An external event that a page or a company's rule fired. `rule` is the origin that the ledger recorded. */
  | { readonly kind: 'cause'; readonly cause: string; readonly params: JsonObject; readonly rule?: JsonObject }
  /** An advance of the clock to a time (ms), with the number of timers that fired. */
  | {
      readonly kind: 'clock';
      readonly to: number;
      readonly timers: number;
      readonly why: Json;
      /** The call that advanced the clock, if it had no other effect. */
      readonly call?: Pick<StoredEntry, 'request' | 'trace'>;
      /** The object's clock that advanced, if it was a single one; absent: the world's clock. */
      readonly of?: string;
      /** The steps of an advance in which clocks of objects take part. */
      readonly moves?: readonly ClockMove[];
    }
  | { readonly kind: 'rewind'; readonly to: number; readonly why: Json }
  | { readonly kind: 'moment'; readonly name: string; readonly entry: number }
  /** The world recorded the outcomes of all deliveries. */
  | { readonly kind: 'flush' }
  /** The caller of an operation disconnected after this many events of its stream. */
  | { readonly kind: 'stream'; readonly operation: string; readonly object: string | null; readonly sent: number }
  /** A delivery was sent again. */
  | { readonly kind: 'resend'; readonly delivery: string }
  /** An entry that is stored as it is: seeded objects, or a reset to them. */
  | { readonly kind: 'entry'; readonly entry: StoredEntry };

/** A step of an advance: fires a timer (of a clock; null: the world's), or sets clocks of objects or the world's clock (ms). */
export type ClockMove =
  | { readonly fire: string | null; readonly pack?: string }
  | { readonly stand: Readonly<Record<string, number>>; readonly pack?: string }
  | { readonly to: number };

/** An action with its effect. */
export type BugStep = BugAction & {
  /** The pack to which the step belongs, in a company. */
  readonly pack?: string;
  /**
   * Position of the stream of request ids before the step, since calls without changes, which the file omits, also draw from
   * it.
   */
  readonly requests: number | null;
  /** Number of the last entry of the step. */
  readonly last: number;
  /** Digest of the ledger entries that the step caused. */
  readonly digest: string;
  /** Ids of new objects and entries of registers, by collection or register; in a company prefixed with the pack. */
  readonly made: Readonly<Record<string, readonly string[]>>;
};

/** A receiver's response to one attempt. */
export interface ReceivedDelivery {
  readonly status: number | null;
  readonly error: string | null;
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
}

/** A world as one file for `sandbox replay`: every vendor API call and control API call that it received. */
export interface Bug {
  readonly format: number;
  readonly header: LedgerHeader;
  /** Addresses of the world's packs, which encoded texts (tokens, signatures) may contain. Absent in older files. */
  readonly addresses?: readonly string[];
  /** The world before the first step, unless it is empty. */
  readonly begins: { readonly entry: StoredEntry; readonly journal: readonly JournalRecord[] } | null;
  /** Responses of receivers, by delivery id, in the order of the attempts. */
  readonly receivers: Readonly<Record<string, readonly ReceivedDelivery[]>>;
  /** Files that are too large for the world's values; absent if there are none. */
  readonly files?: ExportedFiles;
  readonly steps: readonly BugStep[];
}

/** A file that is written step by step: `undefined` marks a pause in which others may run. */
export type WrittenBug = Omit<Bug, 'steps'> & { readonly steps: Iterable<BugStep | undefined> };
