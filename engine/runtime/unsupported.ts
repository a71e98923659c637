import type { UnsupportedUse } from '../world/index.js';

/** A use of something that the pack doesn't emulate, and how often it occurred. */
interface CountedUse extends UnsupportedUse {
  /** `<collection>.<operation>`; null: the request matched no operation. */
  readonly operation: string | null;
  count: number;
}

/** Maximum number of uses that are counted separately; further ones share a count, since callers can choose names. */
const MOST_USES = 1000;

/** Counts of uses of things that the pack doesn't emulate, since the process started. */
export class UnsupportedUses {
  readonly #all = new Map<string, CountedUse>();

  /** Counts a use. @returns whether no use of the same kind, name and operation was counted before */
  note({ kind, name }: UnsupportedUse, operation: string | null): boolean {
    const key = `${kind} ${name} ${operation ?? ''}`;
    const known = this.#all.get(key);
    if (known !== undefined) {
      known.count++;
      return false;
    }
    if (this.#all.size >= MOST_USES) return false;
    this.#all.set(key, { kind, name, operation, count: 1 });
    return true;
  }

  /** Lists the counted uses, most frequent first. */
  list(): CountedUse[] {
    return [...this.#all.values()].sort((a, b) => b.count - a.count);
  }

  /** The number of calls by kind. */
  counts(): Readonly<Record<string, number>> {
    const made: Record<string, number> = {};
    for (const { kind, count } of this.#all.values()) made[kind] = (made[kind] ?? 0) + count;
    return made;
  }
}
