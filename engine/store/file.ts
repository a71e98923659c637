import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { threadFile } from './thread-file.js';
import { Worker } from 'node:worker_threads';
import { FileWorld, type Groups } from './file-world.js';
import { FolderBytes } from './bytes.js';
import { CommitGroup } from './group.js';
import { checkWorld } from './check.js';
import { type Exported, exportLines, readExport } from './export.js';
import type { WorkerCalls, Reply, WorkerRequest, StoreSize, WorkerStart } from './protocol.js';
import { readContents, type EntrySource } from './reading.js';
import { soundPart, type SoundPart } from './repair.js';
import { SharedText } from './shared-text.js';
import { type NewWorld, type OpenWorld, type Store, StoreError, type WorldRecord } from './store.js';
import { checkFiles, FileLines, fileLines, type FilesReport, referencesOf, removeFoldersBut } from './world-files.js';

interface FileStoreOptions {
  /** Size limit of the file in bytes; none by default. */
  readonly maxBytes?: number;
  /** Whether the file is a damaged copy, from which `soundPart` reads as much as possible. */
  readonly isDamaged?: boolean;
  /** Folder in which worlds store large files; by default beside the store. */
  readonly files?: string;
  /** The module of the writer thread, if it isn't beside this one. */
  readonly worker?: URL;
}

/** Number of unwritten characters above which a long advance of the clock waits for the disk. */
const ROOM_CHARACTERS = 8 * 1024 * 1024;
/** Milliseconds after which traces are written even without entries. */
const TRACE_DELAY_MS = 100;

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

/**
 * Worlds in one SQLite file. A separate thread writes: everything that worlds record while it is busy becomes safe with one
 * flush to disk. One process at a time; after a failed flush the store is unusable, since the result of a retry would be
 * unknown.
 */
export class FileStore implements Store, Groups {
  readonly #waiting = new Map<number, PendingRequest>();
  readonly #open = new Set<number>();
  #filling = new CommitGroup<FileWorld>();
  #flushing: CommitGroup<FileWorld> | null = null;
  /** Memory, shared with the writer thread, for the texts of the group that is being written. */
  readonly #texts = new SharedText();
  #planned = false;
  #late: NodeJS.Timeout | null = null;
  #asked = 0;
  #closed = false;
  /** Whether the thread that writes the file has ended. */
  #isClosed = false;
  #failure: StoreError | null = null;
  /** A promise that is already rejected, once the store can't write any more; null until then. */
  lost: Promise<never> | null = null;

  private constructor(
    private readonly file: string,
    private readonly worker: Worker,
    private readonly files: string,
  ) {
    worker.on('message', (reply: Reply) => this.#settle(reply));
    worker.on('error', (error) =>
      this.#fail(new StoreError('failed', `the store ${file} broke down: ${String(error)}`)),
    );
    worker.on('exit', () => {
      this.#isClosed = true;
      if (!this.#closed || this.#waiting.size > 0)
        this.#fail(new StoreError('failed', `the store ${file} ended unexpectedly`));
    });
  }

  /** Opens or creates the file. @throws StoreError `locked`, `format`, `damaged`, `failed` */
  static async open(file: string, options: FileStoreOptions = {}): Promise<FileStore> {
    const { maxBytes = null, isDamaged = false } = options;
    const start: WorkerStart = { file, maxBytes, isDamaged };
    const module = options.worker ?? threadFile('./worker.js', import.meta.url);
    const store = new FileStore(file, new Worker(module, { workerData: start }), options.files ?? `${file}.files`);
    try {
      await new Promise((resolve, reject) => store.#waiting.set(0, { resolve, reject }));
    } catch (error) {
      store.#closed = true;
      await store.worker.terminate();
      throw error;
    }
    return store;
  }

  get failure(): StoreError | null {
    return this.#failure;
  }

  get nowMs(): number {
    return Date.now();
  }

  async worlds(): Promise<readonly WorldRecord[]> {
    await this.#allSafe();
    return this.#ask('worlds');
  }

  async find(idOrName: string): Promise<WorldRecord | undefined> {
    await this.#allSafe();
    return (await this.#ask('find', idOrName)) ?? undefined;
  }

  async ofKey(key: string): Promise<WorldRecord | undefined> {
    await this.#allSafe();
    return (await this.#ask('ofKey', key)) ?? undefined;
  }

  create(world: NewWorld): Promise<WorldRecord> {
    return this.#ask('create', world);
  }

  async delete(id: string): Promise<boolean> {
    const number = numberOf(id);
    if (this.#open.has(number)) throw new StoreError('locked', `world ${id} is open`);
    const deleted = await this.#ask('delete', number);
    await rm(this.#filesOf(id), { recursive: true, force: true });
    return deleted;
  }

  async expire(nowMs: number): Promise<readonly string[]> {
    const over = await this.#ask('expire', nowMs, [...this.#open]);
    for (const id of over) await rm(this.#filesOf(id), { recursive: true, force: true });
    return over;
  }

  async open(id: string): Promise<OpenWorld> {
    const number = numberOf(id);
    if (this.#open.has(number)) throw new StoreError('locked', `world ${id} is open already`);
    this.#open.add(number);
    try {
      const source = await this.#source(id);
      const { whole } = source;
      const { kept, charactersSince } = await readContents(source);
      const keeper = new FileWorld(this, whole, number, charactersSince);
      const release = async (): Promise<void> => {
        await keeper.finish();
        await this.#allSafe().finally(() => this.#open.delete(number));
      };
      const files = FolderBytes.open(this.#filesOf(id), { isDurable: true });
      return { record: whole.record, kept, keeper, files, release };
    } catch (error) {
      this.#open.delete(number);
      throw error;
    }
  }

  /** Returns the folder in which a world stores large files. */
  #filesOf(id: string): string {
    return join(this.files, id);
  }

  /** Returns the size of a world, and the number of its snapshot's entry; null: no snapshot. */
  async size(id: string): Promise<StoreSize & { readonly snapshot: number | null }> {
    const { whole } = await this.#source(id);
    return { ...(await this.#ask('size', numberOf(id))), snapshot: whole.snapshot?.entry ?? null };
  }

  /** Returns the size of a closed world's files, in bytes. */
  sizeOfFiles(id: string): number {
    return this.#bytesOf(id).total;
  }

  /**
   * Exports a closed world as lines for `import`, including its files.
   * @throws StoreError `damaged` if one of its files is missing or damaged
   */
  async *export(id: string): AsyncGenerator<string> {
    const source = await this.#source(id);
    const { wrong, lines } = await this.#readFiles(id, source);
    if (wrong.length > 0)
      throw new StoreError('damaged', `${wrong[0]}; \`sandbox worlds repair\` exports the world without it`);
    yield* exportLines(source, lines);
  }

  /** Checks a world's files; returns problems, and the export's lines of valid files (undefined: no files). */
  async #readFiles(
    id: string,
    source: EntrySource,
  ): Promise<Pick<FilesReport, 'wrong'> & { readonly lines: Iterable<string> | undefined }> {
    const references = await referencesOf(source);
    if (references.all.size === 0) return { wrong: [], lines: undefined };
    const files = this.#bytesOf(id);
    const report = await checkFiles(files, references);
    return { wrong: report.wrong, lines: fileLines(files, references, report) };
  }

  #bytesOf(id: string): FolderBytes {
    return FolderBytes.open(this.#filesOf(id), { isDurable: true });
  }

  /**
   * Creates a world from an exported one.
   * @param name of the new world; by default that of the exported world
   * @returns the world, and sentences about missing files
   * @throws StoreError `taken`, `format`, `damaged`
   */
  async import(
    lines: AsyncIterable<string> | Iterable<string>,
    name?: string,
  ): Promise<WorldRecord & { readonly lost: readonly string[] }> {
    const arriving = this.#filesOf(`import-${process.pid}`);
    try {
      const sink = new FileLines(FolderBytes.open(arriving, { isDurable: true }));
      const { world, header, contents, texts, head }: Exported = await readExport(lines, sink);
      const number = await this.#ask('adopt', { ...world, name: name ?? world.name }, header, contents, texts, head);
      const id = `w${number}`;
      const source = await this.#source(id);
      try {
        await readContents(source);
        await rm(this.#filesOf(id), { recursive: true, force: true });
        if (existsSync(arriving)) await rename(arriving, this.#filesOf(id));
      } catch (error) {
        await this.#ask('delete', number);
        throw error;
      }
      const { wrong } = await checkFiles(this.#bytesOf(id), await referencesOf(source));
      return { ...source.whole.record, lost: wrong };
    } finally {
      await rm(arriving, { recursive: true, force: true });
    }
  }

  /**
   * Rewrites a world in fewer and larger blocks, which take a fraction of the space. Files without references are deleted.
   * @param forgets removes the history before its snapshot: moments that can't be restored any more
   */
  async compact(id: string, forgets = false): Promise<void> {
    const number = numberOf(id);
    if (this.#open.has(number)) throw new StoreError('locked', `world ${id} is open`);
    await this.#source(id);
    await this.#ask('compact', number, forgets);
    const files = this.#bytesOf(id);
    if (files.total > 0) files.sweep((await referencesOf(await this.#source(id))).all);
  }

  /** Shrinks the store's file by its unused space. */
  async shrink(): Promise<void> {
    await this.#ask('shrink');
    await removeFoldersBut(this.files, new Set((await this.worlds()).map(({ id }) => id)));
  }

  /** Returns sentences about data that was lost when the file was opened. */
  leftOut(): Promise<readonly string[]> {
    return this.#ask('leftOut');
  }

  /** Returns sentences about problems of the file as a whole. */
  async integrity(): Promise<readonly string[]> {
    return [...(await this.leftOut()), ...(await this.#ask('integrity'))];
  }

  /** Checks a world and its files. Files without references are no problem: a server deletes them occasionally. */
  async check(id: string): Promise<FilesReport> {
    const source = await this.#source(id);
    const wrong = await checkWorld(source);
    if (wrong.length > 0) return { wrong, unused: { count: 0, bytes: 0 } };
    return checkFiles(this.#bytesOf(id), await referencesOf(source));
  }

  /**
   * Recovers the usable part of a damaged world, for `exportLines`.
   * @throws StoreError `missing`; `damaged` if nothing is usable
   */
  async soundPart(id: string): Promise<SoundPart & { readonly lines: AsyncGenerator<string> }> {
    const number = numberOf(id);
    const read = await this.#ask('readDamaged', number);
    if (read === null) throw new StoreError('missing', `there is no world ${id}`);
    const source: EntrySource = {
      whole: read.whole,
      pieces: (from) => this.#ask('pieces', number, from, 1),
      blocks: (from) => this.#ask('blocks', number, from, 1),
    };
    const part = await soundPart(source, read.damage);
    const damage = part.damage.map((what) => what.replaceAll(`${this.file}: `, ''));
    const { wrong, lines } = await this.#readFiles(id, part.source);
    return { ...part, damage: [...damage, ...wrong], lines: exportLines(part.source, lines) };
  }

  async #source(id: string): Promise<EntrySource> {
    const number = numberOf(id);
    const whole = await this.#ask('read', number);
    if (whole === null) throw new StoreError('missing', `there is no world ${id}`);
    return {
      whole,
      pieces: (from) => this.#ask('pieces', number, from),
      blocks: (from) => this.#ask('blocks', number, from),
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#allSafe().catch(() => undefined);
    // Callers that wait for records have their errors already, so an error at the end is ignored.
    const ended = this.#isClosed ? null : this.#ask('close').catch(() => null);
    this.#closed = true;
    await ended;
    await this.worker.terminate();
  }

  add(add: (group: CommitGroup<FileWorld>) => number, late: boolean): CommitGroup<FileWorld> {
    const group = this.#filling;
    if (this.#failure !== null || this.#closed) return this.#lost(group);
    group.size += add(group);
    group.isUrgent ||= !late;
    if (group.isUrgent) this.#plan();
    else this.#late ??= setTimeout(() => this.#plan(), TRACE_DELAY_MS);
    return group;
  }

  linesOf(world: FileWorld): number {
    return this.#filling.items.get(world)?.lines.length ?? 0;
  }

  /** Resolves once so few characters are unwritten that a caller may add many more; undefined: at once. */
  room(): Promise<void> | undefined {
    return this.lost ?? (this.#filling.size < ROOM_CHARACTERS ? undefined : (this.#flushing ?? this.#filling).safe);
  }

  #lost(group: CommitGroup<FileWorld>): CommitGroup<FileWorld> {
    group.end(this.#failure ?? new StoreError('closed', `the store ${this.file} is closed`));
    return group;
  }

  /** Plans a flush at the end of this turn of the event loop, so that all records of the turn are written together. */
  #plan(): void {
    if (this.#planned || this.#flushing !== null) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    if (this.#flushing !== null || this.#failure !== null) return;
    const group = this.#filling;
    if (group.isEmpty) return;
    if (this.#late !== null) clearTimeout(this.#late);
    this.#late = null;
    this.#filling = new CommitGroup();
    this.#flushing = group;
    const { items, pieces, snapshots } = group;
    const texts = this.#texts.write([
      ...[...items.values()].map(({ lines }) => lines),
      ...pieces.map((each) => [each.text]),
    ]);
    const blocks = [...items].map(([world, { lines, header }], at) => ({
      ...world.placed(lines.length, header),
      text: texts[at],
    }));
    const parts = pieces.map((piece, at) => ({ ...piece, text: texts[items.size + at] }));
    try {
      await this.#ask('flush', { blocks, pieces: parts, snapshots });
    } catch (error) {
      this.#fail(asFault(error));
      return;
    }
    this.#flushing = null;
    group.end(null);
    if (this.#filling.isUrgent) this.#plan();
  }

  /** Waits until all records so far are on disk. */
  async #allSafe(): Promise<void> {
    while (this.#failure === null && (this.#flushing !== null || !this.#filling.isEmpty)) {
      const { safe } = this.#flushing ?? this.#filling;
      this.#plan();
      await safe;
    }
    if (this.#failure !== null) throw this.#failure;
  }

  #fail(failure: StoreError): void {
    this.#failure ??= failure;
    this.lost ??= Promise.reject(this.#failure);
    this.lost.catch(() => undefined);
    if (this.#late !== null) clearTimeout(this.#late);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
    this.#flushing?.end(this.#failure);
    this.#flushing = null;
    this.#filling.end(this.#failure);
  }

  #ask<C extends keyof WorkerCalls>(call: C, ...args: Parameters<WorkerCalls[C]>): Promise<ReturnType<WorkerCalls[C]>> {
    if (this.#closed) return Promise.reject(new StoreError('closed', `the store ${this.file} is closed`));
    if (this.#failure !== null && call !== 'close') return Promise.reject(this.#failure);
    const request: WorkerRequest = { number: ++this.#asked, call, args };
    return new Promise((resolve, reject) => {
      // The worker responds with the result type that `WorkerCalls` declares.
      this.#waiting.set(request.number, { resolve: resolve as PendingRequest['resolve'], reject });
      this.worker.postMessage(request);
    });
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if ('result' in reply) waiting?.resolve(reply.result);
    else waiting?.reject(new StoreError(reply.error.code, `${this.file}: ${reply.error.message}`));
  }
}

function asFault(error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError('failed', String(error));
}

function numberOf(id: string): number {
  return Number(/^w(\d{1,6})$/.exec(id)?.[1] ?? 0);
}
