import { textOf } from '../codecs/index.js';
import { define, ExpressionFailure, type Json, type JsonObject } from '../values/index.js';

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

/** A text that comes in, as it is inside of the sandbox: links into this world keep their meaning wherever it is served. */
export function textWithoutOrigin(text: string, origin: string): string {
  if (origin === '' || !text.includes(origin.slice(origin.indexOf('/')))) return text;
  return text
    .replaceAll(addressPattern(origin), ORIGIN)
    .replaceAll(addressPattern(origin.replace(/^http/, 'ws')), SOCKET_ORIGIN);
}

/** As `textWithoutOrigin`, of bytes in UTF-8. */
export function withoutOrigin(bytes: Uint8Array, origin: string): Uint8Array {
  const text = textOf(bytes);
  const inside = textWithoutOrigin(text, origin);
  return inside === text ? bytes : Buffer.from(inside);
}

/** As `textWithoutOrigin`, of all texts of a value. The same value where none has the address. */
export function valueWithoutOrigin<T extends Json>(value: T, origin: string): T {
  return changed(value, (text) => textWithoutOrigin(text, origin));
}

/** A value that leaves the world for what is no text of it, with the address at which the world is served. */
export function valueWithOrigin<T>(value: T, origin: string): T {
  return changed(value as Json, (text) => withOrigin(text, origin)) as T;
}

/** A value as its caller sees it: for what encodes, measures or compares texts. */
export function asSeen({ baseUrl }: Located, value: Json): Json {
  return changed(value, (text) => {
    if (!text.includes(HOST)) return text;
    if (baseUrl === '') throw new ExpressionFailure('the address of the world is not known before it is served');
    return withOrigin(text, baseUrl);
  });
}

/** A value that was made of what its caller sees, as it is inside of the sandbox. */
export function asKept({ baseUrl }: Located, value: Json): Json {
  return valueWithoutOrigin(value, baseUrl);
}

/** What has an address: any host of expressions. */
interface Located {
  readonly baseUrl: string;
}

/** The last pattern made: most processes serve one address, and those with several serve many calls of each. */
let last: { readonly origin: string; readonly pattern: RegExp } | null = null;

/** Finds an address, but none that continues: `http://localhost:80` is not the beginning of `http://localhost:8080`. */
function addressPattern(origin: string): RegExp {
  if (last?.origin !== origin)
    last = { origin, pattern: new RegExp(`${origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.:~-])`, 'g') };
  return last.pattern;
}

/** A value with its texts changed, names of members too; the value itself where nothing changes. */
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
