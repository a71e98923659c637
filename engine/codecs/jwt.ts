import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { signEs256 } from './ec.js';
import { ExpressionFailure, type Json, type JsonObject, isObject } from '../values/index.js';

/**
 * A JSON Web Token (RFC 7519).
 * @param key a secret (HS256), or a private key in PEM or as a JWK, on P-256 (ES256) or of RSA (RS256)
 * @param header laid over `{alg, typ}`
 */
export function jwt(claims: JsonObject, key: Json, header: JsonObject): string {
  const { alg, signed } = signerOf(key);
  const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg, typ: 'JWT', ...header })}.${part(claims)}`;
  return `${content}.${signed(content).toString('base64url')}`;
}

function signerOf(key: Json): { readonly alg: string; readonly signed: (content: string) => Buffer } {
  if (typeof key === 'string' && !key.trimStart().startsWith('-----BEGIN'))
    return { alg: 'HS256', signed: (content) => createHmac('sha256', key).update(content).digest() };
  const made = privateKey(key);
  switch (made?.asymmetricKeyType) {
    case 'rsa':
      return { alg: 'RS256', signed: (content) => sign('sha256', Buffer.from(content), made) };
    case 'ec': {
      const { crv, d = '' } = made.export({ format: 'jwk' });
      if (crv === 'P-256')
        return { alg: 'ES256', signed: (content) => signEs256(Buffer.from(d, 'base64url'), content) };
    }
  }
  throw new ExpressionFailure('a token is signed with a secret, an RSA key or one on P-256 (PEM or JWK)');
}

function privateKey(key: Json): KeyObject | undefined {
  try {
    if (isObject(key)) return createPrivateKey({ key, format: 'jwk' });
    return typeof key === 'string' ? createPrivateKey(key) : undefined;
  } catch {
    return undefined;
  }
}
