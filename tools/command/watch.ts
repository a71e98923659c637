import { packSignature } from '../../engine/pack/index.js';

/** Milliseconds between two checks of the files. */
const LOOK_INTERVAL_MS = 200;

/** A running check of files, until it is closed. */
export interface Watch {
  close(): void;
}

/**
 * Calls back when files of a pack's folder were saved, made or removed. Looks at their times instead of asking the system
 * to report, which works on every file system; a change is reported once nothing changed for one more look.
 *
 * @param before what `signature` gave before the folder was read, so that nothing saved since is missed
 */
export function watchFolder(folder: string, onChange: () => void, before = signature(folder)): Watch {
  return watchText(() => signature(folder), onChange, before);
}

/** Calls back when what a text says has changed, and stayed the same for one more look. */
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
