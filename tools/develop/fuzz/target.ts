import { Worker } from 'node:worker_threads';
import { isCompanyFile } from '../../command/installation.js';
import { newDatabase } from '../clients/postgres.js';
import type { CallAddress } from '../kit/calls.js';
import { residentBytes } from '../kit/process-usage.js';
import { serveBuild, type ServedBuild } from '../kit/served.js';
import type { BeatData } from './beat.js';
import { type FuzzAddress, type FuzzResponse, type FuzzCall, http, KEY, send } from './call.js';
import { WaitCounts } from './waits.js';

/** Number of databases that this process has created. */
let databases = 0;

/** Maximum attempts of a read: the server may have closed the reused connection. */
const READS = 5;
/** Milliseconds after which a listener's connection is certainly closed. */
const LISTENED_MS = 1500;
/** Longest allowed wait of a probe call, in milliseconds of the process's processor time. */
const STALL_MS = 1000;

/** The configuration of a served world in a process of its own. */
export interface FuzzWorld {
  /** Folder of the pack, or path of the company file. */
  readonly pack: string;
  readonly seed: number;
  /** Heap limit of the process in megabytes. */
  readonly heapMb: number;
  /** URL of a PostgreSQL server, in which each process gets a database; worlds are in memory by default. */
  readonly postgres?: string;
}

function addressOf({ url, key }: CallAddress): FuzzAddress {
  return { url: new URL(url), key };
}

/** A served pack or company in a process of its own, watched from outside. */
export class FuzzTarget {
  /** Recorded error output of the process. */
  log = '';
  /** Probes the process from another thread, since this one is busy. */
  readonly #beat: Worker;
  readonly #waits = new WaitCounts();
  #defect: string | null = null;
  /** Time at which the last listener connected, in milliseconds. */
  #listenedMs = -Infinity;

  private constructor(
    private readonly server: ServedBuild,
    private readonly main: FuzzAddress,
    /** Address and key of each pack, if the target is a company. */
    private readonly vendors: ReadonlyMap<string, FuzzAddress>,
  ) {
    const path = vendors.size > 0 ? '/__admin__/clock' : '/__admin__/clock/durations';
    const workerData: BeatData = {
      url: main.url.href,
      key: main.key,
      path,
      pid: server.child.pid,
      shared: this.#waits.shared,
    };
    this.#beat = new Worker(new URL('./beat.js', import.meta.url), { workerData });
  }

  static async start({ pack, seed, heapMb, postgres }: FuzzWorld): Promise<FuzzTarget> {
    const options = ['--port', '0', '--key', KEY, '--seed', String(seed), '--with-stdin'];
    if (!isCompanyFile(pack)) options.push('--t0', '2025-01-15T12:00:00Z');
    if (postgres !== undefined) options.push('--store', await newDatabase(postgres, `fuzz_${databases++}`));
    let target: FuzzTarget | undefined = undefined;
    const server = await serveBuild([pack, ...options], { heapMb, onLog: (text) => target?.takeLog(text) });
    const vendors = Object.entries(server.vendors ?? {}).map(([name, part]) => [name, addressOf(part)] as const);
    target = new FuzzTarget(server, addressOf(server), new Map(vendors));
    return target;
  }

  /** Appends to the recorded error output. */
  takeLog(text: string): void {
    this.log = (this.log + text).slice(-20_000);
    this.#defect ??= /defect in [^\n]*/.exec(text)?.[0] ?? null;
  }

  get isAlive(): boolean {
    return this.server.child.exitCode === null && this.server.child.signalCode === null;
  }

  send(call: FuzzCall): Promise<FuzzResponse> {
    if (call.kind === 'socket') this.#listenedMs = performance.now();
    const vendor = call.kind !== 'raw' && call.vendor !== undefined ? this.vendors.get(call.vendor) : undefined;
    return send(vendor ?? this.main, call);
  }

  /** Reads the state of the world as text, without traces and times of attempts. */
  async state(): Promise<string> {
    const parts: string[] = [];
    const vendors = this.vendors.size > 0 ? [...this.vendors.keys()] : [undefined];
    for (const vendor of vendors)
      for (const path of ['/state', '/clock/durations', '/exogenous/pins', '/faults'])
        parts.push(await this.#read({ ...http('GET', `/__admin__${path}`, {}), vendor }));
    // Removes counters of faults, which count every call that they check, even rejected ones.
    return parts.join('\n').replace(/"(?:seen|remaining)":\d+/g, '');
  }

  /** Deletes all worlds except the first. */
  async leaveOne(): Promise<void> {
    const text = await this.#read(http('GET', '/__admin__/worlds', {}));
    // Stops without an error; the next call detects that the process doesn't respond.
    if (text === '') return;
    const { data } = JSON.parse(text) as { data: { id: string }[] };
    for (const { id } of data.slice(1)) await this.send(http('DELETE', `/__admin__/worlds/${id}`, {}));
  }

  /** Reads a response; retries if the reused connection was just closed. */
  async #read(call: FuzzCall): Promise<string> {
    for (let tries = 0; tries < READS; tries++) {
      const { status, text } = await this.send(call);
      if (status !== 0 || !this.isAlive) return text;
    }
    return '';
  }

  /** Returns the resident memory of the process in bytes, if the system reports it. */
  memory(): number {
    return residentBytes(this.server.child.pid) ?? 0;
  }

  async stop(): Promise<void> {
    await this.#beat.terminate();
    await this.server.stop('SIGKILL');
  }

  /** Whether the end of a listener's connection may still change the world. */
  get isListenedTo(): boolean {
    return performance.now() - this.#listenedMs < LISTENED_MS;
  }

  /** Returns and clears the first defect that the process has reported. */
  takeDefect(): string | null {
    const defect = this.#defect;
    this.#defect = null;
    return defect;
  }

  /** Counts of how long probe calls waited. */
  get waits(): WaitCounts['counts'] {
    return this.#waits.counts;
  }

  /** Returns and clears the longest time, in milliseconds, for which a call has blocked all other calls; null if none was too long. */
  takeStall(): number | null {
    const worstMs = this.#waits.takeWorstMs();
    return worstMs > STALL_MS ? worstMs : null;
  }
}
