import type { Json, JsonObject } from '../values/index.js';
import type { Engine } from '../runtime/index.js';
import type { Row, StoredEntry } from '../world/index.js';
import { type ChangeStep, historiesOf, objectKey } from './changes.js';
import { objectWith, packInstant, type SeenWorld } from './lookup.js';
import { namedBy, naming } from './references.js';
import { effectsSince, eventCollections } from './replayed-effects.js';
import * as s from './schema.js';
import { InstantSchema } from './shape.js';

/** Maximum number of objects in the diagram of one object's history. */
const MOST = 240;
/** Maximum number of references between the diagram's object and a shown one. */
const DEPTH = 3;

const SpanSchema = s.object({
  status: s.any,
  from: InstantSchema,
  until: InstantSchema.orNull().about('null if the object still has this status'),
  entry: s.integer,
  origin: s.string.about("kind of the change's origin, as in the ledger"),
  command: s.string,
  trace: s.string.orNull(),
});

export const LifeSchema = s.object({
  now: InstantSchema,
  lanes: s.list(
    s.object({
      collection: s.string,
      title: s.string,
      objects: s.list(s.object({ id: s.string, spans: s.list(SpanSchema) })),
    }),
  ),
  causes: s
    .list(s.object({ entry: s.integer, at: InstantSchema, command: s.string }))
    .about('external events that concern one of the objects'),
  events: s
    .list(s.object({ entry: s.integer, at: InstantSchema, count: s.integer, types: s.list(s.string) }))
    .about('vendor events that were emitted when one of the objects changed'),
});

type Life = s.Shown<typeof LifeSchema>;
type Span = Life['lanes'][number]['objects'][number]['spans'][number];

/** Returns an object, those that it refers to and those that refer to it, each with its states over time. */
export function lifeOf(engine: Engine, view: SeenWorld, root: Row): Life {
  const around = objectsAround(view, root);
  const last = view.world.ledger.count;
  const entries = engine.world.ledger.since(0, last);
  const keyOf = (row: Row): string => objectKey(collectionOf(view, row), row.id, row.tenant);
  const histories = historiesOf(entries, around.map(keyOf));
  const ids = new Set(around.map(({ id }) => id));
  const lanes = new Map<string, Life['lanes'][number] & { objects: { id: string; spans: Span[] }[] }>();
  for (const row of around) {
    const { def } = view.pack.resources[row.resource];
    const lane = lanes.get(def.collection) ?? { collection: def.collection, title: def.title, objects: [] };
    lanes.set(def.collection, lane);
    const spans: Span[] = [];
    for (const { entry, value } of ownSteps(histories.get(keyOf(row)) ?? [])) {
      const status = def.status === null ? null : (value[def.status] ?? null);
      const before = spans.at(-1);
      if (before && before.status === status) continue;
      const from = packInstant(engine, entry.at);
      if (before) spans[spans.length - 1] = { ...before, until: from };
      const { n, origin, command, trace } = entry;
      spans.push({ status, from, until: null, entry: n, origin, command, trace });
    }
    lane.objects.push({ id: row.id, spans });
  }
  const hasTouched = ({ changes }: StoredEntry): boolean => changes.some((each) => 'id' in each && ids.has(each.id));
  const touched = entries.filter(hasTouched);
  const effects = effectsSince(engine, touched.at(0)?.n ?? last + 1);
  return {
    now: view.world.now,
    lanes: [...lanes.values()],
    causes: entries
      .filter((entry) => entry.origin === 'cause' && (hasTouched(entry) || isAbout(entry.args, ids)))
      .map(({ n, at, command }) => ({ entry: n, at: packInstant(engine, at), command })),
    events: touched.flatMap((entry) => {
      const types = effects.get(entry.n)?.events.map(({ type }) => String(type)) ?? [];
      return types.length === 0
        ? []
        : [{ entry: entry.n, at: packInstant(engine, entry.at), count: types.length, types }];
    }),
  };
}

/** The root, objects that it refers to, and recursively those with states that refer to the root or are referred to. */
function objectsAround(view: SeenWorld, root: Row): Row[] {
  const events = eventCollections(view.pack);
  const found = new Map<string, Row>();
  const add = (id: string): Row | undefined => {
    const row = found.size < MOST && !found.has(id) ? objectWith(view, id) : undefined;
    if (!row || events.has(collectionOf(view, row))) return undefined;
    found.set(id, row);
    return row;
  };
  const ownNaming = naming(view, view.pack.resources[root.resource].def, root.id);
  const below = new Set(ownNaming.map(({ collection }) => collection));
  // Skips references inside nested values, and objects of collections whose objects refer to the root.
  for (const { id, path, collection } of namedBy(view, root)) if (!/[.[]/.test(path) && !below.has(collection)) add(id);
  found.set(root.id, root);
  const above = new Set([...found.values()].map((row) => row.resource));
  const descend = (row: Row, depth: number): void => {
    const { def } = view.pack.resources[row.resource];
    const children = naming(view, def, row.id).flatMap(({ ids }) => [...ids].reverse());
    const beside = row === root ? [] : namedBy(view, row).map(({ id }) => id);
    for (const id of [...children, ...beside]) {
      const other = found.has(id) ? undefined : objectWith(view, id);
      if (!other || above.has(other.resource) || view.pack.resources[other.resource].def.status === null) continue;
      if (add(id) && depth > 1) descend(other, depth - 1);
    }
  };
  descend(root, DEPTH);
  return [...found.values()];
}

/** The steps since the object was created, without those of an earlier object with the same id. */
function ownSteps(steps: readonly ChangeStep[]): { readonly entry: StoredEntry; readonly value: JsonObject }[] {
  const gone = steps.findLastIndex(({ value }) => value === undefined);
  return steps.slice(gone + 1).flatMap(({ entry, value }) => (value === undefined ? [] : [{ entry, value }]));
}

function collectionOf({ pack }: SeenWorld, { resource }: Row): string {
  return pack.resources[resource].def.collection;
}

function isAbout(value: Json, ids: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return ids.has(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => isAbout(each, ids));
}
