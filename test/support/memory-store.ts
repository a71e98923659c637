import type { StoredRecord, LedgerHeader, StoredEntry } from '../../engine/world/index.js';
import type { FolderBytes } from '../../engine/store/bytes.js';
import { temporaryBytes } from '../../engine/store/index.js';
import { type NewWorld, type OpenWorld, type Store, StoreError, type WorldRecord } from '../../engine/store/store.js';

interface Memory {
  record: WorldRecord;
  header: LedgerHeader | null;
  readonly entries: StoredEntry[];
  readonly journal: StoredRecord[];
  readonly files: FolderBytes;
  isOpen: boolean;
}

/** A store in memory: worlds survive their server, but not the process. Responses don't wait for it. */
export class MemoryStore implements Store {
  readonly failure = null;
  readonly #worlds = new Map<string, Memory>();
  #made = 0;
  #closed = false;

  get nowMs(): number {
    return Date.now();
  }

  worlds(): Promise<readonly WorldRecord[]> {
    return this.#do(() => [...this.#worlds.values()].map(recordOf));
  }

  find(idOrName: string): Promise<WorldRecord | undefined> {
    return this.#do(() => {
      const named = [...this.#worlds.values()].find(({ record }) => record.name === idOrName);
      const found = this.#worlds.get(idOrName) ?? named;
      return found && recordOf(found);
    });
  }

  ofKey(key: string): Promise<WorldRecord | undefined> {
    return this.#do(() => {
      const found = [...this.#worlds.values()].find(({ record }) => record.key === key);
      return found && recordOf(found);
    });
  }

  create(world: NewWorld): Promise<WorldRecord> {
    return this.#do(() => {
      for (const { record } of this.#worlds.values()) {
        if (record.name === world.name) throw new StoreError('taken', `there is a world '${world.name}' already`);
      }
      const record = { ...world, id: `w${++this.#made}`, head: 0 };
      this.#worlds.set(record.id, {
        record,
        header: null,
        entries: [],
        journal: [],
        files: temporaryBytes(),
        isOpen: false,
      });
      return record;
    });
  }

  delete(id: string): Promise<boolean> {
    return this.#do(() => {
      if (this.#worlds.get(id)?.isOpen) throw new StoreError('locked', `world ${id} is open`);
      return this.#remove(id);
    });
  }

  expire(nowMs: number): Promise<readonly string[]> {
    return this.#do(() => {
      const over = [...this.#worlds.values()].filter(
        ({ record: { expires }, isOpen }) => !isOpen && expires !== null && expires <= nowMs,
      );
      for (const { record } of over) this.#remove(record.id);
      return over.map(({ record }) => record.id);
    });
  }

  open(id: string): Promise<OpenWorld> {
    return this.#do(() => {
      const world = this.#worlds.get(id);
      if (!world) throw new StoreError('missing', `there is no world ${id}`);
      if (world.isOpen) throw new StoreError('locked', `world ${id} is open already`);
      world.isOpen = true;
      const { header, entries, journal } = world;
      // Whether the world was closed: later entries are dropped, since another server may have opened it.
      let isReleased = false;
      return {
        record: recordOf(world),
        kept: header === null ? undefined : { header, entries: [...entries], journal: [...journal] },
        keeper: {
          begin: (begun) => {
            if (!isReleased) world.header = begun;
          },
          entry: (entry) => {
            if (!isReleased) entries.push(entry);
          },
          record: (record, after) => {
            if (!isReleased) journal.push({ ...record, after });
          },
          kept: () => undefined,
          room: () => undefined,
        },
        files: world.files,
        release: () => {
          isReleased = true;
          world.isOpen = false;
          return Promise.resolve();
        },
      };
    });
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const { files } of this.#worlds.values()) files.remove();
    return Promise.resolve();
  }

  #remove(id: string): boolean {
    this.#worlds.get(id)?.files.remove();
    return this.#worlds.delete(id);
  }

  async #do<T>(work: () => T): Promise<T> {
    if (this.#closed) throw new StoreError('closed', 'the store is closed');
    return Promise.resolve(work());
  }
}

function recordOf({ record, entries }: Memory): WorldRecord {
  return { ...record, head: entries.at(-1)?.n ?? 0 };
}
