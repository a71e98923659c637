/** Which occasions a fault applies to. Each occasion at which it could apply is a turn. */
export interface Turns {
  /** Number of turns that are skipped first. */
  readonly after: number;
  /** Probability for each later turn, from 0 to 1. */
  readonly probability: number;
  /** Number of turns so far. */
  readonly seen: number;
}

/** The turns of a new fault; undefined: it applies to every turn, so none is counted. */
export function turnsOf(after: number | undefined, probability: number | undefined): Turns | undefined {
  if ((after ?? 0) === 0 && (probability ?? 1) === 1) return undefined;
  return { after: after ?? 0, probability: probability ?? 1, seen: 0 };
}

/**
 * Whether a fault applies to a turn.
 * @param share returns a number from 0 to 1 (exclusive) that depends only on the world's seed and a text
 */
export function isHit(id: string, { after, probability, seen }: Turns, share: (text: string) => number): boolean {
  return seen >= after && (probability === 1 || share(`turn ${id} ${seen}`) < probability);
}
