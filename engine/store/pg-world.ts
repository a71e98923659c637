import { FileWorld, type Groups } from './file-world.js';
import { CommitGroup } from './group.js';
import type { Whole } from './protocol.js';
import { StoreError } from './store.js';

/** What a world of a database needs of its store. */
export interface Flusher {
  /** There is something to keep: now, or when company comes. */
  plan(isUrgent: boolean): void;
  /** Whether everything that this process has is surely still its own. */
  readonly isFresh: boolean;
  /** Resolves when it is, rejects when it is not. */
  confirm(): Promise<void>;
}

/** Characters of a world that wait to be kept; beyond them a long advance of its clock waits too. */
const ROOM_CHARACTERS = 4 * 1024 * 1024;

/** A world's part of what is kept next: it becomes safe, or is lost, by itself. */
export class PgWorld implements Groups {
  #filling = new CommitGroup<FileWorld>();
  #flushing: CommitGroup<FileWorld> | null = null;
  #lose: (error: StoreError) => void = () => undefined;
  #failure: StoreError | null = null;
  lost: Promise<never> | null = null;
  /** Resolves when this process has the world no more although it was not released. */
  readonly ended: Promise<StoreError>;
  readonly keeper: FileWorld;
  /** What its history takes up in the database. */
  bytes: number;

  /** @param since characters that were written after its snapshot */
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

  /** What a response waits for: that it is safe, and that the world is still this process's own. */
  kept(): Promise<void> | undefined {
    const safe = this.keeper.kept();
    if (this.store.isFresh && safe === undefined) return undefined;
    const confirmed = this.#confirmed(safe);
    // Some only look whether there is something to wait for.
    confirmed.catch(() => undefined);
    return confirmed;
  }

  async #confirmed(safe: Promise<void> | undefined): Promise<void> {
    await safe;
    if (!this.store.isFresh) await this.store.confirm();
    if (this.#failure !== null) throw this.#failure;
  }

  /** What has come together so far, on its way to the database. */
  take(): CommitGroup<FileWorld> {
    const group = this.#filling;
    this.#filling = new CommitGroup();
    this.#flushing = group;
    return group;
  }

  /** It is safe. @param bytes what the world's history takes up now */
  taken(bytes: number): void {
    this.bytes = bytes;
    this.#flushing?.end(null);
    this.#flushing = null;
  }

  /** Waits for all that was recorded so far. */
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
