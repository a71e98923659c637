import { parentPort, workerData } from 'node:worker_threads';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import Database from 'libsql';
import type { Block, Calls, Reply, Request, Start, Whole } from './protocol.js';
import { type NewWorld, StoreError, type StoreFault, type WorldRecord } from './store.js';

/** Raise it when tables or blocks are written differently. */
const FORMAT = 1;
/** Says that an SQLite file is a store: `sbox`. */
const APPLICATION = 0x73626f78;
const BROTLI = 1;
/** Blocks of a world have the numbers from its own times this. */
const PLACES = 2 ** 32;

const FAULTS: Readonly<Record<string, StoreFault>> = {
  SQLITE_BUSY: 'locked',
  SQLITE_LOCKED: 'locked',
  SQLITE_NOTADB: 'format',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_FULL: 'full',
};

/**
 * A file of worlds. Everything is written with `exec`: the driver ends the whole process when a prepared statement meets a
 * full disk.
 */
class Tables implements Calls {
  readonly #db: InstanceType<typeof Database>;

  constructor({ file, maxBytes }: Start) {
    this.#db = new Database(file, { timeout: 0 });
    // One statement at a time, and in the end something written: only that takes the lock.
    this.#db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const [application, format, pages, size] = ['application_id', 'user_version', 'page_count', 'page_size'].map(
      (name) => numberIn(this.#db.prepare(`PRAGMA ${name}`).get(), name),
    );
    if (pages > 0 && application !== APPLICATION && this.#hasTables())
      throw new StoreError('format', 'the file is an SQLite database, but no store of worlds');
    if (application === APPLICATION && format !== FORMAT)
      throw new StoreError('format', `the store has format ${format}; this version reads format ${FORMAT}`);
    this.#db.exec('PRAGMA journal_mode = WAL');
    this.#db.exec('PRAGMA synchronous = FULL');
    this.#whole(() => {
      this.#db.exec(`PRAGMA application_id = ${APPLICATION}`);
      this.#db.exec(`PRAGMA user_version = ${FORMAT}`);
      this.#db.exec('CREATE TABLE IF NOT EXISTS opened(at TEXT NOT NULL)');
      this.#db.exec(
        `CREATE TABLE IF NOT EXISTS world(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, key TEXT NOT NULL,
         pack TEXT NOT NULL, expires INTEGER, head INTEGER NOT NULL, header TEXT)`,
      );
      this.#db.exec(
        'CREATE TABLE IF NOT EXISTS block(pos INTEGER PRIMARY KEY, head INTEGER NOT NULL, codec INTEGER NOT NULL, body BLOB NOT NULL)',
      );
      this.#db.exec('DELETE FROM opened');
      this.#db.exec("INSERT INTO opened VALUES (datetime('now'))");
    });
    if (maxBytes !== null) this.#db.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / size)}`);
  }

  worlds(): readonly WorldRecord[] {
    return this.#db
      .prepare(`SELECT ${COLUMNS} FROM world ORDER BY id`)
      .all()
      .map((row) => recordOf(row));
  }

  create({ name, key, pack, expires }: NewWorld): WorldRecord {
    if (this.worlds().some((world) => world.name === name))
      throw new StoreError('taken', `there is a world '${name}' already`);
    const values = [text(name), text(key), text(pack), expires === null ? 'NULL' : String(expires), '0'];
    this.#whole(() => this.#db.exec(`INSERT INTO world(name, key, pack, expires, head) VALUES (${values.join(', ')})`));
    return recordOf(this.#db.prepare(`SELECT ${COLUMNS} FROM world ORDER BY id DESC LIMIT 1`).get());
  }

  delete(world: number): boolean {
    const known = this.#row(world) !== undefined;
    if (known) this.#whole(() => this.#remove(world));
    return known;
  }

  expire(nowMs: number, open: readonly number[]): readonly string[] {
    const over = this.worlds().filter(({ expires }) => expires !== null && expires <= nowMs);
    const gone = over.map(({ id }) => id).filter((id) => !open.includes(numberOf(id)));
    if (gone.length > 0) this.#whole(() => gone.forEach((id) => this.#remove(numberOf(id))));
    return gone;
  }

  read(world: number): Whole | null {
    const row = this.#row(world);
    if (row === undefined) return null;
    const { header } = row as { readonly header: string | null };
    const blocks = this.#db.prepare(`SELECT pos, codec, body FROM block WHERE ${ofWorld(world)} ORDER BY pos`).all();
    const texts = blocks.map((block, index) => unpacked(block, world, index + 1));
    return { record: recordOf(row), header, texts, place: texts.length };
  }

  flush(blocks: readonly Block[]): null {
    const packed = blocks.map(
      (block) => [block, block.text === '' ? null : compressed(block.text).toString('hex')] as const,
    );
    this.#whole(() => {
      for (const [{ world, place, head, header }, body] of packed) {
        const named = header === null ? '' : `, header = ${text(header)}`;
        this.#db.exec(`UPDATE world SET head = ${head}${named} WHERE id = ${world}`);
        if (body !== null)
          this.#db.exec(`INSERT INTO block VALUES (${world * PLACES + place}, ${head}, ${BROTLI}, x'${body}')`);
      }
    });
    return null;
  }

  close(): null {
    this.#db.close();
    return null;
  }

  #row(world: number): unknown {
    return this.#db.prepare(`SELECT ${COLUMNS}, header FROM world WHERE id = ${world}`).get();
  }

  #remove(world: number): void {
    this.#db.exec(`DELETE FROM block WHERE ${ofWorld(world)}`);
    this.#db.exec(`DELETE FROM world WHERE id = ${world}`);
  }

  #hasTables(): boolean {
    return this.#db.prepare('SELECT name FROM sqlite_master LIMIT 1').get() !== undefined;
  }

  /** All of it or nothing; safe when it returns. */
  #whole(write: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      write();
      this.#db.exec('COMMIT');
    } catch (error) {
      try {
        this.#db.exec('ROLLBACK');
      } catch {
        // SQLite has taken it back by itself; the reason is the first error.
      }
      throw error;
    }
  }
}

const COLUMNS = 'id, name, key, pack, expires, head';

function recordOf(row: unknown): WorldRecord {
  const { id, name, key, pack, expires, head } = row as Omit<WorldRecord, 'id'> & { readonly id: number };
  return { id: `w${id}`, name, key, pack, expires, head };
}

function numberOf(id: string): number {
  return Number(id.slice(1));
}

function numberIn(row: unknown, name: string): number {
  return Number((row as Readonly<Record<string, unknown>> | undefined)?.[name] ?? 0);
}

function ofWorld(world: number): string {
  return `pos > ${world * PLACES} AND pos < ${(world + 1) * PLACES}`;
}

/** A text as SQL writes it. */
function text(value: string): string {
  return `CAST(x'${Buffer.from(value).toString('hex')}' AS TEXT)`;
}

function compressed(plain: string): Buffer {
  return brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

function unpacked(row: unknown, world: number, place: number): string {
  const { pos, codec, body } = row as { readonly pos: number; readonly codec: number; readonly body: Uint8Array };
  const damaged = (what: string): StoreError => new StoreError('damaged', `block ${place} of world w${world} ${what}`);
  if (pos !== world * PLACES + place) throw damaged('is missing');
  if (codec !== BROTLI) throw new StoreError('format', `block ${place} of world w${world} is written as ${codec}`);
  try {
    return brotliDecompressSync(body).toString();
  } catch {
    throw damaged('cannot be read');
  }
}

function faultOf(error: unknown): { readonly code: StoreFault; readonly message: string } {
  if (error instanceof StoreError) return { code: error.code, message: error.message };
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const name = String(code).split('_').slice(0, 2).join('_');
  return { code: FAULTS[name] ?? 'failed', message: `${String(message)} (${String(code)})` };
}

function main(port: NonNullable<typeof parentPort>): void {
  const answer = (number: number, work: () => unknown): void => {
    let reply: Reply;
    try {
      reply = { number, result: work() };
    } catch (error) {
      reply = { number, error: faultOf(error) };
    }
    port.postMessage(reply);
  };
  let tables: Tables | undefined;
  answer(0, () => {
    tables = new Tables(workerData as Start);
    return null;
  });
  if (tables === undefined) {
    port.close();
    return;
  }
  const calls: Readonly<Record<keyof Calls, (...args: never[]) => unknown>> = tables;
  port.on('message', ({ number, call, args }: Request) => {
    answer(number, () => Reflect.apply(calls[call], tables, args) as unknown);
    if (call === 'close') port.close();
  });
}

if (parentPort) main(parentPort);
