import type { OperationResponse, Engine } from '../../runtime/index.js';
import { VERSION_HEADER } from '../send.js';
import { type OperationVisit, type Stage, noteUnsupported, givenIn } from '../visit.js';
import type { OutsideAtTimes } from '../../program/index.js';
import { errorOfOutside } from '../unknown-route.js';

/** Reads the requested version; a response header names the used one if it differs. Null: the pack has no versions. */
export function version(engine: Engine): Stage | null {
  if (engine.model.settings.versions === null) return null;
  const { headers, pattern } = engine.model.settings.versions;
  const { versions } = engine.pack;

  const choose = (visit: OperationVisit, given: string): OperationResponse | null => {
    const isWellFormed = pattern.test(given);
    const found = isWellFormed ? versions?.find(given, engine.lenientVersions) : undefined;
    if (!isWellFormed || (versions !== null && found === undefined))
      return engine.error('version_invalid', { version: given }, visit.request);
    visit.request = { ...visit.request, version: given };
    if (found === undefined) return null;
    visit.version = found.version;
    visit.near = found.near;
    if (!found.near) return null;
    if (!engine.model.realistic) visit.headers.push(VERSION_HEADER, found.version.name);
    engine.reportNearVersion(given, found.version.name);
    return null;
  };

  return (visit, next) => {
    const { req, operation } = visit;
    const named = headers.find((name) => typeof req.headers[name] === 'string');
    const rejection = named === undefined ? null : choose(visit, String(req.headers[named]));
    if (rejection !== null) return rejection;
    if (versions !== null && (visit.version ?? versions.current).lacks.has(operation.key))
      return engine.error('unknown_route', { method: req.method, path: visit.request.path }, visit.request);
    return next(visit);
  };
}

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
