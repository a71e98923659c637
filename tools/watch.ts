import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** How often files are looked at, in milliseconds. */
const EVERY = 200;

/** Folders of a pack inside each other: `flows/AREA`. */
const DEEPEST = 2;

/** Something that looks at files until it is closed. */
export interface Watch {
  close(): void;
}

/**
 * Calls back when files of a pack's folder were saved, made or removed. Looks at their times instead of asking the system
 * to tell, which works on every file system; a change is told once nothing changed for one more look.
 *
 * @param before what `signature` gave before the folder was read, so that nothing saved since is missed
 */
export function watchFolder(folder: string, onChange: () => void, before = signature(folder)): Watch {
  let seen = before;
  let settling = seen;
  const ticker = setInterval(() => {
    const now = signature(folder);
    if (now === seen) return;
    if (now !== settling) {
      settling = now;
      return;
    }
    seen = now;
    onChange();
  }, EVERY);
  return { close: () => clearInterval(ticker) };
}

/** Names, times and sizes of the YAML files of a pack's folder. */
export function signature(folder: string): string {
  const found: string[] = [];
  const look = (directory: string, depth: number): void => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && depth < DEEPEST && !entry.name.startsWith('.')) look(path, depth + 1);
      else if (entry.name.endsWith('.yaml')) found.push(`${path} ${timeOf(path)}`);
    }
  };
  look(folder, 0);
  return found.sort().join('\n');
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function timeOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'gone';
  }
}
