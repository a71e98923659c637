import { isRegularExpression } from '../../engine/pack/index.js';

/** Keys whose values are data, not schemas. */
export const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** Keys whose values are maps of names. */
export const MAPS = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'schemas',
  'responses',
  'parameters',
  'paths',
  'content',
  'headers',
  'callbacks',
  'requestBodies',
  'securitySchemes',
  'dependentSchemas',
]);
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** Removes from a copy of a document what JSON Schema validators reject, and converts `nullable`, which documents of every version contain. */
export function settled(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => settled(each));
  if (typeof value !== 'object' || value === null) return value;
  const isMap = MAPS.has(key);
  const made: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    if (isMap) made[name] = settled(each);
    else if (DATA.has(name) || name.startsWith('x-')) made[name] = each;
    else if (!isBroken(name, each)) made[name] = settled(each, name);
  }
  return isMap || key === 'examples' ? made : nullable(made);
}

function isBroken(name: string, value: unknown): boolean {
  switch (name) {
    case 'required':
      // `required: true` is valid for a parameter and meaningless for a property. Both are read separately.
      return !Array.isArray(value) && typeof value !== 'boolean';
    case 'type':
      return typeof value === 'string' && /^[a-z]+$/.test(value) && !TYPES.has(value) && NO_SCHEMA_TYPES.has(value);
    case 'pattern':
      return typeof value === 'string' && !isRegularExpression(value);
    case '$id':
    case '$schema':
    case '$anchor':
      return true;
    default:
      return false;
  }
}

/** Values of `type` in documents that aren't JSON Schema types; security schemes also have a `type`, such as `apiKey`. */
const NO_SCHEMA_TYPES = new Set(['file', 'date', 'datetime', 'int', 'float', 'double', 'long', 'any', 'map', 'uuid']);

/** Adds null to a schema with `nullable`. */
function nullable(schema: Record<string, unknown>): Record<string, unknown> {
  if (schema['nullable'] !== true) return schema;
  const { nullable: _said, ...rest } = schema;
  const { type } = rest;
  const combined = ['$ref', 'allOf', 'oneOf', 'anyOf'].some((key) => key in rest);
  if (!combined && typeof type === 'string') return { ...rest, type: [type, 'null'] };
  if (!combined && Array.isArray(type)) return { ...rest, type: [...new Set([...(type as unknown[]), 'null'])] };
  if (!combined) return rest;
  return { anyOf: [rest, { type: 'null' }] };
}

/** Adds null to every `enum` beside `nullable: true`, since vendors accept and return it. Modifies its argument. */
export function nullInEnums<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const { nullable: said, enum: values } = value as { nullable?: unknown; enum?: unknown };
  if (said === true && Array.isArray(values) && !values.includes(null)) values.push(null);
  Object.values(value).forEach(nullInEnums);
  return value;
}
