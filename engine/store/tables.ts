import Database from 'libsql';
import { logDamage } from './write-ahead-log.js';
import { Presence } from './presence.js';
import type {
  Block,
  DamagedWhole,
  WorkerCalls,
  Flush,
  WritePiece,
  StoreSize,
  Snapshot,
  WorkerStart,
  Whole,
} from './protocol.js';
import { type NewWorld, StoreError, type WorldRecord } from './store.js';
import { placeOf } from './sums.js';
import {
  BODY_COLUMNS,
  fileWorldRecord,
  type FileWorldRow,
  numberIn,
  ofWorld,
  packedBody,
  PLACES,
  storedSnapshot,
  snapshotSum,
  sqlText,
  sumWorld,
  unpacked,
  worldNumber,
  worldRows,
} from './table-rows.js';
import { addSums, findings, hasTables, mendSchema, opened, requireSchema, TABLES } from './table-schema.js';

/** Format of tables and blocks; raise it when they are written differently. */
const FORMAT = 4;

/**
 * The oldest readable format: format 1 has no snapshots, traces of format 2 aren't shortened, and format 3 has no checksums.
 */
const OLDEST = 1;

/** The first format whose rows have checksums. */
const SUMMED = 4;

/** SQLite's application id of a store (`sbox`). */
const APPLICATION = 0x73626f78;

/** Size of the blocks into which `compact` merges smaller ones, in characters. */
const BLOCK_CHARACTERS = 2 ** 18;

/** Limit of one read in compressed bytes; `ROWS_AT_ONCE`: in rows. While a caller processes the texts, the next are read. */
const READ_BYTES = 2 ** 18;

const ROWS_AT_ONCE = 1000;

/**
 * Worlds in a SQLite file. Writes only with `exec`, since the driver aborts the process if a prepared statement hits a full
 * disk.
 */
export class Tables implements WorkerCalls {
  readonly #db: InstanceType<typeof Database>;
  readonly #presence: Presence;

  /** Sentences about parts of the write-ahead log that couldn't be read. */
  readonly #leftOut: readonly string[];

  constructor({ file, maxBytes, isDamaged }: WorkerStart) {
    const log = logDamage(file);
    // Rejects the damaged file before it is opened, since SQLite would then overwrite the log after the damaged part.
    if (log?.isLost && !isDamaged)
      throw new StoreError(
        'damaged',
        `${log.message}; sandbox worlds repair, or a start without the log, restores what came before`,
      );
    this.#leftOut = log === undefined ? [] : [log.message];
    this.#db = opened(file);
    if (isDamaged) mendSchema(this.#db);
    this.#presence = new Presence(file);
    // Takes the lock: SQLite does so only at a write, after the mode is set in a statement of its own.
    this.#db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const [application, format, pages, size] = ['application_id', 'user_version', 'page_count', 'page_size'].map(
      (name) => numberIn(this.#db.prepare(`PRAGMA ${name}`).get(), name),
    );
    if (pages > 0 && application !== APPLICATION && hasTables(this.#db))
      throw new StoreError('format', 'the file is an SQLite database, but no store of worlds');
    if (application === APPLICATION && (format < OLDEST || format > FORMAT))
      throw new StoreError('format', `the store has format ${format}; this version reads formats up to ${FORMAT}`);
    this.#db.exec('PRAGMA journal_mode = WAL');
    this.#db.exec('PRAGMA synchronous = FULL');
    // A file whose creation was interrupted has no format yet.
    const isOlder = application === APPLICATION && format < SUMMED;
    if (application === APPLICATION && !isOlder) {
      if (isDamaged) return;
      this.#requireSound();
    }
    this.#whole(() => {
      this.#db.exec(`PRAGMA application_id = ${APPLICATION}`);
      this.#db.exec(`PRAGMA user_version = ${FORMAT}`);
      for (const table of TABLES) this.#db.exec(`CREATE TABLE IF NOT EXISTS ${table}`);
      if (isOlder) {
        addSums(this.#db);
        requireSchema(this.#db);
      }
      this.#db.exec('DELETE FROM opened');
      this.#db.exec("INSERT INTO opened VALUES (datetime('now'))");
    });
    if (maxBytes !== null) this.#db.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / size)}`);
  }

  leftOut(): readonly string[] {
    return this.#leftOut;
  }

  worlds(): readonly WorldRecord[] {
    return worldRows(this.#db, 'ORDER BY id').map(fileWorldRecord);
  }

  find(idOrName: string): WorldRecord | null {
    const id = /^w(\d{1,6})$/.exec(idOrName)?.[1] ?? '0';
    // If a text is the id of one world and the name of another, the id counts.
    const [found] = worldRows(this.#db, `WHERE id = ${id} OR name = ${sqlText(idOrName)} ORDER BY id <> ${id} LIMIT 1`);
    return found === undefined ? null : fileWorldRecord(found);
  }

  ofKey(key: string): WorldRecord | null {
    const [found] = worldRows(this.#db, `WHERE key = ${sqlText(key)} ORDER BY id LIMIT 1`);
    return found === undefined ? null : fileWorldRecord(found);
  }

  create({ name, key, pack, expires }: NewWorld): WorldRecord {
    if (this.#rows(`SELECT 1 FROM world WHERE name = ${sqlText(name)}`).length > 0)
      throw new StoreError('taken', `there is a world '${name}' already`);
    const values = [sqlText(name), sqlText(key), sqlText(pack), expires === null ? 'NULL' : String(expires), '0'];
    this.#whole(() => {
      this.#db.exec(`INSERT INTO world(name, key, pack, expires, head, place) VALUES (${values.join(', ')}, 0)`);
      sumWorld(this.#db, this.#newest());
    });
    const [made] = worldRows(this.#db, 'ORDER BY id DESC LIMIT 1');
    return fileWorldRecord(made);
  }

  delete(world: number): boolean {
    const known = this.#row(world) !== undefined;
    if (known) this.#whole(() => this.#remove(world));
    return known;
  }

  expire(nowMs: number, open: readonly number[]): readonly string[] {
    const over = worldRows(this.#db, `WHERE expires <= ${nowMs} ORDER BY id`).map(fileWorldRecord);
    const removed = over.map(({ id }) => id).filter((id) => !open.includes(worldNumber(id)));
    if (removed.length > 0) this.#whole(() => removed.forEach((id) => this.#remove(worldNumber(id))));
    return removed;
  }

  read(world: number): Whole | null {
    const row = this.#row(world);
    if (row === undefined) return null;
    const { header, place: written } = row;
    const snapshot = storedSnapshot(this.#db, world);
    const [ends] = this.#rows(`SELECT min(pos) AS first, max(pos) AS last FROM block WHERE ${ofWorld(world)}`);
    const { first, last } = ends as { readonly first: number | null; readonly last: number | null };
    const place = last === null ? (snapshot?.place ?? 1) - 1 : last - world * PLACES;
    if (place !== written) throw new StoreError('damaged', `${placeOf('block', world, Number(written))} is missing`);
    return {
      record: fileWorldRecord(row),
      header,
      snapshot,
      first: first === null ? place + 1 : first - world * PLACES,
      place,
    };
  }

  readDamaged(world: number): DamagedWhole | null {
    const row = this.#row(world);
    if (row === undefined) return null;
    const record = fileWorldRecord(row);
    const damage = [...this.#leftOut];
    const tried = <T>(otherwise: T, read: () => T): T => {
      try {
        return read();
      } catch (error) {
        damage.push(error instanceof Error ? error.message : String(error));
        return otherwise;
      }
    };
    const end = (which: 'min' | 'max', otherwise: number): number =>
      tried(otherwise, () => {
        const [found] = this.#rows(
          `SELECT ${which}(pos) - ${world * PLACES} AS pos FROM block WHERE ${ofWorld(world)}`,
        );
        return (found as { readonly pos: number | null }).pos ?? otherwise;
      });
    const snapshot = tried(null, () => storedSnapshot(this.#db, world));
    const written = row.place ?? 0;
    const [first, last] = [end('min', snapshot?.place ?? 1), end('max', 0)];
    if (last !== 0 && last !== written) damage.push(`its last block is ${last}, and not ${written}`);
    return { whole: { record, header: row.header, snapshot, first, place: Math.max(last, written) }, damage };
  }

  pieces(world: number, from: number, most?: number): readonly string[] {
    return this.#texts('piece', world, from, most);
  }

  blocks(world: number, from: number, most?: number): readonly string[] {
    return this.#texts('block', world, from, most);
  }

  flush({ blocks, pieces, snapshots }: Flush<string | Uint8Array>): null {
    const bodies = blocks.map(({ world, place, text: plain }) =>
      plain.length === 0 ? null : packedBody(plain, placeOf('block', world, place)),
    );
    const parts = pieces.map(({ world, number, text: plain }) => packedBody(plain, placeOf('piece', world, number)));
    this.#whole(() => {
      blocks.forEach((block, index) => this.#writeBlock(block, bodies[index]));
      pieces.forEach((piece, index) => this.#writePiece(piece, parts[index]));
      for (const snapshot of snapshots) this.#writeSnapshot(snapshot);
    });
    return null;
  }

  adopt(
    wanted: NewWorld,
    header: string,
    { pieces, snapshots }: Omit<Flush, 'blocks'>,
    texts: readonly string[],
    head: number,
  ): number {
    const world = worldNumber(this.create(wanted).id);
    const blocks = texts.map((each, index) => ({ world, place: index + 1, head, header: null, text: each }));
    try {
      this.flush({
        blocks: [{ world, place: 0, head, header, text: '' }, ...blocks],
        pieces: pieces.map((piece) => ({ ...piece, world })),
        snapshots: snapshots.map((snapshot) => ({ ...snapshot, world })),
      });
    } catch (error) {
      this.delete(world);
      throw error;
    }
    return world;
  }

  size(world: number): StoreSize {
    const sum = (table: string): { readonly count: number; readonly bytes: number | null } =>
      this.#rows(`SELECT count(*) AS count, sum(length(body)) AS bytes FROM ${table} WHERE ${ofWorld(world)}`)[0] as {
        readonly count: number;
        readonly bytes: number | null;
      };
    const [blocks, pieces] = [sum('block'), sum('piece')];
    return { blocks: blocks.count, bytes: (blocks.bytes ?? 0) + (pieces.bytes ?? 0) };
  }

  compact(world: number, forgets: boolean): null {
    const whole = this.read(world);
    if (whole === null) return null;
    const { snapshot, first, place, record } = whole;
    this.#db.exec('CREATE TEMP TABLE IF NOT EXISTS fresh(pos INTEGER PRIMARY KEY, head, codec, body)');
    this.#whole(() => {
      this.#db.exec('DELETE FROM fresh');
      let next = 0;
      let waiting: string[] = [];
      let size = 0;
      const write = (): void => {
        if (waiting.length === 0) return;
        const body = packedBody(waiting.join('\n'), placeOf('block', world, ++next));
        this.#db.exec(`INSERT INTO fresh VALUES (${world * PLACES + next}, ${record.head}, ${body})`);
        waiting = [];
        size = 0;
      };
      const add = (lines: readonly string[]): void => {
        if (lines.length === 0) return;
        waiting.push(...lines);
        size += lines.reduce((sum, { length }) => sum + length, 0);
        if (size >= BLOCK_CHARACTERS) write();
      };
      let cut = next + 1;
      for (let at = forgets && snapshot ? snapshot.place : first; at <= place;) {
        for (const each of this.blocks(world, at)) {
          const lines = each.split('\n');
          const isCut = at === snapshot?.place;
          if (isCut) {
            if (!forgets) add(lines.slice(0, snapshot.lines));
            write();
            cut = next + 1;
          }
          add(isCut ? lines.slice(snapshot.lines) : lines);
          at++;
        }
      }
      write();
      if (snapshot && snapshot.place > place) cut = next + 1;
      this.#db.exec(`DELETE FROM block WHERE ${ofWorld(world)}`);
      this.#db.exec('INSERT INTO block SELECT * FROM fresh');
      this.#db.exec('DELETE FROM fresh');
      this.#db.exec(`UPDATE world SET place = ${next} WHERE id = ${world}`);
      if (snapshot) this.#writeSnapshot({ ...snapshot, place: cut, lines: 0 });
    });
    return null;
  }

  shrink(): null {
    this.#db.exec('VACUUM');
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#presence.check(true);
    return null;
  }

  integrity(): readonly string[] {
    return findings(this.#db, '');
  }

  close(): null {
    this.#db.close();
    return null;
  }

  #writeBlock({ world, place, head, header }: Block<unknown>, body: string | null): void {
    const named = header === null ? '' : `, header = ${sqlText(header)}`;
    this.#db.exec(`UPDATE world SET head = ${head}, place = ${place}${named} WHERE id = ${world}`);
    if (header !== null) sumWorld(this.#db, world);
    if (body !== null) this.#db.exec(`INSERT INTO block VALUES (${world * PLACES + place}, ${head}, ${body})`);
  }

  /** Writes a piece of a snapshot; replaces one that an unfinished snapshot left behind. */
  #writePiece({ world, number }: WritePiece<unknown>, body: string): void {
    this.#db.exec(`INSERT OR REPLACE INTO piece VALUES (${world * PLACES + number}, ${body})`);
  }

  #writeSnapshot(snapshot: Snapshot): void {
    const { world, entry, place, lines, first, last, size } = snapshot;
    const values = [world, entry, place, lines, first, last, size].join(', ');
    this.#db.exec(`INSERT OR REPLACE INTO snapshot VALUES (${values}, ${sqlText(snapshotSum(snapshot))})`);
    const from = world * PLACES;
    this.#db.exec(`DELETE FROM piece WHERE ${ofWorld(world)} AND (pos < ${from + first} OR pos > ${from + last})`);
  }

  /** Reads the next consecutive texts, up to the limits of one read. */
  #texts(table: 'piece' | 'block', world: number, from: number, most = ROWS_AT_ONCE): readonly string[] {
    const start = world * PLACES + from;
    const rows = `FROM ${table} WHERE pos >= ${start} AND pos < ${(world + 1) * PLACES} ORDER BY pos LIMIT`;
    const sizes = this.#rows(`SELECT length(body) AS size ${rows} ${most}`) as { readonly size: number }[];
    let count = 0;
    for (let bytes = 0; count < sizes.length && bytes < READ_BYTES; count++) bytes += sizes[count].size;
    return this.#rows(`SELECT ${BODY_COLUMNS} ${rows} ${count}`).map((row, index) =>
      unpacked(row, start + index, placeOf(table, world, from + index)),
    );
  }

  #rows(query: string): unknown[] {
    return this.#db.prepare(query).all();
  }

  #row(world: number): FileWorldRow | undefined {
    return worldRows(this.#db, `WHERE id = ${world}`).at(0);
  }

  #newest(): number {
    return numberIn(this.#rows('SELECT max(id) AS id FROM world')[0], 'id');
  }

  /** Checks what every start needs; a world's contents are checked when it is opened. @throws StoreError `damaged` */
  #requireSound(): void {
    requireSchema(this.#db);
    for (const table of ['world', 'snapshot']) {
      const [finding] = findings(this.#db, sqlText(table));
      if (finding !== undefined) throw new StoreError('damaged', finding);
    }
    this.worlds();
  }

  #remove(world: number): void {
    for (const table of ['block', 'piece']) this.#db.exec(`DELETE FROM ${table} WHERE ${ofWorld(world)}`);
    this.#db.exec(`DELETE FROM snapshot WHERE world = ${world}`);
    this.#db.exec(`DELETE FROM world WHERE id = ${world}`);
  }

  /** Runs writes in one transaction; they are on disk once it returns. */
  #whole(write: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      write();
      this.#db.exec('COMMIT');
    } catch (error) {
      try {
        this.#db.exec('ROLLBACK');
      } catch {
        // SQLite has rolled back the transaction already; the write's error is thrown.
      }
      throw error;
    }
    this.#presence.check();
  }
}
