import type { SourceFile } from '../../../engine/pack/index.js';
import type { Random } from '../../openapi/random.js';
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

/** Keys below which anything may be written: what is there is the vendor's, not the language's. */
const FREE = new Set([
  'body',
  'with',
  'to',
  'return',
  'envelope',
  'json',
  'form',
  'query',
  'register',
  'tombstone',
  'provide',
  'default',
  'const',
  'snapshot',
  'value',
  'record',
  'let',
  'save',
  'rows',
  'pins_values',
]);
const TEXT = new Set(['description', 'title', 'message', 'faithful_to', 'example']);
/** Keys whose maps have names as keys. */
const NAMED = new Set([
  'fields',
  'params',
  'filters',
  'states',
  'on',
  'after',
  'guards',
  'delays',
  'actions',
  'refusals',
  'operations',
  'events',
  'pins',
  'args',
  'flows',
  'errors',
  'headers',
  'columns',
  'vars',
  'ids',
  'formats',
  'durations',
  'causes',
  'families',
  'from',
  'transports',
  'rate_limits',
  'request_headers',
  'others',
  'calls',
  'methods',
  'kinds',
  'inputs',
  'sends',
  'rename',
  'add',
  'change',
  'refuse',
  'move',
  'resources',
  'values',
]);

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
