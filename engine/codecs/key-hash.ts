import { createHash } from 'node:crypto';

const prefix = 'sha256:';

/** The stored form of a key that can't be recovered. */
export function hashOfKey(key: string): string {
  return prefix + createHash('sha256').update(key).digest('hex');
}

/** Whether a text is a result of `hashOfKey`. */
export function isHashOfKey(key: string): boolean {
  return key.startsWith(prefix) && key.length === prefix.length + 64;
}
