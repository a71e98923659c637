/** A vendor within an application's own server: route handlers that take a `Request` and return a `Response`, as in Next.js. */
import type { Sandbox, SandboxOptions, Store } from '../../engine/index.js' with { 'resolution-mode': 'import' };
import { library } from './library.cjs';
import './traced.cjs';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** The port of an application without PORT in its environment. */
const USUAL_PORT = 3000;

type RouteHandler = (request: Request) => Promise<Response>;

/** Options of `vendorRoutes`, which serves a sandbox below a path of an application. */
export interface VendorRoutesOptions extends Omit<SandboxOptions, 'listen' | 'port' | 'host' | 'tls' | 'store'> {
  /** The path of the routes, such as `/vendors/payments`. */
  readonly basePath: string;
  /** The key of the world, which the application's client uses. */
  readonly key: string;
  /** Stores the world, or opens the store. Called once, before the first call is served. */
  readonly store?: Store | (() => Store | Promise<Store>);
}

/** Route handlers of a vendor, by HTTP method. */
export type VendorRoutes = Record<(typeof METHODS)[number], RouteHandler> & {
  /**
   * Calls the vendor without a connection, for clients in the same process with a `fetch` option. Only path and query of the address count, so a
   * client can keep the vendor's own.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
};

/** Symbol of the global map of started sandboxes. Global, because a server that reloads a changed module would otherwise lose the world. */
const started = Symbol.for('@vendor-sandbox/sandbox/routes');

/**
 * Serves a vendor through routes of an application, such as `app/vendors/payments/[...path]/route.ts` in Next.js: `export const { GET, POST, DELETE }
 * = vendorRoutes({ pack: 'payments', basePath: '/vendors/payments', key })`. The first call starts the sandbox, which all routes with this path and
 * pack share. Its address is `publicUrl`, else the origin of the first call; if `fetch` is called before, http://localhost with the port in PORT, or
 * 3000.
 * @throws like `createSandbox`, in the first call
 */
export function vendorRoutes(options: VendorRoutesOptions): VendorRoutes {
  const { basePath, store, ...rest } = options;
  const path = `/${basePath.replace(/^\/+|\/+$/g, '')}`;
  const served = `${options.pack} ${path}`;
  const sandboxFor = (origin: string): Promise<Sandbox> => {
    const sandboxes = ((globalThis as { [started]?: Map<string, Promise<Sandbox>> })[started] ??= new Map<
      string,
      Promise<Sandbox>
    >());
    const known = sandboxes.get(served);
    if (known !== undefined) return known;
    const publicUrl = options.publicUrl ?? origin + path;
    const sandbox = library().then(async ({ createSandbox }) =>
      createSandbox({ ...rest, store: typeof store === 'function' ? await store() : store, publicUrl, listen: false }),
    );
    sandboxes.set(served, sandbox);
    // Forgets a failed start, so that the next call retries it.
    sandbox.catch(() => sandboxes.delete(served));
    return sandbox;
  };
  const handler: RouteHandler = async (request) => (await sandboxFor(new URL(request.url).origin)).fetch(request);
  const fetch: VendorRoutes['fetch'] = async (input, init) => {
    const sandbox = await sandboxFor(`http://localhost:${process.env['PORT'] ?? USUAL_PORT}`);
    const own = new URL(sandbox.url);
    const given = new URL(input instanceof Request ? input.url : input, own);
    // Replaces the address of the call with the route's own, since the sandbox rejects foreign host names.
    const address = new URL(given.pathname + given.search, own);
    return sandbox.fetch(input instanceof Request ? new Request(address, input) : address, init);
  };
  return Object.assign(
    Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<(typeof METHODS)[number], RouteHandler>,
    { fetch },
  );
}
