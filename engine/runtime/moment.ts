import { type Fork, type JournalRecord, type Past, type Positions, type World } from '../world/index.js';

/**
 * Distance in a random stream between forks, so large that they never overlap: a stream of 2^53 positions has 2^18 such
 * sections.
 */
const STRIDE = 2 ** 35;
const MOST_STRIDES = 2 ** 18;

/** Returns the journal's records before the ledger entry after `n`, with the traces of calls. */
export function journalUntil(world: World, n: number, { requests }: Positions): JournalRecord[] {
  const last = world.ledger.entry(n);
  const { pack } = world.config;
  const traces = world.traces.records((id, entry) => entry < n || (last !== undefined && id === last.trace), {
    requests,
    pack,
  });
  return [...world.journal.upTo(n).filter(({ kind }) => kind !== 'moment'), ...traces];
}

/**
 * Builds the starting point of a fork after an entry.
 * @param apart number of the fork, which selects a separate section of the random streams, so that its ids differ from those of
 * the world and of other forks; without it, the next calls get the same ids as in the world. Values derived from the world's
 * seed alone, such as secrets of endpoints, are always the same
 * @throws BeyondLedger
 */
export function forkOf(past: Past, source: World, n: number, apart?: number): Fork {
  const then = past.at(n);
  const placed = (position: number): number =>
    apart === undefined ? position : (position % STRIDE) + STRIDE * (apart % MOST_STRIDES);
  const [after, ...afterBeside] = then.timeline.worlds.map(({ positions: { seq, random, requests, outside } }) => ({
    seq,
    random: placed(random),
    requests: placed(requests),
    outside: placed(outside),
  }));
  const all = [after, ...afterBeside];
  const journal = source.timeline.worlds.flatMap((each, at) => journalUntil(each, n, all[at]));
  return { past: then, source, after, afterBeside, journal };
}
