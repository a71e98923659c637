import {
  ControlRejection,
  type ForkOptions,
  type FoundWorld,
  type MadeWorld,
  unknownPack,
  unknownWorld,
  type WorldDirectory,
  type WorldView,
  type WorldOptions,
} from '../control/index.js';
import { type Engine, forkOf } from '../runtime/index.js';
import { type NewWorld, StoreError } from '../store/index.js';
import {
  firstWorldStays,
  forkEntry,
  nameTaken,
  requireForkAlone,
  requireNoName,
  requireRoom,
  requireWorldName,
} from './new-world.js';
import type { Ownership, RegisteredWorld, WorldBeginning } from './ownership.js';
import type { Programs } from './programs.js';
import { worldViewOf } from './world-view.js';

interface DirectoryOptions {
  readonly programs: Programs;
  /** What the seeds of further worlds begin with. */
  readonly seed: string;
  /** Most worlds. */
  readonly maxWorlds: number;
}

/** A moment of a world that a fork is made of. */
interface ForkPoint {
  readonly record: RegisteredWorld;
  readonly engine: Engine;
  /** Number of the entry. */
  readonly entry: number;
  readonly options: ForkOptions;
}

/** The worlds of a server: lists, makes, forks and deletes them, whichever process owns them. */
export class Directory implements WorldDirectory {
  #made = 1;

  constructor(
    private readonly ownership: Ownership,
    private readonly options: DirectoryOptions,
  ) {}

  list(): Promise<readonly WorldView[]> {
    return this.ownership.list();
  }

  async create(options: WorldOptions = {}): Promise<MadeWorld> {
    const { programs, seed } = this.options;
    const source = options.from && (await this.#source(options, options.from));
    const pack = source?.record.pack ?? options.pack ?? programs.names[0];
    if (!programs.names.includes(pack)) throw unknownPack(pack, programs.names);
    const expires = options.expires === undefined ? null : Math.ceil(this.ownership.nowMs + options.expires);
    const key = programs.newKey(pack);
    const record = await this.#register(options.name, { key, pack, expires });
    const beginning = source
      ? forkOfPoint(source, record.id)
      : { seed: options.seed ?? `${seed} ${record.id}`, t0: options.t0 };
    try {
      return { ...(await this.ownership.begin(record, beginning)), key };
    } catch (error) {
      await this.ownership.unregister(record).catch(() => undefined);
      throw error;
    }
  }

  async createMany(count: number, options: WorldOptions = {}): Promise<readonly MadeWorld[]> {
    requireNoName(options);
    await this.#requireRoom(count);
    const from = options.from && { ...options.from, at: (await this.#source(options, options.from)).entry };
    const made: MadeWorld[] = [];
    try {
      while (made.length < count) made.push(await this.create({ ...options, from }));
      return made;
    } catch (error) {
      for (const { id } of made) await this.delete(id).catch(() => undefined);
      throw error;
    }
  }

  async get(id: string): Promise<WorldView | undefined> {
    const held = await this.ownership.bring(id);
    return held && worldViewOf(held);
  }

  async find(id: string): Promise<FoundWorld | undefined> {
    const held = await this.ownership.bring(id);
    return held && { id: held.record.id, engine: held.world.engine, from: held.world.from };
  }

  async delete(id: string): Promise<boolean> {
    const { first, lifetime } = this.ownership;
    const record = await this.ownership.find(id);
    if (!record) return false;
    if (record.id === first) throw firstWorldStays(lifetime);
    return this.ownership.delete(record);
  }

  /** A new world of this name, or of one that is free. @throws ControlRejection */
  async #register(wantedName: string | undefined, wanted: Omit<NewWorld, 'name'>): Promise<RegisteredWorld> {
    requireWorldName(wantedName);
    this.#made = Math.max(this.#made, await this.#requireRoom(1));
    for (;;) {
      const number = ++this.#made;
      const name = wantedName ?? `world-${number}`;
      try {
        return await this.ownership.register({ ...wanted, name });
      } catch (error) {
        if (!(error instanceof StoreError && error.code === 'taken')) throw error;
        if (wantedName !== undefined) throw nameTaken(wantedName);
      }
    }
  }

  /**
   * How many worlds there are.
   * @throws ControlRejection when there may not be so many more
   */
  async #requireRoom(more: number): Promise<number> {
    const count = await this.ownership.count();
    requireRoom(count, more, this.options.maxWorlds);
    return count;
  }

  /** @throws ControlRejection when there is no such world or moment */
  async #source(options: WorldOptions, from: ForkOptions): Promise<ForkPoint> {
    requireForkAlone(options);
    const id = from.world ?? this.ownership.first;
    const found = await this.ownership.bring(id);
    if (!found) throw await unknownWorld(this, id, { path: 'from.world' });
    const { engine } = found.world;
    return { record: found.record, engine, entry: forkEntry(engine, from), options: from };
  }
}

/** @throws ControlRejection when a pack is not served here */
export function requireServed(served: readonly string[], pack: string): void {
  if (served.includes(pack)) return;
  throw new ControlRejection(409, 'pack_not_served', `this world is one of ${pack}; served are ${served.join(', ')}`);
}

/** How a fork begins: with the seed of its world, from which secrets follow. */
function forkOfPoint({ record, engine, entry, options }: ForkPoint, id: string): WorldBeginning {
  const { past, world } = engine;
  const apart = options.same_ids ? undefined : Number(id.slice(1));
  return {
    seed: world.config.seed,
    t0: world.config.t0,
    fork: {
      header: { world: record.id, entry, silent: !options.send_webhooks },
      fork: () => forkOf(past, world, entry, apart),
    },
  };
}
