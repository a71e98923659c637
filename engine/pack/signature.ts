import { readdirSync, statSync } from 'node:fs';
import { sep } from 'node:path';

/** Folders of a pack inside each other: `flows/AREA`. */
const DEEPEST = 2;

/** What the file system says of a pack's files without reading them. */
export interface PackSignature {
  /** Names, times and sizes; another text: something was saved, made or removed. */
  readonly text: string;
  /** The same with the names of everything else in the folder. */
  readonly all: string;
  /** The newest change in milliseconds of real time: what changed so lately may change again without a new time. */
  readonly newest: number;
}

/** Looks at the YAML files of a pack's folder. Files and folders that cannot be looked at count as not there. */
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
