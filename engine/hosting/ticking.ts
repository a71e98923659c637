import type { Plane } from '../http/index.js';
import type { ClockControl, Engine } from '../runtime/index.js';

/** Milliseconds that a call takes at least, and what is added in turn: no two calls in a row are equally far apart. */
const [LEAST_MS, STEP_MS, SPAN_MS] = [350, 611, 1_103];

/** The vendor's API where time passes with every call, as at the vendor: by the number of entries so far, so it's repeatable. */
export function ticking(plane: Plane, engine: Engine, clock: ClockControl): Plane {
  return {
    ...plane,
    handler: (req, res, next) => {
      if (clock.mode === 'realtime') return plane.handler(req, res, next);
      const ms = LEAST_MS + ((engine.world.ledger.count * STEP_MS) % SPAN_MS);
      clock.advanceBy(ms, { lines: [null] }).then(() => plane.handler(req, res, next), next);
    },
  };
}
