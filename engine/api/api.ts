import type { Request, RequestHandler, Response } from 'express';
import {
  bodyReader,
  type Exchanges,
  type Guard,
  hasBody,
  hostOf,
  isHealthPath,
  leadToInspector,
  type Plane,
  pathOf,
  requestError,
  sayHealth,
} from '../http/index.js';
import type { Operation, RouteMatch } from '../program/index.js';
import type { Engine, AdvanceCause } from '../runtime/index.js';
import { dispatchedOperation, unknownOperation } from './dispatch.js';
import { sendLibrary } from './library.js';
import type { JsonObject } from '../values/index.js';
import type { OpenResponses } from './open-responses.js';
import { addressMeantBy } from './other-paths.js';
import { PageServer } from './pages.js';
import { hasLargeParts, readParts } from './multipart.js';
import { VendorPlane } from './plane.js';
import { errorOfOutside, routeArgs } from './unknown-route.js';
import { uploadFormOf, readUpload } from './upload.js';

/**
 * The vendor API: one look-up in the pack's route table decides how a request is handled.
 * @param advance advances the clock to a time (ms), firing due timers
 * @param exchanges receives the request and response of each call
 * @param open the world's open responses
 */
export function vendorApi(
  engine: Engine,
  guard: Guard,
  advance: (toMs: number, why: AdvanceCause, of: string | null) => Promise<unknown>,
  exchanges: Exchanges,
  open: OpenResponses,
): Plane {
  const plane = new VendorPlane(engine, guard, advance, exchanges, open);
  const pages = new PageServer(engine);
  const readers = new Map<number, RequestHandler>();
  const readerOf = ({ maxBodyBytes }: Operation): RequestHandler => {
    let reader = readers.get(maxBodyBytes);
    if (reader === undefined) readers.set(maxBodyBytes, (reader = bodyReader(maxBodyBytes)));
    return reader;
  };
  const { basePath, encodings } = engine.model.settings;
  const { otherHosts } = engine.pack;
  const takesBytes = engine.pack.operations.some(({ whole }) => whole?.type === 'bytes');
  const takesParts = (operations: readonly Operation[]): boolean =>
    encodings.has('multipart') || operations.some(({ resource }) => resource.file.requests === 'multipart');
  /** Parses a body while it arrives, into the store if it is large; null: the body is read whole first. */
  const arriving = (operations: readonly Operation[], limitBytes: number, req: Request): Promise<unknown> | null => {
    const { files } = engine.runtime.surroundings;
    if (files === null) return null;
    for (const { whole } of takesBytes ? operations : []) {
      const form = uploadFormOf(req, whole, files);
      if (form !== null) return readUpload(req, files, limitBytes, form);
    }
    return takesParts(operations) && hasLargeParts(req, files) ? readParts(req, files, limitBytes) : null;
  };
  /** Rejects a call without a route; documented routes are reported as not emulated. */
  const rejectRoute = (kind: 'unknown' | 'wrong_method', req: Request, res: Response): void => {
    const { method } = req;
    const path = pathOf(req.url);
    const route = engine.pack.facts?.routeOf(method, path) ?? null;
    const use = route === null ? null : ({ kind: kind === 'unknown' ? 'path' : 'method', name: route } as const);
    plane.reject(req, res, kind === 'unknown' ? 'unknown_route' : 'method_not_allowed', { method, path }, use);
  };
  const handler: RequestHandler = (req, res, next) => {
    // While a seed is loaded, or work between calls runs, calls wait for it to end; health checks need no world and don't wait.
    const waits = engine.seeding ?? engine.between;
    if (waits !== null && !isHealthPath(pathOf(req.url))) {
      waits.then(() => handler(req, res, next)).catch(next);
      return;
    }
    // Requests to a proxy contain a whole URL: removes its origin.
    if (!req.url.startsWith('/')) req.url = req.url.replace(/^https?:\/\/[^/?]*\/?/, '/');
    if (req.method === 'OPTIONS' && req.headers.origin !== undefined) {
      const asked = engine.pack.routes.match(String(req.headers['access-control-request-method']), req.url);
      const operations =
        asked.kind === 'several' ? asked.operations : asked.kind === 'operation' ? [asked.operation] : [];
      const forBrowsers = operations.find((each) => plane.isForBrowsers(each));
      if (forBrowsers !== undefined) return plane.preflight(forBrowsers, req, res);
    }
    const other = otherHosts.size === 0 ? undefined : otherHosts.get(hostOf(req));
    let match: RouteMatch =
      other === undefined ? engine.pack.routes.match(req.method, req.url) : { kind: 'unsupported', unsupported: other };
    if (match.kind === 'unknown' && engine.pack.otherPaths.length > 0) {
      const own = addressMeantBy(engine, req.url);
      if (own !== undefined) match = engine.pack.routes.match(req.method, (req.url = own));
    }
    switch (match.kind) {
      case 'operation':
      case 'several': {
        const { path } = match;
        const operations = match.kind === 'operation' ? [match.operation] : match.operations;
        // A GET of `/` without a key that accepts HTML comes from a browser, which is redirected to the inspector.
        if (req.headers.authorization === undefined && leadToInspector(pathOf(req.url), req.originalUrl, req, res))
          return;
        const key = plane.keys.ofHeaders(req.headers);
        // The body may select the operation, so it is read up to the largest limit of the candidates.
        const largest = operations.reduce((most, each) => (each.maxBodyBytes > most.maxBodyBytes ? each : most));
        const call = (): void => {
          const operation =
            match.kind === 'operation' ? match.operation : dispatchedOperation(match.operations, req, engine.model);
          if (operation === undefined)
            plane.reject(req, res, 'operation_unknown', unknownOperation(operations, req, engine.model));
          // The body was read up to the largest limit of the candidates, which may exceed this operation's own limit.
          else if (match.kind !== 'operation' && bytesOf(req) > operation.maxBodyBytes) {
            const args = { limit: operation.maxBodyBytes };
            plane.rejectUnread({ operation, path, key, error: 'body_too_large', args }, req, res);
          } else plane.handle(operation, path, key, req, res)?.catch(next);
        };
        const serve = (error?: unknown): void => {
          if (error) {
            const unread = unreadBody(error, largest.maxBodyBytes);
            if (unread === null) return next(error);
            return plane.rejectUnread({ operation: largest, path, key, ...unread }, req, res);
          }
          try {
            call();
          } catch (thrown) {
            next(thrown);
          }
        };
        // A call without a key is rejected before its body is read, unless the body may contain the key.
        const isRead = (each: Operation): boolean => key.ok || each.open || plane.keys.mayBeCarried(each, key);
        if (!hasBody(req) || !operations.some(isRead)) return serve();
        const read = arriving(operations, largest.maxBodyBytes, req);
        if (read === null) return readerOf(largest)(req, res, serve);
        const arrived = (body: unknown): void => {
          req.body = body;
          serve();
        };
        read.then(arrived, serve).catch(next);
        return;
      }
      case 'page':
        // A page below the API's base path is treated as a call: it requires the key, and its errors have the API's format.
        if (basePath !== '' && pathOf(req.url).startsWith(`${basePath}/`)) {
          const { resource } = match.page;
          const id = match.path['id'] ?? '';
          if (engine.world.tenants.find(resource.index, id) === undefined) {
            plane.reject(req, res, 'not_found', { resource: resource.name, title: resource.title, id, param: 'id' });
            return;
          }
          if (!plane.admits(req, res)) return;
        }
        pages.handle(match.page, match.path, req, res);
        return;
      case 'library':
        sendLibrary(match.library, req, res);
        return;
      case 'unsupported':
        plane.reject(req, res, ...errorOfOutside(match.unsupported, req), {
          kind: 'path',
          name: match.unsupported.path,
        });
        return;
      case 'malformed':
        if (match.page) pages.fail(new URIError('malformed'), req, res);
        else plane.reject(req, res, 'unknown_route', routeArgs(req));
        return;
      case 'wrong_method':
      case 'unknown':
        if (leadToInspector(pathOf(req.url), req.originalUrl, req, res)) return;
        if (isHealthPath(pathOf(req.url))) return sayHealth(res, true);
        rejectRoute(match.kind, req, res);
    }
  };
  return {
    path: '/',
    handler,
    onError: (thrown, req, res) => {
      const unread = unreadBody(thrown, engine.model.settings.maxBodyBytes);
      if (unread !== null) return plane.reject(req, res, unread.error, unread.args);
      if (requestError(thrown).kind === 'bad_path') return plane.reject(req, res, 'unknown_route', routeArgs(req));
      engine.options.onDefect(thrown, `${req.method} ${pathOf(req.url)}`);
      return plane.reject(req, res, 'internal_error', {});
    },
  };
}

/** Size of a call's body in bytes: 0 if unread; the Content-Length of a form that was parsed while it arrived. */
function bytesOf({ body, headers }: Request): number {
  if (body instanceof Uint8Array) return body.length;
  return body === undefined ? 0 : Number(headers['content-length'] ?? 0);
}

/** The error for a body that couldn't be read; null for other errors. */
function unreadBody(thrown: unknown, limitBytes: number): { readonly error: string; readonly args: JsonObject } | null {
  const error = requestError(thrown);
  if (error.kind === 'body_too_large') return { error: 'body_too_large', args: { limit: limitBytes } };
  return error.kind === 'unreadable' ? { error: 'body_malformed', args: { reason: error.reason } } : null;
}
