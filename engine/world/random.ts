const BASE62 = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
const CHUNK = 5;
const CHUNK_RANGE = 62 ** CHUNK;
const LIMIT = 2 ** 32 - (2 ** 32 % CHUNK_RANGE);

/** Reused buffer for building short texts. */
const SHORT = Buffer.alloc(64);

/** Mixes two 32-bit numbers into a single one, by the finalizer of MurmurHash3. */
function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Computes a 32-bit hash of a text. */
export function seedOf(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h >>> 0, text.length);
}

/** A stream of random numbers, determined by seed and position. Restoring the position repeats the numbers. */
export class RandomStream {
  position = 0;

  constructor(private readonly seed: number) {}

  /** Draws 32 random bits, as a number. */
  next(): number {
    const at = this.position++;
    return mix(mix(this.seed, at >>> 0), Math.floor(at / 2 ** 32));
  }

  /** Draws an integer between both bounds, inclusive. */
  integer(low: number, high: number): number {
    const span = high - low + 1;
    return span <= 1 ? low : low + Math.floor((this.next() / 2 ** 32) * span);
  }

  /** Draws a text of random base 62 characters. */
  text(length: number): string {
    const bytes = length <= SHORT.length ? SHORT : Buffer.allocUnsafe(length);
    this.fill(bytes, 0, length);
    return bytes.toString('latin1', 0, length);
  }

  /** Draws base 62 characters as bytes, since joining a text character by character takes several times as long. */
  fill(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (at < to) {
      let bits = this.next();
      if (bits >= LIMIT) continue;
      for (let i = 0; i < CHUNK && at < to; i++) {
        const rest = (bits / 62) >>> 0;
        bytes[at++] = BASE62[bits - rest * 62];
        bits = rest;
      }
    }
  }
}

/** Returns a number from 0 to 1 (exclusive) that depends only on the seed and the text. */
export function stableShare(seed: number, text: string): number {
  return mix(seed, seedOf(text)) / 2 ** 32;
}

/** Returns base 62 characters that depend only on the seed and the text. */
export function stableText(seed: number, text: string, length: number): string {
  return new RandomStream(mix(seed, seedOf(text))).text(length);
}
