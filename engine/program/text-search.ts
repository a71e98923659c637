import { readSearch, type SearchNode } from '../codecs/index.js';
import type { Host } from '../expression/index.js';
import { isList, type Json, spendText, spendTurns, toText } from '../values/index.js';
import { Rejection } from './rejection.js';

/** A compiled search: how its text is parsed, and how items are matched. */
export interface TextSearch {
  /** Texts of an item in which words are searched, by the name of the text. */
  readonly words: ReadonlyMap<string, SearchOf>;
  readonly qualifiers: ReadonlyMap<string, SearchQualifier>;
  /** Values that stand for another value, such as `@me`, with the expression that computes it. */
  readonly standIns: ReadonlyMap<string, (host: Host) => Json>;
  /** Length limit of the search text, in characters. */
  readonly longest: number;
  /** Maximum number of the operators AND, OR and NOT in a search. */
  readonly operators: number;
  /** Errors for problems of a search text, by kind; problems of a kind without an error are ignored. */
  readonly errors: ReadonlyMap<SearchProblem, (host: Host, qualifier: string, value: string) => Rejection>;
  /**
   * Names in lower case that the vendor documents and the pack lacks: qualifiers, `is:blocked` for one value, `type:*` for the
   * other values.
   */
  readonly documented: ReadonlySet<string>;
  /** Converts a timestamp of the pack to milliseconds. */
  readonly toMs: (value: Json) => number;
}

export const SEARCH_PROBLEMS = [
  'empty',
  'too_long',
  'too_many_operators',
  'only_operators',
  'unreadable',
  'unknown_qualifier',
  'bad_value',
  'not_there',
] as const;

export type SearchProblem = (typeof SEARCH_PROBLEMS)[number];

/** A compiled expression over an item of the searched list. */
type SearchOf = (host: Host, item: Json) => Json;

/** How a qualifier such as `state:open` of a search tests an item. */
export interface SearchQualifier {
  readonly test:
    | { readonly kind: 'text' | 'number' | 'time' | 'boolean'; readonly of: SearchOf }
    | { readonly kind: 'values'; readonly of: ReadonlyMap<string, SearchOf> }
    | { readonly kind: 'where'; readonly of: (host: Host, item: Json, value: string) => Json }
    /** The qualifier names the texts in which words are searched. */
    | { readonly kind: 'texts' }
    | { readonly kind: 'ignored' };
  readonly match: 'whole' | 'start' | 'part';
  /** Converts a qualifier's value before the comparison; a null result matches no item. */
  readonly value: ((host: Host, value: string) => Json) | null;
  /** Whether the object that the qualifier's value names exists. */
  readonly exists: ((host: Host, value: string) => Json) | null;
  /** Whether commas separate alternative values of the qualifier. */
  readonly several: boolean;
  /** Whether an item needs to match only one of several uses of the qualifier. */
  readonly any: boolean;
}

type Test = (item: Json) => boolean;

/** Returns the items that match a search text, in order. @throws Rejection for a text that the vendor rejects */
export function searched(host: Host, search: TextSearch, text: Json, items: Json): Json {
  const test = new SearchRun(host, search).testOf(typeof text === 'string' ? text : '');
  return isList(items) ? items.filter((item) => (spendTurns(1), test(item))) : [];
}

class SearchRun {
  /** Names of the texts in which words are searched; empty: all. */
  readonly #texts = new Set<string>();

  constructor(
    private readonly host: Host,
    private readonly search: TextSearch,
  ) {}

  testOf(text: string): Test {
    const { qualifiers, longest, operators: most } = this.search;
    spendText(text.length);
    if ([...text].length > longest) this.#reject('too_long', '', text);
    const { node, operators, unknown, unreadable } = readSearch(
      text,
      (name) => qualifiers.has(name.toLowerCase()) || this.#isMissing(name),
    );
    if (text.trim() === '') this.#reject('empty', '', text);
    else if (node === null) this.#reject('only_operators', '', text);
    if (operators > most) this.#reject('too_many_operators', '', text);
    if (unreadable) this.#reject('unreadable', '', text);
    for (const name of unknown) this.#reject('unknown_qualifier', name, text);
    if (node === null) return () => true;
    this.#readTexts(node);
    return this.#test(node);
  }

  #reject(problem: SearchProblem, qualifier: string, value: string): void {
    const error = this.search.errors.get(problem);
    if (error !== undefined) throw error(this.host, qualifier, value);
  }

  /** Finds a qualifier by its name; a qualifier that the pack lacks has no effect. */
  #qualifier(name: string): SearchQualifier {
    return this.search.qualifiers.get(name.toLowerCase()) ?? WITHOUT_EFFECT;
  }

  /** Whether the vendor documents a qualifier, or one of its values, that the pack doesn't emulate. */
  #isMissing(name: string, value?: string): boolean {
    const { qualifiers, documented } = this.search;
    return value === undefined
      ? !qualifiers.has(name.toLowerCase()) && documented.has(name.toLowerCase())
      : documented.has(`${name}:${value}`.toLowerCase()) || documented.has(`${name}:*`.toLowerCase());
  }

  /** Whether no condition in a part of the search has an effect; then the part's negation has none either. */
  #isWithoutEffect(node: SearchNode): boolean {
    if (node.kind !== 'qualifier')
      return node.kind !== 'word' && node.kind !== 'not' && node.parts.every((part) => this.#isWithoutEffect(part));
    const { test } = this.#qualifier(node.name);
    if (test.kind !== 'values') return test.kind === 'ignored' || test.kind === 'texts';
    return node.values.every((value) => !test.of.has(value.toLowerCase()) && this.#isMissing(node.name, value));
  }

  #readTexts(node: SearchNode): void {
    if (node.kind === 'not') this.#readTexts(node.of);
    else if (node.kind === 'and' || node.kind === 'or') for (const part of node.parts) this.#readTexts(part);
    else if (node.kind === 'qualifier' && this.#qualifier(node.name).test.kind === 'texts')
      for (const value of node.values) {
        if (this.search.words.has(value.toLowerCase())) this.#texts.add(value.toLowerCase());
        else if (this.#isMissing(node.name, value)) this.host.unsupported('qualifier', `${node.name}:${value}`);
        else this.#reject('bad_value', node.name, value);
      }
  }

  #test(node: SearchNode): Test {
    switch (node.kind) {
      case 'word':
        return this.#word(node.text);
      case 'not': {
        const test = this.#test(node.of);
        return this.#isWithoutEffect(node.of) ? () => true : (item) => !test(item);
      }
      case 'or': {
        const tests = node.parts.map((part) => this.#test(part));
        return (item) => tests.some((test) => test(item));
      }
      case 'and': {
        const tests = this.#grouped(node.parts);
        return (item) => tests.every((test) => test(item));
      }
      case 'qualifier':
        return this.#ofQualifier(node.name, node.values);
    }
  }

  /** Compiles the parts of a search. Repeated qualifiers become alternatives if an item has to match only one of them. */
  #grouped(parts: readonly SearchNode[]): Test[] {
    const alternatives = new Map<string, Test[]>();
    const tests: Test[] = [];
    for (const part of parts) {
      const name = part.kind === 'qualifier' && this.#qualifier(part.name).any ? part.name.toLowerCase() : null;
      const test = this.#test(part);
      const known = name === null ? undefined : alternatives.get(name);
      if (known !== undefined) known.push(test);
      else if (name === null) tests.push(test);
      else {
        const group = [test];
        alternatives.set(name, group);
        tests.push((item) => group.some((each) => each(item)));
      }
    }
    return tests;
  }

  #word(text: string): Test {
    const word = text.toLowerCase();
    const { words } = this.search;
    const places = [...words].flatMap(([name, of]) => (this.#texts.size === 0 || this.#texts.has(name) ? [of] : []));
    return (item) => places.some((of) => textIn(of(this.host, item)).toLowerCase().includes(word));
  }

  #ofQualifier(name: string, values: readonly string[]): Test {
    const qualifier = this.#qualifier(name);
    if (qualifier.test.kind === 'ignored') this.host.unsupported('qualifier', name.toLowerCase());
    const given = qualifier.several || qualifier.test.kind === 'texts' ? values : [values.join(',')];
    const tests = given.map((value) => this.#ofValue(name, qualifier, value));
    return (item) => tests.some((test) => test(item));
  }

  #ofValue(name: string, qualifier: SearchQualifier, written: string): Test {
    const { test, exists, match } = qualifier;
    const stands = this.search.standIns.get(written.toLowerCase())?.(this.host);
    const plain = stands === undefined ? written : toText(stands);
    if (exists !== null && exists(this.host, plain) !== true) {
      this.#reject('not_there', name, written);
      return () => false;
    }
    const meant = qualifier.value === null ? plain : qualifier.value(this.host, plain);
    if (meant === null) return () => false;
    const value = toText(meant);
    const bad = (): Test => {
      this.#reject('bad_value', name, written);
      return () => false;
    };
    switch (test.kind) {
      case 'texts':
      case 'ignored':
        return () => true;
      case 'values': {
        const of = test.of.get(value.toLowerCase());
        if (of !== undefined) return (item) => of(this.host, item) === true;
        if (!this.#isMissing(name, value)) return bad();
        this.host.unsupported('qualifier', `${name}:${value}`);
        return () => true;
      }
      case 'where':
        return (item) => test.of(this.host, item, value) === true;
      case 'boolean': {
        const wanted = value.toLowerCase();
        return wanted !== 'true' && wanted !== 'false'
          ? bad()
          : (item) => (test.of(this.host, item) === true) === (wanted === 'true');
      }
      case 'text': {
        const wanted = value.toLowerCase();
        return (item) => textsIn(test.of(this.host, item)).some((text) => fits(text.toLowerCase(), wanted, match));
      }
      case 'number':
      case 'time': {
        const isTime = test.kind === 'time';
        const range = rangeOf(value, isTime ? instants : numbers);
        if (range === null) return bad();
        return (item) => {
          const found = test.of(this.host, item);
          if (found === null) return false;
          const n = isTime ? this.search.toMs(found) : Number(found);
          return range(n);
        };
      }
    }
  }
}

const WITHOUT_EFFECT: SearchQualifier = {
  test: { kind: 'ignored' },
  match: 'whole',
  value: null,
  exists: null,
  several: false,
  any: false,
};

function fits(text: string, wanted: string, match: SearchQualifier['match']): boolean {
  switch (match) {
    case 'whole':
      return text === wanted;
    case 'start':
      return text.startsWith(wanted);
    case 'part':
      return text.includes(wanted);
  }
}

function textIn(value: Json): string {
  return textsIn(value).join('\n');
}

function textsIn(value: Json): string[] {
  if (value === null) return [];
  return isList(value) ? value.filter((each) => each !== null).map(toText) : [toText(value)];
}

/** A range of numbers, from inclusive to exclusive; a date stands for the whole day, a time for its minute or second. */
type Span = readonly [from: number, before: number];

/** Compiles a text such as `5`, `>5`, `>=5`, `<5`, `<=5`, `1..5`, `*..5` or `1..*` to a test; null: the text is invalid. */
function rangeOf(text: string, span: (text: string) => Span | null): ((n: number) => boolean) | null {
  const [first, second, more] = text.split('..');
  if (second !== undefined) {
    if (more !== undefined || (first === '*' && second === '*')) return null;
    const [from, to] = [first, second].map((end) => (end === '*' ? undefined : span(end)));
    if (from === null || to === null) return null;
    return (n) => (from === undefined || n >= from[0]) && (to === undefined || n < to[1]);
  }
  const [, operator, rest] = /^(>=|<=|>|<)?(.*)$/s.exec(text) ?? [];
  const at = span(rest ?? '');
  if (at === null) return null;
  const [from, before] = at;
  switch (operator) {
    case '>':
      return (n) => n >= before;
    case '>=':
      return (n) => n >= from;
    case '<':
      return (n) => n < from;
    case '<=':
      return (n) => n < before;
    default:
      return (n) => n >= from && n < before;
  }
}

/** Parses a number to a span that contains only that number. */
function numbers(text: string): Span | null {
  const n = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  return Number.isFinite(n) ? [n, n + Math.max(Number.EPSILON, Math.abs(n) * Number.EPSILON)] : null;
}

const DAY_MS = 86_400_000;

/** Parses a date or an ISO 8601 time of any precision to the span that it stands for, in milliseconds. */
function instants(text: string): Span | null {
  const found = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text);
  if (found === null) return null;
  const [, day, minute, second, zone] = found;
  const ms = Date.parse(minute === undefined ? day : `${day}T${minute}${second ?? ''}${zone ?? 'Z'}`);
  if (Number.isNaN(ms)) return null;
  return [ms, ms + (minute === undefined ? DAY_MS : second === undefined ? 60_000 : 1000)];
}
