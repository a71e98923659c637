import type { Json, JsonObject } from '../values/index.js';
import type { LedgerHeader, StoredEntry } from './ledger-entry.js';
import type { Trace } from './traces.js';

/** One attempt of a delivery. */
export interface AttemptRecord {
  /** When the attempt was made, in real time (ISO 8601). */
  readonly at: string;
  /** Simulated time at which it was due, in the pack's format, however late the clock advanced. */
  readonly world_time: Json;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  /** The sent request; secrets in headers are masked. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** The response, with the first 4 KiB of its body. */
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
}

/**
 * An action from outside. It depends on real time and on other systems, so it isn't in the ledger: the same calls give the same
 * ledger, but not the same journal. In order, the records restore the deliveries and traces of a world.
 */
export type JournalRecord = OutsideRecord & {
  /** The pack to which the record belongs, in a company. */
  readonly pack?: string;
};

type OutsideRecord =
  | {
      readonly kind: 'delivery';
      readonly id: string;
      readonly event: JsonObject;
      readonly type: string;
      /** The endpoint when the delivery was created. */
      readonly endpoint: { readonly id: string; readonly value: JsonObject };
      readonly transport: string;
      readonly addressed: boolean;
      /** Simulated time (ms) of its creation. */
      readonly made: number;
      /** Simulated time (ms) of its first attempt, if a fault delayed it. */
      readonly due?: number;
      /** Id of the fault that applied to the delivery. */
      readonly fault?: string;
    }
  | {
      readonly kind: 'attempt';
      readonly delivery: string;
      readonly attempt: AttemptRecord;
      /** The delivery's status afterwards. */
      readonly status: 'pending' | 'delivered' | 'failed' | 'recorded';
      readonly url: string | null;
      readonly body: string | null;
      readonly message: Json;
      /** Number of automatic attempts, including this one. */
      readonly tries: number;
      /** Simulated time (ms) of the next attempt. */
      readonly due: number | null;
      /** Whether this was the delivery's last attempt, so that the endpoint counts as unreachable. */
      readonly gaveUp: boolean;
    }
  /** A delivery ended without an attempt, since its endpoint receives nothing any more. */
  | { readonly kind: 'dropped'; readonly delivery: string }
  /**
   * Results of deliveries were recorded in the world: all earlier ones at a flush or before its clock advances, or, in a
   * replay, the named one.
   */
  | { readonly kind: 'learned'; readonly delivery: string | null }
  /** A vendor API call, and the position of the stream of request ids. A keeper that drops traces keeps the newest position. */
  | { readonly kind: 'trace'; readonly trace: Trace; readonly requests: number }
  /** A user named the moment after an entry; null removes the name. Resets and rewinds keep it. */
  | { readonly kind: 'moment'; readonly name: string; readonly entry: number | null }
  /** All earlier records are discarded, except names of moments. */
  | { readonly kind: 'reset' };

/**
 * Maximum number of journal records that a world keeps (up to twice as many): a delivery has three, and 10,000 deliveries are
 * kept anyway.
 */
const KEPT = 15_000;

/** A stored record. */
export type StoredRecord = JournalRecord & {
  /** Number of the ledger entry that it follows; absent: the last one. */
  readonly after?: number;
};

interface PlacedRecord {
  readonly after: number;
  readonly record: JournalRecord;
}

/** The newest records of a world, and those of unfinished deliveries, without traces; each with the entry that it follows. */
export class Journal {
  #records: PlacedRecord[] = [];

  add(record: JournalRecord, after: number): void {
    this.#records.push({ after, record });
    if (this.#records.length > KEPT * 2) this.#records = newest(this.#records);
  }

  /** The newest records, in the form in which they are stored. */
  kept(): StoredRecord[] {
    return this.#records.map(({ after, record }) => ({ ...record, after }));
  }

  /** All records after an entry, each with the entry that it follows. */
  since(n: number): readonly { readonly after: number; readonly record: JournalRecord }[] {
    return this.#records.filter(({ after }) => after >= n);
  }

  /** The records up to the next entry, since the last reset before it. */
  upTo(n: number): JournalRecord[] {
    const records = this.#records.filter(({ after }) => after <= n).map(({ record }) => record);
    return records.slice(records.findLastIndex(({ kind }) => kind === 'reset') + 1);
  }
}

/** The records that a journal keeps: unfinished deliveries must not be dropped. */
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

/** A journal's records of deliveries since the last reset, for a world that continues with a later state of its pack. */
export function recordsOfDeliveries(journal: readonly StoredRecord[]): JournalRecord[] {
  return journal
    .slice(journal.findLastIndex(({ kind }) => kind === 'reset') + 1)
    .filter(({ kind }) => kind !== 'trace' && kind !== 'moment')
    .map(({ after: _after, ...record }) => record as JournalRecord);
}

/** Everything about a world at one moment, independent of earlier records. */
export interface Checkpoint {
  /** The world as one entry, which replaces all entries up to its number. */
  readonly base: StoredEntry;
  /** The worlds at saved moments, as such entries. */
  readonly moments: readonly StoredEntry[];
  /** The calls, deliveries and other records that a continuing world still needs. */
  readonly journal: readonly StoredRecord[];
}

/** Records a world: called at once and in order. Its arguments must not be changed. */
export interface WorldKeeper {
  /** Called first, and again if the world continues with a later state of its pack. */
  begin(header: LedgerHeader): void;
  /** Keeps an entry. @param texts the changes as JSON, if they were written already */
  entry(entry: StoredEntry, texts?: readonly string[]): void;
  /** Whether the keeper writes entries as JSON, so that large commands should write their changes beforehand. */
  readonly takesTexts?: boolean;
  /** Keeps a record. @param after number of the last ledger entry before it; its own number for a reset or a rewind */
  record(record: JournalRecord, after: number): void;
  /**
   * Whether enough was recorded since the last checkpoint for another one. O(1), since it is called after every entry.
   * @param last nothing follows: the world is about to leave memory
   */
  isCheckpointDue?(last?: boolean): boolean;
  checkpoint?(checkpoint: Checkpoint): void;
  /**
   * Responses and messages wait for this: resolves once all records so far are safe, rejects if they can't be; undefined:
   * nothing to wait for.
   */
  kept?(): Promise<void> | undefined;
  /** Like `kept`, but undefined while few records are waiting; for writers of thousands of entries. */
  room?(): Promise<void> | undefined;
}

/** A listener to changes of a world. Called within a command: it must neither change the world nor take long. */
export interface WorldListener {
  entry(entry: StoredEntry): void;
  record(record: JournalRecord): void;
}

/** A world as its keeper recorded it. */
export interface StoredWorld {
  /** The header that was stored last. */
  readonly header: LedgerHeader;
  /** The checkpoint before the entries; absent: they start empty, or with an entry that empties the world. */
  readonly base?: StoredEntry;
  /** Worlds at saved moments before that. */
  readonly moments?: readonly StoredEntry[];
  readonly entries: readonly StoredEntry[];
  readonly journal: readonly StoredRecord[];
}
