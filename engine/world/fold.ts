import type { StoredEntry } from './ledger.js';
import type { Timer } from './timers.js';
import { World, type WorldConfig } from './world.js';

/**
 * The world that a ledger adds up to: objects, timers, control data, clock, and the positions from which it goes on drawing.
 * What the outside did is in the journal. Entries may have been JSON in between.
 * @param entries all of a world's life, or all since a reset that kept nothing
 * @param config that of the world; its numbering is the entries' own
 * @throws RangeError when the beginning is missing
 */
export function foldLedger(entries: readonly StoredEntry[], config: WorldConfig): World {
  const world = new World({ ...config, after: undefined });
  const begin = lastBeginning(entries);
  const from = entries.at(begin);
  if (from && from.n !== 1 && !emptiesAll(from))
    throw new RangeError(`the ledger is not whole: it begins at ${from.n}`);
  const timers = new Map<number, Timer>();
  entries.forEach((entry, index) => world.replay(entry, index < begin ? undefined : timers));
  return world;
}

/** Where what is still true begins: what was before may be of another state of the pack. */
function lastBeginning(entries: readonly StoredEntry[]): number {
  for (let at = entries.length - 1; at > 0; at--) {
    if (emptiesAll(entries[at])) return at;
  }
  return 0;
}

function emptiesAll({ changes: [first] }: StoredEntry): boolean {
  return first?.op === 'reset' && first.keep.length === 0;
}
