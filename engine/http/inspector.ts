import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { installedFiles } from '../pack/index.js';

/** Folder of the built inspector. */
const FOLDER = 'dist/tools/inspector/page';
/** Path of the inspector's files, below the control API. */
const FILES = '/ui/';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

interface Files {
  readonly page: Buffer;
  readonly byPath: ReadonlyMap<string, Buffer>;
}

let files: Files | null | undefined;

/** Whether a request comes from a browser that opens a page, since API clients don't accept HTML. */
export function asksForPage({ method, headers: { accept } }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && accept !== undefined && accept.includes('text/html');
}

/**
 * Serves the inspector's page and files, from memory. They contain no secrets, so no key is required.
 * @param path below the control API
 * @returns whether the request was for one of them
 */
export function serveInspector(path: string, req: IncomingMessage, res: ServerResponse): boolean {
  if (path.startsWith(FILES)) {
    const body = inspector()?.byPath.get(path.slice(FILES.length));
    if (!body || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    send(req, res, { 'Content-Type': type, 'Cache-Control': 'no-cache' }, body);
    return true;
  }
  if (path !== '/' || !asksForPage(req)) return false;
  const found = inspector();
  if (!found) return false;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept',
  };
  send(req, res, headers, found.page);
  return true;
}

/** Redirects a browser that opens the address of a world to the inspector. @returns whether it was redirected */
export function leadToInspector(path: string, originalUrl: string, req: IncomingMessage, res: ServerResponse): boolean {
  if (path !== '/' || !asksForPage(req) || !inspector()) return false;
  const [before] = originalUrl.split('?');
  // Merges leading slashes, since a browser would read `//` as the start of another host.
  const base = before.replace(/^\/+/, '/').replace(/\/$/, '');
  res.writeHead(302, { Location: `${base}/__admin__/`, Vary: 'Accept', 'Cache-Control': 'no-store' });
  res.end();
  return true;
}

/** Compressed files of the inspector, by their content. */
const packed = new WeakMap<Buffer, Buffer>();

function gzipped(body: Buffer): Buffer {
  const known = packed.get(body) ?? gzipSync(body);
  packed.set(body, known);
  return known;
}

function send(
  { method, headers: { 'accept-encoding': encodings = '' } }: IncomingMessage,
  res: ServerResponse,
  headers: Readonly<Record<string, string>>,
  whole: Buffer,
): void {
  const isPacked = /\bgzip\b/.test(String(encodings));
  const body = isPacked ? gzipped(whole) : whole;
  const encoding = isPacked ? { 'Content-Encoding': 'gzip' } : {};
  const vary = [headers['Vary'], 'Accept-Encoding'].filter((each) => each !== undefined).join(', ');
  res.writeHead(200, {
    ...headers,
    ...encoding,
    Vary: vary,
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': body.length,
  });
  res.end(method === 'HEAD' ? undefined : body);
}

function inspector(): Files | null {
  if (files !== undefined) return files;
  const byPath = installedFiles(FOLDER);
  const page = byPath.get('index.html');
  files = page ? { page, byPath } : null;
  return files;
}

/** The policy of the inspector, which runs only its own scripts. It allows styles and images for the messages in its frames. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: http: https:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
