import { TYPE_NAMES } from '../../engine/model/index.js';
import { isRecord } from '../../engine/values/index.js';
import { type Document, listOr, objectOr } from './document.js';
import { freeName, singular, snake } from './names.js';

/** Enums of a pack that become named types. */
interface SharedTypes {
  /** types.yaml: types by name. */
  readonly types: Readonly<Record<string, unknown>>;
  /** Replaces the enums in data with the names of their types. */
  readonly named: (data: unknown) => unknown;
}

/** Enums of at least this many values become named types. */
const LONG = 24;
/** Enums of at least this many values become named types if they are used twice. */
const REPEATED = 5;
/** Names that could be mistaken for types of the language. */
const TAKEN = [...TYPE_NAMES, 'object', 'array', 'list'];

/**
 * Names long enums, and those that are used more than once, after the document's schemas or else their fields.
 * @param files data of the pack's files
 * @param taken names of resources
 */
export function sharedTypes(document: Document, files: readonly unknown[], taken: ReadonlySet<string>): SharedTypes {
  const uses = new Map<string, { readonly values: readonly unknown[]; readonly names: string[] }>();
  for (const file of files)
    walk(file, '', (values, name) => {
      const key = JSON.stringify(values);
      const known = uses.get(key);
      if (known === undefined) uses.set(key, { values, names: [name] });
      else known.names.push(name);
    });
  const known = namedValues(document);
  const names = new Set([...TAKEN, ...taken]);
  const types: Record<string, unknown> = {};
  const byValues = new Map<string, string>();
  for (const [key, { values, names: used }] of uses) {
    if (values.length <= LONG && !(used.length > 1 && values.length >= REPEATED)) continue;
    const name = freeName(known.get(key) ?? usual(used), names);
    byValues.set(key, name);
    types[name] = { enum: values };
  }
  const named = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(named);
    if (!isRecord(data)) return data;
    const { enum: values, ...rest } = data;
    const name = isValues(data) ? byValues.get(JSON.stringify(values)) : undefined;
    const made = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, named(each)]));
    if (name === undefined) return values === undefined ? made : { enum: values, ...made };
    const keys = Object.keys(made);
    if (keys.length === 0) return name;
    return keys.length === 1 && made['nullable'] === true ? `${name}?` : { type: name, ...made };
  };
  return { types, named };
}

/** Visits the enums in data, except states of machines. @param name of the field or parameter */
function walk(data: unknown, name: string, found: (values: readonly unknown[], name: string) => void): void {
  if (Array.isArray(data)) for (const each of data) walk(each, name, found);
  if (!isRecord(data)) return;
  if (isValues(data)) return found(listOr(data['enum']), name);
  for (const [key, each] of Object.entries(data))
    walk(each, key === 'items' || key === 'one_of' ? singular(name) : key, found);
}

function isValues(data: Readonly<Record<string, unknown>>): boolean {
  const values = data['enum'];
  return Array.isArray(values) && data['machine'] !== true && values.every((each) => typeof each === 'string');
}

/** The document's names for enums, by their values. */
function namedValues(document: Document): ReadonlyMap<string, string> {
  const schemas = objectOr(objectOr(document.root['components'])['schemas'] ?? document.root['definitions']);
  return new Map(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const values = listOr(objectOr(schema)['enum']).filter((each) => each !== null);
      return values.length === 0 ? [] : [[JSON.stringify([...new Set(values)]), snake(name)] as const];
    }),
  );
}

/** The most frequent name. */
function usual(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(snake(name), (counts.get(snake(name)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0][0];
}
