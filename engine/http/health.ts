import type { ServerResponse } from 'node:http';

/** Whether a path is a liveness or readiness check. Needs no key, since it reveals nothing else. */
export function isHealthPath(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

export function sayHealth(res: ServerResponse, isFine: boolean): void {
  const text = isFine ? 'ok\n' : 'not ready\n';
  res.writeHead(isFine ? 200 : 503, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}
