import type { Json, JsonObject } from '../values/index.js';
import type { LedgerHeader, StoredEntry } from './ledger.js';
import type { Trace } from './traces.js';

/** One attempt of a delivery. */
export interface AttemptRecord {
  /** Real time, ISO 8601. */
  readonly at: string;
  /** Simulated time, in the pack's representation: when it was due, however late the clock was advanced. */
  readonly world_time: Json;
  /** HTTP status, null when there was no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  /** As sent; secrets in headers are masked. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** The response, of its body the first 4 KiB. */
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
}

/**
 * What the outside did. It depends on real time and on strangers, so it is beside the ledger: the ledger of the same calls
 * is the same, the journal is not. In order, it gives back the deliveries and traces of a world.
 */
export type JournalRecord = OutsideRecord & {
  /** Whose it is, in a company of several packs. */
  readonly pack?: string;
};

type OutsideRecord =
  | {
      readonly kind: 'delivery';
      readonly id: string;
      readonly event: JsonObject;
      readonly type: string;
      /** The endpoint as it was when the delivery was made. */
      readonly endpoint: { readonly id: string; readonly value: JsonObject };
      readonly transport: string;
      readonly addressed: boolean;
      /** Simulated time (ms) when it was made. */
      readonly made: number;
      /** Simulated time (ms) of its first attempt, when a fault has put that off. */
      readonly due?: number;
      /** Id of the fault that applied to it. */
      readonly fault?: string;
    }
  | {
      readonly kind: 'attempt';
      readonly delivery: string;
      readonly attempt: AttemptRecord;
      /** What the delivery is then. */
      readonly status: 'pending' | 'delivered' | 'failed' | 'recorded';
      readonly url: string | null;
      readonly body: string | null;
      readonly message: Json;
      /** Attempts that happened by themselves, this one included. */
      readonly tries: number;
      /** Simulated time (ms) of the next one. */
      readonly due: number | null;
      /** It was the last one, so that the endpoint counts as out of reach. */
      readonly gaveUp: boolean;
    }
  /** A delivery ended without an attempt: its endpoint receives nothing any more. */
  | { readonly kind: 'dropped'; readonly delivery: string }
  /** The world recorded everything above: a flush, a move of the clock, a replay (then of one delivery). */
  | { readonly kind: 'learned'; readonly delivery: string | null }
  /** A vendor call, and how far the stream of requests has got. A keeper that drops traces keeps the newest position. */
  | { readonly kind: 'trace'; readonly trace: Trace; readonly requests: number }
  /** A user named the moment after an entry; null: the name is free again. Neither a reset nor a rewind forgets it. */
  | { readonly kind: 'moment'; readonly name: string; readonly entry: number | null }
  /** Everything above is forgotten, moments apart. */
  | { readonly kind: 'reset' };

/** Records that a world keeps of its journal, at most twice as many: a delivery has three, and 10,000 deliveries are kept anyway. */
const KEPT = 15_000;

/** A record as it is kept. */
export type StoredRecord = JournalRecord & {
  /** Number of the ledger entry after which it came; absent: it came after the last one. */
  readonly after?: number;
};

interface PlacedRecord {
  readonly after: number;
  readonly record: JournalRecord;
}

/** The newest records of a world and those of deliveries that are not over, traces apart, each with the entry after which it came. */
export class Journal {
  #records: PlacedRecord[] = [];

  add(record: JournalRecord, after: number): void {
    this.#records.push({ after, record });
    if (this.#records.length > KEPT * 2) this.#records = newest(this.#records);
  }

  /** As they are kept. */
  kept(): StoredRecord[] {
    return this.#records.map(({ after, record }) => ({ ...record, after }));
  }

  /** Everything since an entry, each with the entry after which it came. */
  since(n: number): readonly { readonly after: number; readonly record: JournalRecord }[] {
    return this.#records.filter(({ after }) => after >= n);
  }

  /** What the outside had done when the entry behind this one came, since the last reset before. */
  upTo(n: number): JournalRecord[] {
    const records = this.#records.filter(({ after }) => after <= n).map(({ record }) => record);
    return records.slice(records.findLastIndex(({ kind }) => kind === 'reset') + 1);
  }
}

/** What a journal keeps of its records: a delivery that still has an attempt before it must not be forgotten. */
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

/** What a journal has of deliveries since it was last emptied, for a world that continues with a later state of its pack. */
export function recordsOfDeliveries(journal: readonly StoredRecord[]): JournalRecord[] {
  return journal
    .slice(journal.findLastIndex(({ kind }) => kind === 'reset') + 1)
    .filter(({ kind }) => kind !== 'trace' && kind !== 'moment')
    .map(({ after: _after, ...record }) => record as JournalRecord);
}

/** Everything of a world at one moment: a keeper of it needs nothing from before. */
export interface Checkpoint {
  /** The world as one entry, which stands for all entries up to its number. */
  readonly base: StoredEntry;
  /** Worlds at saved moments, as such entries. */
  readonly moments: readonly StoredEntry[];
  /** What the outside did. */
  readonly journal: readonly StoredRecord[];
}

/** The keeper of a world: called at once and in order. What it is given must not be changed. */
export interface WorldKeeper {
  /** Comes first, and again when the world continues with a later state of its pack. */
  begin(header: LedgerHeader): void;
  /** @param texts the changes as JSON, if they were written before: for those who take them */
  entry(entry: StoredEntry, texts?: readonly string[]): void;
  /** Whether it writes entries as JSON, so that those of a large command are best written before. */
  readonly takesTexts?: boolean;
  /** @param after number of the last ledger entry before it; that of its own for a reset or a rewind */
  record(record: JournalRecord, after: number): void;
  /**
   * Whether so much was recorded since the last checkpoint that another one would be welcome. O(1): asked after every entry.
   * @param last nothing follows: the world is about to leave memory
   */
  isCheckpointDue?(last?: boolean): boolean;
  checkpoint?(checkpoint: Checkpoint): void;
  /**
   * What a response or a message to the outside waits for: resolves once all that was recorded so far is safe, rejects when it
   * cannot be; undefined: nothing to wait for.
   */
  kept?(): Promise<void> | undefined;
  /** As `kept`, but undefined as long as little enough waits: a writer of entries by the thousand asks from time to time. */
  room?(): Promise<void> | undefined;
}

/** A listener to changes of a world. Called in the middle of a command: it must neither change the world nor take long. */
export interface WorldListener {
  entry(entry: StoredEntry): void;
  record(record: JournalRecord): void;
}

/** What a keeper recorded of a world. */
export interface StoredWorld {
  /** The last one. */
  readonly header: LedgerHeader;
  /** What the entries begin with; absent: with nothing, or with one that empties the world. */
  readonly base?: StoredEntry;
  /** Worlds at saved moments before that. */
  readonly moments?: readonly StoredEntry[];
  readonly entries: readonly StoredEntry[];
  readonly journal: readonly StoredRecord[];
}
