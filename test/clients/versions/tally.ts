import type { ShapeProblem } from '../../../tools/develop/conformance/index.js';

/** Where a body comes from. */
export type Kind = 'answers' | 'events' | 'objects';

/** How many bodies of a kind were checked, and how many of them were valid. */
export interface Count {
  all: number;
  valid: number;
}

/** What was found in bodies of one version. */
export interface Found {
  readonly counts: Readonly<Record<Kind, Count>>;
  /** By place and kind of the problem: what is wrong, how often, and where it was met first. */
  readonly problems: Readonly<Record<string, { count: number; readonly message: string; readonly first: string }>>;
}

/** Counts bodies of one version. */
export class Tally {
  #found = nothing();

  add(kind: Kind, label: string, problems: readonly ShapeProblem[]): void {
    const count = this.#found.counts[kind];
    count.all += 1;
    if (problems.length === 0) count.valid += 1;
    for (const { type, at, code, message, path } of problems) {
      const problem = (this.#found.problems[`${type}.${at} ${code}`] ??= {
        count: 0,
        message,
        first: `${label} at ${path}`,
      });
      problem.count += 1;
    }
  }

  /** What was found since the last time. */
  take(): Found {
    const found = this.#found;
    this.#found = nothing();
    return found;
  }
}

function nothing(): {
  counts: Record<Kind, Count>;
  problems: Record<string, { count: number; message: string; first: string }>;
} {
  const none = (): Count => ({ all: 0, valid: 0 });
  return { counts: { answers: none(), events: none(), objects: none() }, problems: {} };
}
