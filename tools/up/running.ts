import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sendCall } from '../../engine/control/send.cjs';
import { isObject, type Json } from '../../engine/values/index.js';
import type { RedirectedVendor } from '../command/run-command.js';

/** What `sandbox up` records about itself for later commands. */
export interface RunningVendors {
  readonly pid: number;
  /** Address of the control API that all vendors share. */
  readonly url: string;
  readonly key: string;
  readonly env: Readonly<Record<string, string>>;
  readonly vendors: readonly RedirectedVendor[];
}

/** Folder for these records, inside of the application's folder; git ignores it. */
const FOLDER = '.sandbox';
const RESPONSE_MS = 2000;
const LOOK_MS = 50;
/** Milliseconds after which another process's claim of the start counts as abandoned. */
const START_MS = 20_000;

/** Returns the path of a background process's log. */
export function logFile(folder: string): string {
  return join(folder, FOLDER, 'log');
}

/** Creates the folder in which `sandbox up` records running vendors. */
export function prepareRunning(folder: string): void {
  mkdirSync(join(folder, FOLDER), { recursive: true });
  writeFileSync(join(folder, FOLDER, '.gitignore'), '*\n');
}

/**
 * Waits until no other process is starting vendors for the application, then claims the start. Two starts at once (by `concurrently`, or an editor's
 * task) would choose the same ports and write the same files.
 * @param name `detaching` is the claim of a process that starts another one and waits for it
 * @returns a function that ends the claim; may be called again
 */
export async function claimStart(folder: string, name: 'starting' | 'detaching' = 'starting'): Promise<() => void> {
  prepareRunning(folder);
  const file = join(folder, FOLDER, name);
  const release = (): void => {
    if (ownerOf(file) === process.pid) rmSync(file, { force: true });
  };
  for (let waited = 0; ; waited += LOOK_MS) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return release;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    // The other start crashed, or its process id belongs to another process by now.
    if (waited >= START_MS || !isAlive(ownerOf(file))) rmSync(file, { force: true });
    else await delay(LOOK_MS);
  }
}

function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

/** Records a running process. */
export function rememberRunning(folder: string, running: RunningVendors): void {
  prepareRunning(folder);
  writeFileSync(stateFile(folder), JSON.stringify(running), { mode: 0o600 });
}

/** Deletes the record of a process. */
export function forgetRunning(folder: string, pid: number): void {
  if (writtenDown(folder)?.pid === pid) rmSync(stateFile(folder), { force: true });
}

/** Reads the record, even of an ended process; null if it is missing or unreadable. */
export function writtenDown(folder: string): RunningVendors | null {
  try {
    const state = JSON.parse(readFileSync(stateFile(folder), 'utf8')) as Json;
    const { pid, url, key, env, vendors } = isObject(state) ? state : {};
    const isWhole =
      Number.isInteger(pid) &&
      Number(pid) > 0 &&
      typeof url === 'string' &&
      URL.canParse(url) &&
      typeof key === 'string' &&
      isObject(env ?? null) &&
      Array.isArray(vendors);
    return isWhole ? (state as unknown as RunningVendors) : null;
  } catch {
    return null;
  }
}

/**
 * Finds an application's running vendors. If the process has ended, or its id or port belongs to another one, the key differs, and the record is
 * deleted.
 * @returns `silent`: the process exists and doesn't respond
 */
export async function runningFor(
  folder: string,
): Promise<{ readonly state: 'runs' | 'silent'; readonly running: RunningVendors } | null> {
  const running = writtenDown(folder);
  if (running === null) return null;
  const status = await sendCall(`${running.url}/__admin__/`, {
    method: 'GET',
    headers: { Authorization: `Bearer ${running.key}` },
    signal: AbortSignal.timeout(RESPONSE_MS),
  }).then(
    ({ status: given }) => given,
    (error: NodeJS.ErrnoException) => error.code ?? error.name,
  );
  if (status === 200) return { state: 'runs', running };
  if (status === 'ECONNREFUSED' || typeof status === 'number' || !isAlive(running.pid)) {
    forgetRunning(folder, running.pid);
    return null;
  }
  return { state: 'silent', running };
}

/** Whether a process with an id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function stateFile(folder: string): string {
  return join(folder, FOLDER, 'running.json');
}
