import { open } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { StoredBytes } from '../values/index.js';
import type { FileMirror, FolderBytes } from './bytes.js';
import { whole } from './pg-flush.js';

/**
 * Key of advisory locks (`sbof`). Writers of references share it; a process that deletes unreferenced parts holds it
 * exclusively.
 */
const FILE_LOCK = 0x73626f66;
/** Size of the parts into which files are divided, in bytes. */
const PART_BYTES = 1 << 20;

/**
 * The files of a world in PostgreSQL. Their parts are stored once for all worlds that refer to them, so that a fork copies only
 * names; the owner of a world reads them from a local folder.
 */
export class PgFiles implements FileMirror {
  /** Copies of files to the database that are in progress. */
  readonly #adding = new Set<Promise<void>>();

  constructor(
    private readonly pool: Pool,
    private readonly world: number,
  ) {}

  /** For responses to wait for: resolves once all files are in the database; undefined: they are already. */
  kept(): Promise<unknown> | undefined {
    return this.#adding.size === 0 ? undefined : Promise.all(this.#adding);
  }

  /** Copies the world's files from the database to a folder. A file with wrong content is left out; reading it then fails. */
  async load(files: FolderBytes): Promise<void> {
    const { rows } = await this.pool.query<{ hash: Buffer; size: string }>(
      'SELECT hash, size FROM sandbox.file WHERE world = $1',
      [this.world],
    );
    for (const { hash, size } of rows) {
      const writer = files.copier();
      for (let number = 0; number * PART_BYTES < Number(size); number++) {
        const { rows: parts } = await this.pool.query<{ body: Buffer }>(
          'SELECT body FROM sandbox.file_part WHERE hash = $1 AND number = $2',
          [hash, number],
        );
        if (parts.length > 0) await writer.write(parts[0].body);
      }
      const copied = await writer.finish();
      files.release(copied);
    }
  }

  add(bytes: StoredBytes, path: string): Promise<void> {
    return this.#track(this.#added(bytes, path));
  }

  adopt(other: FileMirror): Promise<void> {
    if (!(other instanceof PgFiles)) throw new Error('a fork keeps its files as its world does');
    const copied = `INSERT INTO sandbox.file(world, hash, size) SELECT $1, hash, size FROM sandbox.file WHERE world = $2
      ON CONFLICT DO NOTHING`;
    const adopted = async (): Promise<void> => {
      await other.kept();
      await this.pool.query(copied, [this.world, other.world]);
    };
    return this.#track(adopted());
  }

  async remove(hashes: readonly string[]): Promise<void> {
    const gone = 'DELETE FROM sandbox.file WHERE world = $1 AND hash = ANY($2)';
    await this.pool.query(gone, [this.world, hashes.map((each) => Buffer.from(each, 'hex'))]);
    await removeParts(this.pool);
  }

  #track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.#adding.delete(tracked));
    this.#adding.add(tracked);
    tracked.catch(() => undefined);
    return tracked;
  }

  async #added({ sha256, size }: StoredBytes, path: string): Promise<void> {
    const hash = Buffer.from(sha256, 'hex');
    // The file is opened immediately, since a sweep may delete it later; an open file stays readable.
    const file = await open(path);
    try {
      await whole(this.pool, async (client) => {
        await client.query('SELECT pg_advisory_xact_lock_shared($1, 0)', [FILE_LOCK]);
        await client.query('INSERT INTO sandbox.file(world, hash, size) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
          this.world,
          hash,
          size,
        ]);
        for (let number = 0; number * PART_BYTES < size; number++) {
          const part = Buffer.alloc(Math.min(PART_BYTES, size - number * PART_BYTES));
          await file.read(part, 0, part.length, number * PART_BYTES);
          await client.query(
            'INSERT INTO sandbox.file_part(hash, number, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
            [hash, number, part],
          );
        }
      });
    } finally {
      await file.close();
    }
  }
}

/** Deletes parts of files to which no world refers. */
export async function removeParts(pool: Pool): Promise<void> {
  await whole(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1, 0)', [FILE_LOCK]);
    await client.query(
      'DELETE FROM sandbox.file_part WHERE NOT EXISTS (SELECT FROM sandbox.file WHERE file.hash = file_part.hash)',
    );
  });
}
