import { isObject, type Json, type JsonObject } from '../values/index.js';
import type { Program } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import type { StoredEntry } from '../world/index.js';
import { objectKey } from './changes.js';

/** Effects of an earlier entry that follow from its changes. Triggers are known only for timers. */
export interface PastEffects {
  readonly transitions: JsonObject[];
  readonly events: JsonObject[];
}

/** The collections of events of all kinds. */
export function eventCollections({ eventMaker, eventKinds }: Program): ReadonlySet<string> {
  const makers = [...[...eventKinds.values()].map(({ maker }) => maker), ...(eventMaker ? [eventMaker] : [])];
  return new Set(makers.map(({ resource }) => resource.def.collection));
}

/** The effects of entries from a number on, by entry number. O(changes of all stored entries). */
export function effectsSince({ world, model, pack }: Engine, first: number): Map<number, PastEffects> {
  const found = new Map<number, PastEffects>();
  const statuses = new Map<string, Json>();
  const events = eventCollections(pack);
  const typeField = pack.delivery()?.typeField ?? 'type';
  const entries = world.ledger.since(0);
  const changed = changedSince(entries, first);
  for (const entry of entries) {
    const effects: PastEffects = { transitions: [], events: [] };
    for (const change of entry.changes) {
      if (change.op === 'reset') statuses.clear();
      if (change.op !== 'put' || !changed.has(change.id)) continue;
      const { collection, id, value, tenant } = change;
      const def = model.byCollection.get(collection);
      const key = objectKey(collection, id, tenant);
      const isNew = !statuses.has(key);
      const to = def?.status === null || def === undefined ? null : (value[def.status] ?? null);
      const from = statuses.get(key) ?? null;
      statuses.set(key, to);
      if (entry.n < first) continue;
      if (events.has(collection)) {
        if (isNew) effects.events.push({ id, type: String(value[typeField] ?? '') });
      } else if (from !== null && from !== to)
        effects.transitions.push({ id, from, to, trigger: triggerOf(entry, id) });
    }
    if (entry.n >= first) found.set(entry.n, effects);
  }
  return found;
}

/** Ids of the objects that entries from a number on wrote, to which the search for earlier states is limited. */
function changedSince(entries: readonly StoredEntry[], first: number): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { n, changes } of entries)
    if (n >= first) for (const change of changes) if (change.op === 'put') ids.add(change.id);
  return ids;
}

function triggerOf({ command, args }: StoredEntry, id: string): Json {
  if (command !== 'timer' || args === null || !isObject(args) || args['object'] !== id) return null;
  return args['trigger'] ?? null;
}
