import { Worker } from 'node:worker_threads';
import { isCompanyFile } from '../../command/installation.js';
import { newDatabase } from '../clients/postgres.js';
import type { CallAddress } from '../kit/calls.js';
import { residentBytes } from '../kit/process-usage.js';
import { serveBuild, type ServedBuild } from '../kit/served.js';
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

function addressOf({ url, key }: CallAddress): FuzzAddress {
  return { url: new URL(url), key };
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
    private readonly server: ServedBuild,
    private readonly main: FuzzAddress,
    /** Packs of a company. */
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

  /** Takes a part of the error output. */
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
