import { type TextPattern, packPattern } from '../values/index.js';
import { type RandomStream } from '../world/index.js';
import type { PackFile } from './files.js';
import { isRealistic } from './realistic.js';

/** The format of a resource's ids: how new ones are generated, and which ones seed data may contain. */
export interface IdFormat {
  readonly prefix: string;
  /** How ids of each kind of objects are made; null: the prefix doesn't depend on a kind. */
  readonly kinds: ReadonlyMap<string, Pick<IdFormat, 'make'>> | null;
  readonly pattern: TextPattern;
  /** Number of random bits in an id. */
  readonly randomBits: number;
  /**
   * Generates an id.
   * @param nth number of earlier ids, for sequences
   * @param tenant of the object; null: none
   * @param nowMs time of creation
   */
  make(random: RandomStream, nth?: number, tenant?: string | null, nowMs?: number): string;
}

/** A part of an id: a text, random characters, an ascending number, a UUID, or the end of the tenant's id. */
type IdPart =
  | string
  | {
      readonly random?: number;
      /** Time (Unix seconds) from which the part counts seconds, in base 62; absent: the characters are random. */
      readonly since?: number;
      readonly of?: Alphabet;
      readonly sequence?: number;
      readonly width?: number;
      readonly time?: 'seconds' | 'milliseconds';
      readonly uuid?: 4;
      readonly tenant?: number;
      readonly home?: string;
    };

type Alphabet = 'base62' | 'digits' | 'hex' | 'lower' | 'upper';

/** For each alphabet, a regular expression for its characters, and the characters. */
const ALPHABETS: Readonly<Record<Alphabet, readonly [pattern: string, characters: string]>> = {
  base62: ['[0-9A-Za-z]', ''],
  digits: ['[0-9]', '0123456789'],
  hex: ['[0-9a-f]', '0123456789abcdef'],
  lower: ['[0-9a-z]', '0123456789abcdefghijklmnopqrstuvwxyz'],
  upper: ['[0-9A-Z]', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
};

/**
 * Compiles an id format.
 * @param prefix one, or one for each kind of object
 * @param fill replaces `${vars.name}` in a literal part
 */
export function idFormat(
  prefix: string | Readonly<Record<string, string>>,
  file: { readonly parts: readonly IdPart[]; readonly pattern?: string },
  fill: (text: string) => string,
  pattern?: string,
): IdFormat {
  const parts = file.parts.map((part): IdPart => {
    if (typeof part === 'string') return fill(part);
    const { since, ...rest } = part;
    const timed = since !== undefined && isRealistic(fill) ? part : rest;
    return timed.home === undefined ? timed : { ...timed, home: fill(timed.home) };
  });
  const derived = parts.map(patternOf).join('');
  const kinds = typeof prefix === 'string' ? null : Object.entries(prefix);
  const prefixes = typeof prefix === 'string' ? [prefix] : Object.values(prefix);
  return {
    prefix: typeof prefix === 'string' ? prefix : '',
    kinds: kinds && new Map(kinds.map(([kind, begins]) => [kind, { make: makerOfAll([begins, ...parts]) }])),
    pattern: packPattern(pattern ?? whole(prefixes, file.pattern ?? derived)),
    randomBits: parts.reduce((sum, part) => sum + bitsOf(part), 0),
    make: makerOfAll([prefixes[0], ...parts]),
  };
}

function patternOf(part: IdPart): string {
  if (typeof part === 'string') return escape(part);
  const { random = 0, of = 'base62', sequence, width = 1, time, uuid, tenant, home = '' } = part;
  if (tenant !== undefined) return `(?:${escape(home)}|[0-9A-Za-z_-]{1,${tenant}})`;
  if (sequence !== undefined) return width > 1 ? `[0-9]{${width},}` : '[0-9]+';
  if (time !== undefined) return '[0-9]+';
  if (uuid !== undefined) return '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
  const [characters] = ALPHABETS[of];
  return of === 'digits' ? `[1-9]${random > 1 ? `[0-9]{${random - 1}}` : ''}` : `${characters}{${random}}`;
}

function bitsOf(part: IdPart): number {
  if (typeof part === 'string') return 0;
  const { random = 0, of = 'base62', uuid } = part;
  if (uuid !== undefined) return 122;
  const [, characters] = ALPHABETS[of];
  // The first digit of a number isn't 0, so it counts as one random character less.
  return Math.max(0, random - (of === 'digits' ? 1 : 0)) * Math.log2(characters.length || 62);
}

/** Returns a generator of ids; for formats with parts of the tenant's id, it caches a generator for each tenant. */
function makerOfAll(parts: readonly IdPart[]): IdFormat['make'] {
  const ofTenant = (tenant: string | null): IdFormat['make'] =>
    maker(
      parts.map((part) => {
        if (typeof part === 'string' || part.tenant === undefined) return part;
        return tenant === null ? (part.home ?? '') : tenant.slice(-part.tenant);
      }),
    );
  const own = ofTenant(null);
  if (!parts.some((part) => typeof part !== 'string' && part.tenant !== undefined)) return own;
  const others = new Map<string, IdFormat['make']>();
  return (random, nth, tenant = null, nowMs = 0) => {
    if (tenant === null) return own(random, nth, null, nowMs);
    let other = others.get(tenant);
    if (other === undefined) {
      if (others.size >= MOST_MAKERS) others.clear();
      others.set(tenant, (other = ofTenant(tenant)));
    }
    return other(random, nth, tenant, nowMs);
  };
}

/** Maximum number of tenants whose generators of ids are cached. */
const MOST_MAKERS = 1_000;

/** Returns a generator of ids that consist of the given parts. */
function maker(parts: readonly IdPart[]): IdFormat['make'] {
  const plain = parts.flatMap((part) => {
    if (typeof part === 'string') return part;
    const isPlain = part.random !== undefined && part.since === undefined && (part.of ?? 'base62') === 'base62';
    return isPlain ? { random: part.random ?? 0 } : [];
  });
  if (plain.length === parts.length) return plainMaker(plain);
  return (random, nth = random.position, _tenant = null, nowMs = 0) =>
    parts.map((part) => (typeof part === 'string' ? part : made(part, random, nth, nowMs))).join('');
}

/** Generates one part of an id. Random numbers don't begin with 0. */
function made(
  { random: length = 0, of = 'base62', since, sequence, width = 1, time, uuid }: Exclude<IdPart, string>,
  random: RandomStream,
  nth: number,
  nowMs: number,
): string {
  if (sequence !== undefined) return String(sequence + nth).padStart(width, '0');
  if (time !== undefined) return String(time === 'seconds' ? Math.floor(nowMs / 1000) : nowMs);
  if (uuid !== undefined) return uuidOf(random);
  if (since !== undefined) return secondsInBase62(Math.floor(nowMs / 1000) - since, length);
  const [, characters] = ALPHABETS[of];
  if (characters === '') return random.text(length);
  let text = '';
  while (text.length < length)
    text += characters[random.integer(of === 'digits' && text === '' ? 1 : 0, characters.length - 1)];
  return text;
}

/** Returns the last digits of a number in base 62, with the digits 0-9, A-Z, a-z. */
function secondsInBase62(seconds: number, length: number): string {
  let text = '';
  for (let rest = Math.max(seconds, 0); text.length < length; rest = Math.floor(rest / 62))
    text = BASE62[rest % 62] + text;
  return text;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Draws a random UUID, version 4 (RFC 9562, 5.4). */
function uuidOf(random: RandomStream): string {
  const hex = Array.from({ length: 4 }, () => random.next().toString(16).padStart(8, '0')).join('');
  const variant = '89ab'[parseInt(hex[16], 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Fills in the random parts of an id whose other parts are constant. */
function plainMaker(parts: readonly (string | { readonly random: number })[]): IdFormat['make'] {
  const ready = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.alloc(part.random))),
  );
  const spans: { readonly from: number; readonly to: number }[] = [];
  let at = 0;
  for (const part of parts) {
    const from = at;
    at += typeof part === 'string' ? Buffer.byteLength(part) : part.random;
    if (typeof part !== 'string') spans.push({ from, to: at });
  }
  // If all bytes are ASCII, they need no decoding.
  const encoding = ready.some((byte) => byte > 0x7f) ? 'utf8' : 'latin1';
  return (random) => {
    for (const { from, to } of spans) random.fill(ready, from, to);
    return ready.toString(encoding);
  };
}

/** Returns a function that compiles an id format by name for a prefix from an expression, and caches the result. */
export function formatsByPrefix(
  files: NonNullable<PackFile['ids']>,
  fill: (text: string) => string,
): (prefix: string, name: string) => IdFormat {
  const made = new Map<string, Map<string, IdFormat>>();
  return (prefix, name) => {
    let ofName = made.get(name);
    if (ofName === undefined) made.set(name, (ofName = new Map<string, IdFormat>()));
    let format = ofName.get(prefix);
    if (format === undefined) ofName.set(prefix, (format = idFormat(prefix, files[name], fill)));
    return format;
  };
}

/** Whether ids of a format contain the number of earlier objects. */
export function isNumbered({ parts }: NonNullable<PackFile['ids']>[string]): boolean {
  return parts.some((part) => typeof part !== 'string' && part.sequence !== undefined);
}

/** The format of purely random ids. */
export const PLAIN_ID: NonNullable<PackFile['ids']>[string] = { parts: [{ random: 16 }] };

/** Builds the pattern of a complete id from its prefixes and the pattern of the rest. */
function whole(prefixes: readonly string[], rest: string): string {
  const [first, ...more] = prefixes.map(escape);
  const begin = more.length === 0 ? first : `(?:${[first, ...more].join('|')})`;
  return `^${begin}${rest.includes('|') ? `(?:${rest})` : rest}$`;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
