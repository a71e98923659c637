import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import type { Snapshot, Whole } from './protocol.js';
import type { EntrySource } from './reading.js';
import { StoreError, type WorldRecord } from './store.js';
import { placeOf, type RowBody, summed, verified } from './sums.js';

/** Number of characters from which on texts are compressed. */
const COMPRESSED_FROM_CHARACTERS = 512;
/** Limit of one read: compressed bytes; `ROWS_AT_ONCE`: rows. */
const READ_BYTES = 2 ** 18;
const ROWS_AT_ONCE = 1000;

/** Encodes the body of a block or piece with its checksum. @param place its position, from `placeOf` */
export async function encodedBody(
  text: string,
  place: string,
): Promise<{ readonly codec: number; readonly body: Buffer }> {
  if (text.length < COMPRESSED_FROM_CHARACTERS) return summed(Buffer.from(text), false, place);
  const compressed = await promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return summed(compressed, true, place);
}

function textOf(row: RowBody, place: string): string {
  const { isCompressed, bytes } = verified(row, place);
  if (!isCompressed) return Buffer.from(bytes).toString();
  try {
    return brotliDecompressSync(bytes).toString();
  } catch {
    throw new StoreError('damaged', `${place} cannot be read`);
  }
}

/** A row of the table `world`; 64-bit numbers are texts. */
export interface WorldRow {
  readonly id: string;
  readonly name: string;
  readonly key_hash: string;
  readonly pack: string;
  readonly expires: string | null;
  readonly head: string;
  readonly place: string;
  readonly header: string | null;
  readonly epoch: string;
  readonly bytes: string;
  /** The slot of the world's owner, if the owner is alive; null: none. */
  readonly slot: number | null;
}

export function worldRecordOf({ id, name, key_hash, pack, expires, head }: WorldRow): WorldRecord {
  return {
    id: `w${id}`,
    name,
    key: key_hash,
    pack,
    expires: expires === null ? null : Number(expires),
    head: Number(head),
  };
}

/** Parses the id of a world to its number; 0: the id is invalid. */
export function numberOf(id: string): number {
  return Number(/^w(\d{1,9})$/.exec(id)?.[1] ?? 0);
}

/** Returns the stored facts about a world, and functions that read its records. */
export async function sourceOf(pool: Pool, row: WorldRow): Promise<EntrySource> {
  const world = Number(row.id);
  const place = Number(row.place);
  const { rows: snapshots } = await pool.query<Record<keyof Snapshot, string>>(
    'SELECT * FROM sandbox.snapshot WHERE world = $1',
    [world],
  );
  const { rows: begins } = await pool.query<{ first: string | null }>(
    'SELECT min(place) AS first FROM sandbox.block WHERE world = $1',
    [world],
  );
  const [newest] = snapshots;
  const snapshot: Snapshot | null = newest && {
    world,
    entry: Number(newest.entry),
    place: Number(newest.place),
    lines: Number(newest.lines),
    first: Number(newest.first),
    last: Number(newest.last),
    size: Number(newest.size),
  };
  const first = begins[0].first === null ? place + 1 : Number(begins[0].first);
  const whole: Whole = { record: worldRecordOf(row), header: row.header, snapshot: snapshot ?? null, first, place };
  return {
    whole,
    pieces: (from) => textsOf(pool, 'piece', 'number', world, from),
    blocks: (from) => textsOf(pool, 'block', 'place', world, from),
  };
}

/** Reads the next consecutive texts, up to the limits of one read. */
async function textsOf(
  pool: Pool,
  table: 'block' | 'piece',
  number: string,
  world: number,
  from: number,
): Promise<string[]> {
  const { rows } = await pool.query<RowBody & { readonly number: string }>(
    `SELECT number, codec, body FROM (
       SELECT ${number} AS number, codec, body, sum(octet_length(body)) OVER (ORDER BY ${number}) - octet_length(body) AS before
       FROM sandbox.${table} WHERE world = $1 AND ${number} >= $2 AND ${number} < $2 + ${ROWS_AT_ONCE}
     ) AS part WHERE before < ${READ_BYTES} ORDER BY number`,
    [world, from],
  );
  return rows.map((row, index) => {
    const place = placeOf(table, world, from + index);
    if (Number(row.number) !== from + index) throw new StoreError('damaged', `${place} is missing`);
    return textOf(row, place);
  });
}
