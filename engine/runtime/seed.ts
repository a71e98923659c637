import { endOf, ExpressionFailure, isList, isObject, type Json, type JsonObject } from '../values/index.js';
import { type ResourceDef, timersOf, withInstants } from '../model/index.js';
import { ownerOf, readInstant, type Row } from '../world/index.js';
import { type Program, Rejection, type ResourceProgram, type SeedRejection } from '../program/index.js';
import { bindPins, read } from './pins.js';
import {
  checkDerived,
  checkGiven,
  checkReferences,
  checkWhole,
  SeedRejected,
  type SeededObject,
} from './seed-check.js';
import type { CommandExecution } from './command-execution.js';

/** The data of a seed, as `POST /seed` takes it and `GET /state` returns it. */
export interface SeedObjects {
  readonly resources: Readonly<Record<string, readonly Json[]>>;
  /** Objects of tenants, by tenant id: `{resources, deleted?}` each. */
  readonly tenants?: Readonly<Record<string, Json>>;
  /** Last values of deleted objects, by collection. */
  readonly deleted?: Readonly<Record<string, Json>>;
  /** Timers of the objects, in the order in which they were set. Absent: the timers that follow from their states. */
  readonly timers?: readonly Json[];
  /** Current times of time owners' clocks, by the clock's name (`lineName`). */
  readonly clocks?: Readonly<Record<string, Json>>;
}

/** An object in seed data, with its path. */
interface GivenSeed {
  readonly resource: ResourceProgram;
  readonly given: JsonObject;
  readonly path: string;
  /** The tenant of the object; null: none. */
  readonly tenant: string | null;
}

/** The part of the seed data for one tenant; null: for objects without a tenant. */
interface SeedShare {
  readonly tenant: string | null;
  readonly resources: SeedObjects['resources'];
  readonly deleted: NonNullable<SeedObjects['deleted']>;
  /** Path in the seed data of the tenant's part. */
  readonly at: string;
}

/** Returns the error for seed data whose form is wrong, independent of the pack. */
function misshapen(path: string, says: string): SeedRejected {
  return new SeedRejected('invalid_value', `${path}${says}`, path, true);
}

/** Splits seed data by tenant: objects without a tenant come first, so that tenants exist before their objects. */
function sharesOf({ resources, deleted = {}, tenants = {} }: SeedObjects, { runtime }: CommandExecution): SeedShare[] {
  const shares: SeedShare[] = [{ tenant: null, resources, deleted, at: '' }];
  for (const [tenant, given] of Object.entries(tenants)) {
    const at = `tenants.${tenant}`;
    if (runtime.tenantResource < 0) throw misshapen(at, ': the pack has no tenants');
    if (!isObject(given)) throw misshapen(at, ' must be an object');
    for (const name of Object.keys(given))
      if (name !== 'resources' && name !== 'deleted')
        throw new SeedRejected(
          'invalid_value',
          `${at} has resources and deleted, not '${name}'`,
          `${at}.${name}`,
          true,
        );
    const lists = (name: 'resources' | 'deleted'): SeedShare['resources'] => {
      const value = given[name] ?? {};
      if (!isObject(value)) throw misshapen(`${at}.${name}`, ' must be an object');
      return value as SeedShare['resources'];
    };
    shares.push({ tenant, resources: lists('resources'), deleted: lists('deleted'), at: `${at}.` });
  }
  return shares;
}

function checkAlone(pack: Program, { resource, given, path }: GivenSeed): void {
  idOf(resource.def, given, path);
  checkGiven(resource.def, given, path, pack.model.settings.time);
}

function* objectsOf(pack: Program, { resources, tenant, at }: SeedShare): Generator<GivenSeed> {
  const prefix = tenant === null ? at : `${at}resources.`;
  for (const [collection, objects] of Object.entries(resources)) {
    const path = `${prefix}${collection}`;
    yield* givenOf(pack, collection, objects, path, tenant);
  }
}

function* deletedOf(pack: Program, { deleted, tenant, at }: SeedShare): Generator<GivenSeed> {
  for (const [collection, objects] of Object.entries(deleted)) {
    const path = `${at}deleted.${collection}`;
    yield* givenOf(pack, collection, objects, path, tenant);
  }
}

function* givenOf(
  pack: Program,
  collection: string,
  objects: Json,
  at: string,
  tenant: string | null,
): Generator<GivenSeed> {
  const resource = resourceOf(pack, collection, at);
  const { time } = pack.model.settings;
  if (!isList(objects)) throw misshapen(at, ' must be a list');
  for (const [index, object] of objects.entries()) {
    const path = `${at}[${index}]`;
    const given = time === 'unix' ? object : withInstants(resource.def.schema, object, time);
    if (!isObject(given)) throw misshapen(path, ' must be an object');
    if (tenant !== null && resource.def.shared)
      throw new SeedRejected('invalid_value', `${path}: ${resource.def.collection} belong to no tenant`, path);
    yield { resource, given, path, tenant };
  }
}

/**
 * Inserts seed data without events or deliveries; yields after each object. Missing fields get defaults or computed values,
 * objects with an existing id are replaced, and timers of the objects' states are set.
 * @returns the number of objects by collection
 * @throws SeedRejected
 */
export function* seeding(
  pack: Program,
  command: CommandExecution,
  seeds: SeedObjects,
): Generator<void, Record<string, number>> {
  const { resources, timers, clocks = {} } = seeds;
  const shares = sharesOf(seeds, command);
  for (const share of shares) {
    for (const each of objectsOf(pack, share)) {
      checkAlone(pack, each);
      yield;
    }
    for (const each of deletedOf(pack, share)) {
      checkAlone(pack, each);
      yield;
    }
  }
  command.silent = true;
  // Deleted objects of the seed data are inserted and deleted, which leaves tombstones.
  const byResource = new Map<number, SeededObject[]>();
  for (const share of shares) {
    for (const each of deletedOf(pack, share)) {
      checkTenant(command, each);
      inside(command, each, () => command.remove(insert(command, each).row));
      yield;
    }
    for (const each of objectsOf(pack, share)) {
      checkTenant(command, each);
      const made = inside(command, each, () => insert(command, each));
      const others = byResource.get(each.resource.index);
      if (others === undefined) byResource.set(each.resource.index, [made]);
      else others.push(made);
      yield;
    }
  }
  const inOrder = pack.seedOrder.flatMap((index) => (byResource.get(index) ?? []).filter(({ row }) => row.alive));
  for (const each of inOrder) {
    checkReferences(pack, command, each);
    yield;
  }
  for (const [line, at] of Object.entries(clocks)) beginClock(command, line, at);
  for (const each of inOrder) {
    atHome(command, each.row, () => complete(command, pack.resources[each.row.resource], each));
    yield;
  }
  for (const each of inOrder) {
    atHome(command, each.row, () => checkObject(pack, command, each));
    yield;
  }
  for (const each of inOrder) {
    const resource = pack.resources[each.row.resource];
    atHome(command, each.row, () => {
      bindPins(command, resource, each.row, 'seed');
      if (timers === undefined) command.waits.armSilently(resource, each.row, sinceOf(command, resource, each));
    });
    yield;
  }
  if (timers !== undefined) {
    const rows = new Set(inOrder.map(({ row }) => row));
    for (const [index, given] of timers.entries()) {
      armGiven(pack, command, rows, given, `timers[${index}]`);
      yield;
    }
  }
  command.silent = false;
  return Object.fromEntries(Object.entries(resources).map(([collection, objects]) => [collection, objects.length]));
}

/** Runs a function with the tenant of an object as the current one. */
function inside<T>(command: CommandExecution, { tenant }: { readonly tenant: string | null }, run: () => T): T {
  return tenant === command.tenant ? run() : command.within(tenant, run);
}

/** Runs a function with the tenant of an object as the current one, and with the object's simulated time as `now`. */
function atHome<T>(command: CommandExecution, row: Row, run: () => T): T {
  return inside(command, row, () => command.inTimeOf(row, run));
}

/** Gives a time owner a clock of its own, at the time in the seed data. */
function beginClock({ runtime, world, transaction }: CommandExecution, line: string, at: Json): void {
  const path = `clocks.${line}`;
  const { times } = runtime.pack;
  const { id, tenant = null } = ownerOf(line);
  if (times === null) throw misshapen(path, ': no object of this pack has its own clock');
  if (world.tenants.known(tenant, times.resource)?.get(id) === undefined)
    throw new SeedRejected(
      'unknown_reference',
      `${path}: there is no ${runtime.resources[times.resource].def.name} '${line}'`,
      path,
    );
  const ms = readInstant(at);
  if (!Number.isFinite(ms)) throw new SeedRejected('invalid_value', `${path} must be a time`, path);
  transaction.write(world.clocks, line, ms);
}

/** Checks that the tenant of an object exists. @throws SeedRejected */
function checkTenant({ runtime, world }: CommandExecution, { tenant, path }: GivenSeed): void {
  if (tenant === null || world.collections[runtime.tenantResource].placeOf(tenant) !== undefined) return;
  const { collection } = runtime.resources[runtime.tenantResource].def;
  throw new SeedRejected(
    'unknown_reference',
    `${path} belongs to '${tenant}', which does not exist; seed it among ${collection} in the same call or before`,
    path,
  );
}

/** Inserts seed data at once, like `seeding`. @returns the number of objects by collection */
export function seed(pack: Program, command: CommandExecution, seeds: SeedObjects): Record<string, number> {
  return endOf(seeding(pack, command, seeds));
}

function resourceOf(pack: Program, collection: string, path: string): ResourceProgram {
  const def = pack.model.byCollection.get(collection);
  if (!def) throw new SeedRejected('unknown_resource', `there is no collection '${collection}'`, path);
  return pack.resources[def.index];
}

/** Inserts an object of seed data, with defaults for missing fields. */
function insert(command: CommandExecution, { resource, given, path }: GivenSeed): SeededObject {
  const { def, index } = resource;
  const id = idOf(def, given, path);
  const made = resource.shape().blank();
  for (const { name, complete, absent, required } of resource.stored()) {
    const value = name === 'id' ? id : given[name];
    if (value !== undefined) made[name] = complete ? complete(value, command, made) : value;
    // A required field without a value stays null until the pack's steps compute it.
    else made[name] = required() ? null : valueOf(() => absent(command, made), resource, given, path);
  }
  const old = command.row(index, id);
  if (old) command.remove(old);
  return { row: command.insert(resource, made), given, path };
}

/** Computes a field's default. If that fails since another field is missing, rejects the seed data because of that field. */
function valueOf(make: () => Json, resource: ResourceProgram, given: JsonObject, path: string): Json {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    const open = resource.stored().find(({ name, required }) => required() && given[name] === undefined)?.name;
    const at = open === undefined ? path : `${path}.${open}`;
    throw new SeedRejected('missing_field', `${at} is missing: ${error.message}`, at);
  }
}

function idOf(def: ResourceDef, given: JsonObject, path: string): string {
  const id = given['id'] ?? (def.singleton ? def.name : null);
  if (typeof id !== 'string') throw new SeedRejected('invalid_id', `${path} needs an id`, `${path}.id`);
  if (def.singleton || def.ids.pattern.test(id)) return id;
  throw new SeedRejected(
    'invalid_id',
    `'${id}' is not an id of ${def.collection} (${def.ids.pattern.source})`,
    `${path}.id`,
  );
}

/** Runs the pack's steps that complete an object of seed data. */
function complete(command: CommandExecution, resource: ResourceProgram, { row, given, path }: SeededObject): void {
  const { complete } = resource.seeded();
  if (complete === null) return;
  command.beginCount();
  command.internal++;
  try {
    asked(() => complete(command, row, given), path);
    command.drain();
  } catch (error) {
    // A missing field explains more than the failure that it causes, so it is reported instead.
    if (error instanceof SeedRejected) checkWhole(resource.def, row.value, path, command.runtime.model.settings.time);
    if (!(error instanceof Rejection)) throw error;
    const { problems } = error.args;
    const first = isList(problems ?? null) ? (problems as readonly Json[])[0] : null;
    const { message, param } = isObject(first) ? first : error.args;
    const why = typeof message === 'string' ? message : `${error.error} ${JSON.stringify(error.args)}`;
    throw new SeedRejected('invalid_value', why, typeof param === 'string' ? `${path}.${param}` : path);
  } finally {
    command.internal--;
  }
}

/** Evaluates the pack's expressions over an object of seed data. @throws SeedRejected if they fail */
function asked<T>(run: () => T, path: string): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    throw new SeedRejected('invalid_value', `${path} cannot be completed: ${error.message}`, path);
  }
}

/** Checks a completed object: it has all required values, those in the seed data, and a valid state. */
function checkObject(pack: Program, command: CommandExecution, each: SeededObject): void {
  const { row, given, path } = each;
  if (!row.alive) return;
  const resource = pack.resources[row.resource];
  command.beginCount();
  // A missing field explains more than the failure that it causes, so a failed expression is reported last.
  let failed: SeedRejected | undefined;
  for (const rejection of resource.seeded().rejections) {
    try {
      if (asked(() => rejection.applies(command, row, given), path) === true) throw rejectedBy(rejection, each);
    } catch (error) {
      if (!(error instanceof SeedRejected) || error.path !== path) throw error;
      failed ??= error;
    }
  }
  checkWhole(resource.def, row.value, path, pack.model.settings.time);
  if (failed !== undefined) throw failed;
  checkDerived(command, resource, each);
  checkReferences(pack, command, each);
}

function rejectedBy({ path: field, message }: SeedRejection, { row, path }: SeededObject): SeedRejected {
  const code = isOpen(read(row.value, field.split('.'))) ? 'missing_field' : 'invalid_value';
  return new SeedRejected(code, `${path}.${field} ${message}`, `${path}.${field}`);
}

/** Whether a field has no value yet: null or an empty list. */
function isOpen(value: Json): boolean {
  return value === null || (isList(value) && value.length === 0);
}

/** Returns the time (ms) from which the delays of an object's state count: when the object entered the state. */
function sinceOf(command: CommandExecution, resource: ResourceProgram, { row, given }: SeededObject): number {
  const { order } = resource.def.file;
  const { since } = resource.seeded();
  const said = since === null ? null : since(command, row, given);
  const ms = readInstant(said ?? (order === undefined ? null : (row.value[order] ?? null)));
  return Number.isFinite(ms) ? ms : command.nowMs;
}

/** Sets a timer that the seed data contains: `{collection, id, timer, due, tenant?}`. @throws SeedRejected */
function armGiven(pack: Program, command: CommandExecution, seeded: ReadonlySet<Row>, given: Json, path: string): void {
  if (!isObject(given)) throw misshapen(path, ' must be an object');
  const { collection, id, timer, due, tenant = null, clock } = given;
  const resource = resourceOf(pack, String(collection), `${path}.collection`);
  const owner = typeof tenant === 'string' ? tenant : null;
  const row = typeof id === 'string' ? command.world.tenants.known(owner, resource.index)?.get(id) : undefined;
  if (row === undefined || !seeded.has(row))
    throw new SeedRejected('unknown_reference', `${path} is of no object of this seed`, `${path}.id`);
  const known = timersOf(resource.def, row.value);
  const wait = known.find(({ trigger, delay }) => timer === trigger || timer === delay);
  if (wait === undefined) {
    const message = `${path}.timer is none that ${row.id} has now: ${known.map(({ trigger }) => trigger).join(', ') || 'none'}`;
    throw new SeedRejected('invalid_value', message, `${path}.timer`);
  }
  const ms = readInstant(due ?? null);
  if (!Number.isFinite(ms)) throw new SeedRejected('invalid_value', `${path}.due must be a time`, `${path}.due`);
  if (clock !== undefined && (typeof clock !== 'string' || command.world.clocks.get(clock) === undefined))
    throw new SeedRejected('unknown_reference', `${path}.clock is none of the clocks of this world`, `${path}.clock`);
  const line = typeof clock === 'string' ? clock : command.runtime.times.of(row);
  command.inLine(line, () => command.waits.armAt(row, wait.trigger, ms));
}
