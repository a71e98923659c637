import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('./server.js', import.meta.url));
/** A call without a response by then has failed: milliseconds. */
const CALL_TIMEOUT_MS = 20_000;

/** What a server serves, and the disk that it writes to, if it is no good one. */
interface VictimOptions {
  /** A company file with payments; the pack alone unless given. */
  readonly company?: string;
  /** It breaks after so many statements. */
  readonly failAfter?: number;
  /** No file may become larger: bytes. */
  readonly mostBytes?: number;
  /** What the server writes to stderr is expected. */
  readonly isQuiet?: boolean;
}

/** What a call came to. */
export interface VictimResponse {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A served world that can be killed at any moment. */
export class Victim {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly key: string,
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
    const ready = once(child, 'message').then(([started]) => started as Pick<Victim, 'url' | 'key' | 'leftOut'>);
    const started = await Promise.race([ready, gone]);
    return started && new Victim(child, started.url, started.key, started.leftOut);
  }

  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await gone;
  }

  /** A call of the vendor's API. Rejects when no response comes. */
  async call(
    method: string,
    path: string,
    form?: Readonly<Record<string, string>>,
    idempotency?: string,
  ): Promise<VictimResponse> {
    const response = await fetch(this.url + path, {
      method,
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(idempotency === undefined ? {} : { 'idempotency-key': idempotency }),
      },
      body: form && new URLSearchParams(form).toString(),
    });
    const body = JSON.parse(await response.text()) as VictimResponse['body'];
    return { status: response.status, replayed: response.headers.get('idempotent-replayed') === 'true', body };
  }

  /** A call of the control API. */
  async control(path: string, body: unknown): Promise<void> {
    const response = await fetch(`${this.url}/__admin__${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  }
}
