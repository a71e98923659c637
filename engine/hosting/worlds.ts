import {
  type ForkOrigin,
  type ForkWish,
  type FoundWorld,
  type MadeWorld,
  momentNamed,
  pastOf,
  ControlRejection,
  unknownPack,
  unknownWorld,
  type WorldDirectory,
  type WorldView,
  type WorldWish,
} from '../control/index.js';
import type { ForkStart } from './world.js';
import { isHashOfKey } from '../codecs/index.js';
import { type IdleWorld, IdleWorlds } from './idle.js';
import { type Engine, forkOf } from '../runtime/index.js';
import { type OpenWorld, type Store, StoreError, type WorldRecord } from '../store/index.js';

/** A world at work. */
export interface ServedWorld {
  readonly url: string;
  readonly key: string;
  readonly engine: Engine;
  readonly from: ForkOrigin | null;
  /**
   * Whether it may rest: nobody has called for so long, and nothing is under way.
   * @param ms real time
   */
  isQuiet(ms: number): boolean;
  /** Somebody has asked for it. */
  touch(): void;
  /**
   * Leaves memory; calls wait until it has been served again.
   * @param wake serves it
   */
  rest(wake: () => Promise<void>): IdleWorld;
  close(drainMs?: number): Promise<void>;
}

/** How a further world is served. */
export interface WorldStart {
  readonly id: string;
  readonly name: string;
  readonly pack: string;
  readonly key: string;
  readonly seed: string;
  readonly t0: number | undefined;
  readonly fork?: ForkStart;
  readonly opened: OpenWorld | undefined;
  /** It has rested until now. */
  readonly rest: IdleWorld | undefined;
}

/** What a world begins with. */
export type WorldBeginning = Pick<WorldStart, 'seed' | 't0' | 'fork'>;

/** A moment of a world that a fork is made of. */
export interface ForkPoint {
  readonly record: RegisteredWorld;
  readonly engine: Engine;
  /** Number of the entry. */
  readonly entry: number;
  readonly wish: ForkWish;
}

export interface WorldsOptions {
  readonly store: Store | undefined;
  /** Milliseconds of real time after which a kept world that nobody calls leaves memory. */
  readonly idle: number;
  /** Names of the packs that are served, the first world's first. */
  readonly packs: readonly string[];
  /** What the seeds of further worlds begin with. */
  readonly seed: string;
  readonly newKey: (pack: string) => string;
  readonly serve: (start: WorldStart) => Promise<ServedWorld>;
}

export type RegisteredWorld = Omit<WorldRecord, 'head'>;

/** The longest that a timer of Node waits, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** The worlds of a process beside its first one, each at an address of its own. Those in a store start when they are asked for. */
export class Worlds implements WorldDirectory {
  readonly #running = new Map<string, { readonly record: RegisteredWorld; readonly world: ServedWorld }>();
  readonly #starting = new Map<string, Promise<ServedWorld>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #names = new Set<string>();
  readonly #rests = new IdleWorlds();
  #made = 1;

  constructor(private readonly options: WorldsOptions) {}

  /** Tells which world is the first one. From now on kept ones end in time too, although nobody asks for them. */
  async begin(record: RegisteredWorld, world: ServedWorld): Promise<void> {
    this.#running.set(record.id, { record, world });
    this.#names.add(record.name);
    for (const { id, expires } of (await this.options.store?.worlds()) ?? [])
      if (expires !== null) this.#endAt(id, expires);
    const { store, idle } = this.options;
    if (store) this.#rests.look(idle, () => store.failure === null && this.#letRest(idle));
  }

  /** Lets worlds leave memory that nobody needs. The first one stays. */
  #letRest(idle: number): void {
    for (const [id, { world }] of [...this.#running].slice(1)) {
      if (!world.isQuiet(idle)) continue;
      this.#running.delete(id);
      this.#rests.begin(
        id,
        world.rest(async () => this.#calledFor(id)),
      );
    }
  }

  /** @throws Refusal when it is gone */
  async #calledFor(id: string): Promise<void> {
    if (!(await this.#awake(id))) throw new ControlRejection(404, 'unknown_world', 'its time is over');
  }

  async list(): Promise<readonly WorldView[]> {
    const running = [...this.#running.values()].map(({ record, world }) => viewOf(record, world));
    const { store } = this.options;
    if (store === undefined) return running;
    await store.expire(Date.now());
    return (await store.worlds()).map((record) => {
      const at = this.#running.get(record.id);
      return at ? viewOf(at.record, at.world) : asleep(record, this.#rests.urlOf(record.id));
    });
  }

  async create(wish: WorldWish = {}): Promise<MadeWorld> {
    const { packs, seed, newKey } = this.options;
    const source = wish.from && (await this.#source(wish, wish.from));
    const pack = source?.record.pack ?? wish.pack ?? packs[0];
    if (!packs.includes(pack)) throw unknownPack(pack, packs);
    const expires = wish.expires === undefined ? null : Date.now() + wish.expires;
    const key = newKey(pack);
    const record = await this.#record(wish.name, { key, pack, expires });
    const own = source ? forkStart(source, record.id) : { seed: wish.seed ?? `${seed} ${record.id}`, t0: wish.t0 };
    try {
      return { ...viewOf(record, await this.#start(record, own)), key };
    } catch (error) {
      this.#names.delete(record.name);
      await this.options.store?.delete(record.id).catch(() => undefined);
      throw error;
    }
  }

  /** A new world of this name, or of one that nobody has. @throws Refusal */
  async #record(wished: string | undefined, wanted: Omit<RegisteredWorld, 'id' | 'name'>): Promise<RegisteredWorld> {
    const { store } = this.options;
    for (;;) {
      const number = ++this.#made;
      const name = wished ?? `world-${number}`;
      // A store knows the names of its worlds, also of those that have ended there.
      const isTaken = store === undefined && this.#names.has(name);
      if (isTaken && wished === undefined) continue;
      if (isTaken) throw taken(name);
      this.#names.add(name);
      try {
        return store ? await store.create({ ...wanted, name }) : { ...wanted, name, id: `w${number}` };
      } catch (error) {
        if (!(error instanceof StoreError && error.code === 'taken')) this.#names.delete(name);
        if (!(error instanceof StoreError && error.code === 'taken')) throw error;
        if (wished !== undefined) throw taken(name);
      }
    }
  }

  /** @throws Refusal when there is no such world or moment */
  async #source(wish: WorldWish, from: ForkWish): Promise<ForkPoint> {
    for (const key of ['pack', 'seed', 't0'] as const)
      if (wish[key] !== undefined)
        throw new ControlRejection(
          400,
          'invalid_value',
          `'${key}' cannot stand beside 'from': a fork has that of its world`,
          {
            path: key,
          },
        );
    const id = from.world ?? [...this.#running.keys()][0];
    const found = await this.#awake(id);
    if (!found) throw await unknownWorld(this, id, { path: 'from.world' });
    const { record, world } = found;
    const { engine } = world;
    const entry = from.at === undefined ? engine.world.ledger.count : momentNamed(engine, from.at);
    pastOf(engine, entry);
    return { record, engine, entry, wish: from };
  }

  async find(id: string): Promise<FoundWorld | undefined> {
    const found = await this.#awake(id);
    return found && { id: found.record.id, engine: found.world.engine, from: found.world.from };
  }

  /** Starts the world of a key, if it is kept and not at work. */
  async wake(asked: { readonly name: string } | { readonly key: string }): Promise<void> {
    if ('name' in asked) {
      await this.#awake(asked.name);
      return;
    }
    const { store } = this.options;
    await store?.expire(Date.now());
    const record = await store?.ofKey(asked.key);
    if (record) await this.#awake(record.id);
  }

  async #awake(id: string): Promise<{ readonly record: RegisteredWorld; readonly world: ServedWorld } | undefined> {
    const running = this.#find(id);
    running?.world.touch();
    if (running) return running;
    const record = await this.#kept(id);
    return record && { record, world: await this.#start(record, { seed: record.id, t0: undefined }) };
  }

  async get(id: string): Promise<WorldView | undefined> {
    const found = await this.#awake(id);
    return found && viewOf(found.record, found.world);
  }

  async delete(id: string): Promise<boolean> {
    const running = this.#find(id);
    const record = running?.record ?? (await this.#kept(id));
    if (!record) {
      await this.#rests.leave(id);
      return false;
    }
    if (record.id === [...this.#running.keys()][0])
      throw new ControlRejection(
        409,
        'first_world',
        'the first world lives as long as the server; POST /__admin__/reset empties it',
      );
    clearTimeout(this.#timers.get(record.id));
    this.#timers.delete(record.id);
    await this.#starting.get(record.id);
    const world = this.#running.get(record.id)?.world;
    this.#running.delete(record.id);
    await world?.close();
    await this.#rests.leave(record.id);
    await this.options.store?.delete(record.id);
    this.#names.delete(record.name);
    return true;
  }

  /** Ends every world but the first; what is kept stays in the store. */
  async close(): Promise<void> {
    this.#rests.lookNoMore();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.allSettled(this.#starting.values());
    await Promise.all([...this.#running.values()].slice(1).map(({ world }) => world.close()));
    await this.#rests.leaveAll();
  }

  #find(id: string): { readonly record: RegisteredWorld; readonly world: ServedWorld } | undefined {
    return this.#running.get(id) ?? [...this.#running.values()].find(({ record }) => record.name === id);
  }

  async #kept(id: string): Promise<WorldRecord | undefined> {
    const { store } = this.options;
    if (store === undefined) return undefined;
    await store.expire(Date.now());
    return store.find(id);
  }

  /** Two who ask for the same world at once get the same. */
  #start(record: RegisteredWorld, own: WorldBeginning): Promise<ServedWorld> {
    const under = this.#starting.get(record.id);
    if (under) return under;
    const starting = this.#serve(record, own).finally(() => this.#starting.delete(record.id));
    this.#starting.set(record.id, starting);
    return starting;
  }

  async #serve(record: RegisteredWorld, own: WorldBeginning): Promise<ServedWorld> {
    const { store, packs, serve } = this.options;
    const { id, name, pack, key } = record;
    if (!packs.includes(pack))
      throw new ControlRejection(
        409,
        'pack_not_served',
        `this world is one of ${pack}; served are ${packs.join(', ')}`,
      );
    const rest = await this.#rests.of(id);
    const opened = await store?.open(id);
    try {
      const world = await serve({ id, name, pack, key, ...own, opened, rest });
      this.#rests.end(id);
      world.touch();
      this.#running.set(record.id, { record, world });
      if (record.expires !== null && !this.#timers.has(record.id)) this.#endAt(record.id, record.expires);
      return world;
    } catch (error) {
      await opened?.release().catch(() => undefined);
      throw error;
    }
  }

  #endAt(id: string, expires: number): void {
    const timer = setTimeout(
      () => {
        if (Date.now() < expires) this.#endAt(id, expires);
        else void this.delete(id).catch(() => undefined);
      },
      Math.min(Math.max(expires - Date.now(), 0), maxTimerMs),
    );
    timer.unref();
    this.#timers.set(id, timer);
  }
}

/** How a fork begins: with the seed of its world, from which secrets follow. */
export function forkStart({ record, engine, entry, wish }: ForkPoint, id: string): WorldBeginning {
  const { past, world } = engine;
  const apart = wish.same_ids ? undefined : Number(id.slice(1));
  return {
    seed: world.config.seed,
    t0: world.config.t0,
    fork: {
      header: { world: record.id, entry, silent: !wish.send_webhooks },
      fork: () => forkOf(past, world, entry, apart),
    },
  };
}

export function taken(name: string): ControlRejection {
  return new ControlRejection(409, 'name_taken', `there is a world '${name}' already`, { path: 'name' });
}

export function viewOf(
  { id, name, key, pack, expires }: RegisteredWorld,
  { url, from, engine: { world } }: ServedWorld,
): WorldView {
  return {
    id,
    name,
    url,
    key: told(key),
    pack,
    now: world.now,
    head: world.ledger.count,
    expires: instantOf(expires),
    from,
  };
}

export function asleep({ id, name, key, pack, head, expires }: WorldRecord, url: string | null): WorldView {
  return { id, name, url, key: told(key), pack, now: null, head, expires: instantOf(expires), from: null };
}

/** A key of which only a hash is known is not shown. */
function told(key: string): string | null {
  return isHashOfKey(key) ? null : key;
}

function instantOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
