import { isObject, type Json, type JsonObject } from '../expression/index.js';
import { misfit, type Schema } from '../model/index.js';
import { readInstant, Row } from '../world/index.js';
import type { Program } from '../program/index.js';
import type { UnitOfWork } from './unit-of-work.js';
import { bindPins } from './pins.js';

/** Why a seed was refused. Nothing of it is kept. */
export class SeedRefused extends Error {
  constructor(
    readonly code:
      | 'unknown_resource'
      | 'invalid_id'
      | 'unknown_field'
      | 'invalid_value'
      | 'engine_derived'
      | 'unknown_reference'
      | 'malformed',
    message: string,
    readonly path: string,
  ) {
    super(message);
  }
}

/**
 * Inserts history silently: no events, no deliveries. Missing fields take defaults, an existing id is replaced, timers of
 * the status are armed relative to the object's own time.
 * @returns how many objects per collection
 * @throws SeedRefused
 */
export function seed(
  pack: Program,
  command: UnitOfWork,
  resources: Readonly<Record<string, readonly Json[]>>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  const rows: { readonly row: Row; readonly path: string }[] = [];
  for (const [collection, objects] of Object.entries(resources)) {
    const def = pack.model.byCollection.get(collection);
    if (!def) throw new SeedRefused('unknown_resource', `there is no collection '${collection}'`, collection);
    counts[collection] = objects.length;
    objects.forEach((object, index) => {
      const path = `${collection}[${index}]`;
      if (!isObject(object)) throw new SeedRefused('malformed', `${path} must be an object`, path);
      rows.push({ row: insert(pack, command, def.index, object, path), path });
    });
  }
  for (const { row, path } of rows) checkReferences(pack, command, row, path);
  for (const { row } of rows) {
    const resource = pack.resources[row.resource];
    bindPins(command, resource, row, 'seed');
    const { order } = resource.def.file;
    const since = order === undefined ? command.nowMs : readInstant(row.value[order] ?? null);
    command.waits.armSilently(resource, row, Number.isFinite(since) ? since : command.nowMs);
  }
  return counts;
}

function insert(pack: Program, command: UnitOfWork, index: number, given: JsonObject, path: string): Row {
  const { def } = pack.resources[index];
  const id = given['id'] ?? (def.singleton ? def.name : null);
  if (typeof id !== 'string') throw new SeedRefused('invalid_id', `${path} needs an id`, `${path}.id`);
  if (!def.singleton && !def.ids.pattern.test(id)) {
    throw new SeedRefused(
      'invalid_id',
      `'${id}' is not an id of ${def.collection} (${def.ids.pattern.source})`,
      `${path}.id`,
    );
  }
  const value = completed(pack, command, index, { ...given, id }, path);
  const old = command.world.row(index, id);
  if (old) command.remove(old);
  return command.insert(pack.resources[index], value);
}

function completed(pack: Program, command: UnitOfWork, index: number, given: JsonObject, path: string): JsonObject {
  const { def } = pack.resources[index];
  const { settings } = pack.model;
  for (const key of Object.keys(given)) {
    const schema = def.schema.fields.get(key);
    const at = `${path}.${key}`;
    if (!schema) throw new SeedRefused('unknown_field', `${def.collection} have no field '${key}'`, at);
    if (key !== 'id') refuseDerived(schema, at);
    const wrong = misfit(schema, given[key], at, settings.time);
    if (wrong) throw new SeedRefused('invalid_value', `${wrong.path} ${wrong.message}`, wrong.path);
  }
  const made = pack.resources[index].shape().blank();
  for (const { name, complete, absent } of pack.resources[index].stored()) {
    const value = given[name];
    if (value === undefined) made[name] = absent(command, made);
    else made[name] = complete ? complete(value, command, made) : value;
  }
  return made;
}

function refuseDerived(schema: Schema, path: string): void {
  if (schema.view !== undefined)
    throw new SeedRefused('engine_derived', `${path} is derived by the engine and cannot be set`, path);
}

/** References must lead to objects that exist, those of the same seed included. */
function checkReferences(pack: Program, command: UnitOfWork, row: Row, path: string): void {
  const visit = (schema: Schema, value: Json, at: string): void => {
    if (value === null) return;
    if (schema.kind === 'ref' && typeof value === 'string') {
      if (value === '') return;
      const exists = schema.refs.some((name) => {
        const def = pack.model.byName.get(name);
        return def !== undefined && command.world.row(def.index, value) !== undefined;
      });
      if (!exists)
        throw new SeedRefused(
          'unknown_reference',
          `${at} names '${value}', which does not exist; seed it in the same call or before`,
          at,
        );
    } else if (schema.kind === 'object' && isObject(value)) {
      for (const [name, field] of schema.fields) visit(field, value[name] ?? null, `${at}.${name}`);
    } else if (schema.kind === 'array' && Array.isArray(value)) {
      (value as readonly Json[]).forEach((item, index) => visit(schema.items, item, `${at}[${index}]`));
    }
  };
  for (const [name, schema] of pack.resources[row.resource].def.schema.fields)
    visit(schema, row.value[name] ?? null, `${path}.${name}`);
}
