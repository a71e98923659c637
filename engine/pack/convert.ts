import type { ProblemCode } from '../codes.js';
import type { Json } from '../values/index.js';
import { blame, unquoted } from './blame.js';
import { SAME } from './short-form.js';
import { isMergeKey, type Pair, parseYaml, yaml, type YAMLMap } from './yaml.js';

/** A YAML problem at a character offset. */
interface SyntaxProblem {
  readonly offset: number;
  readonly code: ProblemCode;
  readonly message: string;
}

/** Limits of one file. Anchored data is shared, so these limit the nodes that readers of the data visit. */
const MAX_ALIASES = 1_000;
const MAX_NODES_FROM_ALIASES = 20_000;
const MAX_DEPTH = 64;

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

interface Anchored {
  readonly value: Json;
  readonly nodes: number;
}

/**
 * Parses a YAML text to plain data. Never throws. `broken`: part of the text was misread, so that further checks of the data
 * would only repeat the problem.
 */
export function readYaml(text: string): { data: Json; broken: boolean; problems: SyntaxProblem[] } {
  const problems: SyntaxProblem[] = [];
  try {
    const document = parseYaml(text);
    for (const error of [...document.errors, ...document.warnings]) {
      const code = `yaml-${error.code.toLowerCase().replaceAll('_', '-')}` as const;
      const { offset, message } = blame(text, {
        code: error.code,
        message: lowerFirst(error.message),
        offset: error.pos[0],
      });
      problems.push({ offset, code, message });
      // The parser has cut off a text that is too long, so later problems only concern the missing rest.
      if (error.code === 'RESOURCE_EXHAUSTION') break;
    }
    if (problems.length > 0) {
      // The parser read an expression's braces as YAML's, so all later problems follow from that.
      const offsets = problems.map(({ offset }) => offset);
      const found = unquoted(text, Math.min(...offsets)) ?? unquoted(text, Math.max(...offsets));
      return { data: null, broken: true, problems: found ? [{ ...found, code: 'yaml-unquoted' }] : problems };
    }
    const conversion = new Conversion(problems);
    const data = conversion.value(document.contents, 0);
    return { data, broken: conversion.broken, problems };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problems.push({ offset: 0, code: 'too-deep', message: `nested deeper than ${MAX_DEPTH} levels` });
    return { data: null, broken: true, problems };
  }
}

/** Converts the nodes of one YAML document to data, and collects problems. */
class Conversion {
  broken = false;
  /** Number of nodes so far, counting aliases in full. */
  #nodes = 0;
  #aliases = 0;
  #fromAliases = 0;
  readonly #anchors = new Map<string, Anchored>();

  constructor(private readonly problems: SyntaxProblem[]) {}

  value(node: unknown, depth: number): Json {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (isAlias(node)) return this.#alias(node.source, nodeOffset(node));
    const before = this.#nodes++;
    let value: Json = null;
    if (isScalar(node)) {
      value = this.#scalar(node.value, nodeOffset(node));
      if (node.type === 'PLAIN') this.#strayQuote(String(node.source ?? ''), nodeOffset(node));
    } else if (isMap(node) || isSeq(node)) {
      if (depth >= MAX_DEPTH) this.#report(nodeOffset(node), 'too-deep', `nested deeper than ${MAX_DEPTH} levels`);
      else if (isMap(node)) value = this.#map(node, depth);
      else {
        if (node.flow === true) node.items.forEach((item) => this.#comma(item));
        value = node.items.map((item) => this.value(item, depth + 1));
      }
    }
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor) {
      this.#anchors.set(node.anchor, { value, nodes: this.#nodes - before });
    }
    return value;
  }

  #scalar(value: unknown, offset: number): Json {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return value;
        this.#report(
          offset,
          'number-unsafe',
          `the number ${value} cannot be kept exactly: write it as text, in quotes`,
        );
        return 0;
      default:
        return null;
    }
  }

  /** Reports a plain text that ends with a quote but doesn't begin with one. */
  #strayQuote(source: string, offset: number): void {
    const last = source.at(-1);
    if ((last !== '"' && last !== "'") || source.length < 2 || source.indexOf(last) !== source.length - 1) return;
    this.#report(offset, 'stray-quote', `this text ends with ${last}, which was never opened: put all of it in quotes`);
  }

  /** Reports `{ a:1 }`, a key called `a:1` without a value. */
  #missingSpace({ key, value }: Pair): void {
    const { isScalar } = yaml();
    if (value !== null || !isScalar(key) || key.type !== 'PLAIN') return;
    const parts = /^([\w.$-]+):([^:/\s].*)$/.exec(String(key.source));
    if (parts)
      this.#report(nodeOffset(key), 'missing-space', `a space is missing after the colon: ${parts[1]}: ${parts[2]}`);
  }

  /** Reports an unquoted text with a comma in a flow map, as in `{ message: one, two }`, which YAML ends at the comma. */
  #cutText({ key, value }: Pair, before: Pair | undefined): boolean {
    const { isScalar } = yaml();
    const isWords = value === null && isScalar(key) && key.type === 'PLAIN' && /\s/.test(String(key.source));
    const text = before?.value;
    if (!isWords || !isScalar(text) || text.type !== 'PLAIN') return false;
    const meant = `${String(text.source)}, ${String(key.source)}`;
    const message = `a comma ends a text inside { } and [ ]: put '${meant}' in quotes`;
    this.#report(nodeOffset(text), 'yaml-unquoted', message);
    return true;
  }

  /** Reports an unquoted expression with a comma in a flow map, as in `{ a: =max(b, c) }`, which YAML ends at the comma. */
  #comma(node: unknown): void {
    if (!yaml().isScalar(node) || node.type !== 'PLAIN') return;
    const text = String(node.source ?? '').replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '');
    const count = (bracket: string): number => text.split(bracket).length;
    if (text.startsWith('=') && count('(') > count(')'))
      this.#report(
        nodeOffset(node),
        'yaml-unquoted',
        'a comma ends a value inside { } and [ ]: put the expression in quotes',
      );
  }

  #alias(name: string, offset: number): Json {
    const anchored = this.#anchors.get(name);
    if (!anchored) {
      this.#report(offset, 'unknown-anchor', `'*${name}' has no finished anchor '&${name}' before it in this file`);
      return null;
    }
    this.#aliases += 1;
    this.#fromAliases += anchored.nodes;
    this.#nodes += anchored.nodes;
    if (this.#aliases <= MAX_ALIASES && this.#fromAliases <= MAX_NODES_FROM_ALIASES) return anchored.value;
    const already = this.problems.some((problem) => problem.code === 'alias-bomb');
    if (!already) this.#report(offset, 'alias-bomb', 'the aliases of this file expand to too much data');
    return null;
  }

  #map(map: YAMLMap, depth: number): Json {
    const entries: Record<string, Json> = {};
    const merged: Record<string, Json> = {};
    const offsets = new Map<string, number>();
    let before: Pair | undefined;
    for (const pair of map.items) {
      const name = isMergeKey(pair.key) ? '<<' : this.#key(pair);
      if (name === undefined) continue;
      if (map.flow === true && this.#cutText(pair, before)) return entries;
      before = pair;
      if (map.flow === true) this.#missingSpace(pair);
      if (offsets.has(name))
        this.#report(nodeOffset(pair.key), 'duplicate-key', `key '${name}' is given twice in this map`);
      offsets.set(name, nodeOffset(pair.key));
      if (map.flow === true) this.#comma(pair.value);
      // A key without a colon in a flow map, as in `{ name }`, means the variable of that name.
      const value = map.flow === true && pair.value === null ? SAME : this.value(pair.value, depth + 1);
      if (isMergeKey(pair.key)) this.#merge(merged, value, nodeOffset(pair.value ?? pair.key));
      else entries[name] = value;
    }
    return Object.keys(merged).length > 0 ? { ...merged, ...entries } : entries;
  }

  #key(pair: Pair): string | undefined {
    const { isScalar } = yaml();
    const value = isScalar(pair.key) ? pair.key.value : undefined;
    const offset = nodeOffset(pair.key ?? pair.value);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      this.#report(offset, 'bad-key', 'a key must be text');
      return undefined;
    }
    // Keys such as `404`, `1.0` and `true` keep their written form.
    const name = isScalar(pair.key) && pair.key.source !== undefined ? pair.key.source : String(value);
    if (!FORBIDDEN_KEYS.has(name)) return name;
    this.#report(offset, 'forbidden-key', `'${name}' cannot be a key`);
    return undefined;
  }

  /** Merges the maps of a `<<` key into a map; earlier maps of a list take precedence (YAML merge key). */
  #merge(into: Record<string, Json>, value: Json, offset: number): void {
    for (const source of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      if (source === null || typeof source !== 'object' || Array.isArray(source)) {
        this.#report(offset, 'bad-merge', "'<<' takes a map or a list of maps");
        return;
      }
      for (const [key, each] of Object.entries(source)) if (!Object.hasOwn(into, key)) into[key] = each;
    }
  }

  #report(offset: number, code: ProblemCode, message: string): void {
    this.broken = true;
    this.problems.push({ offset, code, message });
  }
}

/** Returns the offset at which a node's text starts; empty values have no node. */
export function nodeOffset(node: unknown): number {
  return yaml().isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text;
}
