import {
  type Folding,
  foldLedger,
  type Fork,
  forkWorld,
  type StoredWorld,
  World,
  type WorldConfig,
} from '../world/index.js';

/** The world of an engine, or of the first pack of a company: new, stored or forked. */
export function worldOf(
  config: WorldConfig,
  kept: Omit<StoredWorld, 'header'> | undefined,
  fork: Fork | undefined,
): World {
  if (fork) return forkWorld(fork, config);
  return kept && hasBegun(kept) ? foldLedger(kept.entries, config, foldingOf(kept)) : new World(config);
}

/** Whether a stored world has any entries. */
export function hasBegun({ base, entries }: Omit<StoredWorld, 'header'>): boolean {
  return base !== undefined || entries.length > 0;
}

/** The input of a fold besides entries. */
function foldingOf({ base, journal }: Omit<StoredWorld, 'header'>): Folding {
  const names = new Map<string, number | null>();
  for (const record of journal) if (record.kind === 'moment') names.set(record.name, record.entry);
  return { base, named: new Set([...names.values()].filter((entry) => entry !== null)) };
}
