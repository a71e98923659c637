import { type VictimResponse, type Load, LOADS } from './loads.js';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { VendorAddress, VictimStart } from './server.js';

const SERVER = fileURLToPath(new URL('./server.js', import.meta.url));
/** A call without a response by then has failed: milliseconds. */
const CALL_TIMEOUT_MS = 20_000;

/** What a server serves, and the disk that it writes to, if it is no good one. */
interface VictimOptions {
  /** A company file with payments; payments alone unless given. */
  readonly company?: string;
  /** It breaks after so many statements. */
  readonly failAfter?: number;
  /** No file may become larger: bytes. */
  readonly mostBytes?: number;
  /** What the server writes to stderr is expected. */
  readonly isQuiet?: boolean;
}

/** A served world that can be killed at any moment. */
export class Victim {
  private constructor(
    private readonly child: ChildProcess,
    /** By pack. */
    private readonly vendors: Readonly<Record<string, VendorAddress>>,
    /** What its start reported as lost. */
    readonly leftOut: readonly string[],
  ) {}

  /** Null: it does not start. */
  static async start(file: string, options: VictimOptions = {}): Promise<Victim | null> {
    const { company, failAfter, mostBytes, isQuiet } = options;
    const args = company === undefined ? [file] : [file, company];
    const env = { ...process.env, ...(failAfter === undefined ? {} : { SANDBOX_FAIL_AFTER: String(failAfter) }) };
    const isExpected = isQuiet ?? (failAfter !== undefined || mostBytes !== undefined);
    const stdio = ['ignore', 'ignore', isExpected ? 'ignore' : 'inherit', 'ipc'] as const;
    // A shell limits the size of files for what it becomes: what would make one larger gets an error from the system.
    const limit = `ulimit -f ${Math.ceil((mostBytes ?? 0) / 512)}; exec "$0" "$@"`;
    const child =
      mostBytes === undefined
        ? fork(SERVER, args, { env, stdio: [...stdio] })
        : spawn('/bin/sh', ['-c', limit, process.execPath, SERVER, ...args], { env, stdio: [...stdio] });
    const gone = once(child, 'exit').then(() => null);
    const ready = once(child, 'message').then(([started]) => started as VictimStart);
    const started = await Promise.race([ready, gone]);
    return started && new Victim(child, started.vendors, started.leftOut);
  }

  /** Those of its packs that can be called while it is killed. */
  get loads(): readonly Load[] {
    return LOADS.filter(({ pack }) => pack in this.vendors);
  }

  originOf({ pack }: Load): string {
    return this.vendors[pack].url;
  }

  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await gone;
  }

  /** A call of a vendor's API. Rejects when no response comes. */
  async call(
    { pack, type }: Load,
    path: string,
    form?: Readonly<Record<string, string>>,
    idempotency?: string,
  ): Promise<VictimResponse> {
    const { url, key } = this.vendors[pack];
    const response = await fetch(url + path, {
      method: form ? 'POST' : 'GET',
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${key}`,
        ...(form && { 'content-type': type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded' }),
        ...(idempotency === undefined ? {} : { 'idempotency-key': idempotency }),
      },
      body: form && (type === 'json' ? JSON.stringify(form) : new URLSearchParams(form).toString()),
    });
    const body = JSON.parse(await response.text()) as VictimResponse['body'];
    return { status: response.status, replayed: response.headers.get('idempotent-replayed') === 'true', body };
  }

  /** A call of the control API of payments. */
  async control(path: string, body: unknown): Promise<void> {
    const { url, key } = this.vendors['payments'];
    const response = await fetch(`${url}/__admin__${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  }
}
