import {
  type Folding,
  foldLedger,
  type Fork,
  forkWorld,
  type StoredWorld,
  World,
  type WorldConfig,
} from '../world/index.js';

/** Creates, restores or forks an engine's world. In a company, its first engine does this for all packs. */
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

/** Prepares the checkpoint and named moments of a stored world for `foldLedger`. */
function foldingOf({ base, journal }: Omit<StoredWorld, 'header'>): Folding {
  const names = new Map<string, number | null>();
  for (const record of journal) if (record.kind === 'moment') names.set(record.name, record.entry);
  return { base, named: new Set([...names.values()].filter((entry) => entry !== null)) };
}
