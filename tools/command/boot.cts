/**
 * The start of every program of the bundle: runs its chunks with the compiled code that an earlier start kept. Losing what was kept, or not
 * being able to keep anything, costs time only.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';

/** A chunk that was loaded. */
interface Chunk {
  readonly module: { exports: unknown };
  readonly script: vm.Script;
  readonly stamp: string;
}

const FOLDER = __dirname;
const FORMAT = 4;
/** What a kept file begins with: the sum of the rest and the length of its list. The list follows, up to a whole word, and what it lists. */
const HEAD = 8;
const WORD = 8;
const BEFORE = Buffer.from('(function (exports, require, module, __filename, __dirname, importPackage) {');
const AFTER = Buffer.from('\n})');
const chunks = new Map<string, Chunk>();
let kept: ReadonlyMap<string, { readonly stamp: string; readonly data: Buffer }> = new Map();
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

/** Code that was kept cannot import by itself in every version of Node: the build lets it ask for this. */
const importPackage = (name: string): Promise<unknown> => import(name) as Promise<unknown>;

/** Runs a program of this folder. */
export function start(entry: string): unknown {
  program = entry;
  if (!isOff()) kept = read();
  return load(entry);
}

/** Keeps what was compiled until now, unless it was found: to be called when the start is over. */
export function keep(): void {
  if (!missed || isOff()) return;
  missed = false;
  try {
    const folder = trusted ?? writable();
    if (folder === undefined) return;
    const made = [...chunks].map(([name, { script, stamp }]) => ({ name, stamp, data: script.createCachedData() }));
    // What other runs of the program needed stays.
    const rest = [...kept].filter(([name]) => !chunks.has(name)).map(([name, each]) => ({ name, ...each }));
    const list = [...made, ...rest];
    const index = Buffer.from(
      JSON.stringify([maker(), list.map(({ name, stamp, data }) => [name, stamp, data.length])]),
    );
    const space = Buffer.alloc(-index.length & (WORD - 1), ' ');
    const whole = Buffer.concat([Buffer.alloc(HEAD), index, space, ...list.map(({ data }) => data)]);
    whole.writeUInt32LE(index.length, HEAD / 2);
    whole.writeInt32LE(sum(whole));
    const draft = path.join(folder, `${file()}.${process.pid}`);
    fs.writeFileSync(draft, whole, { mode: 0o600 });
    fs.renameSync(draft, path.join(folder, file()));
    prune(folder);
  } catch {
    // A full disk, a folder that is gone: the next start compiles again.
  }
}

/** A debugger needs functions as they are; coverage counts what is compiled; the switch is for doubts. */
function isOff(): boolean {
  return process.env['SANDBOX_NO_CODE_CACHE'] !== undefined || process.env['NODE_V8_COVERAGE'] !== undefined;
}

function load(name: string): unknown {
  const known = chunks.get(name);
  if (known) return known.module.exports;
  const filename = path.join(FOLDER, name);
  // The build writes nothing but ASCII: as bytes it is read in a tenth of the time, and kept in half the room; joined as text it would be copied.
  const text = Buffer.concat([BEFORE, fs.readFileSync(filename), AFTER]).toString('latin1');
  const { size, mtimeMs } = fs.statSync(filename);
  const stamp = `${size} ${mtimeMs}`;
  const found = kept.get(name);
  const cachedData = found?.stamp === stamp ? found.data : undefined;
  const script = new vm.Script(text, { filename, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) missed = true;
  const module = { exports: {} };
  chunks.set(name, { module, script, stamp });
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run.call(module.exports, module.exports, ownRequire, module, filename, FOLDER, importPackage);
  return module.exports;
}

/** Whose file it is: each program, version of Node and set of its options has one. V8 rejects what another one made. */
function maker(): string {
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  return [FORMAT, FOLDER, program, process.version, process.arch, ...options].join(' ');
}

function file(): string {
  let hash = 0;
  for (const letter of maker()) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return `${program}-${(hash >>> 0).toString(16)}.code`;
}

/** Where it may be kept: in the package, which only who may change its code can write; else in the cache of this user. */
function places(): string[] {
  const base =
    process.env['XDG_CACHE_HOME'] ?? (process.platform === 'win32' ? process.env['LOCALAPPDATA'] : undefined);
  const own = path.join(
    base !== undefined && path.isAbsolute(base) ? base : path.join(os.homedir(), '.cache'),
    'vendor-sandbox',
  );
  return [path.join(FOLDER, '.code'), own];
}

/** No other user can have put code into it: it is this user's or root's, and others cannot write there. */
function isTrusted(folder: string): boolean {
  if (process.platform === 'win32') return true;
  const { uid, mode } = fs.statSync(folder);
  return (uid === process.getuid?.() || uid === 0) && (mode & 0o022) === 0;
}

function read(): typeof kept {
  for (const folder of places()) {
    try {
      const all = fs.readFileSync(path.join(folder, file()));
      if (!isTrusted(folder)) continue;
      if (sum(all) !== all.readInt32LE()) continue;
      const end = HEAD + all.readUInt32LE(HEAD / 2);
      const [by, list] = JSON.parse(all.toString('utf8', HEAD, end)) as [string, [string, string, number][]];
      if (by !== maker()) continue;
      trusted = folder;
      let at = (end + WORD - 1) & -WORD;
      return new Map(list.map(([name, stamp, size]) => [name, { stamp, data: all.subarray(at, (at += size)) }]));
    } catch {
      // Not there, or not readable: the next place.
    }
  }
  return new Map();
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

/** Bytes of kept code from which Node's hashes are faster, with the 3 ms that they take to load: a thread that serves needs them anyway. */
const MUCH = 1024 * 1024;

/** Detects damage: V8 runs what it is given. */
function sum(whole: Buffer): number {
  if (whole.length >= MUCH) {
    const { createHash } = nodeRequire('node:crypto') as typeof import('node:crypto');
    return createHash('sha256')
      .update(whole.subarray(HEAD / 2))
      .digest()
      .readInt32LE();
  }
  const words = new Int32Array(whole.buffer, whole.byteOffset, whole.length >> 2);
  let [first, second] = [0, 0];
  for (let at = 1; at < words.length; at++) {
    first = (Math.imul(first, 31) + words[at]) | 0;
    second = (second + first) | 0;
  }
  return first ^ second;
}
