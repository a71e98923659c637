/** Which turns a fault applies to: a turn is something that it could apply to. */
export interface Turns {
  /** So many pass first. */
  readonly after: number;
  /** Chance of each later one, from 0 to 1. */
  readonly probability: number;
  /** Turns so far. */
  readonly seen: number;
}

/** Turns as they are ordered; undefined: it applies to every turn, and none has to be counted. */
export function turnsOf(after: number | undefined, probability: number | undefined): Turns | undefined {
  if ((after ?? 0) === 0 && (probability ?? 1) === 1) return undefined;
  return { after: after ?? 0, probability: probability ?? 1, seen: 0 };
}

/**
 * Whether a fault applies to a turn.
 * @param share a number from 0 to 1 (not included) that depends on the world's seed and a text only
 */
export function isHit(id: string, { after, probability, seen }: Turns, share: (text: string) => number): boolean {
  return seen >= after && (probability === 1 || share(`turn ${id} ${seen}`) < probability);
}
