import type { OutsideAtTimes } from '../../program/index.js';
import type { Engine } from '../../runtime/index.js';
import { errorOfOutside } from '../unknown-route.js';
import { givenIn, noteUnsupported, type Stage } from '../visit.js';

/** Rejects and reports calls under conditions that the pack doesn't emulate. Null: the pack declares no such conditions. */
export function outsideAtTimes(engine: Engine): Stage | null {
  const parts = engine.pack.outsideAtTimes;
  if (parts.length === 0) return null;
  const { reader } = engine.runtime;
  return (visit, next) => {
    const { operation, request, req } = visit;
    const holds = ({ when }: OutsideAtTimes): boolean =>
      reader.during(request, () => when(reader, request, givenIn(visit)) === true);
    const found = parts.find((each) => each.operations.has(operation.key) && holds(each));
    if (found === undefined) return next(visit);
    const [route] = operation.routes;
    noteUnsupported(visit, 'path', `${route.method} ${route.path}`);
    return engine.error(...errorOfOutside(found, req), request);
  };
}
