/** Starts every program of the bundle with compiled code that an earlier start cached. Without a cache, starts only take longer. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';

/** A loaded chunk of the bundle, whose compiled code may be cached. */
interface Chunk {
  readonly module: { exports: unknown };
  readonly script: vm.Script;
  readonly stamp: string;
}

/** A chunk's entry in the list of a cache file. */
interface ListedChunk {
  readonly name: string;
  readonly stamp: string;
  /** Offset of the code in bytes, counted from the end of the list. */
  readonly at: number;
  readonly size: number;
  readonly sum: number;
}

interface KeptChunk extends ListedChunk {
  /** The cache file, and the offset at which its code begins. */
  readonly from: string;
  readonly begins: number;
}

const FOLDER = __dirname;
const FORMAT = 5;
/**
 * Header of a cache file: checksum and length of its list. The list follows, padded to a word, then the compiled code. Each part is read when needed,
 * since most commands need few.
 */
const HEAD = 8;
const WORD = 8;
const BEFORE = Buffer.from('(function (exports, require, module, __filename, __dirname, importPackage) {');
const AFTER = Buffer.from('\n})');
const chunks = new Map<string, Chunk>();
let kept: ReadonlyMap<string, KeptChunk> = new Map();
let program = '';
let missed = false;
let trusted: string | undefined;

const nodeRequire = createRequire(__filename);
const inFolder = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : (nodeRequire(id) as unknown));
const ownRequire = Object.assign(inFolder, {
  resolve: nodeRequire.resolve,
  cache: nodeRequire.cache,
  main: nodeRequire.main,
});

/** Imports a module for cached code, which can't use `import()` in every Node version: the build replaces its calls. */
const importPackage = (name: string): Promise<unknown> => import(name) as Promise<unknown>;

/** Runs a program of the bundle by name. */
export function start(entry: string): unknown {
  program = entry;
  if (!isOff()) kept = listed();
  return load(entry);
}

/** Caches the compiled code, unless it came from the cache. Called at the end of a start. */
export function keep(): void {
  if (!missed || isOff()) return;
  missed = false;
  try {
    const folder = trusted ?? writable();
    if (folder === undefined) return;
    const made = [...chunks].map(([name, { script, stamp }]) => ({ name, stamp, data: script.createCachedData() }));
    // Also keeps cached code of chunks that this run didn't load but earlier runs of the program did.
    const rest = [...kept.values()].flatMap((each) => {
      const data = chunks.has(each.name) ? undefined : keptCode(each);
      return data === undefined ? [] : [{ name: each.name, stamp: each.stamp, data }];
    });
    let at = 0;
    const list = [...made, ...rest].map(({ data, ...each }) => {
      const entry: ListedChunk = { ...each, at, size: data.length, sum: sumOf(data) };
      at += data.length;
      return { data, entry };
    });
    const text = JSON.stringify([maker(), list.map(({ entry }) => entry)]);
    const index = Buffer.from(text.padEnd(text.length + (-Buffer.byteLength(text) & (WORD - 1))));
    const head = Buffer.alloc(HEAD);
    head.writeInt32LE(sumOf(index));
    head.writeUInt32LE(index.length, HEAD / 2);
    const draft = path.join(folder, `${file()}.${process.pid}`);
    fs.writeFileSync(draft, Buffer.concat([head, index, ...list.map(({ data }) => data)]), { mode: 0o600 });
    fs.renameSync(draft, path.join(folder, file()));
    prune(folder);
  } catch {
    // The disk is full or the folder is missing: the next start compiles again.
  }
}

/** Whether caching is disabled: debuggers need uncached functions, coverage counts compilation, and a variable disables it for troubleshooting. */
function isOff(): boolean {
  return process.env['SANDBOX_NO_CODE_CACHE'] !== undefined || process.env['NODE_V8_COVERAGE'] !== undefined;
}

function load(name: string): unknown {
  const known = chunks.get(name);
  if (known) return known.module.exports;
  const filename = path.join(FOLDER, name);
  // Reads files as bytes, since the build writes ASCII only: that takes a tenth of the time and half the memory of decoding.
  const text = Buffer.concat([BEFORE, chunkAt(filename), AFTER]).toString('latin1');
  const { size, mtimeMs } = fs.statSync(filename);
  const stamp = `${size} ${mtimeMs}`;
  const found = kept.get(name);
  const cachedData = found?.stamp === stamp ? keptCode(found) : undefined;
  const script = new vm.Script(text, { filename, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) missed = true;
  const module = { exports: {} };
  chunks.set(name, { module, script, stamp });
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run.call(module.exports, module.exports, ownRequire, module, filename, FOLDER, importPackage);
  return module.exports;
}

/** Reads a file of the bundle. @throws Error with advice if a bundler copied this file without the others */
function chunkAt(filename: string): Buffer {
  try {
    return fs.readFileSync(filename);
  } catch (error) {
    const advice =
      'If a bundler copied @vendor-sandbox/sandbox, name it as external: in Next.js, serverExternalPackages of next.config.js';
    throw new Error(`${filename} is missing. ${advice}`, { cause: error });
  }
}

/** Identifies the writer of a cache file: program, Node version and options. V8 rejects code of others. */
function maker(): string {
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  return [FORMAT, FOLDER, program, process.version, process.arch, ...options].join(' ');
}

function file(): string {
  let hash = 0;
  for (const letter of maker()) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return `${program}-${(hash >>> 0).toString(16)}.code`;
}

/**
 * Lists possible cache folders: first one in the package, where only users who can change the package's code can write; then this user's cache
 * folder.
 */
function places(): string[] {
  const base =
    process.env['XDG_CACHE_HOME'] ?? (process.platform === 'win32' ? process.env['LOCALAPPDATA'] : undefined);
  const own = path.join(
    base !== undefined && path.isAbsolute(base) ? base : path.join(os.homedir(), '.cache'),
    'vendor-sandbox',
  );
  return [path.join(FOLDER, '.code'), own];
}

/** Whether only this user or root can write the folder, so that no other user has put code there. */
function isTrusted(folder: string): boolean {
  if (process.platform === 'win32') return true;
  const { uid, mode } = fs.statSync(folder);
  return (uid === process.getuid?.() || uid === 0) && (mode & 0o022) === 0;
}

function listed(): typeof kept {
  for (const folder of places()) {
    try {
      const from = path.join(folder, file());
      const head = bytesOf(from, 0, HEAD);
      if (!isTrusted(folder)) continue;
      const size = head.readUInt32LE(HEAD / 2);
      const index = bytesOf(from, HEAD, size);
      if (sumOf(index) !== head.readInt32LE()) continue;
      const [by, list] = JSON.parse(index.toString()) as [string, ListedChunk[]];
      if (by !== maker()) continue;
      trusted = folder;
      return new Map(list.map((each) => [each.name, { ...each, from, begins: HEAD + size + each.at }]));
    } catch {
      // The cache file doesn't exist or isn't readable: tries the next folder.
    }
  }
  return new Map();
}

/** Reads the cached code of a chunk; undefined if it is damaged, or another process has just replaced it. */
function keptCode({ from, begins, size, sum }: KeptChunk): Buffer | undefined {
  try {
    const data = bytesOf(from, begins, size);
    return sumOf(data) === sum ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a part of a file into memory that is aligned to a word. */
function bytesOf(from: string, at: number, size: number): Buffer {
  const opened = fs.openSync(from, 'r');
  try {
    const data = Buffer.allocUnsafeSlow(size);
    if (fs.readSync(opened, data, 0, size, at) !== size) throw new Error(`${from} ends early`);
    return data;
  } finally {
    fs.closeSync(opened);
  }
}

function writable(): string | undefined {
  return places().find((folder) => {
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      fs.accessSync(folder, fs.constants.W_OK);
      return isTrusted(folder);
    } catch {
      return false;
    }
  });
}

const KEPT = 12;

function prune(folder: string): void {
  const aged = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.code'))
    .map((name) => ({ name, at: fs.statSync(path.join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of aged.slice(KEPT)) fs.rmSync(path.join(folder, name), { force: true });
}

/** Bytes above which Node's hashes are faster, including 3 ms to load them. */
const MUCH = 256 * 1024;

/** Computes a checksum that detects damaged code, since V8 doesn't validate it. */
function sumOf(bytes: Buffer): number {
  if (bytes.length >= MUCH) {
    const { createHash } = nodeRequire('node:crypto') as typeof import('node:crypto');
    return createHash('sha256').update(bytes).digest().readInt32LE();
  }
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  let [first, second] = [0, 0];
  for (let at = 0; at < words.length; at++) {
    first = (Math.imul(first, 31) + words[at]) | 0;
    second = (second + first) | 0;
  }
  return first ^ second;
}
