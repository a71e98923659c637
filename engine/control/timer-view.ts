import type { Engine } from '../runtime/index.js';
import type { Timer } from '../world/index.js';
import { instantOf, OWNER } from './lookup.js';
import * as s from './schema.js';
import { InstantSchema } from './shape.js';

export const DueTimerSchema = s.named(
  'DueTimer',
  s.object({
    collection: s.string,
    id: s.string,
    tenant: OWNER,
    timer: s.string.about("the wait's name in the pack"),
    due: InstantSchema,
    in_ms: s.integer.about('milliseconds of simulated time from now'),
  }),
);

/** As the state shows it, and a seed takes it. */
export const WorldTimerSchema = s.named(
  'WorldTimer',
  s
    .object({
      collection: s.string,
      id: s.string,
      tenant: OWNER,
      timer: s.string.about('the delay, as the pack names it'),
      due: s.union<unknown>(s.number, s.string).about('when it is over: Unix seconds or ISO 8601'),
    })
    .about("a wait of an object's status"),
);

/** A wait that runs: what it is called in the pack, when it is over, and how many milliseconds that is from now. */
export function timerView(engine: Engine, { row, trigger, due }: Timer): s.Shown<typeof DueTimerSchema> {
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
