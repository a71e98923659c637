import { FileWorld, type Groups } from './file-world.js';
import { CommitGroup } from './group.js';
import type { Whole } from './protocol.js';
import { StoreError } from './store.js';

/** The parts of a store that a world in the database uses. */
export interface Flusher {
  /** Plans a flush: at the end of this turn (`isUrgent`), or within the trace delay. */
  plan(isUrgent: boolean): void;
  /** Whether the lease is valid, so that this process still owns its worlds. */
  readonly isFresh: boolean;
  /** Resolves once the database has confirmed the ownership of this process's worlds; rejects if they are lost. */
  confirm(): Promise<void>;
}

/** Number of unwritten characters of a world above which a long advance of its clock waits for the database. */
const ROOM_CHARACTERS = 4 * 1024 * 1024;

/** Collects one world's records for the next flush. Each world's flush succeeds or fails independently of others. */
export class PgWorld implements Groups {
  #filling = new CommitGroup<FileWorld>();
  #flushing: CommitGroup<FileWorld> | null = null;
  #lose: (error: StoreError) => void = () => undefined;
  #failure: StoreError | null = null;
  lost: Promise<never> | null = null;
  /** Resolves with the reason if this process loses the world. */
  readonly ended: Promise<StoreError>;
  readonly keeper: FileWorld;
  /** Size of the world's history in the database, in bytes. */
  bytes: number;

  /** @param since number of characters after the world's snapshot */
  constructor(
    readonly number: number,
    readonly epoch: number,
    whole: Whole,
    since: number,
    bytes: number,
    private readonly store: Flusher,
  ) {
    this.bytes = bytes;
    this.keeper = new FileWorld(this, whole, number, since);
    this.ended = new Promise((resolve) => (this.#lose = resolve));
  }

  get isEmpty(): boolean {
    return this.#filling.isEmpty;
  }

  add(add: (group: CommitGroup<FileWorld>) => number, late: boolean): CommitGroup<FileWorld> {
    const group = this.#filling;
    if (this.#failure !== null) {
      group.end(this.#failure);
      return group;
    }
    group.size += add(group);
    group.isUrgent ||= !late;
    this.store.plan(group.isUrgent);
    return group;
  }

  linesOf(world: FileWorld): number {
    return this.#filling.items.get(world)?.lines.length ?? 0;
  }

  room(): Promise<void> | undefined {
    return this.lost ?? (this.#filling.size < ROOM_CHARACTERS ? undefined : (this.#flushing ?? this.#filling).safe);
  }

  /** For responses to wait for: resolves once the records are stored and the ownership is confirmed; undefined: both are. */
  kept(): Promise<void> | undefined {
    const safe = this.keeper.kept();
    if (this.store.isFresh && safe === undefined) return undefined;
    const confirmed = this.#confirmed(safe);
    // Some callers only check whether a promise is returned; for them a rejection must not end the process.
    confirmed.catch(() => undefined);
    return confirmed;
  }

  async #confirmed(safe: Promise<void> | undefined): Promise<void> {
    await safe;
    if (!this.store.isFresh) await this.store.confirm();
    if (this.#failure !== null) throw this.#failure;
  }

  /** Takes the collected records out of the world, for a flush. */
  take(): CommitGroup<FileWorld> {
    const group = this.#filling;
    this.#filling = new CommitGroup();
    this.#flushing = group;
    return group;
  }

  /** Marks the taken records as stored. @param bytes size of the world's history in the database */
  taken(bytes: number): void {
    this.bytes = bytes;
    this.#flushing?.end(null);
    this.#flushing = null;
  }

  /** Waits until all records so far are in the database. */
  async allSafe(): Promise<void> {
    while (this.#failure === null && (this.#flushing !== null || !this.#filling.isEmpty)) {
      const { safe } = this.#flushing ?? this.#filling;
      this.store.plan(true);
      await safe;
    }
    if (this.#failure !== null) throw this.#failure;
  }

  fail(failure: StoreError): void {
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.lost = Promise.reject(failure);
    this.lost.catch(() => undefined);
    this.#flushing?.end(failure);
    this.#flushing = null;
    this.#filling.end(failure);
    this.#lose(failure);
  }
}
