import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installation } from '../../command/installation.js';
import { median } from './figure.js';
import { pinnedToCore } from './servers.js';

/** Start times of each program: minimum and median in milliseconds. */
interface BootRow {
  readonly work: string;
  readonly [program: string]: string;
}

const KEY = 'k_test_123';
/** Milliseconds within which a started process has saved its compiled code. */
const KEPT_AFTER_MS = 3000;
const EXPRESS = `import express from 'express';
import bodyParser from 'body-parser';
const app = express();
app.use(bodyParser.urlencoded({ extended: true }));
app.use(bodyParser.json());
app.post('/v1/customers', (req, res) => res.json({ id: 'cus_1', ...req.body }));
const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;

/** Measures starts of plain Express and the command in turn, and of the library in a separate process. @param before the folder of another build */
export async function measureBoot(rounds: number, say: (text: string) => void, before?: string): Promise<BootRow[]> {
  const folders = [...(before === undefined ? [] : [['before', before]]), ['today', installation()]];
  const builds = folders.map(([name, folder]) => [name, installed(folder)] as const);
  const programs = new Map([
    ['express', ['--input-type=module', '-e', EXPRESS]],
    ...builds.map(([name, folder]) => [name, serveOf(folder)] as const),
  ]);
  const rows: BootRow[] = [];
  const keep = async (work: string, turns: ReadonlyMap<string, () => Promise<number>>): Promise<void> => {
    const found = new Map([...turns.keys()].map((name) => [name, [] as number[]]));
    for (let round = 0; round < rounds; round++) for (const [name, turn] of turns) found.get(name)?.push(await turn());
    const row = { work, ...Object.fromEntries([...found].map(([name, ms]) => [name, leastAndMedian(ms)])) };
    say(Object.values(row).join(' | '));
    rows.push(row);
  };
  const each = (turn: (args: readonly string[], name: string) => Promise<number>) =>
    new Map([...programs].map(([name, args]) => [name, () => turn(args, name)]));

  // The first start caches the pack and some compiled code; the second start caches the remaining code.
  for (let again = 0; again < 2; again++)
    for (const args of programs.values()) await firstResponse(args, true, KEPT_AFTER_MS);
  await keep(
    '`sandbox serve payments`',
    each(async (args) => (await firstResponse(args, true)).ms),
  );
  await keep(
    'the same, processor time',
    each(async (args) => (await firstResponse(args, true)).cpuMs),
  );
  await keep(
    'the same on both cores',
    each(async (args) => (await firstResponse(args, false)).ms),
  );
  const library = (figure: number) =>
    new Map(builds.map(([name, folder]) => [name, async () => (await sandboxOf(folder))[figure]]));
  for (const [, folder] of builds) await sandboxOf(folder);
  await keep('`createSandbox` with `import`, once code is kept', library(0));
  await keep('process to the first response of that sandbox', library(1));
  await keep('a further world', library(2));
  await keep(
    'first start after installation',
    each(async (args, name) => {
      forget(new Map(builds).get(name));
      return (await firstResponse(args, false)).ms;
    }),
  );
  for (const [, folder] of builds) rmSync(folder, { recursive: true });
  return rows;
}

/** Copies a build as if it were an installed package, since a checkout validates its packs at each start. */
function installed(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'sandbox-boot-'));
  for (const part of ['dist', 'packs', 'schemas', 'package.json'])
    cpSync(join(folder, part), join(copy, part), { recursive: true });
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(folder, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(folder, 'node_modules', name), join(copy, 'node_modules', name));
  forget(copy);
  return copy;
}

/** Deletes the caches in the copy of a build; plain Express has none. */
function forget(copy: string | undefined): void {
  if (copy === undefined) return;
  for (const kept of ['dist/app/.code', 'node_modules/.cache'])
    rmSync(join(copy, kept), { recursive: true, force: true });
}

function serveOf(folder: string): string[] {
  return [join(folder, 'dist/app/cli.cjs'), 'serve', 'payments', '--port', '0', '--key', KEY];
}

/**
 * Measures the time from the start of a server to its first response, and its processor time until then. @param restMs how long the server keeps
 * running
 */
async function firstResponse(
  args: readonly string[],
  isPinned: boolean,
  restMs = 0,
): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const startedMs = performance.now();
  const child = started(args, isPinned);
  const [said] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const [url] = /http\S+/.exec(String(said)) ?? ['none'];
  const response = await fetch(`${url}/v1/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: new URLSearchParams({ email: 'jenny@example.com', name: 'Jenny' }),
  });
  const ms = performance.now() - startedMs;
  const cpuMs = threadsMs(child.pid);
  if (!response.ok) throw new Error(`the first response has status ${response.status}`);
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const gone = once(child, 'exit');
  child.kill(restMs > 0 ? 'SIGTERM' : 'SIGKILL');
  await gone;
  return { ms, cpuMs };
}

/** Measures a process that uses the library, in ms: `createSandbox` with its import, everything up to the first response, and another world. */
async function sandboxOf(folder: string): Promise<readonly number[]> {
  const library = pathToFileURL(join(folder, 'dist/app/engine.js')).href;
  const script = `const startedMs = performance.now();
const { createSandbox } = await import(${JSON.stringify(library)});
const sandbox = await createSandbox({ pack: ${JSON.stringify(join(folder, 'packs/payments'))} });
const madeMs = performance.now();
await (await fetch(sandbox.url + '/v1/customers', { method: 'POST', headers: { authorization: 'Bearer ' + sandbox.key } })).text();
const answeredMs = performance.now();
await sandbox.worlds.create();
const furtherMs = performance.now();
await sandbox.worlds.create();
console.log(JSON.stringify([madeMs - startedMs, answeredMs, performance.now() - furtherMs]));
await sandbox.close();`;
  const child = started(['--input-type=module', '-e', script], true);
  let said = '';
  for await (const text of child.stdout ?? []) said += String(text);
  return JSON.parse(said) as number[];
}

/** Starts a Node process. @param isPinned restricts it to one core */
function started(args: readonly string[], isPinned: boolean): ChildProcess {
  const line = [process.execPath, ...args];
  const [command, rest] = isPinned ? pinnedToCore(1, line) : [line[0], line.slice(1)];
  return spawn(command, rest, { cwd: installation(), stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Returns the processor time of all threads of a process, in ms, from Linux's nanosecond counters. */
function threadsMs(pid: number | undefined): number {
  const threads = `/proc/${String(pid)}/task`;
  const ns = readdirSync(threads).map((each) =>
    Number(readFileSync(join(threads, each, 'schedstat'), 'utf8').split(' ')[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1e6;
}

function leastAndMedian(ms: readonly number[]): string {
  return [Math.min(...ms), median([...ms])].map((each) => (each < 10 ? each.toFixed(1) : each.toFixed(0))).join(', ');
}
