import type { Named } from '../codes.js';
import type { Json } from '../values/index.js';
import type { Program, ResourceProgram } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import { glob } from '../model/index.js';
import { suggest } from '../pack/index.js';
import type { Row } from '../world/index.js';
import { type ControlRejection, unknown } from './rejection.js';
import * as s from './schema.js';

/** What reads objects: an engine with its world, or with that world as it was. */
export type SeenWorld = Pick<Engine, 'world' | 'model' | 'pack' | 'runtime'>;

/** Whose an object is, in responses. */
export const OWNER = s.string.about('its tenant; absent for an object without one').optional();

/** What a call that deletes something returns. */
export const DeletedSchema = s.object({ id: s.string, deleted: s.literal<boolean>(true) });

/** An event, by its id and its name. */
export const EventNameSchema = s.named('EventName', s.object({ id: s.string, type: s.string }));

/**
 * The meaning of a collection's name.
 * @throws ControlRejection (404)
 */
export function collectionNamed(engine: SeenWorld, name: string): ResourceProgram {
  const def = engine.model.byCollection.get(name);
  if (!def) throw unknownResource(engine, name);
  return engine.pack.resources[def.index];
}

/** 404 for a name that is no collection; a resource's name leads to its collection. */
export function unknownResource(engine: SeenWorld, name: string): ControlRejection {
  const { byName, byCollection, env } = engine.model;
  return unknown('resource', name, byName.get(name)?.collection ?? env.suggest(name, byCollection.keys()));
}

/**
 * The tenant that a call names: `none`, or the id that stands for no tenant, is null. Undefined: it names none, so that objects of
 * everybody are meant.
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
  // What a deleted one had is still looked at.
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

/** The object with an id, of whatever resource. @param tenant as `tenantNamed` gives it */
export function objectWith(engine: SeenWorld, id: string, tenant?: string | null): Row | undefined {
  return objectsWith(engine, id, tenant).next().value;
}

/** The objects with an id: the same one may be in several tenants. Those of no tenant come first. */
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

/** 404 for an id that no entry of a register has. */
export function unknownEntry(what: Named, id: string, known: Iterable<string>): ControlRejection {
  return unknown(what, id, suggest(id, known));
}

/** @param name of an operation with its collection. @throws ControlRejection (404) */
export function checkOperation({ pack, model }: Engine, name: string): void {
  const names = pack.operations.map(({ key }) => key);
  if (!names.includes(name)) throw unknown('operation', name, model.env.suggest(name, names));
}

/** Every name of an event: the declared ones, and those under which events of other kinds carry them. */
export function allEventTypes({ eventTypes, eventKinds }: Program): readonly string[] {
  return [...eventTypes, ...[...eventKinds.values()].flatMap(({ reported }) => [...reported.keys()])];
}

/** The kinds of the events that a name or pattern means; null: ordinary ones, which come before all others. */
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

/** Longest name of an event, in characters. */
const MAX_NAME_CHARACTERS = 200;

/**
 * An event that the pack never emits is never delivered: most likely it is misspelt.
 * @param name or a pattern
 * @throws ControlRejection (404)
 */
export function checkEventPattern(engine: Engine, name: string, path: string): void {
  const eventTypes = allEventTypes(engine.pack);
  const pattern = glob(name);
  if (name.length > MAX_NAME_CHARACTERS || !eventTypes.some((type) => pattern.test(type)))
    throw unknown('event', name, engine.model.env.suggest(name, eventTypes), { path });
}

/** A text, or null for anything else. */
export function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Simulated time as the pack writes it. */
export function packInstant(engine: SeenWorld, ms: number): Json {
  return Number.isFinite(ms) ? engine.model.env.fromMs(ms) : null;
}
