import type { Engine } from '../runtime/index.js';
import type { Row } from '../world/index.js';
import type { SeenWorld } from './lookup.js';
import { eventCollections } from './replayed-effects.js';
import * as s from './schema.js';
import { InstantSchema } from './shape.js';

/** Maximum number of objects that one search reads. */
const LOOKED_AT = 50_000;

/** Fields that usually hold an object's name. */
const NAMES = new Set(['name', 'email', 'login', 'title', 'type']);

const HitSchema = s.object({ id: s.string, collection: s.string, type: s.string.about('of an event').optional() });

export const FoundSchema = s.object({
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
  searched: s.integer.about('objects and calls that were looked through'),
});

type Hit = s.Shown<typeof HitSchema>;

/** Finds objects by a text in their id, a value or a call's data, the best match first. */
export function find(engine: Engine, view: SeenWorld, text: string, limit: number): s.Shown<typeof FoundSchema> {
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
