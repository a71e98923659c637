import type { OperationResponse, Engine } from '../../runtime/index.js';
import { VERSION_HEADER } from '../headers.js';
import type { OperationVisit, Stage } from '../visit.js';

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
