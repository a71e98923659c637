import { createHash } from 'node:crypto';

const prefix = 'sha256:';

/** How a key is kept where nothing may get it back. */
export function hashOfKey(key: string): string {
  return prefix + createHash('sha256').update(key).digest('hex');
}

/** Whether a text is what `hashOfKey` makes. */
export function isHashOfKey(key: string): boolean {
  return key.startsWith(prefix) && key.length === prefix.length + 64;
}
