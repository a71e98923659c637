import { LIMITS } from '../limits.js';

const MINUTE_MS = 60_000;
/** Number of addresses that are counted separately. */
const MOST_SOURCES = 1_000;

/** Why a call without a key that may change the world is rejected. */
export type KeylessProblem =
  /** A page of another site makes the call, by embedding its URL as an image, frame or script. */
  { readonly kind: 'embedded' } | { readonly kind: 'too_many'; readonly retryAfterSeconds: number };

/** Limits calls without a key that may change the world, in real time, so that such callers can't fill it. */
export class KeylessCalls {
  #sinceMs = -Infinity;
  #total = 0;
  readonly #bySource = new Map<string, number>();

  /**
   * Counts a call without a key.
   * @param source address of the caller
   * @returns the problem if the limit is exceeded; null if the call is admitted
   */
  problemOf(source: string, headers: Readonly<Record<string, unknown>>): KeylessProblem | null {
    if (isEmbedded(headers)) return { kind: 'embedded' };
    const now = performance.now();
    if (now - this.#sinceMs >= MINUTE_MS) {
      this.#sinceMs = now;
      this.#total = 0;
      this.#bySource.clear();
    }
    const most = LIMITS.openCalls.value;
    const count = this.#bySource.get(source) ?? 0;
    if (count >= most || this.#total >= most * 4 || (count === 0 && this.#bySource.size >= MOST_SOURCES))
      return { kind: 'too_many', retryAfterSeconds: Math.ceil((this.#sinceMs + MINUTE_MS - now) / 1000) };
    this.#total++;
    this.#bySource.set(source, count + 1);
    return null;
  }
}

/** Whether a browser makes the call for a page of another site, other than by navigation (Fetch Metadata, 2.1 and 2.2). */
function isEmbedded({
  'sec-fetch-site': site,
  'sec-fetch-dest': destination = 'document',
}: Readonly<Record<string, unknown>>): boolean {
  return site === 'cross-site' && destination !== 'document';
}
