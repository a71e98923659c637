import type { SourceFile } from '../../../engine/pack/index.js';
import type { Random } from '../../openapi/random.js';
import { misspell } from './misspell.js';
import type { Spot } from './walk.js';

/** A mistake put into a file. */
export interface Mutant {
  readonly text: string;
  /** The line that was changed, counted from 1. */
  readonly line: number;
  /** What was done, for people. */
  readonly what: string;
  /** A name whose declaration was changed: its uses are right places for a message, too. */
  readonly name?: string;
  /** The line of the map that a key was taken out of, where the message has to be. */
  readonly owner?: number;
}

/** A file with its keys and values, and the pack's other files. */
export interface Subject {
  readonly file: SourceFile;
  readonly spots: readonly Spot[];
  readonly files: readonly SourceFile[];
}

/** A kind of mistake: makes one somewhere in a file, or nothing where the file has no place for it. */
export type Mutation = (subject: Subject, random: Random) => Mutant | undefined;

/** Puts something in place of a part of a file. */
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

/** Chooses places of a file. */
export type Where = (spot: Spot, subject: Subject) => boolean;

/**
 * Places by their paths: `*` is any step, `:n` an index of a list, `#` indexes or none, `**` any steps or none.
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

/** Places but some of them. */
export function but(where: Where, without: Where): Where {
  return (spot, subject) => where(spot, subject) && !without(spot, subject);
}

/** Places of any of some kinds. */
export function either(...all: readonly Where[]): Where {
  return (spot, subject) => all.some((where) => where(spot, subject));
}

/** Misspells a whole value somewhere, or the part of it that `part` matches first. */
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

/** Misspells a key that names something. */
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

/** Puts something in the place of a value, or of a part of it. */
export function replacedValue(where: Where, by: (spot: Spot, random: Random) => string): Mutation {
  return (subject, random) => {
    const spot = random.pick(subject.spots.filter((each) => where(each, subject)));
    if (!spot) return undefined;
    const made = by(spot, random);
    return replacedPart(subject, spot.start, spot.end, made, `${spot.path.join('.')}: ${made}`);
  };
}

/** Whether the map of a place has another key, of these. */
export function hasSibling({ spots }: Subject, map: string, keys: readonly string[]): boolean {
  return spots.some(({ place }) => keys.some((key) => place === (map === '' ? key : `${map}/${key}`)));
}

/** The map or list that a place is in; `levels` above it. */
export function above({ place }: Spot, levels = 1): string {
  return place.split('/').slice(0, -levels).join('/');
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Keys below which anything may be written: what is there is the vendor's, not the language's. */
const FREE = words(
  'body with to return envelope json form query register tombstone provide default const snapshot value record let save rows pins_values',
);
const TEXT = words('description title message faithful_to example');
/** Keys whose maps have names as keys. */
const NAMED = words(
  'fields params filters states on after guards delays actions refusals operations events pins args flows errors headers columns ' +
    'vars ids formats durations causes families from transports rate_limits request_headers others calls methods kinds inputs sends ' +
    'rename add change refuse move resources values',
);

/** Whether a place belongs to the language: no text for people, nothing of the vendor's own. */
export function isLanguage({ path }: Spot): boolean {
  return !path.some((step, index) => (FREE.has(String(step)) && index < path.length - 1) || TEXT.has(String(step)));
}

/** Whether the key of a spot is a word of the language and not a name that the pack chose. */
export function isKeyword(subject: Subject, spot: Spot): boolean {
  if (!spot.key || !isLanguage(spot) || spot.path.some((step) => step === 'rows')) return false;
  if (subject.file.kind === 'types' && spot.path.length === 1) return false;
  const parent = spot.path.at(-2);
  const grand = spot.path.at(-3);
  if (parent === 'events' && subject.file.kind === 'pack') return true;
  // `on: { pay: ... }` holds names; `events: { x: { on: created } }` does not.
  return !(typeof parent === 'string' && NAMED.has(parent) && !(NAMED.has(String(grand)) && parent === 'values'));
}
