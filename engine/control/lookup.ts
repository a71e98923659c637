import type { Named } from '../codes.js';
import type { Json } from '../values/index.js';
import type { Program, ResourceProgram } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import { glob } from '../model/index.js';
import { suggest } from '../pack/index.js';
import type { Row } from '../world/index.js';
import { type ControlRejection, unknown } from './rejection.js';
import * as s from './schema.js';

/** Reads objects: an engine with its present world, or with an earlier state of it. */
export type SeenWorld = Pick<Engine, 'world' | 'model' | 'pack' | 'runtime'>;

/** The tenant of an object, in responses. */
export const OWNER = s.string
  .about('id of the tenant that the object belongs to; absent if it belongs to none')
  .optional();

/** The response of calls that delete something. */
export const DeletedSchema = s.object({ id: s.string, deleted: s.literal<boolean>(true) });

/** An event's id and name. */
export const EventNameSchema = s.named('EventName', s.object({ id: s.string, type: s.string }));

/** The collection with a name. @throws ControlRejection (404) */
export function collectionNamed(engine: SeenWorld, name: string): ResourceProgram {
  const def = engine.model.byCollection.get(name);
  if (!def) throw unknownResource(engine, name);
  return engine.pack.resources[def.index];
}

/** The rejection (404) for an unknown collection; for the name of a resource, it suggests its collection. */
export function unknownResource(engine: SeenWorld, name: string): ControlRejection {
  const { byName, byCollection, env } = engine.model;
  return unknown('resource', name, byName.get(name)?.collection ?? env.suggest(name, byCollection.keys()));
}

/**
 * The tenant that a call names: null for `none`, or for the id of the world's own account. Undefined if it names none, which
 * means objects of all tenants.
 * @throws ControlRejection (404)
 */
export function tenantNamed(
  { world: present, pack, runtime }: SeenWorld,
  name: string | undefined,
  world = present,
): string | null | undefined {
  if (name === undefined) return undefined;
  if (name === 'none' || name === pack.tenants?.home) return null;
  const tenants = runtime.tenantResource < 0 ? undefined : world.collections[runtime.tenantResource];
  // Accepts a deleted tenant too, since its objects can still be read.
  if (tenants?.placeOf(name) !== undefined) return name;
  throw unknown(
    'tenant',
    name,
    suggest(
      name,
      tenants
        ?.ordered()
        .all()
        .map(({ id }) => id) ?? [],
    ),
  );
}

/** The object with an id, of any resource. @param tenant as returned by `tenantNamed` */
export function objectWith(engine: SeenWorld, id: string, tenant?: string | null): Row | undefined {
  return objectsWith(engine, id, tenant).next().value;
}

/** The objects with an id: several tenants may have the same one. Objects without a tenant come first. */
export function* objectsWith(
  { world: { collections, tenants } }: SeenWorld,
  id: string,
  tenant?: string | null,
): Generator<Row, undefined> {
  const all =
    tenant === undefined
      ? [...collections, ...tenants.collections()]
      : tenant === null
        ? collections
        : tenants.of(tenant);
  for (const collection of all) {
    const row = collection.get(id);
    if (row) yield row;
  }
  return undefined;
}

/** The rejection (404) for an unknown id of a fault, pin or other entry of a register. */
export function unknownEntry(what: Named, id: string, known: Iterable<string>): ControlRejection {
  return unknown(what, id, suggest(id, known));
}

/** Checks that an operation exists. @param name operation with its collection @throws ControlRejection (404) */
export function checkOperation({ pack, model }: Engine, name: string): void {
  const names = pack.operations.map(({ key }) => key);
  if (!names.includes(name)) throw unknown('operation', name, model.env.suggest(name, names));
}

/** All names of events: the declared ones, and those under which events of other kinds are sent. */
export function allEventTypes({ eventTypes, eventKinds }: Program): readonly string[] {
  return [...eventTypes, ...[...eventKinds.values()].flatMap(({ reported }) => [...reported.keys()])];
}

/** Returns the kinds of events that a name or pattern matches; only null, the ordinary kind, if it matches an ordinary one. */
export function kindsNamed({ pack }: Engine, name: string): readonly (string | null)[] {
  const pattern = glob(name);
  const found = new Set<string | null>();
  for (const { events } of pack.resources)
    for (const { name: type, kind } of events.values()) if (pattern.test(type)) found.add(kind);
  if (found.has(null)) return [null];
  for (const { name: kind, reported } of pack.eventKinds.values())
    if ([...reported.keys()].some((type) => pattern.test(type))) found.add(kind);
  return [...found];
}

/** Length limit of an event's name, in characters. */
const MAX_NAME_CHARACTERS = 200;

/**
 * Rejects an event type that the pack never emits, since it is most likely misspelt.
 * @param name a name or pattern
 * @throws ControlRejection (404)
 */
export function checkEventPattern(engine: Engine, name: string, path: string): void {
  const eventTypes = allEventTypes(engine.pack);
  const pattern = glob(name);
  if (name.length > MAX_NAME_CHARACTERS || !eventTypes.some((type) => pattern.test(type)))
    throw unknown('event', name, engine.model.env.suggest(name, eventTypes), { path });
}

/** Returns a text unchanged, and null for any other value. */
export function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Simulated time in the pack's format. */
export function packInstant(engine: SeenWorld, ms: number): Json {
  return Number.isFinite(ms) ? engine.model.env.fromMs(ms) : null;
}
