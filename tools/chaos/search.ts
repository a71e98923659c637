import { RandomStream, seedOf } from '../../engine/world/index.js';
import { smallest } from './smallest.js';

/** What is searched, and how long. */
interface SearchOptions<T> {
  /** What is tried alone, in this order. */
  readonly singles: readonly T[];
  /** What excludes each other; combinations take one of a group at most. */
  readonly groups: readonly (readonly T[])[];
  /** Combinations that are tried when nothing breaks it alone. */
  readonly runs: number;
  readonly seed: string;
  /** How many are tried at once; one unless given. */
  readonly jobs?: number;
}

/**
 * The smallest schedule that breaks something: each trouble alone, then combinations, of which all is left out that does not matter.
 * Null: none was found.
 */
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

/** Schedules in which about a third of the groups apply, the same for the same seed. */
function* combinations<T>(groups: readonly (readonly T[])[], seed: string): Generator<readonly T[]> {
  const random = new RandomStream(seedOf(`chaos ${seed}`));
  if (groups.length < 2) return;
  for (;;) {
    const hit = groups.filter(() => random.integer(0, 2) === 0);
    if (hit.length < 2) continue;
    yield hit.map((choices) => choices[random.integer(0, choices.length - 1)]);
  }
}
