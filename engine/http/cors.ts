import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Plane } from './app.js';

/** CORS settings (Fetch, 3.2): which origins may call an API, and what pages may read of responses. */
export interface Cors {
  /** Response headers that a page may read; empty: all. */
  readonly expose: readonly string[];
  /** Whether pages of other origins may send cookies. */
  readonly credentials: boolean;
}

/** Seconds for which a browser caches a preflight. */
const MAX_AGE_S = 86_400;

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** Lets pages of other origins call an API. Preflights need no key, for any path; pages can read errors too. */
export function crossOrigin(plane: Plane, cors: Cors | null): Plane {
  if (cors === null) return plane;
  return {
    ...plane,
    handler: (req, res, next) => {
      const { origin } = req.headers;
      if (origin === undefined) return plane.handler(req, res, next);
      addHeaders(res, allowed(cors, origin));
      if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined)
        return plane.handler(req, res, next);
      res.writeHead(204, preflight(req.headers));
      res.end();
    },
  };
}

/** Adds headers when a response is written: `setHeader` would replace those with the same name, such as Set-Cookie. */
function addHeaders(res: ServerResponse, added: Readonly<Record<string, string>>): void {
  const writeHead = res.writeHead.bind(res) as (status: number, headers: unknown) => ServerResponse;
  res.writeHead = (status: number, ...rest: readonly unknown[]) => {
    const given = rest.at(-1);
    const headers = Array.isArray(given)
      ? [...(given as unknown[]), ...Object.entries(added).flat()]
      : { ...(typeof given === 'object' ? given : {}), ...added };
    return writeHead(status, headers);
  };
}

function allowed({ expose, credentials }: Cors, origin: string): Record<string, string> {
  const exposed = { 'Access-Control-Expose-Headers': expose.length === 0 ? '*' : expose.join(', ') };
  if (!credentials) return { 'Access-Control-Allow-Origin': '*', ...exposed };
  // Browsers don't accept `*` for requests with cookies.
  const own = { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true', Vary: 'Origin' };
  return { ...own, ...exposed };
}

function preflight(headers: IncomingHttpHeaders): Record<string, string> {
  const asked = headers['access-control-request-headers'];
  return {
    'Access-Control-Allow-Methods': METHODS,
    ...(typeof asked === 'string' ? { 'Access-Control-Allow-Headers': asked } : {}),
    // Allows pages of the public web to call a local address (Private Network Access).
    ...(headers['access-control-request-private-network'] === 'true'
      ? { 'Access-Control-Allow-Private-Network': 'true' }
      : {}),
    'Access-Control-Max-Age': String(MAX_AGE_S),
  };
}
