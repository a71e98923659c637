import { isObject, type Json } from '../../engine/values/index.js';
import type { Build } from './build.js';
import { type Document, listOr, type Node } from './document.js';
import { firstState, STATE_FIELDS } from './machine.js';
import { timeField, withTimes } from './times.js';
import { type Field, plain, shortType, schemaTypeName } from './types.js';

/**
 * Creates a field from a property.
 * @param needed the document requires it in responses
 * @param settable a call can send it
 * @param notes collects decisions for a person
 * @param shown the document's example value, from responses to calls that don't send it
 */
export function fieldOf(
  { document, sampler }: Build,
  name: string,
  property: unknown,
  needed: boolean,
  settable: boolean,
  notes: string[],
  shown?: Json,
): Field {
  const { schema, nullable } = plain(document, property);
  const type = storedType(document, schema);
  const time = settable && !isStamp(name) ? undefined : timeField(name, schema, shown);
  const made = (more: Record<string, unknown>, at_first: Json | undefined): Field => ({
    type: shortType({ ...type, ...(type['type'] === 'map' && !isMapOrNone(at_first) ? { type: 'any' } : {}), ...more }),
    schema: property,
    at_first,
    nullable: nullable || more['nullable'] === true,
    ...(time === undefined ? {} : { now: time.now }),
  });
  const fixed = constantOf(schema);
  if (fixed !== undefined) return { type: { const: fixed }, schema: property, at_first: fixed, nullable: false };
  if (
    time !== undefined &&
    (time.moment !== 'other' || (needed && !nullable) || (shown !== undefined && shown !== null && !nullable))
  ) {
    const touches = time.moment === 'changed' && time.type === 'timestamp';
    const own = time.type === 'integer' || time.type === type['type'] ? {} : { type: time.type };
    return made(
      { ...own, default: time.now, ...(nullable ? { nullable: true } : {}), ...(touches ? { touch: true } : {}) },
      time.sample,
    );
  }
  if (time !== undefined && nullable) return made({ nullable: true }, null);
  if (shown !== undefined && shown !== null) {
    const value = sampler.of(property, [shown]);
    if (value !== undefined && value !== null)
      return made({ default: withTimes(escapedTemplate(value)), ...(nullable ? { nullable: true } : {}) }, value);
  }
  if (schema['default'] !== undefined && schema['default'] !== null && sampler.accepts(property, schema['default']))
    return made({ default: escapedTemplate(schema['default'] as Json) }, schema['default'] as Json);
  if (nullable) return made({ nullable: true }, null);
  if (type['type'] === 'array' && sampler.accepts(property, [])) return made({}, []);
  if (!needed && settable) return absent(made, type);
  // Optional values that only the vendor sets start empty.
  if (!needed && type['type'] === 'boolean') return made({ default: false }, false);
  if (!needed && type['type'] === 'string' && !hasExample(schema) && /(?:^|_)url$|[a-z]Url$/.test(name))
    return made({ default: EXAMPLE_URL }, EXAMPLE_URL);
  if (!needed && schemaTypeName(schema) === 'integer' && /count$|^total|_total$|^num_/i.test(name))
    return made({ default: 0 }, 0);
  const values = listOr(schema['enum']);
  if (values.length > 0 && needed) {
    const isState = STATE_FIELDS.some((field) => field === name);
    if (values.length > 1 && !settable && !isState)
      notes.push(
        `${name}: starts as ${String(values[0])}; which transitions lead to ${values.slice(1, 6).map(String).join(', ')}? (a \`machine:\`)`,
      );
    const first = (isState ? firstState(values) : values[0]) as Json;
    return made({ default: first }, first);
  }
  const sample = needed || hasExample(schema) ? sampler.of(property) : undefined;
  if (sample === undefined || sample === null) {
    if (needed) notes.push(`${name}: no value was found that the document accepts`);
    return absent(made, type);
  }
  return made({ default: withTimes(escapedTemplate(sample)) }, sample);
}

/** Documents use other types for a missing object, such as `false`. */
function isMapOrNone(value: Json | undefined): boolean {
  return value === undefined || value === null || isObject(value);
}

const EXAMPLE_URL = 'https://example.com/';

function hasExample(schema: Node): boolean {
  return schema['example'] !== undefined || listOr(schema['examples']).length > 0;
}

/** Whether a time is set by the vendor, even if requests may contain one. */
function isStamp(name: string): boolean {
  return /^(?:created|updated|modified)(?:_?(?:at|on|date|time|utc))?$/i.test(name);
}

function absent(
  made: (more: Record<string, unknown>, at_first: Json | undefined) => Field,
  type: Record<string, unknown>,
): Field {
  return made(
    type['type'] === 'any' || type['type'] === 'map' || type['type'] === 'array'
      ? { nullable: true, optional: true }
      : { optional: true },
    undefined,
  );
}

function constantOf(schema: Node): Json | undefined {
  if ('const' in schema) return schema['const'] as Json;
  const values = listOr(schema['enum']);
  return values.length === 1 ? (values[0] as Json) : undefined;
}

/** The stored type of a field: the content of nested objects isn't checked. */
function storedType(document: Document, schema: Node): Record<string, unknown> {
  const values = listOr(schema['enum']);
  if (values.length > 0)
    return values.every((value) => typeof value === 'string') ? { enum: [...new Set(values)] } : { type: 'any' };
  switch (schemaTypeName(schema)) {
    case 'string':
      return { type: schema['format'] === 'date-time' ? 'timestamp' : 'string' };
    case 'integer':
    case 'number':
    case 'boolean':
      return { type: schemaTypeName(schema) };
    case 'object':
      return { type: 'map' };
    case 'array': {
      const items = plain(document, schema['items']);
      const inside = storedType(document, items.schema);
      const isPlain = !items.nullable && ['string', 'integer', 'number', 'map'].includes(String(inside['type']));
      return { type: 'array', items: isPlain ? inside['type'] : 'any' };
    }
    default:
      return { type: 'any' };
  }
}

/** Escapes `${` in a value, so that it contains no expressions. */
export function escapedTemplate(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => "${'$'}{");
  if (Array.isArray(value)) return value.map((each) => escapedTemplate(each as Json));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key.replaceAll('${', '$ {'), escapedTemplate(each)]),
    );
  return value;
}
