import type { Json, JsonObject } from '../values/index.js';
import type { LedgerHeader, StoredEntry } from './ledger-entry.js';
import type { Trace } from './traces.js';

/** The record of one attempt of a delivery. */
export interface AttemptRecord {
  /** Real time of the attempt (ISO 8601). */
  readonly at: string;
  /** Simulated time at which the attempt was due, in the pack's format, even if the clock had advanced further. */
  readonly world_time: Json;
  /** HTTP status of the response; null if there was no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  /** The request as sent, with secrets in headers masked. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** The receiver's response, with at most 4 KiB of its body; null: none. */
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
}

/**
 * Something that happened outside of the world, such as an attempt of a delivery. Journal records depend on real time and other
 * systems, so the same calls give the same ledger but not the same journal. In order, they restore the deliveries and traces of
 * a world.
 */
export type JournalRecord = OutsideRecord & {
  /** Name of the pack that the record concerns, in a company. */
  readonly pack?: string;
};

type OutsideRecord =
  | {
      readonly kind: 'delivery';
      readonly id: string;
      readonly event: JsonObject;
      readonly type: string;
      /** Id and value of the endpoint when the delivery was created. */
      readonly endpoint: { readonly id: string; readonly value: JsonObject };
      readonly transport: string;
      readonly addressed: boolean;
      /** Simulated time (ms) at which the delivery was created. */
      readonly made: number;
      /** Simulated time (ms) at which the first attempt is due, if a fault delays it. */
      readonly due?: number;
      /** Id of the fault that applied to the delivery. */
      readonly fault?: string;
    }
  | {
      readonly kind: 'attempt';
      readonly delivery: string;
      readonly attempt: AttemptRecord;
      /** The delivery's status after the attempt. */
      readonly status: 'pending' | 'delivered' | 'failed' | 'recorded';
      readonly url: string | null;
      readonly body: string | null;
      readonly message: Json;
      /** Number of the delivery's automatic attempts, including this one. */
      readonly tries: number;
      /** Simulated time (ms) at which the next attempt is due; null: there is none. */
      readonly due: number | null;
      /** Whether this was the delivery's last attempt, so that the endpoint counts as unreachable. */
      readonly gaveUp: boolean;
    }
  /** A delivery ended without an attempt, since its endpoint no longer receives events. */
  | { readonly kind: 'dropped'; readonly delivery: string }
  /**
   * The outcomes of deliveries became visible in the world: those of all earlier attempts, or (in a replay) of the named
   * delivery only.
   */
  | { readonly kind: 'learned'; readonly delivery: string | null }
  /** A vendor API call, and the position of the stream of request ids, which a keeper keeps even without traces. */
  | { readonly kind: 'trace'; readonly trace: Trace; readonly requests: number }
  /** A user named the moment after an entry; null removes the name. Resets and rewinds keep it. */
  | { readonly kind: 'moment'; readonly name: string; readonly entry: number | null }
  /** The world was reset: earlier records no longer count, except names of moments. */
  | { readonly kind: 'reset' };

/**
 * Maximum number of journal records that a world keeps (up to twice as many): a delivery has three, and 10,000 deliveries are
 * kept anyway.
 */
const KEPT = 15_000;

/** A journal record with the position in the ledger at which it was stored. */
export type StoredRecord = JournalRecord & {
  /** Number of the ledger entry that the record follows; absent: the last one stored before it. */
  readonly after?: number;
};

interface PlacedRecord {
  readonly after: number;
  readonly record: JournalRecord;
}

/** The records that a world still needs (newest ones, unfinished deliveries; no traces), with the preceding entry. */
export class Journal {
  #records: PlacedRecord[] = [];

  add(record: JournalRecord, after: number): void {
    this.#records.push({ after, record });
    if (this.#records.length > KEPT * 2) this.#records = newest(this.#records);
  }

  /** Returns the records that are still needed, in the form in which they are stored. */
  kept(): StoredRecord[] {
    return this.#records.map(({ after, record }) => ({ ...record, after }));
  }

  /** Returns the records after an entry, each with the number of the entry that it follows. */
  since(n: number): readonly { readonly after: number; readonly record: JournalRecord }[] {
    return this.#records.filter(({ after }) => after >= n);
  }

  /** Returns the records between the last reset and the ledger entry after `n`. */
  upTo(n: number): JournalRecord[] {
    const records = this.#records.filter(({ after }) => after <= n).map(({ record }) => record);
    return records.slice(records.findLastIndex(({ kind }) => kind === 'reset') + 1);
  }
}

/** Selects the records to keep: the newest ones, and all of unfinished deliveries. */
function newest(records: readonly PlacedRecord[]): PlacedRecord[] {
  const pending = new Set<string>();
  for (const { record } of records) {
    if (record.kind === 'delivery') pending.add(record.id);
    else if (record.kind === 'attempt' && record.status !== 'pending') pending.delete(record.delivery);
    else if (record.kind === 'dropped') pending.delete(record.delivery);
    else if (record.kind === 'reset') pending.clear();
  }
  const isPending = ({ record }: PlacedRecord): boolean =>
    (record.kind === 'delivery' && pending.has(record.id)) ||
    (record.kind === 'attempt' && pending.has(record.delivery));
  return [...records.slice(0, -KEPT).filter(isPending), ...records.slice(-KEPT)];
}

/** Selects the records of deliveries since the last reset, for a world that continues with a later state of its pack. */
export function recordsOfDeliveries(journal: readonly StoredRecord[]): JournalRecord[] {
  return journal
    .slice(journal.findLastIndex(({ kind }) => kind === 'reset') + 1)
    .filter(({ kind }) => kind !== 'trace' && kind !== 'moment')
    .map(({ after: _after, ...record }) => record as JournalRecord);
}

/** A world at one moment, complete, so that earlier records aren't needed to restore it. */
export interface Checkpoint {
  /** The world as one entry, which replaces all entries up to the same number. */
  readonly base: StoredEntry;
  /** The worlds at named moments, each as one entry. */
  readonly moments: readonly StoredEntry[];
  /** The calls, deliveries and other records that a continuing world still needs. */
  readonly journal: readonly StoredRecord[];
}

/** Receives the records of a world, in order, as soon as they exist. It must not change them. */
export interface WorldKeeper {
  /** Called with the world's header: first, and again if the world continues with a later state of its pack. */
  begin(header: LedgerHeader): void;
  /** Keeps a ledger entry. @param texts the changes as JSON, if the world has written them already */
  entry(entry: StoredEntry, texts?: readonly string[]): void;
  /** Whether the keeper writes entries as JSON, so that a large command should write its changes as JSON in slices before. */
  readonly takesTexts?: boolean;
  /** Keeps a record. @param after number of the last entry before it; for a reset or rewind, of its own entry */
  record(record: JournalRecord, after: number): void;
  /**
   * Whether so much was recorded since the last checkpoint that another one is due. O(1), since it is called after every entry.
   * @param last whether no record follows, since the world is about to leave memory
   */
  isCheckpointDue?(last?: boolean): boolean;
  checkpoint?(checkpoint: Checkpoint): void;
  /**
   * For responses and messages to wait for: resolves once all records so far are safe, and rejects if they can't be stored.
   * Undefined: nothing to wait for.
   */
  kept?(): Promise<void> | undefined;
  /** For writers of thousands of entries: undefined while few records are unwritten, else resolves after the next flush. */
  room?(): Promise<void> | undefined;
}

/** Callbacks for changes of a world. They run within a command, so they must neither change the world nor take long. */
export interface WorldListener {
  entry(entry: StoredEntry): void;
  record(record: JournalRecord): void;
}

/** All stored records of a world, from which it can continue. */
export interface StoredWorld {
  /** The header that the keeper stored last. */
  readonly header: LedgerHeader;
  /** The checkpoint before the entries; absent: they begin with an empty world, or with an entry that empties it. */
  readonly base?: StoredEntry;
  /** Checkpoints of named moments before `base`. */
  readonly moments?: readonly StoredEntry[];
  readonly entries: readonly StoredEntry[];
  readonly journal: readonly StoredRecord[];
}
