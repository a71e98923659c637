import { setTimeout as sleep } from 'node:timers/promises';
import { ControlRejection, type WorldView } from '../control/index.js';
import { type NewWorld, type OwnedWorld, StoreError } from '../store/index.js';
import type { Address } from './address.js';
import { isCrowded, worldsToLeave } from './idle.js';
import { CallCounter } from './calls.js';
import type { HeldWorld, Ownership, RegisteredWorld, WorldBeginning } from './ownership.js';
import { LedgerMismatch } from './world.js';
import { idleView, worldViewOf } from './world-view.js';
import { requireServed } from './worlds.js';
import { type ReplicaWorldsOptions, type WorldLocation, type WorldSlot } from './replica-slot.js';

/** A world that this replica owns. */
interface OwnedHere extends HeldWorld {
  readonly place: WorldSlot;
  /** Whether another replica should claim the world once it is closed here. */
  continues: boolean;
}

/** Milliseconds for which a call waits until its world has an owner. */
const ownershipWaitMs = 8_000;

/** How long a call waits for its world's owner while this replica is leaving, in milliseconds. */
const ownershipWaitWhileClosingMs = 3_000;

const ownershipRetryMs = 20;

/** Milliseconds between checks for worlds without an owner, idle worlds, and expired ones. */
const orphanCheckMs = 500;

/** Time in milliseconds for calls in flight to end before their world moves to another replica. */
const drainMs = 5_000;

/** Milliseconds between checks of the other replicas' numbers of worlds. */
const shareCheckMs = 3_000;

/** Number of worlds up to which a replica gives none away; above it, the multiple of its share from which it does. */
const sharedFrom = 8;

const unevenFactor = 1.5;

/** Milliseconds without calls after which a world may move to another replica. */
const quietMs = 250;

/** Claims the worlds that a replica runs, and releases them. */
export class ReplicaWorlds implements Ownership {
  readonly lifetime = 'store';
  readonly #held = new Map<string, OwnedHere>();
  readonly #starting = new Map<string, Promise<WorldLocation | null>>();
  readonly #leaving = new Map<string, Promise<void>>();
  /** Addresses of replicas that own other worlds, by world; may be out of date. */
  readonly #owners = new Map<string, string>();
  /** Worlds that can't start here, since they have another pack or other files of a pack. */
  readonly #mismatched = new Set<string>();
  #nextShareAt = 0;
  /** Worlds that this replica gave away recently, and doesn't claim until the next check, so that others can. */
  readonly #given = new Set<string>();
  /** Numbers of worlds at each replica, queried again after `#loadsUntil`. */
  #loads: Promise<{ readonly url: string; worlds: number }[]> = Promise.resolve([]);
  #loadsUntil = 0;
  #look: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(private readonly options: ReplicaWorldsOptions) {}

  /** Starts claiming worlds without an owner, and releasing idle ones. */
  watch(): void {
    const again = (): void => {
      this.#looking = this.#lookAround().catch(() => undefined);
      void this.#looking.then(() => {
        if (!this.#stopping) this.#look = setTimeout(again, orphanCheckMs * (0.75 + Math.random() / 2)).unref();
      });
    };
    again();
  }

  /** The number of worlds here. */
  get held(): number {
    return this.#held.size;
  }

  get nowMs(): number {
    return this.options.store.nowMs;
  }

  get first(): string {
    return this.options.main;
  }

  /** Whether the first world can start here. If it can't, the replica isn't ready for calls. */
  get servesFirst(): boolean {
    return !this.#mismatched.has(this.options.main);
  }

  /** Returns a world that runs in this process; undefined if it doesn't. Doesn't query the store. */
  here(id: string): WorldSlot | undefined {
    return this.#held.get(id)?.place;
  }

  /**
   * Finds where a world runs; claims it if it has no owner.
   * @param elsewhere a replica that reported not to have it
   * @throws StoreError `missing`; errors of starting the world
   */
  async where(id: string, elsewhere?: string): Promise<WorldLocation> {
    if (elsewhere !== undefined && this.#owners.get(id) === elsewhere) this.#owners.delete(id);
    return this.patiently(async () => {
      const place = this.here(id);
      if (place) return { kind: 'here', place };
      await this.#leaving.get(id);
      const known = this.#owners.get(id);
      if (known !== undefined) return { kind: 'at', url: known };
      const found = await this.#ask(id);
      if (found === null) throw new StoreError('failed', `nobody has world ${id}, and it cannot be had now: try again`);
      return found;
    });
  }

  /**
   * Runs a query of the store, and repeats it while the store fails, as long as calls wait for a world.
   * @throws errors of the query; StoreError `failed` only after that time
   */
  async patiently<T>(ask: () => Promise<T>): Promise<T> {
    const until = performance.now() + (this.#stopping ? ownershipWaitWhileClosingMs : ownershipWaitMs);
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const isPassing = error instanceof StoreError && error.code === 'failed';
        if (!isPassing || performance.now() > until) throw error;
      }
      await sleep(ownershipRetryMs);
    }
  }

  /** Releases a world on request of another replica. */
  async release(id: string): Promise<void> {
    if (this.#held.has(id)) this.#release(id, false);
    await this.#leaving.get(id);
  }

  /** Removes the remembered owner of a world. */
  forget(id: string): void {
    this.#owners.delete(id);
  }

  /** Claims a world that has no owner but should run, unless another replica is faster. */
  async adopt(id: string): Promise<void> {
    if (this.#stopping || this.#held.has(id) || this.#given.has(id) || isCrowded()) return;
    await this.#ask(id).catch(() => undefined);
  }

  async list(): Promise<readonly WorldView[]> {
    const { store, publicUrl } = this.options;
    await store.expire(store.nowMs);
    return (await store.worlds()).map((record) => {
      const held = this.#held.get(record.id);
      return held ? worldViewOf(held) : idleView(record, publicUrl);
    });
  }

  count(prefix: string): Promise<number> {
    return this.options.store.count(prefix);
  }

  register(world: NewWorld): Promise<RegisteredWorld> {
    return this.options.store.create(world);
  }

  async unregister({ id }: RegisteredWorld): Promise<void> {
    await this.options.store.delete(id);
  }

  /** Starts a world: a fork beside its original, others at the replica with the fewest worlds. */
  async begin({ id }: RegisteredWorld, beginning: WorldBeginning): Promise<WorldView> {
    const at = beginning.fork === undefined ? await this.#leastLoaded() : undefined;
    const made = at === undefined ? null : await this.options.beginAt(id, at, beginning);
    return made ?? this.beginHere(id, beginning);
  }

  /** Starts a world that this or another replica registered. */
  async beginHere(id: string, beginning: WorldBeginning): Promise<WorldView> {
    if (this.#stopping) throw new StoreError('failed', 'this replica is leaving');
    const claim = await this.options.store.claim(id);
    if (claim.kind !== 'mine') throw new StoreError('locked', `world ${id} was taken by another replica`);
    const held = await this.#serve(claim.world, beginning);
    const view = worldViewOf(held);
    // Releases the world, so that the replica that gets its first call claims it: worlds spread as calls do.
    this.#release(id, !held.world.isQuiet(0));
    return view;
  }

  find(idOrName: string): Promise<RegisteredWorld | undefined> {
    return this.options.store.find(idOrName);
  }

  async delete({ id }: RegisteredWorld): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      await this.#fetch(id);
      try {
        return await this.options.store.delete(id);
      } catch (error) {
        if (!(error instanceof StoreError && error.code === 'locked') || tries === 5) throw error;
      }
    }
  }

  /** Releases all worlds; other replicas continue them. */
  async leave(): Promise<void> {
    this.#stopping = true;
    if (this.#look !== null) clearTimeout(this.#look);
    await this.#looking;
    await Promise.allSettled(this.#starting.values());
    for (const id of [...this.#held.keys()]) this.#release(id, true);
    await Promise.all(this.#leaving.values());
  }

  /** Claims a world, or finds the replica that owns it. Null: neither succeeded yet, so the caller tries again. */
  #ask(id: string): Promise<WorldLocation | null> {
    const claimed = this.#starting.get(id);
    if (claimed) return claimed;
    const starting = this.#claim(id).finally(() => this.#starting.delete(id));
    this.#starting.set(id, starting);
    return starting;
  }

  async #claim(id: string): Promise<WorldLocation | null> {
    const { store, url } = this.options;
    const claim = this.#stopping ? await store.ownerOf(id) : await store.claim(id);
    if (claim.kind === 'elsewhere') return this.#at(id, claim.owner?.url, url);
    const { place } = await this.#serve(claim.world, { seed: id, t0: undefined });
    return { kind: 'here', place };
  }

  #at(id: string, at: string | undefined, me: string): WorldLocation | null {
    // The store names this replica, but the world has just left or hasn't started yet.
    if (at === undefined || at === me) return null;
    this.#owners.set(id, at);
    return { kind: 'at', url: at };
  }

  async #serve(owned: OwnedWorld, beginning: WorldBeginning): Promise<OwnedHere> {
    const { record } = owned;
    const { packs, serve, publicUrl, maxBytes, onDefect } = this.options;
    const { id } = record;
    const place: WorldSlot = { id, calls: new CallCounter(), app: null, isFull: () => owned.bytes() >= maxBytes };
    const address: Address = {
      url: publicUrl,
      origin: `${publicUrl}/w/${encodeURIComponent(id)}`,
      server: null,
      calls: place.calls,
      messages: null,
      show: ({ app }) => (place.app = app),
      rest: () => undefined,
      leave: () => Promise.resolve(),
    };
    let held: OwnedHere | undefined;
    const opened = { ...owned, release: () => owned.release(held?.continues) };
    try {
      requireServed(packs, record.pack);
      const world = await serve({ opened, address, beginning });
      held = { record, world, place, continues: false };
      const mine = held;
      this.#owners.delete(id);
      this.#mismatched.delete(id);
      this.#held.set(id, mine);
      void owned.lost.then((failure) => {
        if (this.#held.get(id) !== mine) return;
        this.#held.delete(id);
        onDefect(failure, `world ${id}, which continues as soon as a replica has it again`);
        void mine.world.close(0);
      });
      return mine;
    } catch (error) {
      // A rejection with status 400 is an error of the caller, who gave invalid options for a new world.
      const isForOthers =
        error instanceof LedgerMismatch || (error instanceof ControlRejection && error.status !== 400);
      if (isForOthers && !this.#mismatched.has(id)) {
        this.#mismatched.add(id);
        onDefect(error, `world ${id}, which does not start here`);
      }
      await owned.release().catch(() => undefined);
      throw error;
    }
  }

  /** Releases a world that runs here. @param continues whether another replica should claim it at once */
  #release(id: string, continues: boolean): void {
    const held = this.#held.get(id);
    if (!held) return;
    this.#held.delete(id);
    held.continues = continues;
    const leave = async (): Promise<void> => {
      const until = performance.now() + drainMs;
      while (!held.place.calls.isQuiet(0) && performance.now() < until) await sleep(2);
      await held.world.close(0);
    };
    const leaving = leave()
      .catch(() => undefined)
      .finally(() => this.#leaving.delete(id));
    this.#leaving.set(id, leaving);
  }

  async #lookAround(): Promise<void> {
    const { store, idleMs } = this.options;
    const now = store.nowMs;
    const crowded = isCrowded();
    for (const [id, { record }] of [...this.#held])
      if (record.expires !== null && record.expires <= now) this.#release(id, false);
    for (const id of worldsToLeave(this.#held, idleMs, crowded)) this.#release(id, false);
    await store.expire(now);
    if (crowded) return;
    await this.#balance();
    const orphans = await store.orphans();
    // Claims orphaned worlds in random order, so that replicas that check at the same time begin with different ones.
    await Promise.all(shuffled(orphans).map((id) => this.adopt(id)));
  }

  /** Gives idle worlds to other replicas while this one has far more than its share. */
  async #balance(): Promise<void> {
    if (performance.now() < this.#nextShareAt) return;
    this.#nextShareAt = performance.now() + shareCheckMs;
    this.#given.clear();
    if (this.#held.size <= sharedFrom) return;
    const loads = await this.options.store.loads();
    const share = loads.reduce((sum, { worlds }) => sum + worlds, 0) / Math.max(loads.length, 1);
    if (this.#held.size < share * unevenFactor) return;
    const quiet = [...this.#held].filter(([id, { world }]) => id !== this.options.main && world.isQuiet(quietMs));
    for (const [id] of quiet.slice(0, Math.floor(this.#held.size - share))) {
      this.#given.add(id);
      this.#release(id, true);
    }
  }

  /** Address of the replica with the fewest worlds; undefined: this one. Counts worlds placed since the last query. */
  async #leastLoaded(): Promise<string | undefined> {
    if (performance.now() > this.#loadsUntil) {
      this.#loadsUntil = performance.now() + shareCheckMs;
      this.#loads = this.options.store.loads().catch(() => []);
    }
    const [least] = [...(await this.#loads)].sort((a, b) => a.worlds - b.worlds);
    if (least === undefined) return undefined;
    least.worlds++;
    return least.url === this.options.url ? undefined : least.url;
  }

  /** Moves a world to this replica, and starts it. */
  async bring(idOrName: string): Promise<OwnedHere | undefined> {
    const record = await this.options.store.find(idOrName);
    if (!record) return undefined;
    for (let tries = 0; tries < 5; tries++) {
      const where = await this.where(record.id);
      const held = this.#held.get(record.id);
      if (held) {
        held.world.touch();
        return held;
      }
      if (where.kind === 'at') await this.options.askFor(record.id, where.url);
      this.#owners.delete(record.id);
    }
    throw new StoreError('locked', `world ${record.id} is busy elsewhere`);
  }

  /** Closes a world at the replica that owns it, so that no process has it open. */
  async #fetch(id: string): Promise<void> {
    if (this.#held.has(id)) return this.release(id);
    const { owner } = await this.options.store.ownerOf(id);
    if (owner !== null) await this.options.askFor(id, owner.url);
  }
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => [Math.random(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}
