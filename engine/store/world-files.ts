import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addReferences, BytesLost, type ByteWriter, type StoredBytes } from '../values/index.js';
import type { StoredChange, StoredWorld } from '../world/index.js';
import type { FolderBytes } from './bytes.js';
import { eachText, type EntrySource, readContents } from './reading.js';
import { StoreError } from './store.js';

/** Number of bytes of a file in one line of an export. */
const PIECE_BYTES = 768 * 1024;

/** Hashes of the files to which a world refers. */
interface References {
  /** Hashes of files that the world's objects and saved moments refer to. */
  readonly live: ReadonlySet<string>;
  /** The hashes in `live`, and those in the world's history, whose files may be deleted already. */
  readonly all: ReadonlySet<string>;
}

/** Result of comparing a world's files with its references. */
export interface FilesReport {
  /** Sentences about damaged or missing files. */
  readonly wrong: readonly string[];
  /** Number and size of files that nothing refers to. */
  readonly unused: { readonly count: number; readonly bytes: number };
}

/** Collects the hashes of files to which a stored world refers. */
export async function referencesOf(source: EntrySource): Promise<References> {
  const all = new Set<string>();
  const { first, place, snapshot } = source.whole;
  if (snapshot) await eachText(source.pieces, snapshot.first, snapshot.last, (text) => addReferences(text, all));
  await eachText(source.blocks, first, place, (text) => addReferences(text, all));
  if (all.size === 0) return { live: all, all };
  const { kept } = await readContents(source);
  return { live: kept === undefined ? all : liveIn(kept), all };
}

function liveIn({ base, moments = [], entries }: StoredWorld): ReadonlySet<string> {
  const objects = new Map<string, ReadonlySet<string>>();
  const live = new Set<string>();
  const follow = (change: StoredChange): void => {
    if (change.op === 'reset') return objects.clear();
    if (change.op !== 'put' && change.op !== 'delete') return;
    const key = `${change.tenant ?? ''} ${change.collection} ${change.id}`;
    if (change.op === 'delete') objects.delete(key);
    else objects.set(key, referencesIn(change));
  };
  for (const { changes } of [...(base ? [base] : []), ...entries]) changes.forEach(follow);
  for (const each of [...objects.values(), ...moments.map(referencesIn)]) for (const hash of each) live.add(hash);
  return live;
}

function referencesIn(value: unknown): Set<string> {
  const found = new Set<string>();
  addReferences(JSON.stringify(value), found);
  return found;
}

/** Compares the files of a world with its references; reads each file. */
export async function checkFiles(files: FolderBytes, { live, all }: References): Promise<FilesReport> {
  const wrong: string[] = [];
  const unused = { count: 0, bytes: 0 };
  const there = new Set<string>();
  for (const bytes of files.all()) {
    there.add(bytes.sha256);
    if (!all.has(bytes.sha256)) {
      unused.count++;
      unused.bytes += bytes.size;
    } else {
      const problem = await problemOf(files, bytes);
      if (problem !== null) wrong.push(problem);
    }
  }
  for (const hash of live) if (!there.has(hash)) wrong.push(`the file ${hash} is missing`);
  return { wrong, unused };
}

async function problemOf(files: FolderBytes, bytes: StoredBytes): Promise<string | null> {
  try {
    for await (const _ of files.stream(bytes, 0, 1)) break;
    return null;
  } catch (error) {
    if (!(error instanceof BytesLost)) throw error;
    return `the file ${bytes.sha256} is damaged`;
  }
}

/**
 * The files of a world as lines of an export: `file` with its hash and size, then its content in base64.
 * @param wrong result of `checkFiles`: these files are left out
 */
export function* fileLines(files: FolderBytes, { all }: References, { wrong }: FilesReport): Generator<string> {
  for (const bytes of files.all()) {
    if (!all.has(bytes.sha256) || wrong.some((what) => what.includes(bytes.sha256))) continue;
    yield JSON.stringify({ file: bytes });
    for (let at = 0; at < bytes.size; at += PIECE_BYTES) {
      const piece = files.read(bytes, at, Math.min(bytes.size, at + PIECE_BYTES));
      yield `{"bytes":"${piece.toString('base64')}"}`;
    }
  }
}

/** Parses the lines that `fileLines` yields, and writes the files. */
export class FileLines {
  #writer: ByteWriter | null = null;
  #expected: StoredBytes | null = null;

  constructor(private readonly files: FolderBytes) {}

  /** Reads a line of an export. @returns whether the line belongs to a file @throws StoreError `damaged` */
  async take(line: string): Promise<boolean> {
    if (line.startsWith('{"bytes":')) {
      const { bytes } = JSON.parse(line) as { readonly bytes: string };
      await this.#writer?.write(Buffer.from(bytes, 'base64'));
      return true;
    }
    await this.end();
    if (!line.startsWith('{"file":')) return false;
    this.#expected = (JSON.parse(line) as { readonly file: StoredBytes }).file;
    this.#writer = this.files.writer();
    return true;
  }

  /** Completes the current file. @throws StoreError `damaged` if its content doesn't match its hash */
  async end(): Promise<void> {
    const [writer, expected] = [this.#writer, this.#expected];
    if (writer === null || expected === null) return;
    [this.#writer, this.#expected] = [null, null];
    const made = await writer.finish();
    this.files.release(made);
    if (made.sha256 !== expected.sha256)
      throw new StoreError('damaged', `the file ${expected.sha256} of the exported world is damaged`);
  }
}

/** Deletes the folders of worlds that aren't in a list of ids. */
export async function removeFoldersBut(folder: string, ids: ReadonlySet<string>): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (!ids.has(name)) await rm(join(folder, name), { recursive: true, force: true });
}
