import { textOf } from '../codecs/index.js';

/**
 * What `base_url` gives inside of the sandbox. State, events and ledger keep it as it is, so that they do not depend on the
 * port; the real origin is put in where a text leaves (`withOrigin`).
 */
export const ORIGIN = 'http://origin.sandbox.invalid';

/** As `ORIGIN`, for connections that are WebSockets: what `socket_url` gives. */
export const SOCKET_ORIGIN = 'ws://origin.sandbox.invalid';

/** What both have in common, from a character on that texts seldom have: each one that a text has stops the search. */
const HOST = ORIGIN.slice('http:/'.length);

/** A text that leaves the sandbox, with the origin that it listens on. Without one the text stays as it is. */
export function withOrigin(text: string, origin: string | undefined): string {
  if (!origin || !text.includes(HOST)) return text;
  const whole = text.replaceAll(ORIGIN, origin);
  return whole.includes(HOST) ? whole.replaceAll(SOCKET_ORIGIN, origin.replace(/^http/, 'ws')) : whole;
}

/** What a world below a shared origin (`.../w/3`) puts into the keys that it makes, so that they lead back to it: `~3~`. */
export function worldTag(origin: string): string {
  const below = /\/w\/([^/~]+)$/.exec(origin);
  return below ? `~${below[1]}~` : '';
}

/** The world that a key with such a tag belongs to, as its path names it. */
export function worldOfKey(key: string): string | undefined {
  return /~([^/~]{1,64})~/.exec(key)?.[1];
}

/** A text that comes back, as UTF-8. */
export function withoutOrigin(bytes: Uint8Array, origin: string): Uint8Array {
  const text = textOf(bytes);
  return text.includes(origin) ? Buffer.from(text.replaceAll(origin, ORIGIN)) : bytes;
}
