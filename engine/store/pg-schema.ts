import { randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import { StoreError } from './store.js';

/** First part of advisory lock keys, whose second part is a replica's slot (`sboy`). Each running replica holds its own. */
export const REPLICA_LOCKS = 0x73626f79;
/** Key of advisory locks of format 1 (`sbox`), in which each world in memory had a lock with its number. */
const WORLD_LOCKS = 0x73626f78;
/** The second key of the advisory lock that a process holds while it migrates the tables, in place of a world's number. */
const MIGRATING = 0;
/** The oldest PostgreSQL version that can end sessions whose client is silent. */
const OLDEST = 14_00_00;

/**
 * Statements that upgrade the tables from each format to the next; the first ones create them. Released statements are never
 * changed: later formats add steps.
 */
const STEPS: readonly (readonly string[])[] = [
  [
    // Columns that change with every flush have no index, so that rows are updated in place.
    `CREATE TABLE sandbox.world(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
     key_hash text NOT NULL, pack text NOT NULL, expires bigint, header text, head bigint NOT NULL DEFAULT 0,
     place bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0, epoch bigint NOT NULL DEFAULT 0,
     owner text, url text, at_work boolean NOT NULL DEFAULT false) WITH (fillfactor = 50)`,
    'CREATE INDEX world_of_key ON sandbox.world(key_hash)',
    'CREATE INDEX world_at_work ON sandbox.world(id) WHERE at_work',
    'CREATE INDEX world_expires ON sandbox.world(expires) WHERE expires IS NOT NULL',
    `CREATE TABLE sandbox.block(world bigint, place bigint, head bigint NOT NULL, codec smallint NOT NULL,
     body bytea NOT NULL, PRIMARY KEY (world, place))`,
    `CREATE TABLE sandbox.piece(world bigint, number bigint, codec smallint NOT NULL, body bytea NOT NULL,
     PRIMARY KEY (world, number))`,
    `CREATE TABLE sandbox.snapshot(world bigint PRIMARY KEY, entry bigint NOT NULL, place bigint NOT NULL,
     lines bigint NOT NULL, first bigint NOT NULL, last bigint NOT NULL, size bigint NOT NULL)`,
    // Bodies are stored uncompressed, since they are compressed already.
    'ALTER TABLE sandbox.block ALTER COLUMN body SET STORAGE EXTERNAL',
    'ALTER TABLE sandbox.piece ALTER COLUMN body SET STORAGE EXTERNAL',
    'CREATE TABLE sandbox.secret(value text NOT NULL)',
  ],
  [
    // The owner of a world is a replica's slot, which is never reused; a slot whose lock is free owns nothing.
    'CREATE TABLE sandbox.replica(slot int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, url text)',
    'ALTER TABLE sandbox.world DROP COLUMN owner, DROP COLUMN url, ADD COLUMN slot int',
  ],
  [
    // Files that are too large for values: one row per world and file, and the bytes only once for all worlds.
    'CREATE TABLE sandbox.file(world bigint, hash bytea, size bigint NOT NULL, PRIMARY KEY (world, hash))',
    'CREATE INDEX file_of_hash ON sandbox.file(hash)',
    `CREATE TABLE sandbox.file_part(hash bytea, number int, body bytea NOT NULL, PRIMARY KEY (hash, number))`,
    'ALTER TABLE sandbox.file_part ALTER COLUMN body SET STORAGE EXTERNAL',
  ],
];

/** The table format that this version of the sandbox uses. */
const FORMAT = STEPS.length;

/** The result of migrating the tables: formats, and the replicas' secret. */
export interface MigratedSchema {
  /** The table format before the migration, and after it. */
  readonly from: number;
  readonly to: number;
  /** Authenticates replicas to each other: 32 random bytes as hexadecimal text. */
  readonly secret: string;
}

/**
 * Creates or upgrades the tables. One replica at a time: the others wait, and then find nothing to do.
 * @throws StoreError `format` if a later version upgraded them, or PostgreSQL is too old
 */
export async function migrateTables(client: ClientBase): Promise<MigratedSchema> {
  const { rows: versions } = await client.query<{ number: number }>(
    "SELECT current_setting('server_version_num')::int AS number",
  );
  if (versions[0].number < OLDEST)
    throw new StoreError(
      'format',
      `this is PostgreSQL ${Math.floor(versions[0].number / 10_000)}; 14 or later is needed`,
    );
  const current = await currentSchema(client);
  if (current) return current;
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [WORLD_LOCKS, MIGRATING]);
    await client.query('CREATE SCHEMA IF NOT EXISTS sandbox');
    await client.query('CREATE TABLE IF NOT EXISTS sandbox.format(number int NOT NULL)');
    const { rows: formats } = await client.query<{ number: number }>('SELECT number FROM sandbox.format');
    const from = formats.at(0)?.number ?? 0;
    if (from > FORMAT)
      throw new StoreError('format', `the store has format ${from}; this version reads formats up to ${FORMAT}`);
    if (from === 1) await requireNoWorldLocks(client);
    for (const step of STEPS.slice(from)) for (const statement of step) await client.query(statement);
    if (from === 0) await client.query('INSERT INTO sandbox.format VALUES ($1)', [FORMAT]);
    else if (from < FORMAT) await client.query('UPDATE sandbox.format SET number = $1', [FORMAT]);
    await client.query('INSERT INTO sandbox.secret SELECT $1 WHERE NOT EXISTS (SELECT FROM sandbox.secret)', [
      randomBytes(32).toString('hex'),
    ]);
    const { rows: secrets } = await client.query<{ value: string }>('SELECT value FROM sandbox.secret');
    await client.query('COMMIT');
    return { from, to: FORMAT, secret: secrets[0].value };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Reads the state of current tables, without writing, so that a role without the right to change them suffices. */
async function currentSchema(client: ClientBase): Promise<MigratedSchema | undefined> {
  const { rows } = await client.query<{ made: boolean }>("SELECT to_regclass('sandbox.secret') IS NOT NULL AS made");
  if (!rows[0].made) return undefined;
  const { rows: known } = await client.query<{ number: number; value: string }>(
    'SELECT number, value FROM sandbox.format, sandbox.secret',
  );
  const found = known.at(0);
  return found?.number === FORMAT ? { from: FORMAT, to: FORMAT, secret: found.value } : undefined;
}

/** Rejects tables in use by a replica of format 1, which has no slot and could claim the same worlds. @throws StoreError */
async function requireNoWorldLocks(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid <> $2 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held`,
    [WORLD_LOCKS, MIGRATING],
  );
  if (rows[0].held)
    throw new StoreError(
      'locked',
      'replicas of an older version serve this database, and cannot share it with this one: stop them first',
    );
}
