import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Postgres } from '../clients/postgres.js';
import type { CallResponse } from '../kit/calls.js';
import { freePort } from '../kit/free-port.js';
import { PersistentClient } from '../kit/persistent-client.js';
import { end } from '../kit/served.js';
import { judge, type CreatedObject, type Read, type Write } from './history.js';
import type { WebhookCounter } from './receiver.js';
import type { ReplicaStart } from './replica-server.js';
import { SilentProxy } from './silent-proxy.js';

/** Kinds of disturbances of the replicas and their database. */
export const DISTURBANCES = ['kill', 'stop', 'restart', 'cut', 'leave', 'silence', 'skew', 'upgrade'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

export type ReplicaReport = ReplicaCampaign['report'];

interface ReplicaCampaignOptions {
  readonly database: Postgres;
  /** Folders of the pack, and of another version of the pack with different files. */
  readonly packs: readonly string[];
  /** Folders of additional packs in every world, which make it a company. */
  readonly beside: readonly string[];
  /** Heap limit of each replica in megabytes; Node's default by default. */
  readonly heapMb?: number;
  readonly receiver: WebhookCounter;
  readonly replicas: number;
  readonly worlds: number;
  readonly clients: number;
}

const SERVER = fileURLToPath(new URL('./replica-server.js', import.meta.url));
const KEY = 'sk_test_kills_of_replicas';
/** Milliseconds after which a call without a response is abandoned. */
const CALL_TIMEOUT_MS = 60_000;
/** Milliseconds for which a stopped replica pauses; longer than the silence after which the database ends a session. */
const STOPPED_MS = 6_500;
const SEEN = 10;
/** Clock offsets, in milliseconds, of machines with a wrong clock. */
const SKEWS_MS = [-600_000, 130_000, 2 * 86_400_000];

function none(): Record<Disturbance, number> {
  return { kill: 0, stop: 0, restart: 0, cut: 0, leave: 0, silence: 0, skew: 0, upgrade: 0 };
}

interface Victim {
  readonly port: number;
  /** Proxy between the replica and the database. */
  readonly proxy: SilentProxy;
  skewMs: number;
  child: ChildProcess;
}

interface World {
  readonly id: string;
  readonly key: string;
  readonly calls: (Write | Read)[];
}

/** Disturbs several replicas under load from clients that call any of them. */
export class ReplicaCampaign {
  readonly report = {
    kills: none(),
    served: 0,
    /** Number of attempts without a response, or with a response after which clients retry. */
    repeated: 0,
    neverServed: 0,
    objects: 0,
    lost: 0,
    doubled: 0,
    disordered: 0,
    undelivered: 0,
    /** Longest time from the first attempt of a call to its response, by kind of disturbance, in milliseconds. */
    longestMs: { ...none(), none: 0 },
    /** The first violations, as sentences. */
    wrong: [] as string[],
  };
  readonly #victims: Victim[] = [];
  readonly #worlds: World[] = [];
  readonly #clients: Promise<void>[] = [];
  readonly #client = new PersistentClient(
    () => this.#victims.map(({ port }) => `http://127.0.0.1:${port}`),
    CALL_TIMEOUT_MS,
    (what) => this.report.wrong.push(what),
  );
  #last: Disturbance | 'none' = 'none';
  #pack = 0;
  #made = 0;
  #isOver = false;

  constructor(private readonly options: ReplicaCampaignOptions) {}

  async begin(): Promise<void> {
    const { replicas, worlds, clients, receiver } = this.options;
    for (let each = 0; each < replicas; each++) {
      const victim = { port: await freePort(), proxy: await SilentProxy.start(this.options.database.url), skewMs: 0 };
      this.#victims.push({ ...victim, child: await this.#start(victim) });
    }
    const url = await receiver.url();
    for (let each = 0; each < worlds; each++) {
      const made = await this.#client.control(KEY, '/worlds');
      const { payments } = (made['vendors'] ?? {}) as Record<string, { readonly key: string }>;
      const world = { id: String(made['id']), key: payments?.key ?? String(made['key']), calls: [] };
      await this.#client.control(world.key, '/webhooks/endpoints', { url, events: ['customer.created'] });
      this.#worlds.push(world);
    }
    for (let each = 0; each < clients; each++) this.#clients.push(this.#load());
  }

  /** Disturbs a replica or the database, and waits for some time. */
  async disturb(kind: Disturbance): Promise<void> {
    const { database } = this.options;
    const victim = this.#victims[Math.floor(Math.random() * this.#victims.length)];
    this.report.kills[kind]++;
    this.#last = kind;
    switch (kind) {
      case 'kill':
        await end(victim.child, 'SIGKILL');
        await sleep(Math.random() * 1000);
        victim.child = await this.#start(victim);
        break;
      case 'leave':
        await end(victim.child, 'SIGTERM');
        victim.child = await this.#start(victim);
        break;
      case 'skew':
        victim.skewMs = victim.skewMs === 0 ? SKEWS_MS[Math.floor(Math.random() * SKEWS_MS.length)] : 0;
        await end(victim.child, 'SIGTERM');
        victim.child = await this.#start(victim);
        break;
      case 'upgrade':
        // Restarts the replicas one after another, so that both versions of the pack serve for a while.
        this.#pack = (this.#pack + 1) % this.options.packs.length;
        for (const each of this.#victims) {
          await end(each.child, 'SIGTERM');
          each.child = await this.#start(each);
        }
        break;
      case 'silence':
        await victim.proxy.silence(STOPPED_MS + Math.random() * 1500);
        break;
      case 'stop':
        victim.child.kill('SIGSTOP');
        await sleep(STOPPED_MS + Math.random() * 1500);
        victim.child.kill('SIGCONT');
        break;
      case 'restart':
        database.restart();
        break;
      case 'cut':
        await cut(database.url);
        break;
    }
    await sleep(500 + Math.random() * 1500);
  }

  /** Ends the load, waits for all webhooks, and checks the responses. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    for (const world of this.#worlds) await this.#judge(world);
    for (const { child, proxy } of this.#victims) {
      await end(child, 'SIGKILL');
      proxy.stop();
    }
  }

  async #judge({ id, key, calls }: World): Promise<void> {
    const { report } = this;
    const { receiver } = this.options;
    await this.#client.deliverAll(key);
    const made: readonly CreatedObject[] = (await this.#client.customers(key)).reverse();
    const { lost, doubled, disordered } = judge(calls, made);
    const missed = made.filter((each) => !receiver.objects.has(each.id));
    const undelivered = await Promise.all(missed.map((each) => this.#fateOf(key, each)));
    report.objects += made.length;
    report.lost += lost.length;
    report.doubled += doubled.length;
    report.disordered += disordered.length;
    report.undelivered += undelivered.length;
    const wrong = { lost, doubled, disordered, undelivered };
    for (const [what, which] of Object.entries(wrong))
      for (const each of which) if (report.wrong.length < 20) report.wrong.push(`${id}: ${what}: ${each}`);
  }

  /** Finds the recorded state of the delivery for a created object. */
  async #fateOf(key: string, { id, name }: CreatedObject): Promise<string> {
    const page = await this.#client.succeed(key, 'GET /__admin__/webhooks/deliveries?limit=1000');
    const text = (page['data'] as readonly object[])
      .map((each) => JSON.stringify(each))
      .find((each) => each.includes(id));
    return `${name} (${id}): ${text ?? 'no delivery of it is known'}`;
  }

  async #load(): Promise<void> {
    while (!this.#isOver) {
      const world = this.#worlds[Math.floor(Math.random() * this.#worlds.length)];
      if (Math.random() < 0.5) await this.#write(world);
      else await this.#read(world);
      await sleep(5 + Math.random() * 20);
    }
  }

  async #write({ key, calls }: World): Promise<void> {
    const name = `n${this.#made++}`;
    const start = performance.now();
    const response = await this.#until(key, 'POST /v1/customers', `name=${name}`, name);
    const id = response === null ? null : String(response['id']);
    calls.push({ kind: 'write', name, start, end: id === null ? Infinity : performance.now(), id });
  }

  async #read({ key, calls }: World): Promise<void> {
    const start = performance.now();
    const response = await this.#until(key, `GET /v1/customers?limit=${SEEN}`);
    if (response === null) return;
    const ids = (response['data'] as { readonly id: string }[]).map(({ id }) => id);
    calls.push({ kind: 'read', start, end: performance.now(), ids, limit: SEEN });
  }

  /** Repeats a call until it succeeds; null after the time limit. */
  async #until(key: string, line: string, body?: string, name?: string): Promise<CallResponse['body'] | null> {
    const { report } = this;
    const begun = performance.now();
    const response = await this.#client.call(key, line, body, name);
    report.repeated = this.#client.repeated;
    if (response === null) {
      report.neverServed++;
      return null;
    }
    report.served++;
    const kind = this.#last;
    report.longestMs[kind] = Math.max(report.longestMs[kind], Math.round(performance.now() - begun));
    return response;
  }

  async #start({ port, proxy, skewMs }: Omit<Victim, 'child'>): Promise<ChildProcess> {
    const { packs, beside, heapMb } = this.options;
    const start: ReplicaStart = { database: proxy.url, port, key: KEY, pack: packs[this.#pack], beside, skewMs };
    for (let tries = 1; ; tries++) {
      const child = fork(SERVER, [JSON.stringify(start)], {
        execArgv: heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const gone = once(child, 'exit').then(() => false);
      if (await Promise.race([once(child, 'message').then(() => true), gone])) return child;
      if (tries === 10) throw new Error('a replica does not start any more');
      await sleep(500);
    }
  }
}

/** Ends some database connections of replicas, including one of a replica that serves worlds, if there is any. */
async function cut(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'sandbox' AND pid <> pg_backend_pid() AND (random() < 0.5 OR query LIKE '%pg_backend_pid%')`,
  );
  await client.end();
}
