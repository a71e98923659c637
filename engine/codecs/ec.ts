import { createECDH, createHash, createHmac } from 'node:crypto';

/*
 * Deterministic keys and signatures on the curve P-256: keys come from the world's seed, and signing uses no randomness (RFC
 * 6979). The platform does the curve arithmetic; a sandbox's keys protect nothing.
 */

/** The order of the curve's group. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const SIZE = 32;

/** A private key as a JWK (RFC 7517, RFC 7518). */
interface EcKey {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly d: string;
  readonly [member: string]: string;
}

/** The key derived from a text. */
export function ecKey(seed: string): EcKey {
  const d = bytesOf((numberOf(sha256(Buffer.from(seed))) % (ORDER - 1n)) + 1n);
  const point = pointOf(d);
  const [x, y] = [point.subarray(1, 1 + SIZE), point.subarray(1 + SIZE)];
  return {
    kty: 'EC',
    crv: 'P-256',
    x: x.toString('base64url'),
    y: y.toString('base64url'),
    d: d.toString('base64url'),
  };
}

/**
 * Signs with ECDSA and SHA-256, in the format of JSON Web Signatures (RFC 7518, 3.4): both numbers concatenated.
 * @param d the private key, 32 bytes
 */
export function signEs256(d: Buffer, content: string): Buffer {
  const hash = sha256(Buffer.from(content));
  for (const nonce of nonces(d, hash)) {
    const r = numberOf(pointOf(bytesOf(nonce)).subarray(1, 1 + SIZE)) % ORDER;
    const s = (inverse(nonce) * ((numberOf(hash) + r * numberOf(d)) % ORDER)) % ORDER;
    if (r !== 0n && s !== 0n) return Buffer.concat([bytesOf(r), bytesOf(s)]);
  }
  throw new Error('nonces never end');
}

/** Nonces that depend only on the key and the content (RFC 6979, 3.2). */
function* nonces(d: Buffer, hash: Buffer): Generator<bigint> {
  const seed = Buffer.concat([d, bytesOf(numberOf(hash) % ORDER)]);
  let v: Buffer = Buffer.alloc(SIZE, 1);
  let k: Buffer = Buffer.alloc(SIZE, 0);
  for (const round of [0, 1]) {
    k = hmac(k, v, Buffer.of(round), seed);
    v = hmac(k, v);
  }
  for (;;) {
    v = hmac(k, v);
    const nonce = numberOf(v);
    if (nonce > 0n && nonce < ORDER) yield nonce;
    k = hmac(k, v, Buffer.of(0));
    v = hmac(k, v);
  }
}

/** A multiple of the curve's generator, uncompressed. */
function pointOf(scalar: Buffer): Buffer {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(scalar);
  return curve.getPublicKey();
}

/** The inverse of a number modulo the order (extended Euclid). */
function inverse(of: bigint): bigint {
  let [a, b, x, y] = [of, ORDER, 1n, 0n];
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return x < 0n ? x + ORDER : x;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function hmac(key: Buffer, ...parts: readonly Buffer[]): Buffer {
  return createHmac('sha256', key).update(Buffer.concat(parts)).digest();
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(SIZE * 2, '0'), 'hex');
}
