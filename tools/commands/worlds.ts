import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import { FileStore, StoreError } from '../../engine/index.js';
import type { WorldRecord } from '../../engine/store/index.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';

/** The parsed options of all `sandbox worlds` commands. */
export interface WorldsOptions {
  readonly out?: string;
  readonly name?: string;
  readonly forget?: boolean;
  readonly json?: boolean;
}

type Action = 'list' | 'export' | 'import' | 'compact' | 'check' | 'repair';

/** What a `sandbox worlds` command works on: the store, and its further arguments. */
interface Work {
  readonly store: FileStore;
  readonly file: string;
  /** Name of a world, or the file to import. */
  readonly subject: string | undefined;
  readonly options: WorldsOptions;
  readonly output: Output;
}

const ADVICE: Readonly<Record<string, string>> = {
  locked: 'A sandbox has it open: stop that one first.',
  full: 'Nothing was changed. Free disk space and try again.',
  taken: 'Choose another name: --name copy.',
  missing: 'sandbox worlds list shows which there are.',
};

/** Runs `sandbox worlds ACTION STORE ...` and returns the exit code. @throws Failure if it isn't possible */
export async function worldsCommand(
  action: Action,
  file: string,
  subject: string | undefined,
  options: WorldsOptions,
  output: Output,
): Promise<number> {
  if (action !== 'import' && !existsSync(file))
    throw new Failure(Exit.cannotRun, 'store_missing', `there is no file ${file}`);
  if (action === 'import' && !existsSync(String(subject)))
    throw new Failure(Exit.cannotRun, 'file_missing', `there is no file ${String(subject)}`);
  try {
    const run = (store: FileStore): Promise<number> => ACTIONS[action]({ store, file, subject, options, output });
    return await (action === 'repair' ? withCopy(file, run) : using(await FileStore.open(file), run));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new Failure(Exit.cannotRun, `store_${error.code}`, error.message, ADVICE[error.code] ?? '');
  }
}

async function using(store: FileStore, run: (store: FileStore) => Promise<number>): Promise<number> {
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}

/** Opens a copy of a possibly damaged file; the file itself stays unchanged. @throws StoreError `locked` if it is in use */
async function withCopy(file: string, run: (store: FileStore) => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-repair-'));
  const copy = join(folder, 'store.db');
  try {
    for (const end of ['', '-wal']) if (existsSync(file + end)) await copyFile(file + end, copy + end);
    // Opening a copy of the file would miss its lock: a failing open writes nothing, but detects whether another process uses the file.
    const opened = await FileStore.open(file).catch((error: unknown) => {
      if (error instanceof StoreError && error.code === 'locked') throw error;
    });
    await opened?.close();
    return await using(await FileStore.open(copy, { isDamaged: true, files: `${file}.files` }), run);
  } catch (error) {
    throw error instanceof StoreError ? new StoreError(error.code, error.message.replaceAll(copy, file)) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const ACTIONS: Readonly<Record<Action, (work: Work) => Promise<number>>> = {
  list: async (work) => {
    const { store, output } = work;
    const rows = [];
    for (const { id, name, pack, head, expires } of await store.worlds()) {
      const { bytes, blocks, snapshot } = await store.size(id);
      const ends = expires === null ? null : new Date(expires).toISOString();
      rows.push({ id, name, pack, head, snapshot, blocks, bytes, files: store.sizeOfFiles(id), expires: ends });
    }
    if (work.options.json) output.print(JSON.stringify({ worlds: rows }));
    else if (rows.length === 0) output.print('there are no worlds in it');
    else printTable(rows, output);
    return Exit.done;
  },

  export: async (work) => {
    const { store, options } = work;
    const { id, name, head } = await worldOf(work);
    const out = options.out ?? `${fileNameOf(name)}.world`;
    const bytes = await writeWorld(store.export(id), out);
    show(work, { id, name, head, file: out, bytes }, `${name} (${id}), ${head} entries: ${out}, ${size(bytes)}`);
    return Exit.done;
  },

  import: async (work) => {
    const record = await work.store.import(linesOf(String(work.subject)), work.options.name);
    const { id, name, head, pack, lost } = record;
    const text = [`${name} (${id}), a world of ${pack} with ${head} entries`, ...lost.map((what) => `lost: ${what}`)];
    show(work, { id, name, pack, head, ...(lost.length > 0 ? { lost } : {}) }, text.join('\n'));
    return lost.length > 0 ? Exit.wrongInput : Exit.done;
  },

  compact: async (work) => {
    const { store, file } = work;
    const before = statSync(file).size;
    for (const { id } of await worldsOf(work)) await store.compact(id, work.options.forget);
    await store.shrink();
    const after = statSync(file).size;
    show(work, { before, after }, `${size(before)} before, ${size(after)} now`);
    return Exit.done;
  },

  check: async (work) => {
    const { store } = work;
    const wrong = (await store.integrity()).map((what) => ({ world: null as string | null, what }));
    const worlds = await worldsOf(work);
    const unused = [];
    for (const { id } of worlds) {
      const report = await store.check(id);
      for (const what of report.wrong) wrong.push({ world: id, what });
      if (report.unused.count > 0) unused.push({ world: id, ...report.unused });
    }
    const lines = wrong.map(({ world, what }) => `${world ?? 'the file'}: ${what}`);
    const text = [
      lines.join('\n') || `${counted(worlds.length, 'world')}, no problems`,
      ...unused.map(
        ({ world, count, bytes }) =>
          `${world}: ${counted(count, 'file')} (${size(bytes)}) without use, which compact deletes`,
      ),
    ];
    show(work, { worlds: worlds.length, wrong, unused }, text.join('\n'));
    return wrong.length > 0 ? Exit.wrongInput : Exit.done;
  },

  repair: async (work) => {
    const { store, options } = work;
    const { id, name } = await worldOf(work);
    const out = options.out ?? `${fileNameOf(name)}.repaired.world`;
    if (existsSync(out))
      throw new Failure(
        Exit.cannotRun,
        'file_exists',
        `there is a file ${out} already`,
        'Pass another one: --out FILE.',
      );
    const { source, lines, lost, isHistoryLost, damage } = await store.soundPart(id);
    const { head } = source.whole.record;
    const bytes = await writeWorld(lines, out);
    const text = [
      `${name} (${id}), up to entry ${head}: ${out}, ${size(bytes)}`,
      lost === null ? 'no entry is lost' : `lost: ${lost.from === lost.to ? 'entry' : 'entries'} ${range(lost)}`,
      ...(isHistoryLost
        ? [`lost: the history before entry ${source.whole.snapshot?.entry ?? 0}, which no start needs`]
        : []),
      ...damage.map((what) => `damaged: ${what}`),
    ];
    show(work, { id, name, head, file: out, bytes, lost, isHistoryLost, damage }, text.join('\n'));
    return lost === null && !isHistoryLost ? Exit.done : Exit.wrongInput;
  },
};

function fileNameOf(world: string): string {
  return world.replaceAll(/[^\w.-]/g, '_');
}

/** Writes an exported world, and returns the size of the file in bytes. */
async function writeWorld(exported: AsyncGenerator<string>, out: string): Promise<number> {
  const lines = async function* (): AsyncGenerator<string> {
    for await (const line of exported) yield `${line}\n`;
  };
  const compress = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  try {
    await pipeline(Readable.from(lines()), compress, createWriteStream(out));
  } catch (error) {
    await rm(out, { force: true });
    throw error;
  }
  return statSync(out).size;
}

async function worldOf({ store, subject, file }: Work): Promise<WorldRecord> {
  const found = await store.find(String(subject));
  if (!found) throw new StoreError('missing', `there is no world '${String(subject)}' in ${file}`);
  return found;
}

async function worldsOf(work: Work): Promise<readonly WorldRecord[]> {
  return work.subject === undefined ? work.store.worlds() : [await worldOf(work)];
}

/** Splits bytes into lines, which end only at line feeds. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const content = createReadStream(file).pipe(createBrotliDecompress());
  let left: Buffer[] = [];
  try {
    for await (const part of content) {
      const bytes = part as Buffer;
      let at = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
        yield Buffer.concat([...left, bytes.subarray(at, end)]).toString('utf8');
        left = [];
        at = end + 1;
      }
      left.push(bytes.subarray(at));
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('format', `${file} is no exported world, or not all of it`);
  }
  const last = Buffer.concat(left).toString('utf8');
  if (last !== '') yield last;
}

function range({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? String(from) : `${from} to ${to}`;
}

function show({ options, output }: Work, value: object, text: string): void {
  output.print(options.json ? JSON.stringify(value) : text);
}

interface WorldLine {
  readonly id: string;
  readonly name: string;
  readonly pack: string;
  readonly head: number;
  readonly snapshot: number | null;
  readonly bytes: number;
  /** Size of the world's files, in bytes. */
  readonly files: number;
  readonly expires: string | null;
}

function printTable(rows: readonly WorldLine[], output: Output): void {
  const heads = ['id', 'name', 'pack', 'entries', 'snapshot', 'size', 'files', 'expires'];
  const cells = rows.map(({ id, name, pack, head, snapshot, bytes, files, expires }) => [
    id,
    name,
    pack,
    String(head),
    snapshot === null ? '-' : String(snapshot),
    size(bytes),
    files === 0 ? '-' : size(files),
    expires ?? '-',
  ]);
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((row) => row[at].length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd();
  output.print(output.styled('dim', line(heads)));
  for (const row of cells) output.print(line(row));
}

function size(bytes: number): string {
  if (bytes < 2 ** 20) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
