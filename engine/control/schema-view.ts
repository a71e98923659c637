import type { JsonObject } from '../values/index.js';
import { rulesOf, type Schema } from '../model/index.js';

/** Levels of members that are shown. */
const DEPTH = 2;

/** A declared type for forms and readers: `{type, nullable?, required?, default?, values?, refs?, fields?, ...}`. */
export function schemaView(schema: Schema, depth = DEPTH): JsonObject {
  const { min, max, max_length, decimals } = rulesOf(schema);
  return {
    type: schema.kind === 'ref' ? 'reference' : schema.kind,
    ...(schema.nullable ? { nullable: true } : {}),
    ...(schema.required ? { required: true } : {}),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(max_length === undefined ? {} : { max_length }),
    ...(decimals === undefined ? {} : { decimals }),
    ...insideOf(schema, depth),
  };
}

function insideOf(schema: Schema, depth: number): JsonObject {
  switch (schema.kind) {
    case 'enum':
      return { values: schema.values };
    case 'ref':
      return { refs: schema.refs };
    case 'const':
      return { constant: schema.constant };
    case 'array':
      return depth > 0 ? { items: schemaView(schema.items, depth - 1) } : {};
    case 'map':
      return depth > 0 && schema.of !== undefined ? { of: schemaView(schema.of, depth - 1) } : {};
    case 'object':
      return depth > 0 ? { fields: fieldsView(schema.fields, depth - 1) } : {};
    case 'one_of':
      return depth > 0 ? { options: schema.options.map((option) => schemaView(option, depth - 1)) } : {};
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'timestamp':
    case 'any':
    case 'json_schema':
      return {};
  }
}

/** Fields or parameters by name, without those that the pack hides. */
export function fieldsView(fields: ReadonlyMap<string, Schema>, depth = DEPTH): JsonObject {
  const shown = [...fields].filter(([, schema]) => !schema.hidden);
  return Object.fromEntries(shown.map(([name, schema]) => [name, schemaView(schema, depth)]));
}
