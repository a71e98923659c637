import { timersOf } from '../model/index.js';
import type { Timer } from '../world/index.js';
import { packInstant, OWNER, type SeenWorld } from './lookup.js';
import * as s from './schema.js';
import { InstantSchema } from './shape.js';

const CLOCK = s.string
  .about("the object whose own clock the timer runs on, as in `clocks` of `GET /state`; absent for the world's clock")
  .optional();

export const DueTimerSchema = s.named(
  'DueTimer',
  s.object({
    collection: s.string,
    id: s.string,
    tenant: OWNER,
    timer: s.string.about('name of the duration in the pack'),
    due: InstantSchema,
    in_ms: s.integer.about('milliseconds of simulated time until it is due, on its clock'),
    clock: CLOCK,
  }),
);

/** A running timer, as `GET /state` returns it and a seed takes it. */
export const WorldTimerSchema = s.named(
  'WorldTimer',
  s
    .object({
      collection: s.string,
      id: s.string,
      tenant: OWNER,
      timer: s.string.about('name of the duration in the pack'),
      due: s.union<unknown>(s.number, s.string).about('when it is due: Unix seconds or ISO 8601'),
      clock: CLOCK,
    })
    .about('a running timer of an object'),
);

/** A running wait: its name in the pack, when it ends, and in how many milliseconds. */
export function timerView(engine: SeenWorld, { row, trigger, due, line }: Timer): s.Shown<typeof DueTimerSchema> {
  const { def } = engine.pack.resources[row.resource];
  const { clocks, nowMs } = engine.world;
  const waits = timersOf(def, row.value);
  return {
    collection: def.collection,
    id: row.id,
    ...(row.tenant === null ? {} : { tenant: row.tenant }),
    timer: waits.find((wait) => wait.trigger === trigger)?.delay ?? trigger,
    due: packInstant(engine, due),
    in_ms: due - ((line === null ? undefined : clocks.get(line)) ?? nowMs),
    ...(line === null ? {} : { clock: line }),
  };
}

export const ClocksSchema = s
  .mapOf(s.union<unknown>(s.number, s.string))
  .about('times of objects with their own clock, by object id; `TENANT ID` for objects of a tenant');
