import { type Json, keysOfPointer, synthesize } from '../../engine/values/index.js';
import type { Contract } from './contract.js';
import { type Document, listOr, type Node, objectOr } from './document.js';
import { plain, schemaTypeName } from './types.js';

/** Depth down to which optional members are generated. */
const OPTIONAL_DEPTH = 2;
/** Depth at which generation stops. */
const MOST_DEPTH = 14;
const MOST_REPAIRS = 40;
/** Maximum depth of values that are combined from generated parts. */
const MOST_COMPOSED = 2;
/** Simulated time of generated values. */
const SAMPLE_MS = Date.UTC(2025, 0, 1);

/** Generates values that match a document's schemas: its examples if they are valid, else generated ones. */
export class Sampler {
  readonly #known = new Map<string, Json | undefined>();
  #depth = 0;

  constructor(
    private readonly contract: Contract,
    private readonly optionals = OPTIONAL_DEPTH,
  ) {}

  /**
   * Generates a value for a schema; deterministic for equal arguments.
   * @param examples preferred values, the best first; invalid ones are repaired
   * @returns undefined if no value matches the document's schema
   */
  of(schema: unknown, examples: readonly unknown[] = [], seed = 1): Json | undefined {
    const pointer =
      typeof schema === 'object' && schema !== null ? this.contract.document.pointerOf(schema) : undefined;
    const key = `${pointer ?? ''} ${seed} ${JSON.stringify(examples)}`;
    const none = `${this.#depth} ${key}`;
    if (pointer !== undefined && this.#known.has(key)) return this.#known.get(key);
    if (pointer !== undefined && this.#known.has(none)) return undefined;
    const made = this.#make(schema, examples, seed);
    // A failure at one depth is cached for that depth only, since more can be combined higher up.
    if (pointer !== undefined) this.#known.set(made === undefined ? none : key, made);
    return made;
  }

  /** Whether a value matches a schema. */
  accepts(schema: unknown, value: unknown): boolean {
    return this.contract.errors(schema, value).length === 0;
  }

  #make(schema: unknown, examples: readonly unknown[], seed: number): Json | undefined {
    if (schema === undefined || schema === true) return examples[0] === undefined ? {} : (examples[0] as Json);
    const node = this.contract.document.at(schema);
    const shown = [...examples, node['example'], ...listOr(node['examples'])].filter((each) => each !== undefined);
    const fits = (value: unknown): boolean => this.contract.errors(schema, value).length === 0;
    const shownValue = shown.find(fits);
    if (shownValue !== undefined) return shownValue as Json;
    const made = this.#synthesized(schema, seed, fits) ?? this.#composed(schema, seed, fits);
    for (const each of shown) {
      const mended = this.#mended(schema, each, made);
      if (mended !== undefined) return mended;
    }
    return made;
  }

  #synthesized(schema: unknown, seed: number, fits: (value: unknown) => boolean): Json | undefined {
    for (const optionals of [this.optionals, 1, 0]) {
      const condensed = condense(this.contract.document, schema, optionals);
      try {
        const made = synthesize(condensed as Json, seed, null, SAMPLE_MS);
        if (fits(made)) return made;
        const mended = this.#mended(schema, made, undefined);
        if (mended !== undefined) return mended;
      } catch {
        // The schema is too large; the next attempt omits more optional members.
      }
    }
    return undefined;
  }

  /** Combines a value from values of its parts: of each alternative, or of each required member. */
  #composed(given: unknown, seed: number, fits: (value: unknown) => boolean): Json | undefined {
    if (this.#depth >= MOST_COMPOSED) return undefined;
    this.#depth++;
    try {
      const { schema } = plain(this.contract.document, given);
      const options = ['oneOf', 'anyOf'].flatMap((key) => listOr(schema[key]));
      const properties = objectOr(schema['properties']);
      const needed = listOr(schema['required']).map(String);
      const members = needed.map((name) => [name, this.of(properties[name] ?? true, [], seed)] as const);
      if (members.some(([, value]) => value === undefined)) return undefined;
      const own = Object.fromEntries(members) as Json;
      const found = options.length === 0 ? [own] : options.map((each) => this.of(each, [], seed));
      const isOpen = needed.length > 0 && options.length > 0;
      return found
        .map((each) => (isOpen ? { ...objectOr(own), ...objectOr(each) } : each) as Json | undefined)
        .find((each) => each !== undefined && fits(each));
    } finally {
      this.#depth--;
    }
  }

  /** Repairs an invalid value: removes rejected members, or copies them from another value. */
  #mended(schema: unknown, value: unknown, other: Json | undefined): Json | undefined {
    let made = structuredClone(value);
    for (let repairs = 0; repairs < MOST_REPAIRS; repairs++) {
      const [error] = this.contract.errors(schema, made);
      if (error === undefined) return made as Json;
      const missing = error.keyword === 'required' ? String(objectOr(error.params)['missingProperty']) : undefined;
      const path = [...keysOfPointer(error.instancePath), ...(missing === undefined ? [] : [missing])];
      if (path.length === 0) return undefined;
      const there = read(other, path);
      if (there === undefined && missing !== undefined) return undefined;
      const next = there === undefined || same(there, read(made, path)) ? without(made, path) : put(made, path, there);
      if (next === undefined) return undefined;
      made = next;
    }
    return undefined;
  }
}

/** Resolves the references of a schema, and omits optional members below a depth. */
function condense(document: Document, given: unknown, optionals: number, depth = 0): unknown {
  if (typeof given === 'boolean') return given;
  if (depth > MOST_DEPTH) return {};
  const node = document.at(given);
  const schema = 'allOf' in node ? plain(document, given).schema : node;
  const made: Record<string, unknown> = {};
  const required = new Set(listOr(schema['required']));
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') {
      const kept = Object.entries(objectOr(value)).filter(
        ([name, each]) => required.has(name) || (depth < optionals && isSmall(document.at(each))),
      );
      made[key] = Object.fromEntries(
        kept.map(([name, each]) => [name, condense(document, each, optionals, depth + 1)]),
      );
    } else if (key === 'items') {
      made[key] = condense(document, value, optionals, depth + 1);
      if (depth > 0 && schema['maxItems'] === undefined)
        made['maxItems'] = Math.max(1, Number(schema['minItems'] ?? 0));
      if (depth > optionals + 1 && schema['minItems'] === undefined) made['maxItems'] = 0;
    } else if (key === 'allOf' || key === 'oneOf' || key === 'anyOf')
      made[key] = listOr(value).map((each) => condense(document, each, optionals, depth));
    else if (key === 'additionalProperties')
      made[key] = typeof value === 'boolean' ? value : condense(document, value, optionals, depth + 1);
    else if (KEPT.has(key)) made[key] = value;
  }
  if ('example' in schema && !('examples' in made)) made['examples'] = [schema['example']];
  return made;
}

const KEPT = new Set([
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'uniqueItems', 'required', 'minProperties', 'maxProperties'],
  ...['default', 'examples', 'maxItems', 'not'],
]);

/** Whether an optional member is cheap to generate. */
function isSmall(schema: Node): boolean {
  const type = schemaTypeName(schema);
  return type !== 'object' && type !== 'array' && !('oneOf' in schema) && !('anyOf' in schema) && !('allOf' in schema);
}

function read(value: unknown, path: readonly string[]): Json | undefined {
  return path.reduce<unknown>(
    (at, key) => (Array.isArray(at) ? (at as unknown[])[Number(key)] : objectOr(at)[key]),
    value,
  ) as Json | undefined;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function without(value: unknown, path: readonly string[]): unknown {
  return changed(value, path, (holder, key) => {
    if (Array.isArray(holder)) return (holder as unknown[]).filter((_, index) => index !== Number(key));
    return Object.fromEntries(Object.entries(objectOr(holder)).filter(([name]) => name !== key));
  });
}

function put(value: unknown, path: readonly string[], there: Json): unknown {
  return changed(value, path, (holder, key) =>
    Array.isArray(holder)
      ? (holder as unknown[]).map((each, index) => (index === Number(key) ? there : each))
      : { ...objectOr(holder), [key]: there },
  );
}

function changed(value: unknown, path: readonly string[], change: (holder: unknown, key: string) => unknown): unknown {
  const [key, ...rest] = path;
  if (rest.length === 0) return change(value, key);
  if (Array.isArray(value))
    return (value as unknown[]).map((each, index) => (index === Number(key) ? changed(each, rest, change) : each));
  return { ...objectOr(value), [key]: changed(objectOr(value)[key], rest, change) };
}
