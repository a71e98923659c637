import type { Json } from '../../engine/values/index.js';
import type { Build } from './build.js';
import { type Document, listOr, type Node } from './document.js';
import { firstState, STATE_FIELDS } from './machine.js';
import { type PackType, plain, shortType, schemaTypeName } from './types.js';

/** A field of a resource: its type in the pack language, and what a new object that was given nothing returns for it. */
export interface Field {
  readonly type: PackType | Readonly<Record<string, unknown>>;
  readonly schema: unknown;
  /** Undefined: the key is not returned. */
  readonly at_first: Json | undefined;
  readonly nullable: boolean;
}

/** The time of samples, as a pack returns it. */
export const SAMPLE_TIME = '2025-01-01T00:00:00.000Z';
const MADE = /creat|added/i;
const CHANGED = /updat|modif|chang/i;

/**
 * Makes a field of a property.
 * @param needed the document requires it in responses
 * @param settable a call may send it
 * @param notes gets what a person should decide
 * @param shown what the document shows for it where no call sent it
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
  const made = (more: Record<string, unknown>, at_first: Json | undefined): Field => ({
    type: shortType({ ...type, ...more }),
    schema: property,
    at_first,
    nullable: nullable || more['nullable'] === true,
  });
  const fixed = constantOf(schema);
  if (fixed !== undefined) return { type: { const: fixed }, schema: property, at_first: fixed, nullable: false };
  const stamp = MADE.test(name) || CHANGED.test(name);
  if (type['type'] === 'timestamp' && ((stamp && !settable) || (needed && !nullable)))
    return made(
      { default: '${now}', ...(nullable ? { nullable: true } : {}), ...(CHANGED.test(name) ? { touch: true } : {}) },
      SAMPLE_TIME,
    );
  if (
    schemaTypeName(schema) === 'integer' &&
    !nullable &&
    needed &&
    MADE.test(name) &&
    /_at$|At$|^created$|time/.test(name)
  )
    return made({ default: '${unix(now)}' }, 1_735_689_600);
  if (shown !== undefined && shown !== null) {
    if (typeof shown === 'number' && /(?:_at|At)$/.test(name) && shown > 1e9 && shown < 1e10)
      return made({ default: '${unix(now)}', ...(nullable ? { nullable: true } : {}) }, 1_735_689_600);
    const value = sampler.of(property, [shown]);
    if (value !== undefined && value !== null)
      return made({ default: escapedTemplate(value), ...(nullable ? { nullable: true } : {}) }, value);
  }
  if (schema['default'] !== undefined && schema['default'] !== null && sampler.accepts(property, schema['default']))
    return made({ default: escapedTemplate(schema['default'] as Json) }, schema['default'] as Json);
  if (nullable) return made({ nullable: true }, null);
  if (type['type'] === 'array' && sampler.accepts(property, [])) return made({}, []);
  if (!needed && settable) return absent(made, type);
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
  const hasExample = schema['example'] !== undefined || listOr(schema['examples']).length > 0;
  const sample = needed || hasExample ? sampler.of(property) : undefined;
  if (sample === undefined || sample === null) {
    if (needed) notes.push(`${name}: no value was found that the document accepts`);
    return absent(made, type);
  }
  return made({ default: escapedTemplate(sample) }, sample);
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

/** How a field keeps what the document says: what is inside objects is kept as it comes. */
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

/** A value as a template that gives it: `${` begins no expression. */
export function escapedTemplate(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => "${'$'}{");
  if (Array.isArray(value)) return value.map((each) => escapedTemplate(each as Json));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key.replaceAll('${', '$ {'), escapedTemplate(each)]),
    );
  return value;
}
