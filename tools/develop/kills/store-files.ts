import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Suffixes of a store's files in SQLite. */
const ENDS = ['', '-wal', '-shm'] as const;
/** Maximum growth of a store in bytes on a disk that becomes full. */
const ROOM_BYTES = 200_000;
/** Share of bit flips in the log, which contains the newest transactions. */
const FLIPS_OF_LOG = 0.7;

/** The files of a store after they were moved to another folder. */
export class StoreAside {
  private constructor(
    private readonly file: string,
    private readonly folder: string,
  ) {}

  /** Removes a store's files, like a deletion. @param replaces puts an older state of the file in their place */
  static take(file: string, replaces: boolean): StoreAside {
    const aside = StoreAside.#of(file, (from, to) => renameSync(from, to));
    if (replaces) copyFileSync(aside.#path(''), file);
    return aside;
  }

  static copyOf(file: string): StoreAside {
    return StoreAside.#of(file, (from, to) => copyFileSync(from, to));
  }

  static #of(file: string, move: (from: string, to: string) => void): StoreAside {
    const aside = new StoreAside(file, mkdtempSync(join(dirname(file), 'aside-')));
    for (const end of ENDS) if (existsSync(file + end)) move(file + end, aside.#path(end));
    return aside;
  }

  putBack(): void {
    for (const end of ENDS) {
      rmSync(this.file + end, { force: true });
      if (existsSync(this.#path(end))) renameSync(this.#path(end), this.file + end);
    }
    rmSync(this.folder, { recursive: true });
  }

  #path(end: string): string {
    return join(this.folder, `store${end}`);
  }
}

/** Returns the maximum size in bytes of each file of a store on a disk that becomes full soon. */
export function mostRoom(file: string): number {
  const sizes = ENDS.map((end) => statSync(file + end, { throwIfNoEntry: false })?.size ?? 0);
  return Math.max(...sizes) + Math.floor(Math.random() * ROOM_BYTES);
}

/** Flips a bit of a store that no process has open, and describes it. */
export function flipOneBit(file: string): string {
  const log = `${file}-wal`;
  const hasLog = existsSync(log) && statSync(log).size > 0;
  const hit = hasLog && Math.random() < FLIPS_OF_LOG ? log : file;
  const bytes = readFileSync(hit);
  const at = Math.floor(Math.random() * bytes.length);
  const bit = Math.floor(Math.random() * 8);
  bytes[at] ^= 1 << bit;
  writeFileSync(hit, bytes);
  return `bit ${bit} of byte ${at} of ${bytes.length} in ${hit}`;
}
