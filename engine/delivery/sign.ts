import { createHmac, sign as signWith } from 'node:crypto';
import { privateKeyOf } from '../codecs/index.js';
import { ExpressionFailure, isObject, type Json } from '../values/index.js';
import type { SignatureStyle } from '../program/index.js';

/** A signature over the content (UTF-8) with the endpoint's secret. */
type Sign = (secret: string, content: string) => string;

/** Makes the function that signs as a vendor does. It throws for a secret that is no key if a key is needed. */
export function signer({ algorithm = 'sha256', key, key_prefix: prefix = '', digest }: SignatureStyle): Sign {
  if (algorithm === 'rsa-sha256' || algorithm === 'ecdsa-sha256')
    return (secret, content) => {
      const key = privateKeyOf(jwkOf(secret) ?? secret);
      const kind = algorithm === 'rsa-sha256' ? 'rsa' : 'ec';
      if (key?.asymmetricKeyType !== kind)
        throw new ExpressionFailure(
          `the secret of the endpoint is no private ${kind.toUpperCase()} key, in PEM or as a JWK`,
        );
      return signWith('sha256', Buffer.from(content, 'utf8'), key).toString(digest);
    };
  return (secret, content) =>
    createHmac(algorithm, keyOf(secret, key, prefix))
      .update(content, 'utf8')
      .digest(digest);
}

function keyOf(secret: string, kind: SignatureStyle['key'], prefix: string): string | Buffer {
  if (kind === 'utf8') return secret;
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}

/** A secret that is JWK JSON. */
function jwkOf(secret: string): Json {
  if (!secret.startsWith('{')) return null;
  try {
    const value = JSON.parse(secret) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
