import type { Plane } from '../http/index.js';
import type { ClockControl, Engine } from '../runtime/index.js';

/** Minimum milliseconds per call, their step from call to call, and the range in which they vary. */
const [LEAST_MS, STEP_MS, SPAN_MS] = [350, 611, 1_103];

/** The vendor API with a clock that advances with every call, by the number of entries so far, so that it is repeatable. */
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
