import { type RequestHandler, Router } from 'express';
import type { Operation, Route } from '../runtime/index.js';

/** Makes the handler of one operation. */
export type HandlerOf = (operation: Operation) => RequestHandler;

/**
 * Express routes of a pack's operations: one router per resource path, found by the first segments of the URL, so that a
 * request is matched against the routes of its resource only.
 */
export function vendorRoutes(operations: readonly Operation[], basePath: string, handlerOf: HandlerOf): RequestHandler {
  const depth = basePath.split('/').filter(Boolean).length + 1;
  const groups = new Map<string, { readonly route: Route; readonly handler: RequestHandler }[]>();
  for (const operation of operations) {
    const handler = handlerOf(operation);
    for (const route of operation.routes) {
      const key = segmentKey(route.path, depth);
      const group = groups.get(key);
      if (group) group.push({ route, handler });
      else groups.set(key, [{ route, handler }]);
    }
  }
  const routers = new Map<string, Router>();
  return (req, res, next) => {
    const key = segmentKey(req.url, depth);
    let router = routers.get(key);
    if (router === undefined) {
      const group = groups.get(key);
      if (group === undefined) {
        next();
        return;
      }
      // Made when its first request comes: most groups are not used in a run, and the start should not wait for them.
      routers.set(key, (router = routerOf(group)));
    }
    router(req, res, next);
  };
}

function routerOf(group: readonly { readonly route: Route; readonly handler: RequestHandler }[]): Router {
  const router = Router({ caseSensitive: true });
  // `/things/search` before `/things/{id}`: fewer names, then longer literal parts, win.
  const sorted = [...group].sort((a, b) => rank(a.route.path).localeCompare(rank(b.route.path)));
  for (const { route, handler } of sorted) {
    const path = route.path.replace(/\{(\w+)\}/g, ':$1');
    switch (route.method) {
      case 'GET':
        router.get(path, handler);
        break;
      case 'POST':
        router.post(path, handler);
        break;
      case 'PUT':
        router.put(path, handler);
        break;
      case 'PATCH':
        router.patch(path, handler);
        break;
      default:
        router.delete(path, handler);
    }
  }
  return router;
}

/** Sorts literal segments before names, segment by segment. */
function rank(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('');
}

/** The first segments of a path or URL. */
function segmentKey(url: string, depth: number): string {
  let end = 0;
  for (let i = 0; i < depth; i++) {
    end = url.indexOf('/', end + 1);
    if (end < 0) break;
  }
  const path = end < 0 ? url : url.slice(0, end);
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}
