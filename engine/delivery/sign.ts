import { createHmac } from 'node:crypto';

/** How a vendor signs its deliveries, as a pack writes it. Always HMAC with SHA-256 (RFC 2104). */
export interface SignatureStyle {
  /** `utf8`: the secret's text is the key; `base64`: what follows the prefix is the key in base64. */
  readonly key: 'utf8' | 'base64';
  /** What stands before the base64 of a secret; a secret without it is taken whole. */
  readonly key_prefix?: string;
  readonly digest: 'hex' | 'base64';
}

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
