import { equal, isList, isObject, type Json, type JsonObject } from '../values/index.js';
import { fieldsMisfit, misfit, type ResourceDef, type Schema } from '../model/index.js';
import { didYouMean, suggest } from '../pack/index.js';
import type { Program, ResourceProgram } from '../program/index.js';
import type { Row, TimeFormat } from '../world/index.js';
import { responseOfObject } from './response.js';
import type { CommandExecution } from './command-execution.js';

/** Thrown if seed data is rejected; none of the data is stored. */
export class SeedRejected extends Error {
  constructor(
    readonly code:
      | 'unknown_resource'
      | 'invalid_id'
      | 'unknown_field'
      | 'missing_field'
      | 'invalid_value'
      | 'engine_derived'
      | 'unknown_reference',
    message: string,
    readonly path: string,
    /** Whether the form of the seed data is wrong, independent of the pack. */
    readonly shape = false,
  ) {
    super(message);
  }
}

/** An inserted object of seed data: its row, its values in the seed data, and its path in the seed data. */
export interface SeededObject {
  readonly row: Row;
  readonly given: JsonObject;
  readonly path: string;
}

/** Checks that the values of an object in seed data match the types of its fields. @throws SeedRejected */
export function checkGiven(def: ResourceDef, given: JsonObject, path: string, time: TimeFormat): void {
  for (const key of Object.keys(given)) {
    const schema = def.schema.fields.get(key);
    const at = `${path}.${key}`;
    if (!schema) {
      const near = suggest(key, def.schema.fields.keys());
      throw new SeedRejected('unknown_field', `${def.collection} have no field '${key}'${didYouMean(near)}`, at);
    }
    if (schema.view !== undefined) continue;
    const wrong = misfit(schema, given[key], at, time);
    if (wrong) throw new SeedRejected('invalid_value', `${wrong.path} ${wrong.message}`, wrong.path);
  }
}

/** Checks that an object has a value in each required field. @throws SeedRejected */
export function checkWhole(def: ResourceDef, value: JsonObject, path: string, time: TimeFormat): void {
  const wrong = fieldsMisfit(def.schema, value, path, time);
  if (wrong === undefined) return;
  const isOpen = wrong.message === 'must not be null';
  throw isOpen
    ? new SeedRejected('missing_field', `${wrong.path} is missing, and nothing determines it`, wrong.path)
    : new SeedRejected('invalid_value', `${wrong.path} ${wrong.message}`, wrong.path);
}

/** Checks that values in seed data equal those of the finished object, also computed ones. @throws SeedRejected */
export function checkDerived(
  command: CommandExecution,
  resource: ResourceProgram,
  { row, given, path }: SeededObject,
): void {
  let response: Json | undefined;
  for (const key of Object.keys(given)) {
    const isView = resource.def.schema.fields.get(key)?.view !== undefined;
    if (isView) response ??= responseOfObject(command, command.collection(resource.index), resource, row.value);
    const made = isView
      ? isObject(response ?? null)
        ? ((response as JsonObject)[key] ?? null)
        : null
      : row.value[key];
    const other = difference(given[key], made, `${path}.${key}`);
    if (other === undefined) continue;
    throw new SeedRejected(
      'engine_derived',
      `${other.path} is derived by the engine: ${brief(other.made)}, and cannot be set to ${brief(other.given)}`,
      other.path,
    );
  }
}

interface SeedDifference {
  readonly path: string;
  readonly given: Json;
  readonly made: Json;
}

/**
 * Finds the first difference between a value in seed data and the inserted one. Missing members are no difference, and neither
 * is an id in place of its object.
 */
function difference(given: Json, made: Json, path: string): SeedDifference | undefined {
  if (given === made) return undefined;
  if (isObject(given) && isObject(made)) {
    for (const key of Object.keys(given)) {
      const other = difference(given[key], made[key] ?? null, `${path}.${key}`);
      if (other !== undefined) return other;
    }
    return undefined;
  }
  if (isList(given) && isList(made) && given.length === made.length) {
    for (const [index, item] of given.entries()) {
      const other = difference(item, made[index], `${path}[${index}]`);
      if (other !== undefined) return other;
    }
    return undefined;
  }
  if (typeof given === 'string' && isObject(made) && made['id'] === given) return undefined;
  return equal(given, made) ? undefined : { path, given, made };
}

/** Length limit of a value in a message, in characters. */
const MAX_CHARACTERS = 80;

function brief(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}...` : text;
}

/** Checks that references name objects that exist or existed, including those of the same seed data. @throws SeedRejected */
export function checkReferences(pack: Program, command: CommandExecution, { row, path }: SeededObject): void {
  const visit = (schema: Schema, value: Json, at: string): void => {
    if (value === null) return;
    if (schema.kind === 'ref' && typeof value === 'string') {
      if (value === '' || schema.refs.some((name) => exists(pack, command, name, value))) return;
      throw new SeedRejected(
        'unknown_reference',
        `${at} names '${value}', which does not exist; seed it in the same call or before`,
        at,
      );
    }
    if (schema.kind === 'object' && isObject(value)) {
      for (const [name, field] of schema.fields) visit(field, value[name] ?? null, `${at}.${name}`);
    } else if (schema.kind === 'array' && isList(value)) {
      for (const [index, item] of value.entries()) visit(schema.items, item, `${at}[${index}]`);
    }
  };
  for (const [name, schema] of pack.resources[row.resource].def.schema.fields)
    visit(schema, row.value[name] ?? null, `${path}.${name}`);
}

/** Whether any tenant has, or had, an object with an id, since references cross tenants. */
function exists({ model }: Program, { world }: CommandExecution, name: string, id: string): boolean {
  const def = model.byName.get(name);
  return def !== undefined && world.tenants.everywhere(def.index).some((each) => each.placeOf(id) !== undefined);
}
