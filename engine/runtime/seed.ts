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
  /** Last states of deleted objects, by collection. */
  readonly deleted?: Readonly<Record<string, Json>>;
  /** The timers of the objects, in the order in which they are set, in place of those that follow from their states. */
  readonly timers?: readonly Json[];
  /** Times of objects' own clocks, by name (`lineName`). */
  readonly clocks?: Readonly<Record<string, Json>>;
}

/** An object in a seed, with its location. */
interface GivenSeed {
  readonly resource: ResourceProgram;
  readonly given: JsonObject;
  readonly path: string;
  /** The tenant that the seeded object belongs to; null: none. */
  readonly tenant: string | null;
}

/** The objects of one tenant; null: of none. */
interface SeedShare {
  readonly tenant: string | null;
  readonly resources: SeedObjects['resources'];
  readonly deleted: NonNullable<SeedObjects['deleted']>;
  /** The location of the objects in the seed. */
  readonly at: string;
}

/** A part of a seed that is malformed, whatever the pack declares. */
function misshapen(path: string, says: string): SeedRejected {
  return new SeedRejected('invalid_value', `${path}${says}`, path, true);
}

/** The objects of a seed by tenant, those without one first, so that tenants exist before their objects. */
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
 * Inserts objects silently: no events, no deliveries. Missing fields get defaults, computed values are computed, objects with
 * an existing id are replaced, and timers of the objects' states are set. Yields after each object.
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
  // Deleted objects leave tombstones.
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

/** Runs something in the tenant of an object. */
function inside<T>(command: CommandExecution, { tenant }: { readonly tenant: string | null }, run: () => T): T {
  return tenant === command.tenant ? run() : command.within(tenant, run);
}

/** Runs something in the tenant of an object, and in its simulated time. */
function atHome<T>(command: CommandExecution, row: Row, run: () => T): T {
  return inside(command, row, () => command.inTimeOf(row, run));
}

/** Gives an existing object a clock of its own. */
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

/** A tenant has to exist before its objects. */
function checkTenant({ runtime, world }: CommandExecution, { tenant, path }: GivenSeed): void {
  if (tenant === null || world.collections[runtime.tenantResource].placeOf(tenant) !== undefined) return;
  const { collection } = runtime.resources[runtime.tenantResource].def;
  throw new SeedRejected(
    'unknown_reference',
    `${path} belongs to '${tenant}', which does not exist; seed it among ${collection} in the same call or before`,
    path,
  );
}

/** Runs a seed to its end, like `seeding`. */
export function seed(pack: Program, command: CommandExecution, seeds: SeedObjects): Record<string, number> {
  return endOf(seeding(pack, command, seeds));
}

function resourceOf(pack: Program, collection: string, path: string): ResourceProgram {
  const def = pack.model.byCollection.get(collection);
  if (!def) throw new SeedRejected('unknown_resource', `there is no collection '${collection}'`, path);
  return pack.resources[def.index];
}

/** Adds an object to its collection: the given values, and defaults for the rest. */
function insert(command: CommandExecution, { resource, given, path }: GivenSeed): SeededObject {
  const { def, index } = resource;
  const id = idOf(def, given, path);
  const made = resource.shape().blank();
  for (const { name, complete, absent, required } of resource.stored()) {
    const value = name === 'id' ? id : given[name];
    if (value !== undefined) made[name] = complete ? complete(value, command, made) : value;
    // Fields without a value stay empty until they are computed.
    else made[name] = required() ? null : valueOf(() => absent(command, made), resource, given, path);
  }
  const old = command.row(index, id);
  if (old) command.remove(old);
  return { row: command.insert(resource, made), given, path };
}

/** A default may fail because the field that it reads is missing. */
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

/** Runs the pack's steps that complete an object. */
function complete(command: CommandExecution, resource: ResourceProgram, { row, given, path }: SeededObject): void {
  const { complete } = resource.seeded();
  if (complete === null) return;
  command.beginCount();
  command.internal++;
  try {
    asked(() => complete(command, row, given), path);
    command.drain();
  } catch (error) {
    // The missing field is the better message than the failure that it caused.
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

/** Evaluates the pack's expressions over an object; a failure is reported as a problem of the object. */
function asked<T>(run: () => T, path: string): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    throw new SeedRejected('invalid_value', `${path} cannot be completed: ${error.message}`, path);
  }
}

/** Checks a completed object: complete, equal to the given values, and in a valid state. */
function checkObject(pack: Program, command: CommandExecution, each: SeededObject): void {
  const { row, given, path } = each;
  if (!row.alive) return;
  const resource = pack.resources[row.resource];
  command.beginCount();
  // If an expression fails because a field is missing, the missing field is reported.
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

/** Whether a field is empty. */
function isOpen(value: Json): boolean {
  return value === null || (isList(value) && value.length === 0);
}

/** The time (ms) from which the delays of an object's state are counted. */
function sinceOf(command: CommandExecution, resource: ResourceProgram, { row, given }: SeededObject): number {
  const { order } = resource.def.file;
  const { since } = resource.seeded();
  const said = since === null ? null : since(command, row, given);
  const ms = readInstant(said ?? (order === undefined ? null : (row.value[order] ?? null)));
  return Number.isFinite(ms) ? ms : command.nowMs;
}

/** Sets a timer that the seed gives: `{collection, id, timer, due, tenant?}`. */
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
