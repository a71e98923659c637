import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { routesFor, unsureFor, webhookRoutes } from './webhook-routes.js';
import type { FoundVendor } from './vendors.js';

/** Size limit of files that are searched for routes, in bytes; larger ones weren't written by hand. */
const MAX_CODE_BYTES = 256 * 1024;

/** The routes at which an application receives the webhooks of a vendor. */
export interface Webhooks {
  readonly pack: string;
  /** Paths of the routes, relative to the application's address. */
  readonly routes: readonly string[];
  /** Routes whose full path isn't known, only its end. */
  readonly unsure: readonly { readonly path: string; readonly file: string }[];
}

/**
 * Finds an application's routes for the webhooks of its vendors, for vendors that send webhooks.
 * @param others number of the application's vendors without a pack
 */
export function webhooksOf(
  folder: string,
  paths: readonly string[],
  found: readonly FoundVendor[],
  others: number,
): readonly Webhooks[] {
  const senders = found.filter(({ sendsWebhooks }) => sendsWebhooks);
  if (senders.length === 0) return [];
  const routes = webhookRoutes(paths, (each) => codeIn(join(folder, each)));
  return senders.map(({ pack, vars, packages }) => {
    const clients = packages.map(({ name }) => name.replace(/^@([^/]+)\/.*/, '$1').toLowerCase());
    const words = [...new Set([...(vars['vendor'] === undefined ? [] : [vars['vendor']]), ...clients])];
    const vendor = { kind: pack, words, isOnly: senders.length + others === 1 };
    const unsure = unsureFor(routes, vendor).map(({ path, file }) => ({ path, file }));
    return { pack, routes: routesFor(routes, vendor), unsure };
  });
}

/** Reads a code file; returns an empty text if the file is too large or can't be read. */
function codeIn(file: string): string {
  try {
    return statSync(file).size > MAX_CODE_BYTES ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Formats lines about an application's webhook routes, and about what the user has to add. */
export function shownWebhooks(
  webhooks: readonly Webhooks[],
  file: string,
  { app, check }: { readonly app: string; readonly check?: boolean },
): readonly string[] {
  const found = webhooks.flatMap(({ pack, routes }) =>
    routes.map((route) => `${pack} sends webhooks to ${app}${route}`),
  );
  const unsure = webhooks.flatMap(({ pack, unsure: each }) =>
    each.map(
      ({ path, file: code }) =>
        `${pack}: ${code} seems to receive its webhooks at an address that ends with ${path}; what mounts it wasn't found, so add the whole address`,
    ),
  );
  const none = webhooks.filter(({ routes }) => routes.length === 0).map(({ pack }) => pack);
  // A check only reports; the user adds addresses at the first start.
  if (none.length === 0 || (check === true && unsure.length === 0)) return [...found, ...unsure];
  const where = none.map((pack) => `vendors.${pack}`).join(', ');
  return [
    ...found,
    ...unsure,
    `no address for webhooks yet: ${none.join(', ')}. If the application receives them, add it to ${file}, in ${where}: endpoints: [${app}/PATH]`,
  ];
}
