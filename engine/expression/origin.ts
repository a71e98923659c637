import { textOf } from '../codecs/index.js';
import { define, ExpressionFailure, type Json, type JsonObject } from '../values/index.js';

/**
 * The value of `base_url` inside of the sandbox. State, events and ledger contain it, so that they don't depend on the port;
 * the real origin replaces it in outgoing texts (`withOrigin`).
 */
export const ORIGIN = 'http://origin.sandbox.invalid';

/** The value of `socket_url` inside of the sandbox: like `ORIGIN`, but for WebSockets. */
export const SOCKET_ORIGIN = 'ws://origin.sandbox.invalid';

/** The common part of both origins, from a character that is rare in texts: each occurrence interrupts the search. */
const HOST = ORIGIN.slice('http:/'.length);

/** Puts the real origin into an outgoing text. Without one the text stays unchanged. */
export function withOrigin(text: string, origin: string | undefined): string {
  if (!origin || !text.includes(HOST)) return text;
  const whole = text.replaceAll(ORIGIN, origin);
  return whole.includes(HOST) ? whole.replaceAll(SOCKET_ORIGIN, origin.replace(/^http/, 'ws')) : whole;
}

/** The tag that a world at a shared origin (`.../w/3`) puts into keys that it issues, so that they identify it: `~3~`. */
export function worldTag(origin: string): string {
  const below = /\/w\/([^/~]+)$/.exec(origin);
  return below ? `~${below[1]}~` : '';
}

/** Returns the name of the world in a key with a tag such as `~3~`; undefined if it has none. */
export function worldOfKey(key: string): string | undefined {
  return /~([^/~]{1,64})~/.exec(key)?.[1];
}

/** Replaces the real origin in an incoming text, so that links into this world stay valid wherever it is served. */
export function textWithoutOrigin(text: string, origin: string): string {
  if (origin === '' || !text.includes(origin.slice(origin.indexOf('/')))) return text;
  return text
    .replaceAll(addressPattern(origin), ORIGIN)
    .replaceAll(addressPattern(origin.replace(/^http/, 'ws')), SOCKET_ORIGIN);
}

/** Replaces the real origin in UTF-8 bytes by the placeholder, as in an incoming text. */
export function withoutOrigin(bytes: Uint8Array, origin: string): Uint8Array {
  const text = textOf(bytes);
  const inside = textWithoutOrigin(text, origin);
  return inside === text ? bytes : Buffer.from(inside);
}

/** Replaces the real origin in all texts of a value by the placeholder. Returns the same value if none contains it. */
export function valueWithoutOrigin<T extends Json>(value: T, origin: string): T {
  return changed(value, (text) => textWithoutOrigin(text, origin));
}

/** Puts the real origin into all texts of a value. */
export function valueWithOrigin<T>(value: T, origin: string): T {
  return changed(value as Json, (text) => withOrigin(text, origin)) as T;
}

/** A value with the real address, for functions that encode, measure or compare texts. */
export function asSeen({ baseUrl }: Located, value: Json): Json {
  return changed(value, (text) => {
    if (!text.includes(HOST)) return text;
    if (baseUrl === '') throw new ExpressionFailure('the address of the world is not known before it is served');
    return withOrigin(text, baseUrl);
  });
}

/** Replaces the real address in a function's result. */
export function asKept({ baseUrl }: Located, value: Json): Json {
  return valueWithoutOrigin(value, baseUrl);
}

/** The part of an expression's host that gives the world's address. */
interface Located {
  readonly baseUrl: string;
}

/** The pattern of the most recent address, since consecutive texts usually concern the same one. */
let last: { readonly origin: string; readonly pattern: RegExp } | null = null;

/** Matches an address, but not the start of a longer one: not `http://localhost:80` in `http://localhost:8080`. */
function addressPattern(origin: string): RegExp {
  if (last?.origin !== origin)
    last = { origin, pattern: new RegExp(`${origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.:~-])`, 'g') };
  return last.pattern;
}

/** A value with its texts and keys changed; the same value if nothing changes. */
function changed<T extends Json>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => changed(item, change));
    return items.every((item, at) => item === (value as readonly Json[])[at]) ? value : (items as Json as T);
  }
  const made: Record<string, Json> = {};
  let isSame = true;
  for (const [name, member] of Object.entries(value as JsonObject)) {
    const [itsName, itsValue] = [change(name), changed(member, change)];
    isSame &&= itsName === name && itsValue === member;
    define(made, itsName, itsValue);
  }
  return isSame ? value : (made as Json as T);
}
