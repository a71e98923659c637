import type { FileKind, SourceFile } from '../../../engine/pack/index.js';
import type { Random } from '../../openapi/random.js';
import { misspell } from './misspell.js';
import type { Spot } from './walk.js';

/** A file with one added error. */
export interface Mutant {
  readonly text: string;
  /** Number of the changed line, from 1. */
  readonly line: number;
  /** A description of the error for people. */
  readonly what: string;
  /** The changed name of a declaration; problems may also be reported on lines that use the name. */
  readonly name?: string;
  /** The line of the map from which a key was removed, where the problem must be reported. */
  readonly owner?: number;
}

/** A file with its keys and values, and the names of the whole pack. */
export interface Subject {
  readonly file: SourceFile;
  readonly spots: readonly Spot[];
  readonly files: readonly SourceFile[];
  /** Names of keys that a file of this kind must have. */
  readonly required: readonly string[];
  /** Names that the pack chose; `used`: the name also occurs outside of its declaration. */
  readonly names: ReadonlyMap<string, 'declared' | 'used'>;
}

/** Files without names of the pack, or whose names `sandbox validate-pack` and runs check after the pack is compiled. */
const UNCHECKED: readonly FileKind[] = ['actors', 'example', 'facts', 'task', 'tells'];

/** Whether the validator checks the names and expressions of a file. */
export function isChecked({ file }: Subject): boolean {
  return !UNCHECKED.includes(file.kind);
}

/** Adds one error of a kind at a random location of a file; undefined if no location suits. */
export type Mutation = (subject: Subject, random: Random) => Mutant | undefined;

/** Whether a kind of error can be added at a location of a file. */
export type Where = (spot: Spot, subject: Subject) => boolean;

/** Replaces a part of a file. @param name the declaration that the part contains, if any */
export function replacedPart(
  { file }: Subject,
  [start, end]: readonly [number, number],
  by: string,
  what: string,
  name?: string,
): Mutant {
  const text = file.text.slice(0, start) + by + file.text.slice(end);
  return { text, line: file.position(start).line, what, ...(name === undefined ? {} : { name }) };
}

/**
 * Chooses a location at random so that rare kinds of locations are as likely as frequent ones. The last keys of a path are its kind:
 * `subject/resource`.
 */
function pickPlace({ spots, ...rest }: Subject, random: Random, where: Where): Spot | undefined {
  const kinds = new Map<string, Spot[]>();
  for (const spot of spots) {
    if (!where(spot, { spots, ...rest })) continue;
    const kind = [spot.parent?.parent, spot.parent, spot].map((each) =>
      each?.keyIs === 'word' ? each.path.at(-1) : '*',
    );
    const known = kinds.get(kind.join('/')) ?? [];
    kinds.set(kind.join('/'), known);
    known.push(spot);
  }
  return random.pick(random.pick([...kinds.values()]) ?? []);
}

/** Returns the scalar value at a location as text. */
export function textAt({ scalar }: Spot): string {
  return typeof scalar?.value === 'string' ? scalar.value : '';
}

/** Creates a mutation that misspells a value, or the first part of it that matches `part`. */
export function misspeltValue(where: Where, part = /^[\s\S]+$/): Mutation {
  return (subject, random) => {
    const spot = pickPlace(subject, random, (each) => part.test(textAt(each)) && where(each, subject));
    if (!spot?.scalar) return undefined;
    const shift = spot.scalar.quoted ? 1 : 0;
    const found = part.exec(subject.file.text.slice(spot.start + shift, spot.end - shift));
    return found === null ? undefined : misspeltAt(subject, spot, spot.start + shift + found.index, found[0], random);
  };
}

/** Creates a mutation that misspells a key. If the key declares a name, the error may be reported where the name is used. */
export function misspeltKey(where: Where, isName: boolean): Mutation {
  return (subject, random) => {
    const spot = pickPlace(subject, random, (each) => each.key !== undefined && where(each, subject));
    const word = spot?.key && /^[\w.-]+/.exec(spot.key.text)?.[0];
    if (!spot?.key || !word || subject.file.text[spot.key.start] !== word[0]) return undefined;
    const mutant = misspeltAt(subject, spot, spot.key.start, word, random);
    return isName ? { ...mutant, name: word } : mutant;
  };
}

function misspeltAt(subject: Subject, { path }: Spot, start: number, word: string, random: Random): Mutant {
  const made = misspell(word, random);
  return replacedPart(subject, [start, start + word.length], made, `${path.join('.')}: ${word} -> ${made}`);
}

/** Creates a mutation that replaces a value. */
export function replacedValue(where: Where, by: (spot: Spot, random: Random) => string): Mutation {
  return (subject, random) => {
    const spot = pickPlace(subject, random, where);
    if (!spot) return undefined;
    const made = by(spot, random);
    return replacedPart(subject, [spot.start, spot.end], made, `${spot.path.join('.')}: ${made}`);
  };
}

/** Creates a mutation that removes a whole pair: its line, or its part of `{...}`. */
export function droppedPair(where: Where, isName: boolean): Mutation {
  return (subject, random) => {
    const spot = pickPlace(subject, random, (each) => each.key !== undefined && where(each, subject));
    const range = spot && pairRange(spot, subject.file.text);
    if (!spot?.key || !range) return undefined;
    const what = `${spot.path.join('.')} dropped`;
    const mutant = replacedPart(subject, range, '', what, isName ? spot.key.text : undefined);
    const owner = spot.parent?.key?.start ?? spot.parent?.start ?? subject.spots[0]?.key?.start ?? 0;
    return { ...mutant, owner: subject.file.position(owner).line };
  };
}

function pairRange({ key, end, flow }: Spot, text: string): [number, number] | undefined {
  const start = key?.start ?? end;
  if (flow) {
    const comma = /^\s*,\s*/.exec(text.slice(end));
    const before = /,\s*$/.exec(text.slice(0, start));
    return comma ? [start, end + comma[0].length] : [start - (before?.[0].length ?? 0), end];
  }
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (!/^\s*$/.test(text.slice(lineStart, start))) return undefined;
  const newline = text.indexOf('\n', text[end - 1] === '\n' ? end - 1 : end);
  return [lineStart, newline < 0 ? text.length : newline + 1];
}
