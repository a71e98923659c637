import type { ResourceDef } from './resource.js';
import { type Schema, visitSchema } from './schema.js';

const referring = new WeakMap<ResourceDef, Map<string, string[]>>();

/** Lists the stored fields of a resource that contain ids of another one, at any level. */
export function referringFields(from: ResourceDef, to: string): readonly string[] {
  let byName = referring.get(from);
  if (!byName) {
    byName = new Map();
    for (const [field, schema] of from.schema.fields) {
      if (schema.view !== undefined) continue;
      for (const name of refsIn(schema)) byName.set(name, [...(byName.get(name) ?? []), field]);
    }
    referring.set(from, byName);
  }
  return byName.get(to) ?? [];
}

function refsIn(schema: Schema): Set<string> {
  const names = new Set<string>();
  visitSchema(schema, (each) => {
    if (each.kind === 'ref') for (const name of each.refs) names.add(name);
  });
  return names;
}
