import { createHmac } from 'node:crypto';
import type { SignatureStyle } from '../program/index.js';

/** A signature over the content (UTF-8) with the endpoint's secret. */
export type Sign = (secret: string, content: string) => string;

/** How a vendor signs, as a function. */
export function signer({ key, key_prefix: prefix = '', digest }: SignatureStyle): Sign {
  return (secret, content) =>
    createHmac('sha256', keyOf(secret, key, prefix))
      .update(content, 'utf8')
      .digest(digest);
}

function keyOf(secret: string, kind: SignatureStyle['key'], prefix: string): string | Buffer {
  if (kind === 'utf8') return secret;
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}
