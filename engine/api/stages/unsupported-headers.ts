import type { Engine } from '../../runtime/index.js';
import { noteUnsupported, type Stage } from '../visit.js';

/** Reports headers that the vendor documents for an operation and the pack doesn't read. Null: the pack has no facts.yaml. */
export function unsupportedHeaders(engine: Engine): Stage | null {
  const { facts } = engine.pack;
  if (facts === null) return null;
  return (visit, next) => {
    for (const name of facts.headers(visit.operation)) {
      if (visit.req.headers[name] === undefined) continue;
      noteUnsupported(visit, 'header', name);
      if (engine.runtime.strict)
        return engine.error('unsupported', { kind: 'header', name, param: name, value: null }, visit.request);
    }
    return next(visit);
  };
}
