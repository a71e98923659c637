import type { JsonObject } from '../values/index.js';
import type { Engine } from '../runtime/index.js';
import type { Timer } from '../world/index.js';
import { instantOf } from './lookup.js';

/** A wait that runs: what it is called in the pack, when it is over, and how many milliseconds that is from now. */
export function timerView(engine: Engine, { row, trigger, due }: Timer): JsonObject {
  const { def } = engine.pack.resources[row.resource];
  const waits = def.machine?.timersOf(String(row.value[def.status ?? ''])) ?? [];
  return {
    collection: def.collection,
    id: row.id,
    ...(row.tenant === null ? {} : { tenant: row.tenant }),
    timer: waits.find((wait) => wait.trigger === trigger)?.delay ?? trigger,
    due: instantOf(engine, due),
    in_ms: due - engine.world.nowMs,
  };
}
