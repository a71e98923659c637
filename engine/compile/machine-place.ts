import { isList, isObject, type Json } from '../values/index.js';
import { inside, keyIn, type SourcePath, type SourceLocation, type ResourceDef } from '../model/index.js';

const KEYS: Readonly<Record<'guard' | 'action' | 'delay', readonly string[]>> = {
  guard: ['guard'],
  action: ['entry', 'exit', 'actions'],
  delay: ['after'],
};

/** The location where a machine first names a guard, action or delay. */
export function machinePlace(def: ResourceDef, what: keyof typeof KEYS, name: string): SourceLocation {
  const path = find(def.file.machine, KEYS[what], name);
  const place = inside(def.place, 'machine', ...(path ?? []));
  return path === undefined || what === 'delay' ? keyIn(place) : place;
}

function find(value: Json | undefined, keys: readonly string[], name: string): SourcePath | undefined {
  if (isList(value ?? null))
    return first([...(value as readonly Json[]).entries()], ([index, item]) => below(index, find(item, keys, name)));
  if (!isObject(value ?? null)) return undefined;
  return first(Object.entries(value as Readonly<Record<string, Json>>), ([key, item]) => {
    if (keys.includes(key)) {
      if (item === name) return [key];
      if (isList(item) && item.includes(name)) return [key, item.indexOf(name)];
      if (key === 'after' && isObject(item) && Object.hasOwn(item, name)) return [key, name];
    }
    return below(key, find(item, keys, name));
  });
}

function below(step: string | number, path: SourcePath | undefined): SourcePath | undefined {
  return path && [step, ...path];
}

function first<T>(items: readonly T[], look: (item: T) => SourcePath | undefined): SourcePath | undefined {
  for (const item of items) {
    const found = look(item);
    if (found) return found;
  }
  return undefined;
}
