import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ExpressionFailure, isObject, type Json, type JsonObject } from '../values/index.js';

/* Parses keys of packs and of callers: in PEM, or as a JWK. */

/** Parses a private key; undefined if it is invalid. */
export function privateKeyOf(key: Json): KeyObject | undefined {
  try {
    if (isObject(key)) return createPrivateKey({ key, format: 'jwk' });
    return typeof key === 'string' ? createPrivateKey(key) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a public key, or derives it from a private one; undefined if the key is invalid. */
export function publicKeyOf(key: Json): KeyObject | undefined {
  try {
    if (isObject(key)) return createPublicKey({ key, format: 'jwk' });
    return typeof key === 'string' && isPem(key) ? createPublicKey(key) : undefined;
  } catch {
    return undefined;
  }
}

export function isPem(text: string): boolean {
  return text.trimStart().startsWith('-----BEGIN');
}

/**
 * Returns the public half of a key.
 * @param form `jwk` (with `kid`, `use` and `alg`), `pem`, `spki` (DER in base64) or `thumbprint` (RFC 7638)
 */
export function publicKey(given: Json, form: string): Json {
  const key = publicKeyOf(given);
  if (key === undefined) throw new ExpressionFailure('a key is an RSA or EC key, in PEM or as a JWK');
  switch (form) {
    case 'jwk': {
      const { kid, use, alg } = isObject(given) ? given : {};
      const jwk = key.export({ format: 'jwk' }) as JsonObject;
      const usual = { RSA: 'RS256', EC: 'ES256' }[String(jwk['kty'])] ?? null;
      return { ...jwk, kid: kid ?? thumbprint(jwk), use: use ?? 'sig', alg: alg ?? usual };
    }
    case 'pem':
      return key.export({ type: 'spki', format: 'pem' }).toString();
    case 'spki':
      return key.export({ type: 'spki', format: 'der' }).toString('base64');
    case 'thumbprint':
      return thumbprint(key.export({ format: 'jwk' }) as JsonObject);
    default:
      throw new ExpressionFailure(`a public key is written as jwk, pem, spki or thumbprint, not '${form}'`);
  }
}

/** Converts a private key to PEM (PKCS #8). @throws ExpressionFailure for anything else */
export function privatePem(given: Json): string {
  const key = privateKeyOf(given);
  if (key === undefined) throw new ExpressionFailure('this is no private key, in PEM or as a JWK');
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The thumbprint of a key (RFC 7638). */
export function thumbprint(jwk: JsonObject): string {
  const names = { RSA: ['e', 'kty', 'n'], EC: ['crv', 'kty', 'x', 'y'] }[String(jwk['kty'])] ?? ['crv', 'kty', 'x'];
  const members = Object.fromEntries(names.map((name) => [name, jwk[name]]));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
