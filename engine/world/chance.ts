/** The occasions (turns) to which a fault applies. */
export interface Turns {
  /** Number of turns to which the fault doesn't apply at first. */
  readonly after: number;
  /** Probability, from 0 to 1, that the fault applies to a later turn. */
  readonly probability: number;
  /** Number of the fault's turns that have occurred. */
  readonly seen: number;
}

/** Returns the turns of a new fault; undefined if the fault applies to every turn, so that counting isn't needed. */
export function turnsOf(after: number | undefined, probability: number | undefined): Turns | undefined {
  if ((after ?? 0) === 0 && (probability ?? 1) === 1) return undefined;
  return { after: after ?? 0, probability: probability ?? 1, seen: 0 };
}

/**
 * Whether a fault applies to its next turn.
 * @param share returns a number from 0 to 1 (exclusive) that depends only on the world's seed and a text
 */
export function isHit(id: string, { after, probability, seen }: Turns, share: (text: string) => number): boolean {
  return seen >= after && (probability === 1 || share(`turn ${id} ${seen}`) < probability);
}
