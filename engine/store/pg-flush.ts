import { channel } from 'node:diagnostics_channel';
import type { Pool, PoolClient } from 'pg';
import type { FileWorld } from './file-world.js';
import type { CommitGroup } from './group.js';
import { asFault } from './pg-errors.js';
import { encodedBody } from './pg-rows.js';
import type { PgWorld } from './pg-world.js';
import { StoreError } from './store.js';
import { placeOf } from './sums.js';

/** The message of a flush on the diagnostics channel `sandbox:flush`: its duration and number of worlds. */
export interface FlushNews {
  readonly seconds: number;
  readonly worlds: number;
}

/** The records of one world in a flush. */
interface FlushShare {
  readonly world: PgWorld;
  readonly group: CommitGroup<FileWorld>;
}

/** Milliseconds after which traces are written even without entries. */
const TRACE_DELAY_MS = 100;
const flushChannel = channel('sandbox:flush');

/** Number of attempts of a statement that fails because of a conflict. */
const TRIES = 5;
const IN_THE_WAY = new Set(['40P01', '40001']);

/**
 * One statement that writes blocks of several worlds, each only if its owner is unchanged and the block continues the previous
 * one. All block bodies are in one parameter.
 */
const BLOCKS = `WITH given AS (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::int[], $7::int[], $8::smallint[])
      AS each(world, epoch, place, head, header, begins, length, codec)
  ), own AS (
    UPDATE sandbox.world SET head = given.head, place = given.place, header = coalesce(given.header, world.header),
      bytes = world.bytes + given.length
    FROM given WHERE id = given.world AND world.epoch = given.epoch
      AND world.place = given.place - CASE WHEN given.length > 0 THEN 1 ELSE 0 END
    RETURNING id, bytes, given.place, given.head, given.begins, given.length, given.codec
  ), kept AS (
    INSERT INTO sandbox.block(world, place, head, codec, body)
    SELECT id, place, head, codec, substring($9::bytea FROM begins + 1 FOR length) FROM own WHERE length > 0
  )
  SELECT id, bytes FROM own`;

const PIECE = `INSERT INTO sandbox.piece(world, number, codec, body) VALUES ($1, $2, $3, $4)
  ON CONFLICT (world, number) DO UPDATE SET codec = excluded.codec, body = excluded.body`;

const SNAPSHOT = `INSERT INTO sandbox.snapshot(world, entry, place, lines, first, last, size) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (world) DO UPDATE SET entry = excluded.entry, place = excluded.place, lines = excluded.lines,
    first = excluded.first, last = excluded.last, size = excluded.size`;

const OLD_PIECES = 'DELETE FROM sandbox.piece WHERE world = $1 AND (number < $2 OR number > $3)';

/** Writes the records of a process's open worlds, one turn of the event loop at a time. */
export class WorldFlusher {
  /** Whether callers wait for records that were added since the last flush began. */
  #isNeeded = false;
  #planned = false;
  #isFlushing = false;
  #late: NodeJS.Timeout | null = null;

  /** @param worlds returns the open worlds */
  constructor(
    private readonly pool: Pool,
    private readonly worlds: () => Iterable<PgWorld>,
  ) {}

  /**
   * Plans a flush at the end of this turn of the event loop, so that all records of the turn are written together.
   * @param isUrgent if false, the flush may wait for the trace delay
   */
  plan(isUrgent: boolean): void {
    if (!isUrgent) {
      this.#late ??= setTimeout(() => {
        this.#late = null;
        this.plan(true);
      }, TRACE_DELAY_MS);
      return;
    }
    this.#isNeeded = true;
    if (this.#planned || this.#isFlushing) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#isNeeded = false;
    const worlds = [...this.worlds()].filter((world) => !world.isEmpty);
    if (worlds.length === 0) return;
    this.#isFlushing = true;
    const groups = worlds.map((world) => ({ world, group: world.take() }));
    const begunMs = performance.now();
    try {
      const kept = await writeGroups(this.pool, groups);
      for (const world of worlds) {
        const bytes = kept.get(world.number);
        if (bytes !== undefined) world.taken(bytes);
        else world.fail(new StoreError('failed', `world w${world.number} has another owner now`));
      }
    } catch (error) {
      // It is unknown whether the records were written; their worlds' next owner reads what is stored.
      for (const world of worlds) world.fail(asFault(error));
    } finally {
      this.#isFlushing = false;
      if (flushChannel.hasSubscribers)
        flushChannel.publish({
          seconds: (performance.now() - begunMs) / 1000,
          worlds: worlds.length,
        } satisfies FlushNews);
    }
    // Callers may wait for records of worlds that weren't part of this flush.
    if (this.#isNeeded) this.plan(true);
  }

  /** Cancels the planned flush. */
  stop(): void {
    if (this.#late !== null) clearTimeout(this.#late);
  }
}

/**
 * Writes the records of worlds; for each world all or none.
 * @returns the worlds whose records are stored, by number, with their sizes in bytes; the others have another owner
 */
async function writeGroups(pool: Pool, shares: readonly FlushShare[]): Promise<ReadonlyMap<number, number>> {
  // In ascending order, so that two writers of the same worlds don't deadlock.
  const ordered = [...shares].sort((a, b) => a.world.number - b.world.number);
  const blocks = ordered.map(({ world, group }) => {
    const item = group.items.get(world.keeper);
    return world.keeper.blockOf(item?.lines ?? [], item?.header ?? null);
  });
  const bodies = await Promise.all(
    blocks.map(async ({ world, place, text }) =>
      text === '' ? EMPTY : encodedBody(text, placeOf('block', world, place)),
    ),
  );
  let size = 0;
  const begins = bodies.map(({ body }) => (size += body.length) - body.length);
  const values = [
    blocks.map(({ world }) => world),
    ordered.map(({ world }) => world.epoch),
    blocks.map(({ place }) => place),
    blocks.map(({ head }) => head),
    blocks.map(({ header }) => header),
    begins,
    bodies.map(({ body }) => body.length),
    bodies.map(({ codec }) => codec),
    Buffer.concat(bodies.map(({ body }) => body)),
  ];
  const statement = { name: 'blocks', text: BLOCKS, values };
  const further = ordered.some(({ group }) => group.pieces.length + group.snapshots.length > 0);
  for (let tries = 1; ; tries++) {
    try {
      if (!further) return bytesOf((await pool.query<FlushedWorld>(statement)).rows);
      return await whole(pool, async (client) => {
        const kept = bytesOf((await client.query<FlushedWorld>(statement)).rows);
        for (const { world, group } of ordered) if (kept.has(world.number)) await writeSnapshots(client, group);
        return kept;
      });
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (tries === TRIES || typeof code !== 'string' || !IN_THE_WAY.has(code)) throw error;
    }
  }
}

interface FlushedWorld {
  readonly id: string;
  readonly bytes: string;
}

const EMPTY = { codec: 0, body: Buffer.alloc(0) };

function bytesOf(rows: readonly FlushedWorld[]): ReadonlyMap<number, number> {
  return new Map(rows.map(({ id, bytes }) => [Number(id), Number(bytes)]));
}

/**
 * Writes the snapshots of worlds. The previous statement locked the worlds' rows, so no other replica becomes their owner in
 * the meantime.
 */
async function writeSnapshots(client: PoolClient, { pieces, snapshots }: CommitGroup<FileWorld>): Promise<void> {
  for (const { world, number, text } of pieces) {
    const { codec, body } = await encodedBody(text, placeOf('piece', world, number));
    await client.query({ name: 'piece', text: PIECE, values: [world, number, codec, body] });
  }
  for (const { world, entry, place, lines, first, last, size } of snapshots) {
    await client.query(SNAPSHOT, [world, entry, place, lines, first, last, size]);
    await client.query(OLD_PIECES, [world, first, last]);
  }
}

/** Runs work in a transaction, which is committed once the promise resolves. */
export async function whole<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    isBroken = false;
    return result;
  } finally {
    // A connection on which an error occurred isn't reused.
    client.release(isBroken);
  }
}
