import {
  ControlRejection,
  type ForkOptions,
  type FoundWorld,
  type MadeWorld,
  type Team,
  unknownPack,
  unknownWorld,
  type WorldDirectory,
  type WorldView,
  type WorldOptions,
  foldedPast,
  momentNamed,
} from '../control/index.js';
import { type Engine, forkOf, turns } from '../runtime/index.js';
import { type NewWorld, StoreError } from '../store/index.js';
import type { HeldWorld, Ownership, RegisteredWorld, WorldBeginning } from './ownership.js';
import { worldViewOf } from './world-view.js';

/** What the worlds of a directory have in common: their packs, or their company. */
export interface WorldKinds {
  /** Packs by name, the first world's first; or the name of a company. */
  readonly names: readonly string[];
  /** Whether each world has all packs, so that a caller can't select one. */
  readonly isCompany?: boolean;
  /** A new random key for a world of this name. */
  newKey(name: string): string;
  /** Further data for the creator of a world, derived from its key. */
  shown?(key: string, url: string | null): Partial<MadeWorld>;
}

interface DirectoryOptions {
  readonly programs: WorldKinds;
  /** Prefix of further worlds' random seeds. */
  readonly seed: string;
  /** Number of worlds that may exist at once. */
  readonly maxWorlds: number;
  /** Milliseconds after which worlds created without `expires` are deleted; never by default. */
  readonly expiresMs?: number;
}

/** The moment of a world at which a fork begins. */
interface ForkPoint {
  readonly record: RegisteredWorld;
  readonly engine: Engine;
  /** Number of the ledger entry after which the fork begins. */
  readonly entry: number;
  readonly options: ForkOptions;
}

/** The worlds of a server: lists, creates, forks and deletes them, whatever process owns them. */
export class Directory implements WorldDirectory {
  /** The highest number in the names of new worlds, by prefix of the names. */
  readonly #made = new Map<string, number>();
  /** Resolves after the registration in progress: two at once could take the last place or the same name. */
  #registering: Promise<unknown> = Promise.resolve();

  /** @param team the team whose worlds the directory shows; undefined: all worlds */
  constructor(
    private readonly ownership: Ownership,
    private readonly options: DirectoryOptions,
    private readonly team?: Team,
    private readonly all?: Directory,
  ) {}

  of(team: Team): Directory {
    return new Directory(this.ownership, this.options, team, this);
  }

  async list(): Promise<readonly WorldView[]> {
    const worlds = await this.ownership.list();
    return this.team === undefined ? worlds : worlds.filter(({ name }) => name.startsWith(this.#prefix));
  }

  async create(options: WorldOptions = {}): Promise<MadeWorld> {
    const { programs, seed } = this.options;
    if (programs.isCompany && options.pack !== undefined)
      throw invalidOption('pack', 'each world of a company has all packs of it');
    const source = options.from && (await this.#source(options, options.from));
    const pack = source?.record.pack ?? options.pack ?? programs.names[0];
    if (!programs.names.includes(pack)) throw unknownPack(pack, programs.names);
    const lastsMs = this.#lifetimeMs(options);
    const expires = lastsMs === undefined ? null : Math.ceil(this.ownership.nowMs + lastsMs);
    const key = programs.newKey(pack);
    const record = await this.#register(options.name, { key, pack, expires });
    const beginning = source
      ? forkOfPoint(source, record.id)
      : { seed: options.seed ?? `${seed} ${record.id}`, t0: options.t0 };
    try {
      const view = await this.ownership.begin(record, beginning);
      return { ...view, key, ...programs.shown?.(key, view.url) };
    } catch (error) {
      await this.ownership.unregister(record).catch(() => undefined);
      throw error;
    }
  }

  async createMany(count: number, options: WorldOptions = {}): Promise<readonly MadeWorld[]> {
    requireNoName(options);
    await this.#requireRoom(count);
    this.#lifetimeMs(options);
    const from = options.from && { ...options.from, at: (await this.#source(options, options.from)).entry };
    const made: MadeWorld[] = [];
    const giveWay = turns();
    try {
      while (made.length < count) {
        made.push(await this.create({ ...options, from }));
        await giveWay();
      }
      return made;
    } catch (error) {
      for (const { id } of made) await this.delete(id).catch(() => undefined);
      throw error;
    }
  }

  async get(id: string): Promise<WorldView | undefined> {
    const held = await this.#bring(id);
    return held && worldViewOf(held);
  }

  async find(id: string): Promise<FoundWorld | undefined> {
    const held = await this.#bring(id);
    return held && { id: held.record.id, engine: held.world.engine, from: held.world.from };
  }

  async delete(id: string): Promise<boolean> {
    const { first, lifetime } = this.ownership;
    const record = await this.#recordOf(id);
    if (!record) return false;
    if (record.id === first) throw firstWorldStays(lifetime);
    return this.ownership.delete(record);
  }

  /** Registers a world with this name, or a free one. @throws ControlRejection */
  #register(wantedName: string | undefined, wanted: Omit<NewWorld, 'name'>): Promise<RegisteredWorld> {
    requireWorldName(wantedName);
    const all = this.all ?? this;
    const registered = all.#registering.then(() => this.#registerNext(all, wantedName, wanted));
    all.#registering = registered.catch(() => undefined);
    return registered;
  }

  async #registerNext(
    all: Directory,
    wantedName: string | undefined,
    wanted: Omit<NewWorld, 'name'>,
  ): Promise<RegisteredWorld> {
    let number = Math.max(all.#made.get(this.#prefix) ?? 0, await this.#requireRoom(1));
    for (;;) {
      all.#made.set(this.#prefix, ++number);
      const name = this.#prefix + (wantedName ?? `world-${number}`);
      try {
        return await this.ownership.register({ ...wanted, name });
      } catch (error) {
        if (!(error instanceof StoreError && error.code === 'taken')) throw error;
        if (wantedName !== undefined) throw nameTaken(name);
      }
    }
  }

  /** The number of worlds. @throws ControlRejection if more would exceed the limit */
  async #requireRoom(more: number): Promise<number> {
    const { maxWorlds } = this.options;
    const count = await this.ownership.count('');
    requireRoom(count, more, maxWorlds);
    if (this.team === undefined) return count;
    const own = await this.ownership.count(this.#prefix);
    requireRoom(own, more, this.team.maxWorlds ?? Infinity, this.team.name);
    return own;
  }

  /** The lifetime of a new world in milliseconds; undefined: unlimited. @throws ControlRejection above the team's limit */
  #lifetimeMs({ expires }: WorldOptions): number | undefined {
    const { longestMs, expiresMs = longestMs } = this.team ?? {};
    if (expires !== undefined && longestMs !== undefined && expires > longestMs)
      throw invalidOption(
        'expires',
        `worlds of team ${String(this.team?.name)} last ${longestMs / 1000} seconds at most`,
      );
    return expires ?? expiresMs ?? this.options.expiresMs;
  }

  /** Prefix of the team's world names. */
  get #prefix(): string {
    return this.team === undefined ? '' : `${this.team.name}.`;
  }

  /** A world by its id, its name, or its name without the team's prefix. */
  async #recordOf(idOrName: string): Promise<RegisteredWorld | undefined> {
    const { ownership, team } = this;
    if (team === undefined) return ownership.find(idOrName);
    const own = await ownership.find(this.#prefix + idOrName);
    if (own) return own;
    const found = await ownership.find(idOrName);
    return found?.name.startsWith(this.#prefix) ? found : undefined;
  }

  async #bring(idOrName: string): Promise<HeldWorld | undefined> {
    if (this.team === undefined) return this.ownership.bring(idOrName);
    const record = await this.#recordOf(idOrName);
    return record && this.ownership.bring(record.id);
  }

  /** Finds the world and moment of a fork. @throws ControlRejection for an unknown world or moment */
  async #source(options: WorldOptions, from: ForkOptions): Promise<ForkPoint> {
    requireForkAlone(options);
    const { first } = this.ownership;
    const id = from.world ?? first;
    const found = await (id === first ? this.ownership.bring(id) : this.#bring(id));
    if (!found) throw await unknownWorld(this, id, { path: 'from.world' });
    const { engine } = found.world;
    return { record: found.record, engine, entry: forkEntry(engine, from), options: from };
  }
}

/** Checks that a pack is served. @throws ControlRejection if it isn't */
export function requireServed(served: readonly string[], pack: string): void {
  if (served.includes(pack)) return;
  throw new ControlRejection(409, 'pack_not_served', `this world is one of ${pack}; served are ${served.join(', ')}`);
}

/** Returns the start of a fork. It has the random seed of its original, from which keys and secrets are derived. */
function forkOfPoint({ record, engine, entry, options }: ForkPoint, id: string): WorldBeginning {
  const { past, world } = engine;
  const apart = options.same_ids ? undefined : Number(id.slice(1));
  return {
    seed: world.config.seed,
    t0: world.config.t0,
    fork: {
      header: { world: record.id, entry, silent: !options.send_webhooks },
      fork: () => forkOf(past, world, entry, apart),
      files: engine.runtime.surroundings.files,
    },
  };
}

/** Names that look like the id of a world. */
const idPattern = /^w\d+$/;

/** The rejection (400) for an invalid option of a new world. */
function invalidOption(path: string, message: string): ControlRejection {
  return new ControlRejection(400, 'invalid_value', message, { path });
}

/** Checks the name of a new world. @throws ControlRejection for a name that looks like an id, or that databases don't accept */
function requireWorldName(name: string | undefined): void {
  if (name?.includes('\0')) throw invalidOption('name', 'a name has no character U+0000');
  if (name !== undefined && idPattern.test(name))
    throw invalidOption('name', `'${name}' is the form of ids: a name must be another one`);
}

function nameTaken(name: string): ControlRejection {
  return new ControlRejection(409, 'name_taken', `there is a world '${name}' already`, { path: 'name' });
}

/** Checks that several new worlds have no common name. @throws ControlRejection if a name is given */
function requireNoName({ name }: WorldOptions): void {
  if (name !== undefined) throw invalidOption('name', "'name' cannot stand beside 'count': each world has its own");
}

/** Checks the options of a fork. @throws ControlRejection if they include options that a fork inherits */
function requireForkAlone(options: WorldOptions): void {
  for (const key of ['pack', 'seed', 't0'] as const)
    if (options[key] !== undefined)
      throw invalidOption(key, `'${key}' is not possible with 'from': a fork keeps its world's`);
}

/**
 * Finds the start of a fork.
 * @returns number of the ledger entry after which it begins
 * @throws ControlRejection for an unknown moment
 */
function forkEntry(engine: Engine, { at }: ForkOptions): number {
  const entry = at === undefined ? engine.world.ledger.count : momentNamed(engine, at);
  foldedPast(engine, entry);
  return entry;
}

/**
 * Checks that more worlds can be created.
 * @param owner of the worlds
 * @throws ControlRejection if the limit of worlds would be exceeded
 */
function requireRoom(count: number, more: number, most: number, owner?: string): void {
  if (count + more <= most) return;
  const there = owner === undefined ? `there are ${count} worlds` : `team ${owner} has ${count} worlds`;
  throw new ControlRejection(409, 'too_many_worlds', `${there}, and no more than ${most} may be`, { limit: most });
}

/**
 * The rejection (409) of a call that would delete the first world.
 * @param lifetime what ends the first world: its server or its store
 */
function firstWorldStays(lifetime: string): ControlRejection {
  return new ControlRejection(
    409,
    'first_world',
    `the first world exists as long as the ${lifetime}; POST /__admin__/reset empties it`,
  );
}
