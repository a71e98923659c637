import { LIMITS } from '../limits.js';
import type { Json, JsonObject } from './json-value.js';
import { keysOfFragment } from './json-pointer.js';
import { patternProblem } from './pattern.js';
import { isList, isObject } from './values.js';

/** Keywords whose value is a schema for the same value as the outer schema. */
const IN_PLACE = ['not', 'if', 'then', 'else'];
/** Keywords whose value is a list of schemas for the same value as the outer schema. */
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];
/** Keywords whose value is a map of schemas. */
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];
/** Keywords of JSON Schema whose values are data, not schemas. */
const DATA = ['dependentRequired', 'enum', 'const', 'default', 'examples', 'example', 'required', 'type'];

/** The keyword, added to each schema, for the cost of validating a value against it. */
export const COST = 'x-sandbox-cost';

/** Returns why a schema exceeds the limits (size, bounds, patterns, endless references); undefined if it doesn't. */
export function shapeProblem(schema: JsonObject): string | undefined {
  const { length } = JSON.stringify(schema);
  if (length > LIMITS.schema.value) return `the schema has ${length} characters, more than ${LIMITS.schema.value}`;
  return boundsProblem(schema) ?? cycleProblem(schema);
}

/** Returns a copy of a schema in which every subschema declares its cost of validation, in steps. */
export function withCosts(schema: Json): Json {
  if (isList(schema)) return schema.map(withCosts);
  if (!isObject(schema)) return schema;
  const made: Record<string, Json> = { [COST]: 1 + costOf(schema) };
  for (const [key, value] of Object.entries(schema)) {
    define(
      made,
      key,
      DATA.includes(key) ? value : MAPS.includes(key) && isObject(value) ? mapped(value) : withCosts(value),
    );
  }
  return made;
}

function mapped(schemas: JsonObject): JsonObject {
  const made: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schemas)) define(made, key, withCosts(value));
  return made;
}

/** Sets a member of an object; the key, which comes from outside, may be `__proto__` and is then an ordinary key. */
function define(object: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function costOf(schema: JsonObject): number {
  let cost = 0;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'enum' || key === 'const') cost += JSON.stringify(value).length / 8;
    else if (isList(value)) cost += value.length;
    else if (isObject(value)) cost += Object.keys(value).length / 4;
  }
  return Math.ceil(cost);
}

/** Calls a function with a schema and each schema in it, until it returns a problem. @returns the problem */
function visit(schema: Json, see: (schema: JsonObject) => string | undefined): string | undefined {
  if (isList(schema)) {
    for (const each of schema) {
      const found = visit(each, see);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(schema)) return undefined;
  const own = see(schema);
  if (own !== undefined) return own;
  for (const [key, value] of Object.entries(schema)) {
    if (DATA.includes(key)) continue;
    const found = MAPS.includes(key) && isObject(value) ? visit(Object.values(value), see) : visit(value, see);
    if (found !== undefined) return found;
  }
  return undefined;
}

const BOUNDS = [
  ['minItems', LIMITS.schemaItems.value],
  ['minContains', LIMITS.schemaItems.value],
  ['minProperties', LIMITS.schemaItems.value],
  ['minLength', LIMITS.schemaLength.value],
] as const;

function boundsProblem(root: JsonObject): string | undefined {
  return visit(root, (schema) => {
    for (const [key, most] of BOUNDS) {
      const value = schema[key];
      if (typeof value === 'number' && value > most) return `${key} is ${value}, more than ${most}`;
    }
    const patterns = isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
    if (typeof schema['pattern'] === 'string') patterns.push(schema['pattern']);
    for (const pattern of patterns) {
      const problem = patternProblem(pattern);
      if (problem) return `pattern ${JSON.stringify(pattern.slice(0, 60))}: ${problem.message}`;
    }
    return undefined;
  });
}

/** Returns the problem if a schema refers to itself for the same value, since validation would never end. */
function cycleProblem(root: JsonObject): string | undefined {
  const find = resolver(root);
  const safe = new Set<JsonObject>();
  const entered = new Set<JsonObject>();
  const loops = (schema: Json): boolean => {
    if (!isObject(schema) || safe.has(schema)) return false;
    if (entered.has(schema)) return true;
    entered.add(schema);
    const next: Json[] = IN_PLACE.map((key) => schema[key] ?? null);
    for (const key of IN_PLACE_LISTS) if (isList(schema[key])) next.push(...schema[key]);
    if (isObject(schema['dependentSchemas'])) next.push(...Object.values(schema['dependentSchemas']));
    for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const ref = schema[key];
      if (typeof ref === 'string') next.push(find(ref) ?? null);
    }
    const found = next.some(loops);
    entered.delete(schema);
    safe.add(schema);
    return found;
  };
  return visit(root, (schema) => (loops(schema) ? 'the schema refers to itself without end' : undefined));
}

/** Resolves references inside a schema: pointers, anchors and ids; undefined if unknown. */
export function resolver(root: JsonObject): (ref: string) => Json | undefined {
  let names: Map<string, JsonObject> | undefined;
  return (ref) => {
    if (ref === '#' || ref === '') return root;
    if (ref.startsWith('#/')) return pointed(root, ref.slice(1));
    names ??= namesOf(root);
    const known = names.get(ref);
    if (known) return known;
    const [base, fragment] = ref.split('#');
    const named = names.get(base);
    if (named === undefined || fragment === undefined) return named;
    return fragment.startsWith('/') ? pointed(named, fragment) : names.get(`#${fragment}`);
  };
}

function pointed(root: JsonObject, fragment: string): Json | undefined {
  let at: Json | undefined = root;
  for (const key of keysOfFragment(fragment)) {
    at = isList(at) ? at[Number(key)] : isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

function namesOf(root: JsonObject): Map<string, JsonObject> {
  const names = new Map<string, JsonObject>();
  visit(root, (schema) => {
    for (const key of ['$anchor', '$dynamicAnchor']) {
      if (typeof schema[key] === 'string') names.set(`#${schema[key]}`, schema);
    }
    for (const key of ['$id', 'id']) {
      const id = schema[key];
      if (typeof id === 'string') names.set(id.replace(/#$/, ''), schema);
    }
    return undefined;
  });
  return names;
}
