import { type Fork, type JournalRecord, type Past, type Positions, type World } from '../world/index.js';

/** Apart so far that streams never meet: a stream of 2^53 positions holds 2^18 of such lengths. */
const STRIDE = 2 ** 35;
const MOST_STRIDES = 2 ** 18;

/** What the outside had done until the entry behind this one came, traces of served calls included. */
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
 * What a fork of a world after an entry begins with.
 * @param apart the fork's number: it draws from a place of its own, so that its ids and those of the world and of other forks
 * never meet. Without it the next calls get the ids that they get in the world. What follows from the world's seed alone (secrets
 * of endpoints) stays the same
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
