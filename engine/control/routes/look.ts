import * as s from '../schema.js';
import { publicValue } from '../../model/index.js';
import { asked, viewAt } from '../ledger-position.js';
import { lifeOf, LifeSchema } from '../life.js';
import { objectWith, type SeenWorld } from '../lookup.js';
import { unknown } from '../rejection.js';
import { type ControlRoute, route } from '../route.js';
import { count, optional, required, text, InstantSchema } from '../shape.js';
import type { Engine } from '../../runtime/index.js';
import type { Row } from '../../world/index.js';
import { eventCollections } from '../replayed-effects.js';

/** Maximum number of objects that one search reads. */
const LOOKED_AT = 50_000;

/** Fields that usually hold an object's name. */
const NAMES = new Set(['name', 'email', 'login', 'title', 'type']);

const HitSchema = s.object({
  id: s.string,
  collection: s.string,
  type: s.string.about('type of the event').optional(),
});

const FoundSchema = s.object({
  objects: s.list(HitSchema),
  objects_total: s.integer,
  events: s.list(HitSchema),
  events_total: s.integer,
  calls: s.list(
    s.object({
      trace: s.string,
      method: s.string,
      path: s.string,
      status: s.integer,
      operation: s.string.orNull(),
      at: InstantSchema,
    }),
  ),
  calls_total: s.integer,
  searched: s.integer.about('number of objects and calls that were searched'),
});

type Hit = s.Shown<typeof HitSchema>;

/** Finds objects by a text in their id, a value or a call's data, the best match first. */
function find(engine: Engine, view: SeenWorld, text: string, limit: number): s.Shown<typeof FoundSchema> {
  const wanted = text.toLowerCase();
  const events = eventCollections(view.pack);
  const typeField = view.pack.delivery()?.typeField ?? 'type';
  const hits: { readonly rank: number; readonly hit: Hit }[] = [];
  let searched = 0;
  for (const { def, index } of view.pack.resources) {
    const isEvent = events.has(def.collection);
    for (const row of view.world.tenants.rows(index)) {
      if (++searched > LOOKED_AT) break;
      const rank = rankOf(row, wanted, isEvent ? typeField : undefined);
      if (rank === 0) continue;
      const type = isEvent ? { type: String(row.value[typeField] ?? '') } : {};
      hits.push({ rank, hit: { id: row.id, collection: def.collection, ...type } });
    }
  }
  hits.reverse().sort((a, b) => b.rank - a.rank);
  const [objects, emitted] = [false, true].map((isEvent) =>
    hits.filter(({ hit }) => events.has(hit.collection) === isEvent).map(({ hit }) => hit),
  );
  const until = view.world.ledger.count;
  const all = engine.world.traces.newest(Infinity).filter(({ entry }) => entry <= until);
  const calls = all.filter(({ id, request, operation, error, status }) =>
    [id, request.id, `${request.method} ${request.path}`, operation, error, String(status)].some((each) =>
      each?.toLowerCase().includes(wanted),
    ),
  );
  return {
    objects: objects.slice(0, limit),
    objects_total: objects.length,
    events: emitted.slice(0, limit),
    events_total: emitted.length,
    calls: calls.slice(0, limit).map(({ id, request: { method, path }, status, operation, at }) => ({
      trace: id,
      method,
      path,
      status,
      operation,
      at,
    })),
    calls_total: calls.length,
    searched: Math.min(searched, LOOKED_AT) + all.length,
  };
}

/** How well an object matches; 0 if not at all. Events match by id and name only. */
function rankOf({ id, value }: Row, wanted: string, typeField: string | undefined): number {
  const own = id.toLowerCase();
  if (own === wanted) return 4;
  if (own.startsWith(wanted)) return 3;
  const found = Object.entries(value).filter(
    ([name, each]) =>
      (typeField === undefined || name === typeField) &&
      typeof each === 'string' &&
      each !== id &&
      each.toLowerCase().includes(wanted),
  );
  if (found.length > 0) return found.some(([name]) => NAMES.has(name)) ? 2.5 : 2;
  return own.includes(wanted) ? 1 : 0;
}

/** Maximum number of objects in one response. */
const MOST = 500;

const AT = optional(asked, 'the state as of this moment (default: now)');

/** Routes for the inspector: searches, and fields of many objects. */
export const LOOK_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /search',
    {
      id: 'search',
      tag: 'world',
      about: 'Objects, events and calls with a text in an id, a value, or a path',
      query: {
        text: required(text),
        limit: optional(count(1, 50), 'maximum number of objects, events and calls each (default: 6)'),
        at: AT,
      },
      response: FoundSchema,
      errors: [404, 422, 507],
    },
    ({ engine }, { query: { text: wanted, limit = 6, at } }) => ({
      body: find(engine, viewAt(engine, at), wanted, limit),
    }),
  ),
  route(
    'GET /glance',
    {
      id: 'glance',
      tag: 'world',
      about: 'Selected fields of objects of any collection, by id; unknown ids are omitted',
      query: {
        ids: required(text, `up to ${MOST} ids, separated by commas`),
        fields: required(text, 'names of fields, separated by commas; a field that an object lacks is omitted'),
        at: AT,
      },
      response: s.object({
        data: s.list(s.object({ id: s.string, collection: s.string, status: s.any, fields: s.map })),
      }),
      errors: [404, 422, 507],
    },
    ({ engine }, { query: { ids, fields, at } }) => {
      const view = viewAt(engine, at);
      const names = fields.split(',');
      const data = ids
        .split(',')
        .slice(0, MOST)
        .flatMap((id) => {
          const row = objectWith(view, id);
          if (!row) return [];
          const { def } = view.pack.resources[row.resource];
          const shown = publicValue(def, row.value);
          return {
            id,
            collection: def.collection,
            status: def.status === null ? null : (row.value[def.status] ?? null),
            fields: Object.fromEntries(
              names.flatMap((name) => (Object.hasOwn(shown, name) ? [[name, shown[name]]] : [])),
            ),
          };
        });
      return { body: { data } };
    },
  ),
  route(
    'GET /objects/:id/life',
    {
      id: 'life',
      tag: 'world',
      about: 'How the states of an object and of related objects changed over time, and what caused each change',
      names: 'id of the object',
      query: { at: AT },
      response: LifeSchema,
      errors: [404, 422, 507],
    },
    ({ engine }, { id, query: { at } }) => {
      const view = viewAt(engine, at);
      const root = objectWith(view, id);
      if (!root) throw unknown('object', id);
      return { body: lifeOf(engine, view, root) };
    },
  ),
];
