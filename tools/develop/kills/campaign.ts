import { createHash } from 'node:crypto';
import type { CallResponse } from '../kit/calls.js';
import { type List, type Load, type LoadCall, PAGE, type Listed } from './loads.js';
import type { WebhookCounter } from './receiver.js';
import { flipOneBit, mostRoom, StoreAside } from './store-files.js';
import { Victim } from './victim.js';

/** Kinds of damage to the store in a round, in addition to the kill of its process. */
export const STORE_DISTURBANCES = ['kill', 'break', 'full', 'delete', 'replace', 'flip'] as const;
export type StoreDisturbance = (typeof STORE_DISTURBANCES)[number];

interface Page {
  readonly text: string;
  readonly items: readonly Listed[];
}

const WRITERS = 8;
/** Number of served calls that are repeated after each restart. */
const REPEATED = 5;
/** Maximum number of statements before a failing disk fails. */
const STATEMENTS = 400;

/** Kills the process of a world under load repeatedly at random moments, and checks the remaining data. */
export class Campaign {
  readonly report = {
    kills: 0,
    rounds: { kill: 0, break: 0, full: 0, delete: 0, replace: 0, flip: 0 } satisfies Record<StoreDisturbance, number>,
    /** Number of starts that a failing or full disk prevented. */
    brokenStarts: 0,
    /** Number of calls that were acknowledged although the store was deleted or replaced before. */
    acknowledgedWithoutStore: 0,
    /** Number of flipped bits that the next start reported, that had no effect, and that changed data without a report. */
    flipsReported: 0,
    flipsWithoutEffect: 0,
    flipsSilent: 0,
    /** Number of calls with a response, and of those without one or with a rejection. */
    served: 0,
    unanswered: 0,
    /** Number of calls without a response that were executed anyway. */
    doneUnanswered: 0,
    /** Number of acknowledged objects that are missing or different after the restart. */
    lost: 0,
    /** Number of objects that exist more than once. */
    doubled: 0,
    /**
     * Number of calls whose repetition with the same idempotency key after the restart didn't return the stored response, or returned one for an
     * object that doesn't exist.
     */
    wrongReplays: 0,
    replays: 0,
    /** Number of objects that must exist at the end, by pack. */
    objects: {} as Record<string, number>,
    /** Number of objects whose webhook was never delivered. */
    undelivered: 0,
    delivered: 0,
    rejectedWebhooks: 0,
    longestStartMs: 0,
  };
  /** Ids of created objects, by the names of their calls. */
  readonly #known = new Map<string, { readonly id: string; readonly load: Load }>();
  #victim: Victim | null = null;
  #made = 0;

  constructor(
    private readonly file: string,
    private readonly receiver: WebhookCounter,
    /** A company file with payments and other packs; only payments by default. */
    private readonly company?: string,
  ) {}

  /** Starts the server, with an endpoint that receives every event. */
  async begin(): Promise<void> {
    this.#victim = await this.#start();
    const url = await this.receiver.url();
    await this.#victim.control('/webhooks/endpoints', { url, events: ['customer.created', 'payment_intent.created'] });
  }

  async round(kind: StoreDisturbance): Promise<void> {
    const { report, file } = this;
    report.rounds[kind]++;
    if (kind === 'break' || kind === 'full') {
      await this.#kill();
      const { company } = this;
      const disk =
        kind === 'full' ? { mostBytes: mostRoom(file) } : { failAfter: Math.floor(Math.random() * STATEMENTS) };
      this.#victim = await Victim.start(file, { company, ...disk });
      if (this.#victim === null) report.brokenStarts++;
    }
    const served = new Map<string, [LoadCall, string]>();
    const open: LoadCall[] = [];
    const takesAway = kind === 'delete' || kind === 'replace';
    const aside = this.#victim === null ? null : await this.#load(this.#victim, served, open, takesAway ? kind : null);
    await this.#kill();
    report.served += served.size;
    report.unanswered += open.length;
    aside?.putBack();
    if (kind === 'flip') await this.#flip();
    this.#victim = await this.#start();
    await this.#check(this.#victim, served, open);
  }

  /** Flips one bit of the killed process's data and starts with it: the damage must be reported or have no effect. */
  async #flip(): Promise<void> {
    const { report, file, company } = this;
    const copy = StoreAside.copyOf(file);
    const what = flipOneBit(file);
    const flipped = await Victim.start(file, { company, isQuiet: true });
    const found = flipped === null || flipped.leftOut.length > 0 ? null : await contentsOf(flipped);
    await flipped?.kill();
    copy.putBack();
    if (found === null) {
      report.flipsReported++;
      return;
    }
    const sound = await this.#start();
    if ((await contentsOf(sound)) === found) report.flipsWithoutEffect++;
    else {
      report.flipsSilent++;
      console.error(`silent: ${what}`);
    }
    await sound.kill();
  }

  /**
   * Sends load until a random moment, mostly after the first response; then kills the process.
   * @param takes what happens to the store during the load
   * @returns where the store's files are afterwards
   */
  async #load(
    victim: Victim,
    served: Map<string, [LoadCall, string]>,
    open: LoadCall[],
    takes: 'delete' | 'replace' | null,
  ): Promise<StoreAside | null> {
    let stopped = false;
    let aside: StoreAside | null = null;
    let isWarm: () => void = () => undefined;
    const warm = new Promise<void>((resolve) => (isWarm = resolve));
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!stopped) {
        const call = this.#next(victim);
        const beganWithout = aside !== null;
        const id = await send(victim, call).then(
          (response) => idOf(call.load, response),
          () => null,
        );
        if (id !== null && beganWithout) this.report.acknowledgedWithoutStore++;
        if (id === null) open.push(call);
        else served.set(call.name, [call, id]);
        isWarm();
      }
    });
    if (Math.random() < 0.9) await warm;
    await moment();
    if (takes !== null) {
      aside = StoreAside.take(this.file, takes === 'replace');
      await moment();
    }
    stopped = true;
    await this.#kill();
    await Promise.all(writers);
    return aside;
  }

  async #kill(): Promise<void> {
    if (this.#victim !== null) this.report.kills++;
    await this.#victim?.kill();
    this.#victim = null;
  }

  /** Executes everything that is due, and checks all objects. */
  async end(): Promise<void> {
    const { report, receiver } = this;
    const victim = this.#victim ?? (await this.#start());
    await victim.control('/webhooks/flush', {});
    // Advances the world's clock, by which rejected deliveries are retried.
    for (let day = 0; day < 4; day++) await victim.control('/clock/advance', { duration: '1d' });
    await victim.control('/webhooks/flush', {});
    const there = await listed(victim, () => false);
    for (const [name, { id, load }] of this.#known) {
      const ids = there.get(name) ?? [];
      if (!ids.includes(id)) report.lost++;
      if (ids.length > 1) report.doubled++;
      report.objects[load.pack] = (report.objects[load.pack] ?? 0) + 1;
      // Skips other packs, which send no webhooks to the receiver.
      if (load.pack !== 'payments') continue;
      if (receiver.objects.has(id)) report.delivered++;
      else report.undelivered++;
    }
    report.rejectedWebhooks = receiver.rejected;
    await victim.kill();
  }

  async #check(
    victim: Victim,
    served: ReadonlyMap<string, [LoadCall, string]>,
    open: readonly LoadCall[],
  ): Promise<void> {
    const { report } = this;
    const there = await listed(victim, (name) => this.#known.has(name));
    for (const [name, [, id]] of served) if (!there.get(name)?.includes(id)) report.lost++;
    for (const ids of there.values()) if (ids.length > 1) report.doubled++;
    for (const call of open) {
      const before = there.get(call.name)?.[0];
      if (before !== undefined) report.doneUnanswered++;
      if (call.load.isRepeatable) await this.#repeat(victim, call, before);
      else if (before !== undefined) this.#known.set(call.name, { id: before, load: call.load });
    }
    const again = [...served.values()].filter(([{ load }]) => load.isRepeatable);
    for (const [call, id] of again.slice(-REPEATED)) await this.#repeat(victim, call, id);
    for (const [name, [{ load }, id]] of served) this.#known.set(name, { id, load });
  }

  /** Repeats a call without a response with its idempotency key: it must be executed once, whether or not it was before. */
  async #repeat(victim: Victim, call: LoadCall, before: string | undefined): Promise<void> {
    const again = await send(victim, call);
    const id = idOf(call.load, again);
    this.report.replays++;
    if (id === null || isReplay(again) !== (before !== undefined) || (before !== undefined && before !== id))
      this.report.wrongReplays++;
    if (id !== null) this.#known.set(call.name, { id, load: call.load });
  }

  async #start(): Promise<Victim> {
    const begun = performance.now();
    const victim = await Victim.start(this.file, { company: this.company });
    if (victim === null) throw new Error(`the store ${this.file} cannot be opened any more`);
    this.report.longestStartMs = Math.max(this.report.longestStartMs, Math.round(performance.now() - begun));
    return victim;
  }

  /** Generates the next call; packs take turns. */
  #next(victim: Victim): LoadCall {
    const name = `call_${this.#made}`;
    const { loads } = victim;
    const load = loads[this.#made % loads.length];
    const turn = Math.floor(this.#made++ / loads.length);
    return { load, name, ...load.call(name, turn) };
  }
}

function send(victim: Victim, { load, name, path, form }: LoadCall): Promise<CallResponse> {
  return victim.call(load, path, form, name);
}

function isReplay({ headers }: CallResponse): boolean {
  return headers.get('idempotent-replayed') === 'true';
}

/** Returns the id of the created object; null if the call was rejected. */
function idOf(load: Load, { status, body }: CallResponse): string | null {
  const made = status < 300 ? load.made(body) : undefined;
  return made === undefined ? null : String(made.id);
}

/** Reads the pages of a list, as text and as items. @throws if a call fails */
async function* pagesOf(victim: Victim, load: Load, list: List): AsyncGenerator<Page> {
  let last = '';
  let before: CallResponse['body'] = {};
  for (let page = 1; ; page++) {
    const path = list(page, last, before);
    if (path === null) return;
    const { status, body } = await victim.call(load, path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    const items = load.items(body);
    // Removes the server's address, since the port changes with each start.
    yield { text: JSON.stringify(body).replaceAll(victim.originOf(load), ''), items };
    if (items.length < PAGE) return;
    [last, before] = [items[items.length - 1].id, body];
  }
}

/** Lists existing objects by the name of their call, newest first. @param isOld whether an object was checked before, which ends the list */
async function listed(victim: Victim, isOld: (name: string) => boolean): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const load of victim.loads)
    for (const list of load.lists)
      for await (const { items } of pagesOf(victim, load, list)) {
        // A company contains initial objects that no call of this load created.
        for (const { id, name } of items) if (name !== undefined) found.set(name, [...(found.get(name) ?? []), id]);
        if (load.isNewestFirst && items.every(({ name }) => isOld(name ?? ''))) break;
      }
  return found;
}

/** Waits for a random time, up to 300 ms. */
function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
}

/** Hashes the contents of a server's lists. @throws if a call fails */
async function contentsOf(victim: Victim): Promise<string> {
  const hash = createHash('sha256');
  for (const load of victim.loads)
    for (const list of load.lists) for await (const { text } of pagesOf(victim, load, list)) hash.update(text);
  return hash.digest('hex');
}
