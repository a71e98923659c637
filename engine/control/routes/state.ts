import type { Json, JsonObject } from '../../expression/index.js';
import { publicValue, type ResourceDef } from '../../model/index.js';
import type { ResourceProgram } from '../../program/index.js';
import type { Engine } from '../../runtime/index.js';
import { exactInstant, type Row, type Timer, type Tombstone, type World } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { asked, worldAt } from '../moments.js';
import { collectionNamed } from '../names.js';
import { unknown } from '../refusal.js';
import { count, optional, text } from '../shape.js';

const PIECE = 1 << 16;

/**
 * The objects of the world as they are stored, without what the pack hides, with what is left of deleted ones and the timers that
 * run: all that a seed takes back.
 */
export function stateRoutes({ engine }: ControlContext): ControlRoute[] {
  return [
    route(
      'GET /state',
      {
        query: {
          resource: optional(text),
          id: optional(text),
          limit: optional(count(0, Number.MAX_SAFE_INTEGER)),
          at: optional(asked),
        },
      },
      ({ query: { resource, id, limit = Infinity, at } }) => {
        const world = at === undefined ? engine.world : worldAt(engine, at);
        const programs = resource === undefined ? engine.pack.resources : [collectionNamed(engine, resource)];
        const collections = programs.map((program) => {
          const collection = world.collections[program.index];
          const row = id === undefined ? undefined : collection.get(id);
          const rows = id !== undefined ? (row ? [row] : []) : newest(collection.ordered().all(), limit);
          // Values never change: what is written later is still this moment's state.
          return {
            def: program.def,
            values: rows.map(({ value }) => value),
            timers: rows.flatMap(({ timers }) => timers),
          };
        });
        const found = id === undefined ? collections : collections.filter(({ values }) => values.length > 0);
        if (id !== undefined && found.length === 0) throw unknown('object', id);
        const isWhole = id === undefined && limit === Infinity;
        const gone = isWhole ? programs.flatMap((program) => deletedOf(program, world)) : [];
        return { chunks: pieces(stateText(world.now, found, gone, timersOf(engine, found))) };
      },
    ),
  ];
}

function newest(rows: readonly Row[], limit: number): readonly Row[] {
  return rows.length > limit ? rows.slice(rows.length - limit) : rows;
}

/** Objects of a collection, oldest first. */
interface Shown {
  readonly def: ResourceDef;
  readonly values: readonly JsonObject[];
}

/** What is left of deleted objects of a collection: nothing, or one row. */
function deletedOf({ def, index }: ResourceProgram, world: World): Shown[] {
  const stones = [...world.collections[index].tombstones()].map(([, stone]) => stone);
  return stones.length === 0 ? [] : [{ def, values: stones.sort(byPlace).map(({ value }) => value) }];
}

function byPlace(a: Tombstone, b: Tombstone): number {
  return a.order - b.order || a.seq - b.seq;
}

/** Timers of objects as a seed takes them, in the order in which they were armed. */
function timersOf(
  { pack, model }: Engine,
  collections: readonly (Shown & { readonly timers: readonly Timer[] })[],
): JsonObject[] {
  const { time } = model.settings;
  return collections
    .flatMap(({ timers }) => timers)
    .sort((a, b) => a.seq - b.seq)
    .map(({ row, trigger, due }) => {
      const { def } = pack.resources[row.resource];
      const waits = def.machine?.timersOf(String(row.value[def.status ?? ''])) ?? [];
      const timer = waits.find((wait) => wait.trigger === trigger)?.delay ?? trigger;
      return { collection: def.collection, id: row.id, timer, due: exactInstant(time, due) };
    });
}

function* stateText(
  now: Json,
  collections: readonly Shown[],
  gone: readonly Shown[],
  timers: readonly JsonObject[],
): Generator<string> {
  yield `{"now":${JSON.stringify(now)},"resources":{`;
  yield* collectionsText(collections);
  if (gone.length > 0) {
    yield '},"deleted":{';
    yield* collectionsText(gone);
  }
  yield '}';
  for (const [at, timer] of timers.entries()) yield (at > 0 ? ',' : ',"timers":[') + JSON.stringify(timer);
  yield timers.length > 0 ? ']}' : '}';
}

function* collectionsText(collections: readonly Shown[]): Generator<string> {
  for (const [index, { def, values }] of collections.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(def.collection)}:[`;
    for (const [at, value] of values.entries()) yield (at > 0 ? ',' : '') + JSON.stringify(publicValue(def, value));
    yield ']';
  }
}

/** Joins small texts to larger ones: a large world is written without ever being one text. */
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
