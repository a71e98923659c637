import { inside, keyIn, type Model } from '../model/index.js';
import {
  type BrowserLibrary,
  type Operation,
  type BrowserPage,
  RouteTable,
  type Unsupported,
} from '../program/index.js';
import type { Compiler } from './context.js';

/** Builds the table of a pack's routes; two operations on one route are reported at both. */
export function compileRoutes(
  operations: readonly Operation[],
  pages: readonly BrowserPage[],
  library: BrowserLibrary | null,
  unsupported: readonly Unsupported[],
  { model, diagnostics }: Compiler,
): RouteTable {
  const table = new RouteTable(model.settings.rejectsSlash);
  const owners = new Map(operations.map((operation) => [operation.key, operation]));
  const report = (key: string, pattern: string, other: string): void => {
    const operation = owners.get(key);
    if (!operation) return;
    const place = inside(operation.resource.place, 'operations', operation.name, 'route');
    const hint = 'operations share a route if each says by `dispatch` which calls mean it';
    diagnostics.problem(keyIn(place), 'duplicate-route', `${pattern} is also the route of ${other}; ${hint}`);
  };
  for (const operation of operations) {
    for (const route of operation.routes.flatMap((each) => servedAt(each, model))) {
      const other = table.add(route, { kind: 'operation', operations: [operation] }, operation.key);
      if (other === undefined || other === operation.key) continue;
      const pattern = `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`;
      report(operation.key, pattern, other);
      report(other, pattern, operation.key);
    }
  }
  for (const page of pages) {
    for (const method of page.takesForms ? ['GET', 'POST'] : ['GET']) {
      const route = { method, path: page.path, names: page.object === null ? ['id'] : [] };
      const other = table.add(route, { kind: 'page', page }, `page ${page.name}`);
      if (other === undefined) continue;
      const message = `${method} ${page.path.replace('{id}', '{}')} is also the route of ${other}`;
      diagnostics.problem(inside(page.place, 'route'), 'duplicate-route', message);
      break;
    }
  }
  const file = model.source.one('browser');
  if (library && file)
    for (const path of library.paths) {
      const other = table.add({ method: 'GET', path, names: [] }, { kind: 'library', library }, 'browser.yaml');
      if (other === undefined) continue;
      const message = `GET ${path} is also the route of ${other}`;
      diagnostics.problem(inside({ file, path: [] }, 'script'), 'duplicate-route', message);
    }
  for (const each of unsupported.flatMap((at) => servedAt(at, model))) table.addUnsupported(each);
  return table;
}

/** Repeats a path below the first base path for each of the other base paths. */
export function servedAt<T extends { readonly path: string }>(at: T, { settings }: Model): readonly T[] {
  const { basePath, otherBasePaths } = settings;
  if (!`${at.path}/`.startsWith(`${basePath}/`)) return [at];
  return [at, ...otherBasePaths.map((base) => ({ ...at, path: `${base}${at.path.slice(basePath.length)}` }))];
}
