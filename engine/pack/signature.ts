import { readdirSync, statSync } from 'node:fs';
import { sep } from 'node:path';

/** Maximum depth of folders in a pack: `flows/AREA`. */
const DEEPEST = 2;

/** The metadata of a pack's files, without reading them. */
export interface PackSignature {
  /** Names, times and sizes; changes when a file is saved, created or removed. */
  readonly text: string;
  /** Like `text`, but also with the names of everything else in the folder. */
  readonly all: string;
  /** Time of the newest change, in milliseconds of real time. A file may change again without getting a new time. */
  readonly newest: number;
}

/** Reads the metadata of the YAML files in a pack's folder. Unreadable files and folders count as missing. */
export function packSignature(folder: string): PackSignature {
  const found: string[] = [];
  const others: string[] = [];
  let newest = 0;
  const look = (directory: string, depth: number): void => {
    for (const entry of entriesOf(directory)) {
      const path = directory + sep + entry.name;
      if (entry.isDirectory() && depth < DEEPEST && !entry.name.startsWith('.')) look(path, depth + 1);
      else if (/\.(?:yaml|graphql)$/.test(entry.name)) {
        const { times, text } = lookAt(path);
        newest = Math.max(newest, ...times);
        found.push(`${path} ${text}`);
      } else others.push(path);
    }
  };
  look(folder, 0);
  const text = found.sort().join('\n');
  return { text, all: `${text}\n\n${others.sort().join('\n')}`, newest };
}

function lookAt(path: string): { readonly times: readonly number[]; readonly text: string } {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path);
    return { times: [mtimeMs, ctimeMs], text: `${mtimeMs} ${ctimeMs} ${size} ${ino}` };
  } catch {
    return { times: [], text: 'gone' };
  }
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
