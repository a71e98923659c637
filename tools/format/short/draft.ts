import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  type Scalar,
  stringify,
  visit,
  type YAMLMap,
} from 'yaml';
import { ARGUMENTS, LITERAL, NAMING } from '../../../engine/pack/index.js';

/** Maximum length of written lines. */
export const WIDTH = 140;

/** The context of a node in a pack file, which decides the short forms that the loader accepts for it. */
export interface DraftPlace {
  /** Whether texts in this context may be expressions. */
  readonly expressions: boolean;
  /** Whether a name without a colon means the variable of that name. */
  readonly variables: boolean;
  /** Whether the node is inside `{ }` or `[ ]`. */
  readonly inFlow: boolean;
  /** The key of the surrounding pair. */
  readonly key: string | undefined;
}

/** A YAML text with its nodes and edits: unedited parts, above all comments, stay. */
export class Draft {
  readonly document;
  readonly #edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];

  constructor(readonly text: string) {
    this.document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: false,
      logLevel: 'silent',
    });
  }

  /** Returns the pairs of the top-level map by key. */
  get top(): ReadonlyMap<string, Pair> {
    return pairsOf(this.document.contents);
  }

  /** Returns the offsets of a node's start and of the end of its text. */
  rangeOf(node: unknown): readonly [from: number, to: number] {
    const [from = 0, last = 0] = hasRange(node) ? node.range : [];
    return [from, from + this.text.slice(from, last).trimEnd().length];
  }

  /** Returns the text of a node. */
  slice(node: unknown): string {
    return this.text.slice(...this.rangeOf(node));
  }

  /** Returns the column of an offset in its line. */
  column(offset: number): number {
    return offset - this.text.lastIndexOf('\n', offset - 1) - 1;
  }

  edit(from: number, to: number, text: string): void {
    this.#edits.push({ from, to, text });
  }

  /** Whether a part of a node has an edit already. */
  touches(node: unknown): boolean {
    const [start, end] = this.rangeOf(node);
    return this.#edits.some(({ from, to }) => from < end && to > start);
  }

  /** Returns the text with all edits applied. */
  result(): string {
    let made = '';
    let at = 0;
    for (const { from, to, text } of this.#edits.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
      made += this.text.slice(at, from) + text;
      at = to;
    }
    return made + this.text.slice(at);
  }

  /** Whether a node can be rewritten: it has no comment and no anchor. */
  isPlain(node: unknown): boolean {
    let plain = !/(^|\s)#/.test(this.slice(node).replaceAll(/"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'/g, '""'));
    if (isMap(node) || isSeq(node) || isScalar(node))
      visit(node, {
        Node: (_key, each) => {
          if ('anchor' in each && each.anchor !== undefined) plain = false;
        },
      });
    return plain;
  }

  /** Whether a node can be rewritten on one line: also no multi-line text. */
  fitsOneLine(node: unknown): boolean {
    let fits = this.isPlain(node);
    if (isMap(node) || isSeq(node) || isScalar(node))
      visit(node, {
        Scalar: (_key, each) => {
          if (this.slice(each).includes('\n') || each.type?.startsWith('BLOCK')) fits = false;
        },
      });
    return fits;
  }

  /** Formats a node on one line, in short forms. */
  flow(node: unknown, place: DraftPlace): string {
    if (isSeq(node)) return `[${node.items.map((each) => this.flow(each, { ...place, key: undefined })).join(', ')}]`;
    if (isMap(node))
      return node.items.length === 0 ? '{}' : `{ ${node.items.map((pair) => this.pair(pair, place)).join(', ')} }`;
    return isScalar(node) ? this.scalar(node, place) : this.slice(node);
  }

  /** Formats a pair of a map on one line. @param place context of the map */
  pair(pair: Pair, place: DraftPlace): string {
    const key = this.slice(pair.key);
    if (pair.value === null) return key;
    if (isBlank(pair.value)) return `${key}: null`;
    if (isSame(pair, place)) return key;
    return `${key}: ${this.flow(pair.value, below(place, pairKey(pair), true))}`;
  }

  /** Formats a text on one line. */
  scalar(node: Scalar, place: DraftPlace): string {
    const expression = place.expressions ? wholeExpression(node.value) : undefined;
    if (expression !== undefined) return plainest(`=${expression}`);
    const needsQuotes = typeof node.value === 'string' && node.type === 'PLAIN' && /[,[\]{}?]/.test(node.value);
    return needsQuotes ? plainest(String(node.value)) : this.slice(node);
  }
}

/** Returns the context of a key's value. @param at context of the map */
export function below(at: DraftPlace, key: string, inFlow: boolean): DraftPlace {
  const named = !at.variables && at.key !== undefined && NAMING.has(at.key);
  return {
    expressions: at.expressions && (named || !LITERAL.has(key) || at.variables),
    variables: at.variables || (!named && ARGUMENTS.has(key)),
    inFlow: at.inFlow || inFlow,
    key,
  };
}

/** Whether a pair can be written as its name without a colon. */
export function isSame(pair: Pair, place: DraftPlace): boolean {
  const key = pairKey(pair);
  return (
    place.variables && /^[A-Za-z_]\w*$/.test(key) && isScalar(pair.value) && wholeExpression(pair.value.value) === key
  );
}

export function pairKey(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

export function pairsOf(node: unknown): ReadonlyMap<string, Pair> {
  return new Map(isMap(node) ? node.items.map((pair) => [pairKey(pair), pair]) : []);
}

/** Whether the value of a pair is missing. */
export function isBlank(node: unknown): boolean {
  return hasRange(node) && node.range[0] === node.range[1];
}

export function isBlockMap(node: unknown): node is YAMLMap {
  return isMap(node) && node.flow !== true;
}

/** Returns the expression of a text that is one whole `${...}` without surrounding blanks; undefined for other texts. */
export function wholeExpression(text: unknown): string | undefined {
  if (typeof text !== 'string' || !text.startsWith('${') || !text.endsWith('}')) return undefined;
  const expression = text.slice(2, -1);
  let depth = 0;
  for (const [token] of expression.matchAll(/'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|[{}]/g)) {
    if (token === '{') depth++;
    else if (token === '}' && depth-- === 0) return undefined;
  }
  return expression.trim() === expression && expression !== '' ? expression : undefined;
}

/** Formats a text as YAML inside `{ }`, with quotes only if they are needed. */
export function plainest(text: string): string {
  const [, inner] = /^\[\s*([^]*?)\s*\]\n$/.exec(stringify([text], { lineWidth: 0, collectionStyle: 'flow' })) ?? [];
  if (inner === undefined || inner.includes('\n')) return JSON.stringify(text);
  // Quotes a text with `?`, since some parsers read a bare ? inside braces as a key.
  return inner.includes('?') && !/^["']/.test(inner) ? `"${inner}"` : inner;
}

/** Formats a map or list in brackets, wrapped after commas. @param start the text before it on its line */
export function filled(start: string, text: string, indent: string): string {
  // A quote within a word, such as an apostrophe, starts no quoted text.
  const pieces = text.match(/(?:(?<![^\s[{])(?:"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')|[^,]|,(?! ))+(?:, |$)/g) ?? [text];
  const lines: string[] = [];
  let line = start;
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst && line.length + piece.trimEnd().length > WIDTH) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += piece;
    isFirst = false;
  }
  return [...lines, line].join('\n');
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}

export { isAlias, isMap, isScalar, isSeq };
