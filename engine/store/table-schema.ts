import { statSync } from 'node:fs';
import Database from 'libsql';
import { StoreError } from './store.js';
import type { Snapshot } from './protocol.js';
import {
  asBytes,
  columnText,
  ofWorld,
  PLACES,
  SNAPSHOT_NUMBERS,
  snapshotSum,
  sqlText,
  sumWorld,
} from './table-rows.js';

export const TABLES = [
  'opened(at TEXT NOT NULL)',
  `world(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, key TEXT NOT NULL, pack TEXT NOT NULL,
   expires INTEGER, head INTEGER NOT NULL, header TEXT, place INTEGER, sum TEXT)`,
  'block(pos INTEGER PRIMARY KEY, head INTEGER NOT NULL, codec INTEGER NOT NULL, body BLOB NOT NULL)',
  `snapshot(world INTEGER PRIMARY KEY, entry INTEGER NOT NULL, place INTEGER NOT NULL, lines INTEGER NOT NULL,
   first INTEGER NOT NULL, last INTEGER NOT NULL, size INTEGER NOT NULL, sum TEXT)`,
  'piece(pos INTEGER PRIMARY KEY, codec INTEGER NOT NULL, body BLOB NOT NULL)',
];

/** Column definitions that tables of older formats lack. */
const ADDED = ['world ADD COLUMN place INTEGER', 'world ADD COLUMN sum TEXT', 'snapshot ADD COLUMN sum TEXT'];

/** Opens the database file. @throws StoreError with a better message than the driver's */
export function opened(file: string): InstanceType<typeof Database> {
  if (statSync(file, { throwIfNoEntry: false })?.size === 0)
    throw new StoreError(
      'damaged',
      'it is empty, and no store is: put back a whole copy, or delete the file to begin with a new world',
    );
  try {
    return new Database(file, { timeout: 0 });
  } catch (error) {
    if (!/Unable to open connection/.test(String(error))) throw error;
    throw new StoreError('failed', "it can't be opened: the folder doesn't exist, or this user may not write there");
  }
}

const SCHEMA_COLUMNS = ['type', 'name', 'tbl_name', 'sql'] as const;

/** A table or an index in the schema that the file contains. */
interface SchemaRow {
  readonly rowid: number;
  readonly values: readonly (string | null)[];
  /** The row's values on one line, since line breaks and indentation differ by the version that created the file. */
  readonly line: string;
}

function storedSchema(db: InstanceType<typeof Database>): readonly SchemaRow[] {
  const rows = db.prepare(`SELECT rowid, ${SCHEMA_COLUMNS.map(asBytes).join(', ')} FROM sqlite_master`).all();
  return (rows as (Record<string, unknown> & { readonly rowid: number })[]).map((row) => {
    const values = SCHEMA_COLUMNS.map((name) => columnText(row[name]));
    return { rowid: row.rowid, values, line: values.join(' ').replaceAll(/[ \n]+/g, ' ') };
  });
}

/** Returns the schema that a new store has. */
function newSchema(): readonly SchemaRow[] {
  const db = new Database(':memory:');
  try {
    for (const table of TABLES) db.exec(`CREATE TABLE ${table}`);
    return storedSchema(db);
  } finally {
    db.close();
  }
}

function without(rows: readonly SchemaRow[], others: readonly SchemaRow[]): readonly SchemaRow[] {
  return rows.filter(({ line }) => !others.some((other) => other.line === line));
}

/** Repairs a schema in which a single row is damaged, by the schema of a new store. */
export function mendSchema(db: InstanceType<typeof Database>): void {
  db.exec('PRAGMA writable_schema = ON');
  try {
    storedSchema(db);
  } catch {
    // Only the first statement after opening fails because of the damage.
  }
  const [made, found] = [newSchema(), storedSchema(db)];
  const [missing, wrong] = [without(made, found), without(found, made)];
  if (missing.length === 1 && wrong.length === 1) {
    const values = SCHEMA_COLUMNS.map((name, at) => {
      const value = missing[0].values[at];
      return `${name} = ${value === null ? 'NULL' : sqlText(value)}`;
    });
    db.exec(`UPDATE sqlite_master SET ${values.join(', ')} WHERE rowid = ${wrong[0].rowid}`);
  }
  db.exec('PRAGMA writable_schema = RESET');
}

/** Whether the database file contains any table. */
export function hasTables(db: InstanceType<typeof Database>): boolean {
  return db.prepare('SELECT name FROM sqlite_master LIMIT 1').all().length > 0;
}

/** Checks the file's schema, which SQLite trusts: without a primary key, it would find nothing. @throws StoreError `damaged` */
export function requireSchema(db: InstanceType<typeof Database>): void {
  const [missing] = without(newSchema(), storedSchema(db));
  if (missing !== undefined)
    throw new StoreError('damaged', `its schema is not as it was made, without: ${missing.line}`);
}

/** Returns the problems that SQLite finds in a table. @param table an SQL text; empty: the whole file */
export function findings(db: InstanceType<typeof Database>, table: string): readonly string[] {
  return db
    .prepare(`SELECT ${asBytes('integrity_check')} FROM pragma_integrity_check(${table})`)
    .all()
    .map((row) => String(columnText((row as { readonly integrity_check: unknown }).integrity_check)))
    .filter((line) => line !== 'ok');
}

/** Adds the columns for checksums to tables of an older format. */
export function addSums(db: InstanceType<typeof Database>): void {
  const has = (table: string, column: string): boolean =>
    db.prepare(`SELECT 1 FROM pragma_table_info(${sqlText(table)}) WHERE name = ${sqlText(column)}`).all().length > 0;
  for (const added of ADDED) {
    const [table, , , column] = added.split(' ');
    if (!has(table, column)) db.exec(`ALTER TABLE ${added}`);
  }
  for (const { id } of db.prepare('SELECT id FROM world').all() as { readonly id: number }[]) {
    const [snapshot] = db.prepare(`SELECT ${SNAPSHOT_NUMBERS} FROM snapshot WHERE world = ${id}`).all() as (
      | Snapshot
      | undefined
    )[];
    const place = `coalesce((SELECT max(pos) FROM block WHERE ${ofWorld(id)}) - ${id * PLACES}, ${(snapshot?.place ?? 1) - 1})`;
    db.exec(`UPDATE world SET place = ${place} WHERE id = ${id}`);
    sumWorld(db, id);
    if (snapshot) db.exec(`UPDATE snapshot SET sum = ${sqlText(snapshotSum(snapshot))} WHERE world = ${id}`);
  }
}
