/** A vendor within an application's own server: handlers of routes that take a `Request` and give a `Response`, as those of Next.js. */
import type { Sandbox, SandboxOptions } from '../../engine/index.js' with { 'resolution-mode': 'import' };
import { library } from './library.cjs';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

type RouteHandler = (request: Request) => Promise<Response>;

/** A sandbox below a path of an application. */
export interface VendorRoutesOptions extends Omit<SandboxOptions, 'listen' | 'port' | 'host' | 'tls'> {
  /** The path of the routes, such as `/vendors/payments`. */
  readonly basePath: string;
  /** The key of the world, which the application's client uses. */
  readonly key: string;
}

/** Global, since servers that reload changed modules would lose the world with the module. */
const started = Symbol.for('@vendor-sandbox/sandbox/routes');

/**
 * Serves a vendor by the routes of an application, for `app/vendors/payments/[...path]/route.ts` of Next.js:
 * `export const { GET, POST, DELETE } = vendorRoutes({ pack: 'payments', basePath: '/vendors/payments', key })`. The sandbox starts with the
 * first call, whose origin it takes for its own unless `publicUrl` is given, and is the same one for all routes with this path and pack.
 * @throws as `createSandbox`, in the first call
 */
export function vendorRoutes(options: VendorRoutesOptions): Record<(typeof METHODS)[number], RouteHandler> {
  const { basePath, ...rest } = options;
  const path = `/${basePath.replace(/^\/+|\/+$/g, '')}`;
  const handler: RouteHandler = async (request) => {
    const sandboxes = ((globalThis as { [started]?: Map<string, Promise<Sandbox>> })[started] ??= new Map<
      string,
      Promise<Sandbox>
    >());
    const served = `${options.pack} ${path}`;
    let sandbox = sandboxes.get(served);
    if (sandbox === undefined) {
      const publicUrl = options.publicUrl ?? new URL(request.url).origin + path;
      sandbox = library().then(({ createSandbox }) => createSandbox({ ...rest, publicUrl, listen: false }));
      sandboxes.set(served, sandbox);
      // A failed start is retried.
      sandbox.catch(() => sandboxes.delete(served));
    }
    return (await sandbox).fetch(request);
  };
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<
    (typeof METHODS)[number],
    RouteHandler
  >;
}
