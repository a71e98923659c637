import { type WorldView, ControlRejection } from '../control/index.js';
import { type NewWorld, type OpenWorld, type Store, StoreError } from '../store/index.js';
import { IdleWorlds, worldsToLeave } from './idle.js';
import type { IdleWorld } from './address.js';
import type { IdleClock } from './calls.js';
import type { WorldAsked } from './match.js';
import type { HeldWorld, Ownership, RegisteredWorld, RestingWorld, WorldBeginning } from './ownership.js';
import { idleView, worldViewOf } from './world-view.js';
import { requireServed } from './worlds.js';

/** The data with which a further world is started. */
interface LocalStart {
  readonly record: RegisteredWorld;
  readonly beginning: WorldBeginning;
  readonly opened: OpenWorld | undefined;
  /** The address and data of a world that left memory. */
  readonly rest: IdleWorld | undefined;
}

interface LocalWorldsOptions {
  readonly store: Store | undefined;
  /** Milliseconds of real time after which an idle stored world leaves memory. */
  readonly idleMs: number;
  readonly idleClock: IdleClock;
  /** Names of the served packs. */
  readonly packs: readonly string[];
  readonly serve: (start: LocalStart) => Promise<RestingWorld>;
}

/** The worlds of one process, which owns all of them. Those in a store start on first use. */
export class LocalWorlds implements Ownership {
  readonly lifetime = 'server';
  readonly #running = new Map<string, HeldWorld<RestingWorld>>();
  readonly #starting = new Map<string, Promise<RestingWorld>>();
  readonly #expiry = new Expiry(
    (id) => this.#end(id),
    () => this.nowMs,
  );
  /** Registrations of worlds in a process without a store, by name. */
  readonly #unkept = new Map<string, RegisteredWorld>();
  readonly #idle: IdleWorlds;
  #first = '';
  #lastId = 1;

  constructor(private readonly options: LocalWorldsOptions) {
    this.#idle = new IdleWorlds(options.idleClock);
  }

  get first(): string {
    return this.#first;
  }

  get nowMs(): number {
    return this.options.store?.nowMs ?? Date.now();
  }

  /** Adds the first world, and starts the expiry of stored worlds and the checks for idle ones. */
  async open(first: HeldWorld<RestingWorld>): Promise<void> {
    const { record } = first;
    this.#first = record.id;
    this.#running.set(record.id, first);
    this.#unkept.set(record.name, record);
    const { store, idleMs } = this.options;
    for (const { id, expires } of (await store?.worlds()) ?? []) this.#expiry.set(id, expires);
    if (store) this.#idle.look(idleMs, () => store.failure === null && this.#letRest(idleMs));
  }

  async list(): Promise<readonly WorldView[]> {
    const { store } = this.options;
    if (store === undefined) return [...this.#running.values()].map(worldViewOf);
    await store.expire(store.nowMs);
    return (await store.worlds()).map((record) => {
      const running = this.#running.get(record.id);
      return running ? worldViewOf(running) : idleView(record, this.#idle.urlOf(record.id));
    });
  }

  async count(prefix: string): Promise<number> {
    const worlds = (await this.options.store?.worlds()) ?? [...this.#unkept.values()];
    return worlds.filter(({ name }) => name.startsWith(prefix)).length;
  }

  async register(world: NewWorld): Promise<RegisteredWorld> {
    const { store } = this.options;
    if (store) return store.create(world);
    if (this.#unkept.has(world.name)) throw new StoreError('taken', world.name);
    const record = { ...world, id: `w${++this.#lastId}` };
    this.#unkept.set(world.name, record);
    return record;
  }

  async unregister({ id, name }: RegisteredWorld): Promise<void> {
    this.#unkept.delete(name);
    await this.options.store?.delete(id);
  }

  async begin(record: RegisteredWorld, beginning: WorldBeginning): Promise<WorldView> {
    return worldViewOf({ record, world: await this.#start(record, beginning) });
  }

  /** Starts the stored world with a name or key, unless it is running. */
  async wake(asked: WorldAsked): Promise<void> {
    if (asked.by === 'name') {
      await this.bring(asked.text);
      return;
    }
    const { store } = this.options;
    await store?.expire(store.nowMs);
    const record = await store?.ofKey(asked.text);
    if (record) await this.bring(record.id);
  }

  async bring(idOrName: string): Promise<HeldWorld<RestingWorld> | undefined> {
    const running = this.#find(idOrName);
    running?.world.touch();
    if (running) return running;
    const record = await this.#kept(idOrName);
    return record && { record, world: await this.#start(record, { seed: record.id, t0: undefined }) };
  }

  async find(idOrName: string): Promise<RegisteredWorld | undefined> {
    const record = this.#find(idOrName)?.record ?? (await this.#kept(idOrName));
    if (!record) await this.#idle.leave(idOrName);
    return record;
  }

  async delete(record: RegisteredWorld): Promise<boolean> {
    const { id } = record;
    this.#expiry.clear(id);
    await this.#starting.get(id);
    const world = this.#running.get(id)?.world;
    this.#running.delete(id);
    await world?.close();
    await this.#idle.leave(id);
    await this.unregister(record);
    return true;
  }

  /** Ends every world but the first; stored data stays. */
  async close(): Promise<void> {
    this.#idle.lookNoMore();
    this.#expiry.close();
    await Promise.allSettled(this.#starting.values());
    await Promise.all(this.#further().map(([, { world }]) => world.close()));
    await this.#idle.leaveAll();
  }

  #further(): [string, HeldWorld<RestingWorld>][] {
    return [...this.#running].filter(([id]) => id !== this.#first);
  }

  /** Makes idle worlds leave memory, except the first one. */
  #letRest(idleMs: number): void {
    for (const id of worldsToLeave(this.#further(), idleMs)) {
      const world = this.#running.get(id)?.world;
      this.#running.delete(id);
      if (world)
        this.#idle.begin(
          id,
          world.rest(async () => this.#calledFor(id)),
        );
    }
  }

  /** Starts a world that has left memory, for a call that waits for it. @throws ControlRejection if the world was deleted */
  async #calledFor(id: string): Promise<void> {
    if (!(await this.bring(id))) throw new ControlRejection(404, 'unknown_world', 'its time is over');
  }

  #find(idOrName: string): HeldWorld<RestingWorld> | undefined {
    return this.#running.get(idOrName) ?? [...this.#running.values()].find(({ record }) => record.name === idOrName);
  }

  async #kept(idOrName: string): Promise<RegisteredWorld | undefined> {
    const { store } = this.options;
    if (store === undefined) return undefined;
    await store.expire(store.nowMs);
    return store.find(idOrName);
  }

  /** Concurrent callers for the same world share one start. */
  #start(record: RegisteredWorld, beginning: WorldBeginning): Promise<RestingWorld> {
    const known = this.#starting.get(record.id);
    if (known) return known;
    const starting = this.#serve(record, beginning).finally(() => this.#starting.delete(record.id));
    this.#starting.set(record.id, starting);
    return starting;
  }

  async #serve(record: RegisteredWorld, beginning: WorldBeginning): Promise<RestingWorld> {
    const { store, packs, serve } = this.options;
    const { id, expires } = record;
    requireServed(packs, record.pack);
    const rest = await this.#idle.of(id);
    const opened = await store?.open(id);
    try {
      const world = await serve({ record, beginning, opened, rest });
      this.#idle.end(id);
      world.touch();
      this.#running.set(id, { record, world });
      this.#expiry.set(id, expires);
      return world;
    } catch (error) {
      await opened?.release().catch(() => undefined);
      throw error;
    }
  }

  async #end(id: string): Promise<void> {
    const record = await this.find(id);
    if (record) await this.delete(record);
  }
}

/** Longest time of Node's timers, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ends worlds when their lifetime is over, beyond the limit of Node's timers too. */
export class Expiry {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** @param nowMs real time in milliseconds */
  constructor(
    private readonly end: (id: string) => Promise<unknown>,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Sets the end of a world's lifetime. @param expiresMs real time in milliseconds; null: never */
  set(id: string, expiresMs: number | null): void {
    this.clear(id);
    if (expiresMs === null) return;
    const isOver = (): void => {
      if (this.nowMs() < expiresMs) this.set(id, expiresMs);
      else void this.end(id).catch(() => undefined);
    };
    const timer = setTimeout(isOver, Math.min(Math.max(expiresMs - this.nowMs(), 0), MAX_TIMER_MS));
    timer.unref();
    this.#timers.set(id, timer);
  }

  clear(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Stops ending worlds. */
  close(): void {
    for (const id of this.#timers.keys()) this.clear(id);
  }
}
