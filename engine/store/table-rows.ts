import type Database from 'libsql';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Snapshot } from './protocol.js';
import { StoreError, type WorldRecord } from './store.js';
import { summed, sumOf, verified } from './sums.js';

/** Factor in the row ids of blocks and pieces: a row's id is its world's number times this, plus its own number. */
export const PLACES = 2 ** 32;

/**
 * SQL for a column that is a number, or null if damage made it anything else. The driver aborts the process when it reads a
 * text that isn't UTF-8, which a damaged number may look like.
 */
const asInteger = (name: string): string => `iif(typeof(${name}) = 'integer', ${name}, NULL) AS ${name}`;

export const asBytes = (name: string): string => `CAST(${name} AS BLOB) AS ${name}`;

const TEXT_COLUMNS = ['name', 'key', 'pack', 'header', 'sum'] as const;

const COLUMNS = [...['id', 'expires', 'head', 'place'].map(asInteger), ...TEXT_COLUMNS.map(asBytes)].join(', ');

export const SNAPSHOT_NUMBERS = ['world', 'entry', 'place', 'lines', 'first', 'last', 'size'].map(asInteger).join(', ');

export const BODY_COLUMNS = ['pos', 'codec'].map(asInteger).concat(asBytes('body')).join(', ');

/** A row of the table `world`. */
export interface FileWorldRow extends Omit<WorldRecord, 'id'> {
  readonly id: number;
  readonly header: string | null;
  readonly place: number | null;
  readonly sum: string | null;
}

/** Converts a row to a world's record. @throws StoreError `damaged` if its checksum is wrong */
export function fileWorldRecord(world: FileWorldRow): WorldRecord {
  const { id, name, key, pack, expires, head } = world;
  if (world.sum !== worldSum(world)) throw new StoreError('damaged', `the checksum of world w${id} is wrong`);
  return { id: `w${id}`, name, key, pack, expires, head };
}

function worldSum({ id, name, key, pack, expires, header }: FileWorldRow): string {
  return sumOf([id, name, key, pack, expires, header]);
}

export function snapshotSum({ world, entry, place, lines, first, last, size }: Snapshot): string {
  return sumOf([world, entry, place, lines, first, last, size]);
}

export function worldNumber(id: string): number {
  return Number(id.slice(1));
}

/** Decodes the bytes of a column; invalid UTF-8 is replaced, so that its checksum is wrong. */
export function columnText(bytes: unknown): string | null {
  return bytes === null ? null : Buffer.from(bytes as ArrayBuffer).toString();
}

export function numberIn(row: unknown, name: string): number {
  return Number((row as Readonly<Record<string, unknown>> | undefined)?.[name] ?? 0);
}

export function ofWorld(world: number): string {
  return `pos > ${world * PLACES} AND pos < ${(world + 1) * PLACES}`;
}

/** Quotes a text as an SQL literal. */
export function sqlText(value: string): string {
  return `CAST(x'${Buffer.from(value).toString('hex')}' AS TEXT)`;
}

/** Encodes a text, with its checksum, as SQL literals of codec and body. */
export function packedBody(plain: string | Uint8Array, place: string): string {
  const compressed = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  const { codec, body } = summed(compressed, true, place);
  return `${codec}, x'${body.toString('hex')}'`;
}

export function unpacked(row: unknown, expected: number, place: string): string {
  const { pos, codec, body } = row as { readonly pos: number; readonly codec: number; readonly body: ArrayBuffer };
  if (pos !== expected) throw new StoreError('damaged', `${place} is missing`);
  try {
    const { isCompressed, bytes } = verified({ codec, body: new Uint8Array(body) }, place);
    return (isCompressed ? brotliDecompressSync(bytes) : Buffer.from(bytes)).toString();
  } catch (error) {
    throw error instanceof StoreError ? error : new StoreError('damaged', `${place} cannot be read`);
  }
}

/** Reads rows of the table `world`. @param which SQL clauses after FROM */
export function worldRows(db: InstanceType<typeof Database>, which: string): FileWorldRow[] {
  const rows = db.prepare(`SELECT ${COLUMNS} FROM world ${which}`).all() as Record<string, unknown>[];
  for (const row of rows) for (const name of TEXT_COLUMNS) row[name] = columnText(row[name]);
  return rows as unknown as FileWorldRow[];
}

/** Updates the checksum of a world's row, without head and place, which are compared with the world's contents. */
export function sumWorld(db: InstanceType<typeof Database>, world: number): void {
  const [row] = worldRows(db, `WHERE id = ${world}`);
  if (row !== undefined) db.exec(`UPDATE world SET sum = ${sqlText(worldSum(row))} WHERE id = ${world}`);
}

/** Reads the facts about a world's snapshot; null: none. @throws StoreError `damaged` */
export function storedSnapshot(db: InstanceType<typeof Database>, world: number): Snapshot | null {
  const [found] = db
    .prepare(`SELECT ${SNAPSHOT_NUMBERS}, ${asBytes('sum')} FROM snapshot WHERE world = ${world}`)
    .all() as (Snapshot & { sum: unknown })[];
  if (found === undefined) return null;
  const { sum, ...snapshot } = found;
  if (columnText(sum) !== snapshotSum(snapshot))
    throw new StoreError('damaged', `the snapshot checksum of world w${world} is wrong`);
  return snapshot;
}
