import { packSignature } from '../../engine/pack/index.js';

/** Milliseconds between two checks of the files. */
const LOOK_INTERVAL_MS = 200;

/** A running check of files, until it is closed. */
export interface Watch {
  close(): void;
}

/**
 * Calls back after files of a pack's folder were saved, created or removed. Compares their times and sizes, which works on every file system; a
 * change is reported once nothing changed until the next check.
 * @param before `signature` of the folder before it was read, so that no change is missed
 */
export function watchFolder(folder: string, onChange: () => void, before = signature(folder)): Watch {
  return watchText(() => signature(folder), onChange, before);
}

/** Calls back after a text has changed and stayed the same until the next check. */
export function watchText(read: () => string, onChange: () => void, before = read()): Watch {
  let seen = before;
  let settling = seen;
  const ticker = setInterval(() => {
    const now = read();
    if (now === seen) return;
    if (now !== settling) {
      settling = now;
      return;
    }
    seen = now;
    onChange();
  }, LOOK_INTERVAL_MS);
  return { close: () => clearInterval(ticker) };
}

/** Names, times and sizes of the YAML files in a pack's folder. */
export function signature(folder: string): string {
  return packSignature(folder).text;
}
