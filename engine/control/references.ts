import { isList, isObject, type Json } from '../values/index.js';
import { referringFields, type ResourceDef } from '../model/index.js';
import type { Row } from '../world/index.js';
import { objectWith, OWNER, type SeenWorld } from './lookup.js';
import * as s from './schema.js';

/** Maximum number of ids by collection and field in one response. */
const MOST = 20;
/** Maximum number of objects that are searched in a collection without an index. */
const LOOKED_AT = 20_000;

export const NamedSchema = s.object({ path: s.string, collection: s.string, id: s.string, tenant: OWNER });

export const NamingSchema = s.object({
  collection: s.string,
  field: s.string,
  ids: s.list(s.string),
  total: s.integer,
});

type Naming = s.Shown<typeof NamingSchema>;

/** The objects that an object refers to, each with the path of the reference. */
export function namedBy(engine: SeenWorld, { id, value }: Pick<Row, 'id' | 'value'>): s.Shown<typeof NamedSchema>[] {
  const found: s.Shown<typeof NamedSchema>[] = [];
  const look = (at: Json, path: string): void => {
    if (found.length >= MOST * 2) return;
    if (typeof at === 'string') {
      const other = at.length >= 3 && at.length <= 255 && at !== id ? objectWith(engine, at) : undefined;
      if (other) found.push({ path, collection: collectionOf(engine, other.resource), id: at });
    } else if (isList(at)) at.forEach((item, index) => look(item, `${path}[${index}]`));
    else if (isObject(at))
      for (const [name, item] of Object.entries(at)) look(item, path === '' ? name : `${path}.${name}`);
  };
  look(value, '');
  return found;
}

/** Returns the objects that refer to an object, by collection and field, the newest first. */
export function naming(engine: SeenWorld, def: ResourceDef, id: string): Naming[] {
  return engine.model.resources.flatMap((other) =>
    referringFields(other, def.name).flatMap((field): Naming[] => {
      const rows = engine.world.tenants.everywhere(other.index).flatMap((collection) =>
        collection.hasIndex(field)
          ? collection.ordered(field, id).all()
          : collection
              .ordered()
              .all()
              .slice(-LOOKED_AT)
              .filter((row) => names(row.value[field] ?? null, id)),
      );
      if (rows.length === 0) return [];
      const ids = rows.slice(-MOST).map((row) => row.id);
      return [{ collection: other.collection, field, ids: ids.reverse(), total: rows.length }];
    }),
  );
}

function names(value: Json, id: string): boolean {
  if (value === id) return true;
  if (isList(value)) return value.some((item) => names(item, id));
  return isObject(value) && Object.values(value).some((item) => names(item, id));
}

function collectionOf({ model }: SeenWorld, resource: number): string {
  return model.resources[resource].collection;
}
