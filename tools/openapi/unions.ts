import { type Document, listOr, type Node, objectOr } from './document.js';
import { plain, schemaTypeName } from './types.js';

const MOST_LEVELS = 4;

/** Alternatives of a schema; empty if it has none. */
export function alternatives(schema: Node): readonly unknown[] {
  const options = ['oneOf', 'anyOf'].flatMap((key) => listOr(schema[key]));
  return options.length > 1 ? options : [];
}

/**
 * Merges the alternatives of a schema that are objects: all their members, of which those are required that all alternatives require. Schemas with
 * other alternatives (text, number) stay unchanged.
 */
export function together(document: Document, given: unknown, depth = 0): ReturnType<typeof plain> {
  const whole = plain(document, given);
  const heirs = document.heirsOf(given);
  const options = heirs.length > 0 ? heirs : alternatives(whole.schema);
  if (options.length === 0 || depth > MOST_LEVELS) return whole;
  const parts = options.map((each) => together(document, each, depth + 1).schema);
  const objects = parts.filter((each) => Object.keys(objectOr(each['properties'])).length > 0);
  const isOther = (each: Node): boolean => !['object', 'array', ''].includes(schemaTypeName(each));
  if (objects.length === 0 || parts.some(isOther)) return whole;
  const { oneOf: _, anyOf: __, discriminator: ___, ...rest } = whole.schema;
  const own = objectOr(rest['properties']);
  const required = objects
    .map((each) => new Set(listOr(each['required'])))
    .reduce((common, each) => new Set([...common].filter((name) => each.has(name))));
  return {
    nullable: whole.nullable,
    schema: {
      ...rest,
      type: 'object',
      properties: { ...propertiesTogether(document, objects, depth), ...own },
      required: [...new Set([...listOr(rest['required']), ...required])],
      ...(objects.every((each) => each['additionalProperties'] === false) ? { additionalProperties: false } : {}),
    },
  };
}

function propertiesTogether(document: Document, objects: readonly Node[], depth: number): Node {
  const named = new Map<string, unknown[]>();
  for (const each of objects)
    for (const [name, property] of Object.entries(objectOr(each['properties'])))
      named.set(name, [...(named.get(name) ?? []), property]);
  return Object.fromEntries([...named].map(([name, forms]) => [name, oneForm(document, forms, depth)]));
}

/** One schema for a member with a different schema in each alternative. */
function oneForm(document: Document, given: readonly unknown[], depth: number): unknown {
  const forms = [...new Map(given.map((each) => [JSON.stringify(each), each])).values()];
  if (forms.length === 1) return forms[0];
  const parts = forms.map((each) => plain(document, each).schema);
  const values = parts.flatMap((each) => ('const' in each ? [each['const']] : listOr(each['enum'])));
  const isClosed = parts.every((each) => 'const' in each || listOr(each['enum']).length > 0);
  if (isClosed) return { type: typeof values[0] === 'string' ? 'string' : undefined, enum: [...new Set(values)] };
  const [type, ...others] = new Set(parts.map(schemaTypeName));
  if (others.length > 0 || type === '') return { anyOf: forms };
  if (type === 'object' && depth < MOST_LEVELS) return together(document, { anyOf: forms }, depth + 1).schema;
  return type === 'array' ? forms[0] : { type };
}
