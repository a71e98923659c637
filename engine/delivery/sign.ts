import { createHmac, sign as signWith } from 'node:crypto';
import type { SignatureStyle } from '../program/index.js';

/** A signature over the content (UTF-8) with the endpoint's secret. */
type Sign = (secret: string, content: string) => string;

/** How a vendor signs, as a function. A secret that is no key, where one is needed, throws when it signs. */
export function signer({ algorithm = 'sha256', key, key_prefix: prefix = '', digest }: SignatureStyle): Sign {
  if (algorithm === 'rsa-sha256' || algorithm === 'ecdsa-sha256')
    return (secret, content) => signWith('sha256', Buffer.from(content, 'utf8'), secret).toString(digest);
  return (secret, content) =>
    createHmac(algorithm, keyOf(secret, key, prefix))
      .update(content, 'utf8')
      .digest(digest);
}

function keyOf(secret: string, kind: SignatureStyle['key'], prefix: string): string | Buffer {
  if (kind === 'utf8') return secret;
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}
