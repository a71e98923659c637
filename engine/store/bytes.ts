import { createHash, createHmac, type Hash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fdatasyncSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../limits.js';
import { type ByteStore, ByteStoreFull, BytesLost, type ByteWriter, type StoredBytes } from '../values/index.js';
import { NO_LINKS, faultCode, fullOr, withRoom } from './file-faults.js';

/** Suffix of the names of files that aren't complete yet. */
const PART = '.part';

/** Number of bytes that are hashed without a pause. */
const SLICE_BYTES = 1 << 20;

/** Number of written bytes after which files without references are deleted. */
const SWEEP_BYTES = 256 * 2 ** 20;

/** Maximum number of cached digests; digests with a long text aren't cached. */
const MOST_DIGESTS = 10_000;

const LONGEST_DIGEST = 1_000;

interface FolderOptions {
  /** Whether files must survive a crash of the machine, so that each is flushed to disk. */
  readonly isDurable: boolean;
  /** Size limit of all files, in bytes; by default that of the sandbox. */
  readonly maxBytes?: number;
  /** A second location to which each file is copied. */
  readonly mirror?: FileMirror;
}

/** A copy of a folder's files elsewhere. If copying fails, the calls that need the files fail. */
export interface FileMirror {
  /** Copies a file of the folder to the mirror. @param path of the file */
  add(bytes: StoredBytes, path: string): Promise<void>;
  adopt(other: FileMirror): Promise<void>;
  remove(hashes: readonly string[]): Promise<void>;
}

/**
 * Files named by the hash of their content, in one folder for each world. A fork gets hard links, so that the file system
 * counts references. The content is compared with the hash before the file is first read, and again if the file has changed
 * since.
 */
export class FolderBytes implements ByteStore {
  onFull = (): void => undefined;
  secret: string | null = null;
  isReplay = false;
  total = 0;
  /** Number of files that are being written. */
  #arriving = 0;
  #newBytes = 0;
  #made = 0;
  readonly #sizes = new Map<string, number>();
  readonly #held = new Map<string, number>();
  /** Inode, size and times of files whose content was verified. */
  readonly #checked = new Map<string, string>();
  readonly #digests = new Map<string, string>();
  readonly #maxBytes: number;
  #folder: string | null = null;

  /** @param place returns the folder's path; it is called, and creates the folder, when first needed */
  constructor(
    private readonly place: () => string,
    private readonly options: FolderOptions,
  ) {
    this.#maxBytes = options.maxBytes ?? LIMITS.files.value;
  }

  /** Opens the folder of a stored world's files; deletes incomplete files of an earlier process. */
  static open(folder: string, options: FolderOptions): FolderBytes {
    const bytes = new FolderBytes(() => folder, options);
    if (!existsSync(folder)) return bytes;
    for (const name of readdirSync(folder)) {
      if (name.endsWith(PART)) rmSync(join(folder, name), { force: true });
      else if (/^[0-9a-f]{64}$/.test(name)) bytes.#add(name, statSync(join(folder, name)).size);
    }
    bytes.#newBytes = 0;
    return bytes;
  }

  get isSweepDue(): boolean {
    return this.#newBytes > Math.max(SWEEP_BYTES, this.total / 2);
  }

  has({ sha256, size }: StoredBytes): boolean {
    return this.#sizes.get(sha256) === size;
  }

  seal({ sha256, size }: StoredBytes): string {
    return createHmac('sha256', this.secret ?? '')
      .update(`${sha256}:${size}`)
      .digest('hex')
      .slice(0, 16);
  }

  *all(): Generator<StoredBytes> {
    for (const [sha256, size] of this.#sizes) yield { sha256, size };
  }

  digests(): Iterable<readonly [string, string]> {
    return this.#digests;
  }

  expect(bytes: readonly StoredBytes[], digests: readonly (readonly [string, string])[]): void {
    this.isReplay = true;
    for (const each of bytes) {
      this.hold(each);
      if (!this.has(each)) this.#sizes.set(each.sha256, each.size);
    }
    for (const [name, digest] of digests) this.#digests.set(name, digest);
  }

  writer(): ByteWriter {
    return this.#writer(true);
  }

  /** Returns a writer for files that the mirror has already. */
  copier(): ByteWriter {
    return this.#writer(false);
  }

  #writer(isMirrored: boolean): ByteWriter {
    const file = this.#newPart();
    const hash = createHash('sha256');
    let handle: FileHandle | null = null;
    let size = 0;
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) this.#arriving -= size;
      isOpen = false;
      await handle?.close();
    };
    const abort = async (): Promise<void> => {
      await close().catch(() => undefined);
      await rm(file, { force: true });
    };
    return {
      abort,
      write: async (chunk) => {
        this.#requireRoom(chunk.length);
        hash.update(chunk);
        size += chunk.length;
        this.#arriving += chunk.length;
        await withRoom(async () => {
          handle ??= await open(file, 'wx');
          for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
        });
      },
      finish: async () => {
        const made = { sha256: hash.digest('hex'), size };
        this.hold(made);
        if (this.has(made)) {
          await abort();
          return made;
        }
        await withRoom(async () => {
          handle ??= await open(file, 'wx');
          if (this.options.isDurable) await handle.datasync();
          await close();
          await rename(file, this.#pathOf(made));
        });
        if (this.options.isDurable) this.#keepNames();
        this.#checked.set(made.sha256, lookOf(await stat(this.#pathOf(made))));
        if (!this.has(made)) this.#add(made.sha256, size);
        if (isMirrored) await this.options.mirror?.add(made, this.#pathOf(made));
        return made;
      },
    };
  }

  put(bytes: Uint8Array): StoredBytes {
    const made = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
    if (this.has(made)) return made;
    this.#requireRoom(bytes.length);
    const file = this.#newPart();
    try {
      const fd = openSync(file, 'wx');
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
        if (this.options.isDurable) fdatasyncSync(fd);
      } finally {
        closeSync(fd);
      }
      renameSync(file, this.#pathOf(made));
    } catch (error) {
      rmSync(file, { force: true });
      throw fullOr(error);
    }
    if (this.options.isDurable) this.#keepNames();
    this.#checked.set(made.sha256, lookOf(statSync(this.#pathOf(made))));
    this.#add(made.sha256, made.size);
    void this.options.mirror?.add(made, this.#pathOf(made)).catch(() => undefined);
    return made;
  }

  hold({ sha256 }: StoredBytes): void {
    this.#held.set(sha256, (this.#held.get(sha256) ?? 0) + 1);
  }

  release({ sha256 }: StoredBytes): void {
    const left = (this.#held.get(sha256) ?? 0) - 1;
    if (left > 0) this.#held.set(sha256, left);
    else this.#held.delete(sha256);
  }

  read(bytes: StoredBytes, start = 0, end = bytes.size): Buffer {
    const fd = this.#open(bytes);
    try {
      const read = Buffer.allocUnsafe(end - start);
      for (let at = 0; at < read.length;) {
        const count = readSync(fd, read, at, read.length - at, start + at);
        if (count === 0) throw new BytesLost(`the stored bytes ${bytes.sha256} end too early`);
        at += count;
      }
      return read;
    } finally {
      closeSync(fd);
    }
  }

  async *stream(bytes: StoredBytes, start: number, end: number): AsyncGenerator<Buffer> {
    const path = this.#pathOf(bytes);
    const handle = await open(path).catch((error: unknown) => {
      throw new BytesLost(`the stored bytes ${bytes.sha256} are gone`, { cause: error });
    });
    let fd: FileHandle | null = handle;
    try {
      const look = lookOf(await handle.stat());
      if (this.#checked.get(bytes.sha256) !== look) {
        const hash = createHash('sha256');
        for await (const chunk of createReadStream(path, { highWaterMark: SLICE_BYTES })) hash.update(chunk as Buffer);
        this.#requireSame(bytes, hash, look);
      }
      const content = handle.createReadStream({ start, end: end - 1 });
      fd = null;
      for await (const chunk of content) yield chunk as Buffer;
    } finally {
      await fd?.close();
    }
  }

  digest(name: string, compute: () => string): string {
    if (name.length > LONGEST_DIGEST) return compute();
    let made = this.#digests.get(name);
    if (made === undefined) {
      if (this.#digests.size >= MOST_DIGESTS) this.#digests.clear();
      this.#digests.set(name, (made = compute()));
    }
    return made;
  }

  adopt(other: ByteStore): void {
    if (!(other instanceof FolderBytes)) throw new Error('a fork keeps its bytes as its world does');
    for (const [sha256, size] of other.#sizes) {
      if (this.#sizes.has(sha256)) continue;
      const of = { sha256, size };
      const [from, to] = [other.#pathOf(of), this.#pathOf(of)];
      try {
        const isChecked = other.#checked.get(sha256) === lookOf(statSync(from));
        linkSync(from, to);
        // A hard link changes the file's metadata, not its content.
        if (isChecked) for (const each of [this, other]) each.#checked.set(sha256, lookOf(statSync(to)));
      } catch (error) {
        const code = faultCode(error);
        // A file that is missing here is missing in the copy too.
        if (code === 'ENOENT') continue;
        if (code !== 'EEXIST' && !NO_LINKS.has(code)) throw fullOr(error);
        if (code !== 'EEXIST') copyFileSync(from, to);
      }
      this.#add(sha256, size);
    }
    for (const [name, digest] of other.#digests) this.#digests.set(name, digest);
    const { mirror } = other.options;
    if (mirror) void this.options.mirror?.adopt(mirror).catch(() => undefined);
    this.#newBytes = 0;
    if (this.#sizes.size > 0 && this.options.isDurable) this.#keepNames();
  }

  sweep(used: ReadonlySet<string>): void {
    this.#newBytes = 0;
    const removed: string[] = [];
    for (const [sha256, size] of this.#sizes) {
      if (used.has(sha256) || this.#held.has(sha256)) continue;
      rmSync(this.#pathOf({ sha256, size }), { force: true });
      this.#sizes.delete(sha256);
      this.#checked.delete(sha256);
      this.total -= size;
      removed.push(sha256);
    }
    // Failures of the mirror are ignored, since a file that stays there does no harm.
    if (removed.length > 0) void this.options.mirror?.remove(removed).catch(() => undefined);
  }

  /** Deletes the world's folder with all files. */
  remove(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
    this.#sizes.clear();
    this.total = 0;
  }

  #add(sha256: string, size: number): void {
    this.#sizes.set(sha256, size);
    this.total += size;
    this.#newBytes += size;
  }

  #requireRoom(more: number): void {
    const isFull = (): boolean => this.total + this.#arriving + more > this.#maxBytes;
    if (isFull()) this.onFull();
    if (isFull()) throw new ByteStoreFull(`a world keeps at most ${this.#maxBytes} bytes of files`);
  }

  #newPart(): string {
    return join(this.#here(), `${process.pid}-${++this.#made}${PART}`);
  }

  #pathOf({ sha256 }: StoredBytes): string {
    return join(this.#here(), sha256);
  }

  #here(): string {
    if (this.#folder === null) {
      const folder = this.place();
      mkdirSync(folder, { recursive: true });
      this.#folder = folder;
    }
    return this.#folder;
  }

  /** Flushes the folder itself to disk, so that the names of its files survive a crash. */
  #keepNames(): void {
    // Windows can't open folders.
    if (process.platform === 'win32') return;
    const fd = openSync(this.#here(), 'r');
    try {
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** Opens a file after verifying its content. @throws BytesLost */
  #open(bytes: StoredBytes): number {
    let fd: number;
    try {
      fd = openSync(this.#pathOf(bytes), 'r');
    } catch (error) {
      throw new BytesLost(`the stored bytes ${bytes.sha256} are gone`, { cause: error });
    }
    try {
      const look = lookOf(fstatSync(fd));
      if (this.#checked.get(bytes.sha256) !== look) this.#requireSame(bytes, hashOf(fd), look);
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  #requireSame({ sha256 }: StoredBytes, hash: Hash, look: string): void {
    if (hash.digest('hex') !== sha256)
      throw new BytesLost(`the stored bytes ${sha256} were changed from outside, and are not served`);
    this.#checked.set(sha256, look);
  }
}

function hashOf(fd: number): Hash {
  const hash = createHash('sha256');
  const slice = Buffer.allocUnsafe(SLICE_BYTES);
  for (let at = 0; ;) {
    const count = readSync(fd, slice, 0, SLICE_BYTES, at);
    if (count === 0) return hash;
    hash.update(slice.subarray(0, count));
    at += count;
  }
}

function lookOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
