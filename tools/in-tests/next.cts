/** A vendor within an application's own server: handlers of routes that take a `Request` and give a `Response`, as those of Next.js. */
import type { Sandbox, SandboxOptions, Store } from '../../engine/index.js' with { 'resolution-mode': 'import' };
import { library } from './library.cjs';
import './traced.cjs';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** The port of an application whose environment names none. */
const USUAL_PORT = 3000;

type RouteHandler = (request: Request) => Promise<Response>;

/** A sandbox below a path of an application. */
export interface VendorRoutesOptions extends Omit<SandboxOptions, 'listen' | 'port' | 'host' | 'tls' | 'store'> {
  /** The path of the routes, such as `/vendors/payments`. */
  readonly basePath: string;
  /** The key of the world, which the application's client uses. */
  readonly key: string;
  /** Keeps the world, or opens what keeps it: called once, before the first call is served. */
  readonly store?: Store | (() => Store | Promise<Store>);
}

/** The routes of a vendor. */
export type VendorRoutes = Record<(typeof METHODS)[number], RouteHandler> & {
  /**
   * Calls the vendor without a connection, for clients in the same process that take `fetch`. Of an address only path and query count, so that
   * a client keeps the vendor's own.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
};

/** Global, since servers that reload changed modules would lose the world with the module. */
const started = Symbol.for('@vendor-sandbox/sandbox/routes');

/**
 * Serves a vendor by the routes of an application, for `app/vendors/payments/[...path]/route.ts` of Next.js:
 * `export const { GET, POST, DELETE } = vendorRoutes({ pack: 'payments', basePath: '/vendors/payments', key })`. The sandbox starts with the
 * first call and is the same one for all routes with this path and pack. Its address is `publicUrl`, else the origin of the first call of a route;
 * if `fetch` is called before, http://localhost with the port in PORT, or 3000.
 * @throws as `createSandbox`, in the first call
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
    // A failed start is retried.
    sandbox.catch(() => sandboxes.delete(served));
    return sandbox;
  };
  const handler: RouteHandler = async (request) => (await sandboxFor(new URL(request.url).origin)).fetch(request);
  const fetch: VendorRoutes['fetch'] = async (input, init) => {
    const sandbox = await sandboxFor(`http://localhost:${process.env['PORT'] ?? USUAL_PORT}`);
    const own = new URL(sandbox.url);
    const given = new URL(input instanceof Request ? input.url : input, own);
    // As a caller of the route would name it: the sandbox rejects foreign names.
    const address = new URL(given.pathname + given.search, own);
    return sandbox.fetch(input instanceof Request ? new Request(address, input) : address, init);
  };
  return Object.assign(
    Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<(typeof METHODS)[number], RouteHandler>,
    { fetch },
  );
}
