import { isList, isObject, type Json, type JsonObject } from '../values/index.js';
import type { ResourceDef } from './resource.js';
import type { Schema } from './schema.js';

/** Returns the visible part of a field's value; undefined: nothing is visible. */
type FieldVisibility = (value: Json) => Json | undefined;

const shows = new WeakMap<ResourceDef, FieldVisibility | null>();

/** Returns an object's stored value without secrets at any level, as tests see it. */
export function publicValue(resource: ResourceDef, value: JsonObject): JsonObject {
  let show = shows.get(resource);
  if (show === undefined) shows.set(resource, (show = withoutHidden(resource.schema) ?? null));
  const shown = show === null ? value : show(value);
  return isObject(shown) ? shown : {};
}

/** Returns a function that removes hidden fields from a value; undefined if the schema hides nothing. */
function withoutHidden(schema: Schema): FieldVisibility | undefined {
  if (schema.hidden && !schema.internal) return () => undefined;
  const items = schema.kind === 'array' ? withoutHidden(schema.items) : undefined;
  if (items) return (value) => (isList(value) ? value.map((item) => items(item) ?? null) : value);
  if (schema.kind !== 'object') return undefined;
  const fields = new Map<string, FieldVisibility>();
  for (const [name, field] of schema.fields) {
    const show = withoutHidden(field);
    if (show) fields.set(name, show);
  }
  if (fields.size === 0) return undefined;
  return (value) => {
    if (!isObject(value)) return value;
    const shown: Record<string, Json> = {};
    for (const [name, each] of Object.entries(value)) {
      const show = fields.get(name);
      const kept = show === undefined ? each : show(each);
      if (kept !== undefined) shown[name] = kept;
    }
    return shown;
  };
}
