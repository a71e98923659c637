import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appAddresses } from './app-address.js';
import { Code } from './routes/code.js';
import { routesFor, unsureFor, webhookRoutes } from './webhook-routes.js';
import type { FoundVendor } from './vendors.js';

/** Size limit of files that are searched for routes, in bytes; larger ones weren't written by hand. */
const MAX_CODE_BYTES = 256 * 1024;

/** The routes at which an application receives the webhooks of a vendor. */
export interface Webhooks {
  readonly pack: string;
  /** Paths of the routes, relative to the application's address. */
  readonly routes: readonly string[];
  /** Whole URLs of the routes, in the same order. */
  readonly urls: readonly string[];
  /** Routes whose URL is only partly known. */
  readonly unsure: readonly { readonly path: string; readonly file: string; readonly unknown: Unknown }[];
}

/** The unknown part of a route's URL: the mount before its path, the values of its parameters, or the port. */
type Unknown = 'mount' | 'parameters' | 'port';

/** Reads the code of an application. @param paths of its files, relative to the folder */
export function applicationCode(folder: string, paths: readonly string[]): Code {
  return new Code(paths, (each) => codeIn(join(folder, each)));
}

/**
 * Finds an application's routes for the webhooks of its vendors, for vendors that send webhooks.
 * @param others number of the application's vendors without a pack
 * @param app the application's address; undefined if its code and settings decide
 */
export function webhooksOf(
  code: Code,
  found: readonly FoundVendor[],
  others: number,
  app: string | undefined,
): readonly Webhooks[] {
  const senders = found.filter(({ sendsWebhooks }) => sendsWebhooks);
  if (senders.length === 0) return [];
  const routes = webhookRoutes(code);
  const addressOf = appAddresses(code, process.env);
  return senders.map(({ pack, vars, packages }) => {
    const clients = packages.map(({ name }) => name.replace(/^@([^/]+)\/.*/, '$1').toLowerCase());
    const words = [...new Set([...(vars['vendor'] === undefined ? [] : [vars['vendor']]), ...clients])];
    const vendor = { kind: pack, words, isOnly: senders.length + others === 1 };
    const whole = routesFor(routes, vendor).map(({ path, file, server = file }) => {
      return { path, file, at: app ?? addressOf(server) };
    });
    const known = whole.filter(({ at }) => at !== null);
    const unsure = unsureFor(routes, vendor).map(({ path, file, hasParameters }) => {
      return { path, file, unknown: hasParameters ? ('parameters' as const) : ('mount' as const) };
    });
    const elsewhere = whole.filter(({ at }) => at === null);
    return {
      pack,
      routes: known.map(({ path }) => path),
      urls: known.map(({ path, at }) => `${at}${path}`),
      unsure: [...elsewhere.map(({ path, file }) => ({ path, file, unknown: 'port' as const })), ...unsure],
    };
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

/** Formats where a route is whose URL is only partly known. */
const PARTLY: Readonly<Record<Unknown, (path: string) => string>> = {
  mount: (path) => `at an address that ends with ${path}; what mounts it wasn't found, so add the whole address`,
  parameters: (path) => `at ${path}; add its address with the values of its parameters`,
  port: (path) => `at ${path}; which port it has isn't in the code: --app http://localhost:PORT, or add the address`,
};

/** Formats lines about an application's webhook routes, and about what the user has to add. */
export function shownWebhooks(
  webhooks: readonly Webhooks[],
  file: string,
  { app = 'http://localhost:PORT', check }: { readonly app?: string; readonly check?: boolean },
): readonly string[] {
  const found = webhooks.flatMap(({ pack, urls }) => urls.map((url) => `${pack} sends webhooks to ${url}`));
  const unsure = webhooks.flatMap(({ pack, unsure: each }) =>
    each.map(
      ({ path, file: code, unknown }) => `${pack}: ${code} seems to receive its webhooks ${PARTLY[unknown](path)}`,
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
