import { RandomStream, seedOf } from '../../engine/world/index.js';
import { smallest } from './smallest.js';

/** The options of a search. */
interface SearchOptions<T> {
  /** Items to try alone, in this order. */
  readonly singles: readonly T[];
  /** Items that exclude each other; combinations contain at most one of a group. */
  readonly groups: readonly (readonly T[])[];
  /** Number of combinations to try if no single item fails the check. */
  readonly runs: number;
  readonly seed: string;
  /** Number of concurrent tries; one by default. */
  readonly jobs?: number;
}

/** Searches for the smallest failing schedule: tries each item alone, then combinations, and removes what isn't needed. Null if none was found. */
export async function searchSchedule<T>(
  { singles, groups, runs, seed, jobs = 1 }: SearchOptions<T>,
  breaks: (schedule: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | null> {
  for (let at = 0; at < singles.length; at += jobs) {
    const tried = singles.slice(at, at + jobs);
    const broken = await Promise.all(tried.map((each) => breaks([each])));
    const first = broken.indexOf(true);
    if (first >= 0) return [tried[first]];
  }
  let left = runs;
  for (const schedule of combinations(groups, seed)) {
    if (left-- <= 0) return null;
    if (await breaks(schedule)) return smallest(schedule, breaks);
  }
  return null;
}

/** Schedules with about a third of the groups each, the same for the same seed. */
function* combinations<T>(groups: readonly (readonly T[])[], seed: string): Generator<readonly T[]> {
  const random = new RandomStream(seedOf(`chaos ${seed}`));
  if (groups.length < 2) return;
  for (;;) {
    const hit = groups.filter(() => random.integer(0, 2) === 0);
    if (hit.length < 2) continue;
    yield hit.map((choices) => choices[random.integer(0, choices.length - 1)]);
  }
}
