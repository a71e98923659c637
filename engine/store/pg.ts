import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientBase, ClientConfig, Pool } from 'pg';
import { hashOfKey } from '../codecs/index.js';
import { exportLines } from './export.js';
import { checkWorld } from './check.js';
import { type MigratedSchema, migrateTables, REPLICA_LOCKS } from './pg-schema.js';
import { CONNECTION_LIMITS, LEASE_MS, LockSession } from './pg-session.js';
import { asFault, missingWorld } from './pg-errors.js';
import { PgFiles, removeParts } from './pg-files.js';
import { WorldFlusher } from './pg-flush.js';
import { numberOf, worldRecordOf, sourceOf, type WorldRow } from './pg-rows.js';
import { type Flusher, PgWorld } from './pg-world.js';
import { readContents } from './reading.js';
import { temporaryBytes } from './temporary-bytes.js';
import {
  type DurableKeeper,
  type NewWorld,
  type OpenWorld,
  type Store,
  StoreError,
  type WorldRecord,
} from './store.js';

/** A replica: one of several processes that own worlds of one database. */
interface ReplicaIdentity {
  readonly id: string;
  /** URL at which other replicas reach the replica. */
  readonly url: string;
}

/** A world that only this process owns, until `release` is called or `lost` resolves. */
export interface OwnedWorld extends OpenWorld {
  /** Number of owners that the world has had, including this one. */
  readonly epoch: number;
  readonly lost: Promise<StoreError>;
  /** Size of the world's history, in bytes. */
  readonly bytes: () => number;
  /** Releases the world. @param continues another replica should claim it at once; otherwise it stays unloaded until used */
  readonly release: (continues?: boolean) => Promise<void>;
}

/** The result of claiming a world: the world, or its present owner. `owner` is null while the owner changes. */
type Claim = { readonly kind: 'mine'; readonly world: OwnedWorld } | Elsewhere;

interface Elsewhere {
  readonly kind: 'elsewhere';
  readonly owner: { readonly url: string; readonly epoch: number } | null;
}

/** A notification from one replica to the others about a world. */
export type Notice =
  | { readonly kind: 'owner'; readonly world: string }
  /** The world should run, but has no owner: any replica can claim the world. */
  | { readonly kind: 'free'; readonly world: string }
  | { readonly kind: 'gone'; readonly world: string };

interface PgStoreOptions {
  /** The identity of this replica; absent if the database has only one. */
  readonly me?: ReplicaIdentity;
  /** Called with each notification of another replica about a world. */
  readonly onNotice?: (notice: Notice) => void;
}

/** Number of pooled connections, besides the session that holds the locks. */
const CONNECTIONS = 6;
/** Milliseconds until a statement or a connection is aborted: a little after the database aborts the statement. */
const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Milliseconds between attempts to reconnect. */
const RECONNECT_DELAY_MS = 100;
const CHANNEL = 'sandbox_world';
const COLUMNS = 'id, name, key_hash, pack, expires, header, head, place, bytes, epoch, slot';
/** SQL condition for claiming a world: it has no owner, or the owner's session has ended. `$1` is this replica's slot. */
const IS_FREE = `CASE WHEN slot IS NULL OR slot = $1 THEN true ELSE pg_try_advisory_xact_lock_shared(${REPLICA_LOCKS}, slot) END`;
/** Names of the tables that contain the history of worlds. */
const HISTORY = ['block', 'piece', 'snapshot', 'file'];
/** Maximum number of worlds that one statement deletes. */
const DELETED_AT_ONCE = 200;

/**
 * Worlds in PostgreSQL, each with one owner at a time among any number of processes. A world's row names its owner, and a
 * process counts as alive while its session holds its single lock. The statement that writes entries checks the owner's epoch,
 * so that a process that has lost a world unnoticed writes nothing. Records made during a flush are written with the next one,
 * each world independently.
 */
export class PgStore implements Store, Flusher {
  readonly failure = null;
  readonly #open = new Map<number, PgWorld>();
  /** Numbers of worlds that are being opened, open, or being released. */
  readonly #taken = new Set<number>();
  #session: LockSession | null = null;
  #starting: Promise<LockSession> | null = null;
  #notices: Promise<unknown> = Promise.resolve();
  readonly #flusher: WorldFlusher;
  #closed = false;

  private constructor(
    private readonly pool: Pool,
    private readonly newClient: () => Client,
    private readonly options: PgStoreOptions,
    /** Authenticates replicas of this database to each other. */
    readonly secret: string,
  ) {
    this.#flusher = new WorldFlusher(pool, () => this.#open.values());
  }

  plan(isUrgent: boolean): void {
    this.#flusher.plan(isUrgent);
  }

  /**
   * Connects, and creates or upgrades the tables.
   * @param url `postgres://user:password@host:port/database`
   * @throws StoreError `format`, `failed`
   */
  static async open(url: string, options: PgStoreOptions = {}): Promise<PgStore> {
    // The driver is loaded only if PostgreSQL is used.
    const { default: pg } = await import('pg');
    const config: ClientConfig = {
      connectionString: url,
      application_name: 'sandbox',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    };
    const newClient = (): Client => new pg.Client(config);
    const pool = new pg.Pool({
      ...config,
      max: CONNECTIONS,
      query_timeout: STATEMENT_TIMEOUT_MS,
      onConnect: limitConnection,
    });
    // Errors of idle connections need no handling: the pool replaces them.
    pool.on('error', () => undefined);
    try {
      const { secret } = await PgStore.#prepared(newClient());
      const store = new PgStore(pool, newClient, options, secret);
      await store.#locks();
      return store;
    } catch (error) {
      await pool.end();
      throw asFault(error);
    }
  }

  /** Creates or upgrades the tables, without opening the store. */
  static async migrate(url: string): Promise<Omit<MigratedSchema, 'secret'>> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    return PgStore.#prepared(client).catch((error: unknown) => {
      throw asFault(error);
    });
  }

  static async #prepared(client: Client): Promise<MigratedSchema> {
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ mode: string }>("SELECT current_setting('synchronous_commit') AS mode");
      if (rows[0].mode === 'off')
        throw new StoreError(
          'format',
          'synchronous_commit is off there, so that nothing is durable when a call returns',
        );
      return await migrateTables(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Whether the database has recently confirmed the ownership of this process's worlds. */
  get isFresh(): boolean {
    return this.#session?.isFresh === true;
  }

  /** The database's clock, since those of replicas may differ. */
  get nowMs(): number {
    return this.#session?.nowMs ?? Date.now();
  }

  async confirm(): Promise<void> {
    if (this.#session === null) throw new StoreError('failed', 'the database is out of reach');
    await this.#session.confirm();
  }

  async worlds(): Promise<readonly WorldRecord[]> {
    await this.#allSafe();
    return (await this.#rows(`SELECT ${COLUMNS} FROM sandbox.world ORDER BY id`)).map(worldRecordOf);
  }

  async find(idOrName: string): Promise<WorldRecord | undefined> {
    // PostgreSQL rejects texts that contain a null character.
    if (idOrName.includes('\0')) return undefined;
    await this.#allSafe();
    const [found] = await this.#rows(
      `SELECT ${COLUMNS} FROM sandbox.world WHERE id = $1 OR name = $2 ORDER BY id <> $1 LIMIT 1`,
      [numberOf(idOrName), idOrName],
    );
    return found && worldRecordOf(found);
  }

  async ofKey(key: string): Promise<WorldRecord | undefined> {
    await this.#allSafe();
    return (await this.ofKeys([key]))[0];
  }

  /** Lists the worlds that have one of the given API keys, the oldest first. */
  async ofKeys(keys: readonly string[]): Promise<readonly WorldRecord[]> {
    const hashes = keys.map(hashOfKey);
    const found = `SELECT ${COLUMNS} FROM sandbox.world WHERE key_hash = ANY($1) ORDER BY id`;
    return (await this.#rows(found, [hashes])).map(worldRecordOf);
  }

  async create({ name, key, pack, expires }: NewWorld): Promise<WorldRecord> {
    const [made] = await this.#rows(
      `INSERT INTO sandbox.world(name, key_hash, pack, expires) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`,
      [name, hashOfKey(key), pack, expires],
    );
    if (made === undefined) throw new StoreError('taken', `there is a world '${name}' already`);
    return worldRecordOf(made);
  }

  async delete(id: string): Promise<boolean> {
    const number = numberOf(id);
    const isOpen = (): StoreError => new StoreError('locked', `world ${id} is open`);
    if (this.#taken.has(number)) throw isOpen();
    if ((await this.#remove('id = $2', number)).length > 0) return true;
    const [known] = await this.#rows(`SELECT ${COLUMNS} FROM sandbox.world WHERE id = $1`, [number]);
    if (known !== undefined) throw isOpen();
    return false;
  }

  async expire(nowMs: number): Promise<readonly string[]> {
    const removed: string[] = [];
    for (;;) {
      const ids = await this.#remove('expires <= $2 AND id <> ALL($3)', nowMs, [...this.#taken]);
      removed.push(...ids);
      if (ids.length < DELETED_AT_ONCE) return removed;
    }
  }

  async open(id: string): Promise<OwnedWorld> {
    const claim = await this.claim(id);
    if (claim.kind === 'mine') return claim.world;
    throw new StoreError('locked', `world ${id} is open already${claim.owner ? ` at ${claim.owner.url}` : ''}`);
  }

  /** Claims a world. @returns it, or its present owner @throws StoreError `missing`, `damaged`, `failed` */
  async claim(id: string): Promise<Claim> {
    const number = numberOf(id);
    if (this.#taken.has(number)) return { kind: 'elsewhere', owner: null };
    this.#taken.add(number);
    try {
      const session = await this.#locks();
      return await this.#claim(session, number, id).catch(async (error: unknown) => {
        if (session.failure === null) throw error;
        // The owner's session has ended in the meantime, so the world is free.
        return this.#claim(await this.#locks(), number, id);
      });
    } catch (error) {
      throw asFault(error);
    } finally {
      if (!this.#open.has(number)) this.#taken.delete(number);
    }
  }

  async #claim(session: LockSession, number: number, id: string): Promise<Claim> {
    const world = await this.#own(session, number, id);
    return world ? { kind: 'mine', world } : this.ownerOf(id);
  }

  /** Returns the owner in a world's row, even if the owner's session has ended. @throws StoreError `missing`, `failed` */
  async ownerOf(id: string): Promise<Elsewhere> {
    const owner = 'SELECT epoch, url FROM sandbox.world LEFT JOIN sandbox.replica USING (slot) WHERE id = $1';
    const [known] = await this.#rows<{ readonly epoch: string; readonly url: string | null }>(owner, [numberOf(id)]);
    if (known === undefined) throw missingWorld(id);
    const { epoch, url } = known;
    return { kind: 'elsewhere', owner: url === null ? null : { url, epoch: Number(epoch) } };
  }

  /** Lists the ids of worlds that should run but have no owner. */
  async orphans(): Promise<readonly string[]> {
    const rows = await this.#rows(
      `SELECT ${COLUMNS} FROM sandbox.world WHERE at_work AND (slot IS NULL OR slot NOT IN (
         SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))`,
      [REPLICA_LOCKS],
    );
    return rows.map(({ id }) => `w${id}`);
  }

  /** Lists the running replicas, with the number of worlds that each has in memory. */
  async loads(): Promise<{ readonly url: string; worlds: number }[]> {
    return this.#rows(
      `SELECT url, count(world.id)::int AS worlds FROM sandbox.replica LEFT JOIN sandbox.world ON world.slot = replica.slot AND at_work
       WHERE url IS NOT NULL AND replica.slot IN (
         SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
       GROUP BY replica.slot ORDER BY replica.slot`,
      [REPLICA_LOCKS],
    );
  }

  /** Counts the worlds whose names begin with a prefix. */
  async count(prefix: string): Promise<number> {
    const { rows } = await this.pool.query<{ worlds: number }>(
      'SELECT count(*)::int AS worlds FROM sandbox.world WHERE starts_with(name, $1)',
      [prefix],
    );
    return rows[0].worlds;
  }

  /** Exports a world as lines for a file store's `import`, without the world's key. */
  async *export(id: string): AsyncGenerator<string> {
    yield* exportLines(await sourceOf(this.pool, await this.#row(numberOf(id), id)));
  }

  async check(id: string): Promise<readonly string[]> {
    return checkWorld(await sourceOf(this.pool, await this.#row(numberOf(id), id)));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await Promise.all([...this.#open.values()].map((world) => world.allSafe().catch(() => undefined)));
    this.#closed = true;
    this.#flusher.stop();
    for (const world of this.#open.values()) world.fail(new StoreError('closed', 'the store is closed'));
    await this.#starting?.catch(() => undefined);
    await this.#session?.close();
    await this.pool.end();
  }

  /** Claims a free world with a new epoch, so that earlier owners can't write any more. Undefined: it isn't free. */
  async #own(session: LockSession, number: number, id: string): Promise<OwnedWorld | undefined> {
    const [known] = await this.#rows<WorldRow & { readonly former: number | null }>(
      `UPDATE sandbox.world SET epoch = world.epoch + 1, slot = $1, at_work = true
       FROM (SELECT id AS of, slot AS former FROM sandbox.world WHERE id = $2 AND ${IS_FREE} FOR UPDATE) AS before
       WHERE id = of RETURNING ${COLUMNS}, former`,
      [session.slot, number],
    );
    if (known === undefined) return undefined;
    const epoch = Number(known.epoch);
    try {
      // The previous owner didn't release the world, and may serve it from memory until its lease ends.
      const silence = known.former === null ? undefined : sleep(LEASE_MS);
      const source = await sourceOf(this.pool, known);
      const { kept, charactersSince } = await readContents(source);
      const mirror = new PgFiles(this.pool, number);
      const files = temporaryBytes(undefined, mirror);
      await mirror.load(files);
      await silence;
      if (session.failure !== null) throw session.failure;
      const world = new PgWorld(number, epoch, source.whole, charactersSince, Number(known.bytes), this);
      this.#open.set(number, world);
      void session.ended.then((failure) => world.fail(failure));
      void world.ended.then(() => {
        this.#forget(world);
        return this.#abandon(session, number, epoch);
      });
      this.#notify({ kind: 'owner', world: id });
      return {
        record: source.whole.record,
        kept,
        keeper: keeperOf(world, mirror),
        files,
        epoch,
        lost: world.ended,
        bytes: () => world.bytes,
        release: async (continues = false) => {
          await mirror.kept();
          files.remove();
          await this.#release(world, id, continues);
        },
      };
    } catch (error) {
      void this.#abandon(session, number, epoch);
      throw error;
    }
  }

  async #release(world: PgWorld, id: string, continues: boolean): Promise<void> {
    await world.keeper.finish();
    if (this.#open.get(world.number) !== world) return;
    try {
      await world.allSafe();
      await this.pool.query('UPDATE sandbox.world SET slot = NULL, at_work = $3 WHERE id = $1 AND epoch = $2', [
        world.number,
        world.epoch,
        continues,
      ]);
      if (continues) this.#notify({ kind: 'free', world: id });
    } finally {
      this.#forget(world);
    }
  }

  /** Releases a world that couldn't be opened after it was claimed. If the session has ended, the world is free already. */
  async #abandon(session: LockSession, number: number, epoch: number): Promise<void> {
    const freed = 'UPDATE sandbox.world SET slot = NULL WHERE id = $1 AND epoch = $2';
    while (!this.#closed && session.failure === null) {
      const isDone = await this.pool.query(freed, [number, epoch]).then(
        () => true,
        () => false,
      );
      if (isDone) return;
      await sleep(RECONNECT_DELAY_MS, undefined, { ref: false });
    }
  }

  #forget(world: PgWorld): void {
    if (this.#open.get(world.number) === world) this.#open.delete(world.number);
    if (!this.#open.has(world.number)) this.#taken.delete(world.number);
  }

  async #row(number: number, id: string): Promise<WorldRow> {
    const [known] = await this.#rows(`SELECT ${COLUMNS} FROM sandbox.world WHERE id = $1`, [number]);
    if (known === undefined) throw missingWorld(id);
    return known;
  }

  /** Deletes worlds that aren't open, in batches. @param which SQL condition @returns their ids */
  async #remove(which: string, ...values: readonly unknown[]): Promise<readonly string[]> {
    const { slot } = await this.#locks().catch((error: unknown) => {
      throw asFault(error);
    });
    const expired = await this.#rows<{ readonly id: string }>(
      `WITH picked AS MATERIALIZED (
         SELECT id FROM sandbox.world WHERE ${which} AND ${IS_FREE} ORDER BY id LIMIT ${DELETED_AT_ONCE} FOR UPDATE
       ), gone AS (DELETE FROM sandbox.world WHERE id IN (SELECT id FROM picked) RETURNING id),
       ${HISTORY.map((each) => `${each}s AS (DELETE FROM sandbox.${each} WHERE world IN (SELECT id FROM gone))`).join(', ')}
       SELECT id FROM gone ORDER BY id`,
      [slot, ...values],
    );
    if (expired.length > 0) await removeParts(this.pool);
    const ids = expired.map(({ id }) => `w${id}`);
    for (const world of ids) this.#notify({ kind: 'gone', world });
    return ids;
  }

  /**
   * Sends a notification to other replicas. A lost notification only costs time, since replicas query the database when needed.
   * Notifications are sent one at a time, since pooled connections could reorder them.
   */
  #notify(notice: Notice): void {
    const text = `${notice.kind} ${notice.world} ${this.options.me?.id ?? ''}`;
    const send = (): Promise<unknown> => this.pool.query('SELECT pg_notify($1, $2)', [CHANNEL, text]);
    this.#notices = this.#notices.then(send).catch(() => undefined);
  }

  #notified(text: string): void {
    const [kind, world, from] = text.split(' ');
    if (from !== '' && from === this.options.me?.id) return;
    if (kind === 'owner' || kind === 'free' || kind === 'gone') this.options.onNotice?.({ kind, world });
  }

  async #rows<R extends object = WorldRow>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    if (this.#closed) throw new StoreError('closed', 'the store is closed');
    try {
      return (await this.pool.query<R>(text, [...values])).rows;
    } catch (error) {
      throw asFault(error);
    }
  }

  /** Waits until all records of this process are in the database, before stored data is read. */
  async #allSafe(): Promise<void> {
    await Promise.all([...this.#open.values()].map((world) => world.allSafe().catch(() => undefined)));
  }

  /** Returns the session that holds the locks; opens a new one if the last one has ended. */
  async #locks(): Promise<LockSession> {
    if (this.#closed) throw new StoreError('closed', 'the store is closed');
    if (this.#session !== null && this.#session.failure === null) return this.#session;
    this.#starting ??= this.#begin().finally(() => (this.#starting = null));
    return this.#starting;
  }

  async #begin(): Promise<LockSession> {
    const session = await LockSession.begin(this.newClient(), this.options.me?.url ?? null, CHANNEL, (text) =>
      this.#notified(text),
    );
    this.#session = session;
    void session.ended.then(() => this.#again());
    return session;
  }

  /** Opens the session again after it was lost. Until then, worlds and notifications are unavailable. */
  async #again(): Promise<void> {
    while (!this.#closed && this.#session?.failure !== null) {
      await sleep(RECONNECT_DELAY_MS, undefined, { ref: false });
      if (!this.#closed) await this.#locks().catch(() => undefined);
    }
  }
}

/** Sets limits on a new connection. The pool awaits the returned promise, although its types don't say so. */
const limitConnection: (client: ClientBase) => unknown = (client) => {
  // An error during a transaction rejects the transaction's statement as well, so `error` events need no handling.
  client.on('error', () => undefined);
  return client.query(CONNECTION_LIMITS);
};

function keeperOf(world: PgWorld, files: PgFiles): DurableKeeper {
  const { keeper } = world;
  return {
    begin: (header) => keeper.begin(header),
    entry: (entry) => keeper.entry(entry),
    record: (record, after) => keeper.record(record, after),
    isCheckpointDue: () => keeper.isCheckpointDue(),
    checkpoint: (checkpoint) => keeper.checkpoint(checkpoint),
    kept: () => {
      const [entries, bytes] = [world.kept(), files.kept()];
      return bytes === undefined ? entries : Promise.all([entries, bytes]).then(() => undefined);
    },
    room: () => world.room(),
  };
}
