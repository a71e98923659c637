import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type CallAddress, type CallResponse, callWorld, succeed } from '../kit/calls.js';
import { end } from '../kit/served.js';
import { type Load, LOADS } from './loads.js';
import type { VictimStart } from './server.js';

const SERVER = fileURLToPath(new URL('./server.js', import.meta.url));
/** Milliseconds after which a call without a response has failed. */
const CALL_TIMEOUT_MS = 20_000;

/** Options of a server to kill: the served packs, and limits of the disk. */
interface VictimOptions {
  /** A company file that includes payments; payments alone by default. */
  readonly company?: string;
  /** Number of statements after which the disk fails. */
  readonly failAfter?: number;
  /** Maximum size of any file in bytes. */
  readonly mostBytes?: number;
  /** Whether errors in the server's output are expected. */
  readonly isQuiet?: boolean;
}

/** A served world that can be killed at any moment. */
export class Victim {
  private constructor(
    private readonly child: ChildProcess,
    /** Address and key of each served pack. */
    private readonly vendors: Readonly<Record<string, CallAddress>>,
    /** Data losses that the server reported at its start. */
    readonly leftOut: readonly string[],
  ) {}

  /** Starts a server; null if it doesn't start. */
  static async start(file: string, options: VictimOptions = {}): Promise<Victim | null> {
    const { company, failAfter, mostBytes, isQuiet } = options;
    const args = company === undefined ? [file] : [file, company];
    const env = { ...process.env, ...(failAfter === undefined ? {} : { SANDBOX_FAIL_AFTER: String(failAfter) }) };
    const isExpected = isQuiet ?? (failAfter !== undefined || mostBytes !== undefined);
    const stdio = ['ignore', 'ignore', isExpected ? 'ignore' : 'inherit', 'ipc'] as const;
    // The shell limits the size of files for the server: larger writes get an error from the system.
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

  /** The loads of the served packs; packs without a load are skipped. */
  get loads(): readonly Load[] {
    return LOADS.filter(({ pack }) => pack in this.vendors);
  }

  originOf({ pack }: Load): string {
    return this.vendors[pack].url;
  }

  kill(): Promise<void> {
    return end(this.child, 'SIGKILL');
  }

  /** Calls a vendor API. Rejects if no response arrives. */
  call(
    { pack, type }: Load,
    path: string,
    form?: Readonly<Record<string, string>>,
    idempotency?: string,
  ): Promise<CallResponse> {
    const more: Record<string, string> = idempotency === undefined ? {} : { 'idempotency-key': idempotency };
    const body = form && (type === 'json' ? form : new URLSearchParams(form));
    const line = `${form ? 'POST' : 'GET'} ${path}`;
    return callWorld(this.vendors[pack], line, body, more, AbortSignal.timeout(CALL_TIMEOUT_MS));
  }

  /** Calls the control API of payments. */
  async control(path: string, body: object): Promise<void> {
    await succeed(this.vendors['payments'], `POST /__admin__${path}`, body);
  }
}
