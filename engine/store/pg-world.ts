import { FileWorld, type Groups } from './file-world.js';
import { CommitGroup } from './group.js';
import type { Whole } from './protocol.js';
import { StoreError } from './store.js';

/** Services of the store that a world in the database uses. */
export interface Flusher {
  /** Plans a flush: now, or delayed. */
  plan(isUrgent: boolean): void;
  /** Whether this process certainly still owns its worlds. */
  readonly isFresh: boolean;
  /** Resolves when this is confirmed, rejects when it isn't. */
  confirm(): Promise<void>;
}

/** Unwritten characters of a world above which a long advance of its clock waits. */
const ROOM_CHARACTERS = 4 * 1024 * 1024;

/** A world's part of the next flush, which succeeds or fails by itself. */
export class PgWorld implements Groups {
  #filling = new CommitGroup<FileWorld>();
  #flushing: CommitGroup<FileWorld> | null = null;
  #lose: (error: StoreError) => void = () => undefined;
  #failure: StoreError | null = null;
  lost: Promise<never> | null = null;
  /** Resolves if this process loses the world. */
  readonly ended: Promise<StoreError>;
  readonly keeper: FileWorld;
  /** Size of its history in the database, in bytes. */
  bytes: number;

  /** @param since characters since its snapshot */
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

  /** Awaited by responses: until the records are safe, and this process still owns the world. */
  kept(): Promise<void> | undefined {
    const safe = this.keeper.kept();
    if (this.store.isFresh && safe === undefined) return undefined;
    const confirmed = this.#confirmed(safe);
    // Some callers only check whether they must wait, so a rejection must not end the process.
    confirmed.catch(() => undefined);
    return confirmed;
  }

  async #confirmed(safe: Promise<void> | undefined): Promise<void> {
    await safe;
    if (!this.store.isFresh) await this.store.confirm();
    if (this.#failure !== null) throw this.#failure;
  }

  /** Takes the collected records for a flush. */
  take(): CommitGroup<FileWorld> {
    const group = this.#filling;
    this.#filling = new CommitGroup();
    this.#flushing = group;
    return group;
  }

  /** The records are safe. @param bytes size of the world's history */
  taken(bytes: number): void {
    this.bytes = bytes;
    this.#flushing?.end(null);
    this.#flushing = null;
  }

  /** Waits until all records so far are safe. */
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
