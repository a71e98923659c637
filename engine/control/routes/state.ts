import type { Json, JsonObject } from '../../expression/index.js';
import { publicValue, type ResourceDef } from '../../model/index.js';
import type { Row } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { asked, worldAt } from '../moments.js';
import { collectionNamed } from '../names.js';
import { unknown } from '../refusal.js';
import { count, optional, text } from '../shape.js';

const PIECE = 1 << 16;

/** The objects of the world as they are stored, without what the pack hides. */
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
          return { def: program.def, values: rows.map(({ value }) => value) };
        });
        const found = id === undefined ? collections : collections.filter(({ values }) => values.length > 0);
        if (id !== undefined && found.length === 0) throw unknown('object', id);
        return { chunks: pieces(stateText(world.now, found)) };
      },
    ),
  ];
}

function newest(rows: readonly Row[], limit: number): readonly Row[] {
  return rows.length > limit ? rows.slice(rows.length - limit) : rows;
}

function* stateText(
  now: Json,
  collections: readonly { readonly def: ResourceDef; readonly values: readonly JsonObject[] }[],
): Generator<string> {
  yield `{"now":${JSON.stringify(now)},"resources":{`;
  for (const [index, { def, values }] of collections.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(def.collection)}:[`;
    for (const [at, value] of values.entries()) yield (at > 0 ? ',' : '') + JSON.stringify(publicValue(def, value));
    yield ']';
  }
  yield '}}';
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
