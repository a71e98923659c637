import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { installation, isCompanyFile } from '../../command/installation.js';
import { newDatabase } from '../clients/postgres.js';
import { residentBytes } from '../process-usage.js';
import type { BeatData } from './beat.js';
import { type FuzzAddress, type FuzzResponse, type FuzzCall, http, KEY, send } from './call.js';
import { WaitCounts } from './waits.js';

/** How many databases this process has made. */
let databases = 0;

/** Connections that may be closed while a call reads. */
const READS = 5;
/** Milliseconds in which the connection of a listener is certainly over. */
const LISTENED_MS = 1500;
/** Longest wait of a call that does nothing, in milliseconds of which the process had a processor. */
const STALL_MS = 1000;

/** A world that calls begin with, in a process of its own. */
export interface FuzzWorld {
  /** A pack, or a company file. */
  readonly pack: string;
  readonly seed: number;
  /** The most that the process may keep. */
  readonly heapMb: number;
  /** A PostgreSQL server in which each process gets a database; worlds are in memory by default. */
  readonly postgres?: string;
}

/** The address that a command prints. */
interface Served {
  readonly url: string;
  readonly key: string;
}

function addressOf({ url, key }: Served): FuzzAddress {
  return { url: new URL(url.replace('localhost', '127.0.0.1')), key };
}

/** A served pack or company in a process of its own, watched from outside. */
export class FuzzTarget {
  /** The error output of the process. */
  log = '';
  /** Checks repeatedly whether it responds, in a separate thread, since this one is busy. */
  readonly #beat: Worker;
  readonly #waits = new WaitCounts();
  #defect: string | null = null;
  /** When a listener connected last. */
  #listenedMs = -Infinity;

  private constructor(
    readonly child: ChildProcess,
    private readonly main: FuzzAddress,
    /** Packs of a company. */
    private readonly vendors: ReadonlyMap<string, FuzzAddress>,
  ) {
    child.stderr?.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      this.log = (this.log + text).slice(-20_000);
      this.#defect ??= /defect in [^\n]*/.exec(text)?.[0] ?? null;
    });
    const path = vendors.size > 0 ? '/__admin__/clock' : '/__admin__/clock/durations';
    const workerData: BeatData = {
      url: main.url.href,
      key: main.key,
      path,
      pid: child.pid,
      shared: this.#waits.shared,
    };
    this.#beat = new Worker(new URL('./beat.js', import.meta.url), { workerData });
  }

  static async start({ pack, seed, heapMb, postgres }: FuzzWorld): Promise<FuzzTarget> {
    const cli = join(installation(), 'dist', 'app', 'cli.cjs');
    const options = [
      '--port',
      '0',
      '--key',
      KEY,
      '--seed',
      String(seed),
      ...(isCompanyFile(pack) ? [] : ['--t0', '2025-01-15T12:00:00Z']),
      ...(postgres === undefined ? [] : ['--store', await newDatabase(postgres, `fuzz_${databases++}`)]),
      '--json',
      '--with-stdin',
    ];
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, cli, 'serve', pack, ...options], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the service ended with ${String(code)}`)));
      child.stdout.once('data', (chunk: Buffer) => {
        const { vendors = {}, ...main } = JSON.parse(chunk.toString()) as Served & { vendors?: Record<string, Served> };
        const members = Object.entries(vendors).map(([name, served]) => [name, addressOf(served)] as const);
        resolve(new FuzzTarget(child, addressOf(main), new Map(members)));
      });
    });
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  send(call: FuzzCall): Promise<FuzzResponse> {
    if (call.kind === 'socket') this.#listenedMs = performance.now();
    const vendor = call.kind !== 'raw' && call.vendor !== undefined ? this.vendors.get(call.vendor) : undefined;
    return send(vendor ?? this.main, call);
  }

  /** The state of the world as text, without traces and times of attempts. */
  async state(): Promise<string> {
    const parts: string[] = [];
    const vendors = this.vendors.size > 0 ? [...this.vendors.keys()] : [undefined];
    for (const vendor of vendors)
      for (const path of ['/state', '/clock/durations', '/exogenous/pins', '/faults'])
        parts.push(await this.#read({ ...http('GET', `/__admin__${path}`, {}), vendor }));
    // A fault counts the calls that it looked at, whatever became of them.
    return parts.join('\n').replace(/"(?:seen|remaining)":\d+/g, '');
  }

  /** Deletes the worlds that calls have made. */
  async leaveOne(): Promise<void> {
    const text = await this.#read(http('GET', '/__admin__/worlds', {}));
    // A process that does not respond is found by the next call.
    if (text === '') return;
    const { data } = JSON.parse(text) as { data: { id: string }[] };
    for (const { id } of data.slice(1)) await this.send(http('DELETE', `/__admin__/worlds/${id}`, {}));
  }

  /** Reads the response. A reused connection may have been closed just before. */
  async #read(call: FuzzCall): Promise<string> {
    for (let tries = 0; tries < READS; tries++) {
      const { status, text } = await this.send(call);
      if (status !== 0 || !this.isAlive) return text;
    }
    return '';
  }

  /** Memory of the process in bytes, where the system has it. */
  memory(): number {
    return residentBytes(this.child.pid) ?? 0;
  }

  async stop(): Promise<void> {
    await this.#beat.terminate();
    return new Promise((resolve) => {
      if (!this.isAlive) return resolve();
      this.child.once('exit', () => resolve());
      this.child.kill('SIGKILL');
    });
  }

  /** Whether the end of a listener's connection may still change the world. */
  get isListenedTo(): boolean {
    return performance.now() - this.#listenedMs < LISTENED_MS;
  }

  /** The first defect that the process has reported since it was last asked. */
  takeDefect(): string | null {
    const defect = this.#defect;
    this.#defect = null;
    return defect;
  }

  /** How long a call that does nothing waited. */
  get waits(): WaitCounts['counts'] {
    return this.#waits.counts;
  }

  /** Whether something has kept all others waiting since it was last asked. */
  takeStall(): number | null {
    const worstMs = this.#waits.takeWorstMs();
    return worstMs > STALL_MS ? worstMs : null;
  }
}
