import type { RequestHandler } from 'express';
import { bodyReader, type KeyGuard, type Plane, pathOf, requestError } from '../http/index.js';
import { LIMITS } from '../limits.js';
import type { Engine, Why } from '../runtime/index.js';
import { PageServer } from './pages.js';
import { VendorPlane } from './plane.js';

const MAX_BODY_BYTES = LIMITS.body.value;

/**
 * The plane of the vendor's API: one look at the pack's route table decides what becomes of a request.
 * @param advance moves the clock to a time (ms), firing what is due
 */
export function vendorApi(
  engine: Engine,
  guard: KeyGuard,
  advance: (toMs: number, why: Why) => Promise<unknown>,
): Plane {
  const plane = new VendorPlane(engine, guard, advance);
  const pages = new PageServer(engine);
  const readBody = bodyReader(MAX_BODY_BYTES);
  const handler: RequestHandler = (req, res, next) => {
    const match = engine.pack.routes.match(req.method, req.url);
    switch (match.kind) {
      case 'operation':
        // Whoever has no key is answered before any of the body is kept.
        if (!guard.check(req.headers.authorization).ok) {
          plane.handle(match.operation, match.path, req, res).catch(next);
          return;
        }
        readBody(req, res, (error?: unknown) => {
          if (error) next(error);
          else plane.handle(match.operation, match.path, req, res).catch(next);
        });
        return;
      case 'page':
        pages.handle(match.page, match.path, req, res);
        return;
      case 'unsupported':
        plane.refuse(req, res, match.unsupported.error, match.unsupported.args);
        return;
      case 'malformed':
        if (match.page) pages.fail(new URIError('malformed'), req, res);
        else plane.refuse(req, res, 'unknown_route', { method: req.method, path: pathOf(req.url) });
        return;
      case 'wrong_method':
      case 'unknown':
        plane.refuse(req, res, match.kind === 'unknown' ? 'unknown_route' : 'method_not_allowed', {
          method: req.method,
          path: pathOf(req.url),
        });
    }
  };
  return {
    path: '/',
    handler,
    onError: (thrown, req, res) => {
      const error = requestError(thrown);
      switch (error.kind) {
        case 'body_too_large':
          return plane.refuse(req, res, 'body_too_large', { limit: MAX_BODY_BYTES });
        case 'bad_path':
          return plane.refuse(req, res, 'unknown_route', { method: req.method, path: pathOf(req.url) });
        case 'unreadable':
          return plane.refuse(req, res, 'body_malformed', { reason: error.reason });
        case 'defect':
          engine.options.onDefect(thrown, `${req.method} ${pathOf(req.url)}`);
          return plane.refuse(req, res, 'internal_error', {});
      }
    },
  };
}
