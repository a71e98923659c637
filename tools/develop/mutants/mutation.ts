import type { SourceFile } from '../../../engine/pack/index.js';
import type { Random } from '../../openapi/random.js';
import { misspell } from './misspell.js';
import type { Spot } from './walk.js';

/** An error that was added to a file. */
export interface Mutant {
  readonly text: string;
  /** The changed line, from 1. */
  readonly line: number;
  /** A description for people. */
  readonly what: string;
  /** The changed name of a declaration: problems may also be reported where it is used. */
  readonly name?: string;
  /** The line of the map from which a key was removed, where the problem must be reported. */
  readonly owner?: number;
}

/** A file with its keys and values, and the pack's other files. */
export interface Subject {
  readonly file: SourceFile;
  readonly spots: readonly Spot[];
  readonly files: readonly SourceFile[];
}

/** A kind of error: adds one at a random location of a file; undefined if there is none. */
export type Mutation = (subject: Subject, random: Random) => Mutant | undefined;

/** Replaces a part of a file. */
export function replacedPart(
  { file }: Subject,
  start: number,
  end: number,
  by: string,
  what: string,
  name?: string,
): Mutant {
  const text = file.text.slice(0, start) + by + file.text.slice(end);
  return { text, line: file.position(start).line, what, ...(name === undefined ? {} : { name }) };
}

/** Selects locations of a file. */
export type Where = (spot: Spot, subject: Subject) => boolean;

/**
 * Selects locations by path patterns: `*` is any key, `:n` a list index, `#` indexes or none, `**` any keys or none.
 * @param kind of files; any kind by default
 */
export function places(globs: string, kind?: SourceFile['kind']): Where {
  const steps: Readonly<Record<string, string>> = {
    '**': '(?:[^/]+/)*',
    '#': '(?:[0-9]+/)*',
    '*': '[^/]+/',
    ':n': '[0-9]+/',
  };
  const all = globs.split(' ').map((glob) =>
    glob
      .split('/')
      .map((step) => steps[step] ?? `(?:${step.replace(/[{}]/g, '').replaceAll(',', '|')})/`)
      .join(''),
  );
  const pattern = new RegExp(`^(?:${all.join('|')})$`);
  return ({ place }, { file }) => (kind === undefined || file.kind === kind) && pattern.test(`${place}/`);
}

/** Selects locations except some of them. */
export function but(where: Where, without: Where): Where {
  return (spot, subject) => where(spot, subject) && !without(spot, subject);
}

/** Selects locations that match any of several conditions. */
export function either(...all: readonly Where[]): Where {
  return (spot, subject) => all.some((where) => where(spot, subject));
}

/** Misspells a value, or the first part of it that matches `part`. */
export function misspeltValue(where: Where, part = /^[\s\S]+$/): Mutation {
  return (subject, random) => {
    const spots = subject.spots.filter(
      (spot) => typeof spot.scalar?.value === 'string' && part.test(spot.scalar.value) && where(spot, subject),
    );
    const spot = random.pick(spots);
    if (!spot?.scalar) return undefined;
    const shift = spot.scalar.quoted ? 1 : 0;
    const found = part.exec(subject.file.text.slice(spot.start + shift, spot.end - shift));
    return found === null ? undefined : misspeltAt(subject, spot, spot.start + shift + found.index, found[0], random);
  };
}

/** Misspells a key that is a name. */
export function misspeltKey(where: Where, part = /^[\s\S]+$/): Mutation {
  return (subject, random) => {
    const spot = random.pick(subject.spots.filter((each) => part.test(each.key?.text ?? '') && where(each, subject)));
    const found = spot?.key && part.exec(spot.key.text);
    if (!spot?.key || !found || subject.file.text[spot.key.start] !== spot.key.text[0]) return undefined;
    return misspeltAt(subject, spot, spot.key.start + found.index, found[0], random, 'key ');
  };
}

function misspeltAt(subject: Subject, { path }: Spot, start: number, word: string, random: Random, what = ''): Mutant {
  const made = misspell(word, random);
  return replacedPart(subject, start, start + word.length, made, `${path.join('.')}: ${what}${word} -> ${made}`);
}

/** Replaces a value, or a part of it. */
export function replacedValue(where: Where, by: (spot: Spot, random: Random) => string): Mutation {
  return (subject, random) => {
    const spot = random.pick(subject.spots.filter((each) => where(each, subject)));
    if (!spot) return undefined;
    const made = by(spot, random);
    return replacedPart(subject, spot.start, spot.end, made, `${spot.path.join('.')}: ${made}`);
  };
}

/** Whether the map at a location contains one of these keys. */
export function hasSibling({ spots }: Subject, map: string, keys: readonly string[]): boolean {
  return spots.some(({ place }) => keys.some((key) => place === (map === '' ? key : `${map}/${key}`)));
}

/** The path of the enclosing map or list, `levels` up. */
export function above({ place }: Spot, levels = 1): string {
  return place.split('/').slice(0, -levels).join('/');
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Keys below which the vendor's own names are allowed, not only the language's. */
const FREE = words(
  'body with to return envelope json form query register tombstone provide default const snapshot value record let save rows pins_values',
);
const TEXT = words('description title message faithful_to example');
/** Keys of maps whose keys are names. */
const NAMED = words(
  'fields params filters states on after guards delays actions refusals operations events pins args flows errors headers columns ' +
    'vars ids formats durations causes families from transports rate_limits request_headers others calls methods kinds inputs sends ' +
    'rename add change refuse move resources values',
);

/** Whether the language defines a location's content: no text for people, nothing of the vendor's. */
export function isLanguage({ path }: Spot): boolean {
  return !path.some((step, index) => (FREE.has(String(step)) && index < path.length - 1) || TEXT.has(String(step)));
}

/** Whether a key is a keyword of the language, not a name that the pack chose. */
export function isKeyword(subject: Subject, spot: Spot): boolean {
  if (!spot.key || !isLanguage(spot) || spot.path.some((step) => step === 'rows')) return false;
  if (subject.file.kind === 'types' && spot.path.length === 1) return false;
  const parent = spot.path.at(-2);
  const grand = spot.path.at(-3);
  if (parent === 'events' && subject.file.kind === 'pack') return true;
  // `on: { pay: ... }` contains names; `events: { x: { on: created } }` doesn't.
  return !(typeof parent === 'string' && NAMED.has(parent) && !(NAMED.has(String(grand)) && parent === 'values'));
}
