import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { installedFiles } from '../pack/index.js';
import type { BrowserLibrary } from '../program/index.js';

/** Folder of the built browser runtime. */
const RUNTIME = 'dist/tools/browser';

const served = new WeakMap<BrowserLibrary, { readonly script: Buffer; readonly tag: string }>();

/** Sends the pack's browser library: a plain script, made once. It contains no secrets, so no key is required. */
export function sendLibrary(library: BrowserLibrary, req: Request, res: Response): void {
  const { script, tag } = scriptOf(library);
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'no-cache',
    ETag: tag,
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
  if (req.headers['if-none-match'] === tag) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, { ...headers, 'Content-Length': script.length });
  res.end(req.method === 'HEAD' ? undefined : script);
}

function scriptOf(library: BrowserLibrary): { readonly script: Buffer; readonly tag: string } {
  const known = served.get(library);
  if (known) return known;
  const parts = [...installedFiles(RUNTIME)]
    .filter(([name]) => name.endsWith('.js'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, part]) => String(part));
  const text = `(() => {\n${parts.join('')}\ninstall(${JSON.stringify(library.description)});\n})();\n`;
  const script = Buffer.from(text);
  const made = { script, tag: `"${createHash('sha256').update(script).digest('base64url')}"` };
  served.set(library, made);
  return made;
}
