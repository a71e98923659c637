import { checkpointOf, type JournalRecord, type Past, seedOf, type StoredEntry, type World } from '../world/index.js';

/** A world at one moment, as a world that was kept: what `createSandbox({ kept })` goes on from, with a header of the same seed. */
export interface Moment {
  readonly entries: readonly StoredEntry[];
  readonly journal: readonly JournalRecord[];
}

/** Apart so far that streams never meet: a stream of 2^53 positions holds 2^18 of such lengths. */
const STRIDE = 2 ** 35;

/**
 * All that a world was after an entry: one entry that stands for those up to it, and what the outside had done until the next
 * one, traces of answered calls included.
 * @param apart a fork of this name draws from elsewhere, so that its ids and the world's never meet; without it the next calls
 * get the same ids. What follows from the world's seed alone (secrets of endpoints) stays the same
 * @throws BeyondLedger
 */
export function momentOf(past: Past, world: World, n: number, apart?: string): Moment {
  const entry = checkpointOf(past.at(n));
  const last = world.ledger.entry(n);
  const { random, seq, requests, outside } = entry.after;
  const traces = world.traces
    .newest(Infinity)
    .reverse()
    .filter((trace) => trace.entry < n || (last !== undefined && trace.id === last.trace))
    .map((trace): JournalRecord => ({ kind: 'trace', trace, requests }));
  const outsideThen = world.journal.upTo(n).filter(({ kind }) => kind !== 'moment');
  const leap = apart === undefined ? 0 : STRIDE * (1 + (seedOf(apart) % 2 ** 17));
  const after = { seq, random: random + leap, requests: requests + leap, outside: outside + leap };
  return { entries: [{ ...entry, after }], journal: [...outsideThen, ...traces] };
}
