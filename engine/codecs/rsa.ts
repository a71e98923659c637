import { checkPrimeSync, createHash } from 'node:crypto';

/** RSA keys derived from the world's seed, so that they are always the same. They protect nothing. */

const BITS = 2048;
const EXPONENT = 65537n;
/** Number of odd numbers that are searched for a prime; on average one in 355 is prime. */
const WINDOW = 1 << 13;
/** Rounds of the Miller-Rabin test: a wrong result is far less likely than a hardware error. */
const ROUNDS = 20;

/** A private key as a JWK (RFC 7517, RFC 7518). */
interface RsaKey {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
  readonly d: string;
  readonly p: string;
  readonly q: string;
  readonly dp: string;
  readonly dq: string;
  readonly qi: string;
  readonly [member: string]: string;
}

/** Generated keys by the text that they are derived from. Generating a key takes a tenth of a second. */
const made = new Map<string, RsaKey>();
const MOST_KEPT = 64;

/** The 2048-bit key derived from a text. */
export function rsaKey(seed: string): RsaKey {
  let key = made.get(seed);
  if (key === undefined) {
    key = keyOf(prime(`${seed} p`), prime(`${seed} q`));
    if (made.size >= MOST_KEPT) made.clear();
    made.set(seed, key);
  }
  return key;
}

function keyOf(one: bigint, other: bigint): RsaKey {
  const [p, q] = one > other ? [one, other] : [other, one];
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  return {
    kty: 'RSA',
    n: written(p * q),
    e: written(EXPONENT),
    d: written(d),
    p: written(p),
    q: written(q),
    dp: written(d % (p - 1n)),
    dq: written(d % (q - 1n)),
    qi: written(inverse(q, p)),
  };
}

/** The first prime after a number derived from the text; its two highest bits are set, so that a product has full length. */
function prime(seed: string): bigint {
  for (let nth = 0; ; nth++) {
    const size = BITS / 2;
    const start = numberOf(`${seed} ${nth}`, size) | (3n << BigInt(size - 2)) | 1n;
    const isOut = sieved(start);
    for (let at = 0; at < WINDOW; at++) {
      if (isOut[at] === 1) continue;
      const candidate = start + 2n * BigInt(at);
      if (candidate % EXPONENT !== 1n && checkPrimeSync(candidate, { checks: ROUNDS })) return candidate;
    }
  }
}

/** Marks which of the odd numbers from a start have a small divisor. */
function sieved(start: bigint): Uint8Array {
  const isOut = new Uint8Array(WINDOW);
  for (const small of SMALL_PRIMES) {
    // 2 * at = -start modulo the prime gives the divisible candidates directly, without a search.
    const rest = (small - Number(start % BigInt(small))) % small;
    const first = rest % 2 === 0 ? rest / 2 : (rest + small) / 2;
    for (let at = first; at < WINDOW; at += small) isOut[at] = 1;
  }
  return isOut;
}

const SMALL_PRIMES: readonly number[] = (() => {
  const found: number[] = [];
  for (let n = 3; n < 8192; n += 2) if (found.every((each) => each * each > n || n % each !== 0)) found.push(n);
  return found;
})();

function numberOf(text: string, bits: number): bigint {
  let hex = '';
  for (let nth = 0; hex.length < bits / 4; nth++) hex += createHash('sha256').update(`${text} ${nth}`).digest('hex');
  return BigInt(`0x${hex.slice(0, bits / 4)}`);
}

/** The inverse of a number (extended Euclid). */
function inverse(of: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [of % modulus, modulus, 1n, 0n];
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return x < 0n ? x + modulus : x;
}

function written(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
