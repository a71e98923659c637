import { isList, isObject, type Json } from '../../expression/index.js';
import type { Schema } from '../../model/index.js';
import type { ResourceProgram } from '../../operation/index.js';
import type { Row } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { collectionNamed } from '../names.js';
import { unknown } from '../refusal.js';
import { count, optional, text } from '../shape.js';

/** What a field shows of its value; undefined: all of it. */
type Show = (value: Json) => Json | undefined;

const PIECE = 1 << 16;

/** The objects of the world as they are stored, without what the pack hides. */
export function stateRoutes({ engine }: ControlContext): ControlRoute[] {
  const shows = new Map<number, Show>();
  const showOf = ({ index, def }: ResourceProgram): Show => {
    let show = shows.get(index);
    if (show === undefined) shows.set(index, (show = withoutHidden(def.schema) ?? ((value) => value)));
    return show;
  };
  return [
    route(
      'GET /state',
      { query: { resource: optional(text), id: optional(text), limit: optional(count(0, Number.MAX_SAFE_INTEGER)) } },
      ({ query: { resource, id, limit = Infinity } }) => {
        const programs = resource === undefined ? engine.pack.resources : [collectionNamed(engine, resource)];
        const collections = programs.map((program) => {
          const collection = engine.world.collections[program.index];
          const row = id === undefined ? undefined : collection.get(id);
          const rows = id !== undefined ? (row ? [row] : []) : newest(collection.ordered().all(), limit);
          // Values never change: what is written later is still this moment's state.
          return { name: program.def.collection, show: showOf(program), values: rows.map(({ value }) => value) };
        });
        const found = id === undefined ? collections : collections.filter(({ values }) => values.length > 0);
        if (id !== undefined && found.length === 0) throw unknown('object', id);
        return { chunks: pieces(stateText(engine.world.now, found)) };
      },
    ),
  ];
}

function newest(rows: readonly Row[], limit: number): readonly Row[] {
  return rows.length > limit ? rows.slice(rows.length - limit) : rows;
}

function* stateText(
  now: Json,
  collections: readonly { readonly name: string; readonly show: Show; readonly values: readonly Json[] }[],
): Generator<string> {
  yield `{"now":${JSON.stringify(now)},"resources":{`;
  for (const [index, { name, show, values }] of collections.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(name)}:[`;
    for (const [at, value] of values.entries()) yield (at > 0 ? ',' : '') + JSON.stringify(show(value));
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

/** Leaves hidden fields out, also inside; undefined when the schema hides nothing. */
function withoutHidden(schema: Schema): Show | undefined {
  if (schema.hidden) return () => undefined;
  const items = schema.kind === 'array' && schema.items ? withoutHidden(schema.items) : undefined;
  if (items) return (value) => (isList(value) ? value.map((item) => items(item) ?? null) : value);
  if (schema.kind !== 'object') return undefined;
  const shows = new Map<string, Show>();
  for (const [name, field] of schema.fields ?? []) {
    const show = withoutHidden(field);
    if (show) shows.set(name, show);
  }
  if (shows.size === 0) return undefined;
  return (value) => {
    if (!isObject(value)) return value;
    const shown: Record<string, Json> = {};
    for (const [name, each] of Object.entries(value)) {
      const show = shows.get(name);
      const kept = show === undefined ? each : show(each);
      if (kept !== undefined) shown[name] = kept;
    }
    return shown;
  };
}
