import type { UnsupportedUse } from '../world/index.js';

/** A request that the pack doesn't emulate, with its count. */
interface CountedUse extends UnsupportedUse {
  /** `<collection>.<operation>`; null: the request matched no operation. */
  readonly operation: string | null;
  count: number;
}

/** Callers can choose names: more than this many are counted together. */
const MOST_USES = 1000;

/** Requests that the pack doesn't emulate, since the process started. */
export class UnsupportedUses {
  readonly #all = new Map<string, CountedUse>();

  /** Counts a use. @returns whether it is the first of its kind, name and operation */
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

  /** The most frequent first. */
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
