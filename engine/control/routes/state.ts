import type { Json, JsonObject } from '../../values/index.js';
import { publicValue, type ResourceDef, timersOf } from '../../model/index.js';
import type { ResourceProgram } from '../../program/index.js';
import type { Engine } from '../../runtime/index.js';
import {
  type Collection,
  exactInstant,
  type HeldValue,
  type Row,
  type Timer,
  type Tombstone,
  type World,
  writtenOf,
} from '../../world/index.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { asked, worldAt } from '../ledger-position.js';
import { collectionNamed, tenantNamed } from '../lookup.js';
import { unknown } from '../rejection.js';
import { count, InstantSchema, optional, text } from '../shape.js';
import { ClocksSchema, WorldTimerSchema } from '../timer-view.js';

const PIECE = 1 << 16;

/** The schema of objects by collection. */
const ObjectsSchema = s.mapOf(s.list(s.map));

/**
 * The route that returns the world's objects as stored, without fields that the pack hides, with tombstones and running timers:
 * everything that a seed restores.
 */
export const STATE_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /state',
    {
      id: 'state',
      tag: 'world',
      heavy: true,
      about: 'Stored objects, oldest first, without fields that the pack hides; can be passed to `POST /seed`',
      query: {
        resource: optional(text, 'return only this collection'),
        id: optional(text, 'return only the object with this id'),
        tenant: optional(text, 'return only objects of this tenant; `none`: objects without a tenant'),
        limit: optional(
          count(0, Number.MAX_SAFE_INTEGER),
          'return only this many of the newest objects of each collection',
        ),
        at: optional(asked, 'the state as of this moment (default: now)'),
      },
      response: s.object({
        now: InstantSchema,
        resources: ObjectsSchema,
        deleted: ObjectsSchema.about(
          'last states of deleted objects, oldest first; absent if there are none, and with `id` or `limit`',
        ).optional(),
        tenants: s
          .mapOf(s.object({ resources: ObjectsSchema, deleted: ObjectsSchema.optional() }))
          .about('objects of tenants, by tenant id; absent if there are none')
          .optional(),
        timers: s
          .list(WorldTimerSchema)
          .about('running timers, in the order in which they were started; a seed with an empty list starts none'),
        clocks: ClocksSchema.optional(),
      }),
      errors: [404, 422],
    },
    ({ engine }, { query: { resource, id, tenant: whose, limit = Infinity, at } }) => {
      const world = at === undefined ? engine.world : worldAt(engine, at);
      const programs = resource === undefined ? engine.pack.resources : [collectionNamed(engine, resource)];
      const whole = id === undefined && limit === Infinity;
      const shareOf = (tenant: string | null): StatePage => {
        const collections = programs.flatMap((program): StateSummary[] => {
          const collection = ownOf(program, world, tenant);
          if (!collection) return [];
          const row = id === undefined ? undefined : collection.get(id);
          const rows = id !== undefined ? (row ? [row] : []) : newest(collection.ordered().all(), limit);
          if (rows.length === 0 && (tenant !== null || id !== undefined)) return [];
          // Stores immutable values, so that the response has this moment's state however late it is written.
          const values = rows.map(({ held }) => held);
          return [{ def: program.def, values, timers: rows.flatMap(({ timers }) => timers) }];
        });
        const deleted = whole ? programs.flatMap((program) => deletedOf(program, world, tenant)) : [];
        return { tenant, collections, deleted };
      };
      const tenant = tenantNamed(engine, whose, world);
      const own = typeof tenant === 'string' ? NOTHING : shareOf(null);
      const ids = tenant === undefined ? world.tenants.ids : tenant === null ? [] : [tenant];
      const shares = ids.map(shareOf).filter((each) => each.collections.length + each.deleted.length > 0);
      if (id !== undefined && [own, ...shares].every(({ collections }) => collections.length === 0))
        throw unknown('object', id);
      const timers = timerSeeds(
        engine,
        [own, ...shares].flatMap(({ collections }) => collections),
      );
      const clocks = id === undefined && resource === undefined && tenant === undefined ? clocksOf(engine, world) : [];
      return { chunks: pieces(stateText(world.now, own, shares, timers, clocks)) };
    },
  ),
];

function newest(rows: readonly Row[], limit: number): readonly Row[] {
  return rows.length > limit ? rows.slice(rows.length - limit) : rows;
}

/** Objects of a collection, oldest first. */
interface StateView {
  readonly def: ResourceDef;
  readonly values: readonly HeldValue[];
}

interface StateSummary extends StateView {
  readonly timers: readonly Timer[];
}

/** The state of one tenant; null: of objects without a tenant. */
interface StatePage {
  readonly tenant: string | null;
  readonly collections: readonly StateSummary[];
  readonly deleted: readonly StateView[];
}

/** The empty part for objects without a tenant, used if only one tenant's state is requested. */
const NOTHING: StatePage = { tenant: null, collections: [], deleted: [] };

/** A tenant's own objects of a resource; undefined if there are none. */
function ownOf({ def, index }: ResourceProgram, world: World, tenant: string | null): Collection | undefined {
  return tenant !== null && def.shared ? undefined : world.tenants.known(tenant, index);
}

/** Tombstones of a collection: no row or one. */
function deletedOf(program: ResourceProgram, world: World, tenant: string | null): StateView[] {
  const tombstones = [...(ownOf(program, world, tenant)?.tombstones() ?? [])].map(([, tombstone]) => tombstone);
  return tombstones.length === 0
    ? []
    : [{ def: program.def, values: tombstones.sort(byPlace).map(({ value }) => value) }];
}

function byPlace(a: Tombstone, b: Tombstone): number {
  return a.order - b.order || a.seq - b.seq;
}

/** Timers of objects in the format of seeds, in the order in which they were set. */
function timerSeeds({ pack, model }: Engine, collections: readonly StateSummary[]): JsonObject[] {
  const { time } = model.settings;
  return collections
    .flatMap(({ timers }) => timers)
    .sort((a, b) => a.seq - b.seq)
    .map(({ row, trigger, due, line }) => {
      const { def } = pack.resources[row.resource];
      const waits = timersOf(def, row.value);
      const timer = waits.find((wait) => wait.trigger === trigger)?.delay ?? trigger;
      const view = { collection: def.collection, id: row.id, timer, due: exactInstant(time, due) };
      return {
        ...view,
        ...(row.tenant === null ? {} : { tenant: row.tenant }),
        ...(line === null ? {} : { clock: line }),
      };
    });
}

/** Times of objects' clocks in the format of seeds. */
function clocksOf({ model }: Engine, world: World): readonly (readonly [string, Json])[] {
  return [...world.clocks.entries()].map(([line, ms]) => [line, exactInstant(model.settings.time, ms)] as const);
}

function* stateText(
  now: Json,
  own: StatePage,
  tenants: readonly StatePage[],
  timers: readonly JsonObject[],
  clocks: readonly (readonly [string, Json])[],
): Generator<string> {
  yield `{"now":${JSON.stringify(now)},`;
  yield* shareText(own);
  for (const [at, share] of tenants.entries()) {
    yield `${at > 0 ? ',' : ',"tenants":{'}${JSON.stringify(share.tenant)}:{`;
    yield* shareText(share);
    yield at === tenants.length - 1 ? '}}' : '}';
  }
  yield ',"timers":[';
  for (const [at, timer] of timers.entries()) yield (at > 0 ? ',' : '') + JSON.stringify(timer);
  yield ']';
  if (clocks.length > 0) yield `,"clocks":${JSON.stringify(Object.fromEntries(clocks))}`;
  yield '}';
}

/** Writes the JSON of one tenant's state: its objects by collection, and its tombstones. */
function* shareText({ collections, deleted }: StatePage): Generator<string> {
  yield '"resources":{';
  yield* collectionsText(collections);
  if (deleted.length > 0) {
    yield '},"deleted":{';
    yield* collectionsText(deleted);
  }
  yield '}';
}

function* collectionsText(collections: readonly StateView[]): Generator<string> {
  for (const [index, { def, values }] of collections.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(def.collection)}:[`;
    for (const [at, value] of values.entries())
      yield (at > 0 ? ',' : '') + JSON.stringify(publicValue(def, writtenOf(value)));
    yield ']';
  }
}

/** Joins small texts to larger chunks, so that a large world is never one text in memory. */
function* pieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
