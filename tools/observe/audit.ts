import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { appendFileSync } from 'node:fs';
import type { ControlCallEvent, RoutedCallEvent } from '../../engine/index.js';

/** HTTP methods of calls that change nothing. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Appends a line of JSON to a file for each control API call that may change something: time, name of the key, call and result, without keys, bodies
 * and queries. The line is written before the connection accepts the next call; a failed write is logged as an error.
 * @returns a function that stops the log
 */
export function startAudit(file: string): () => void {
  // Fails at the start if the file isn't writable, instead of at the first call.
  appendFileSync(file, '');
  const worlds = new WeakMap<ServerResponse, string>();
  const routed = (message: unknown): void => {
    const { response, world } = message as RoutedCallEvent;
    worlds.set(response, world);
  };
  const seen = new WeakMap<ServerResponse, { made: readonly string[] }>();
  const controlled = (message: unknown): void => {
    const { response, by, made } = message as ControlCallEvent;
    const known = seen.get(response);
    if (known && made) known.made = made;
    const { req } = response;
    if (known || by === undefined || READING.has(req.method ?? '')) return;
    const call = { made: [] as readonly string[] };
    seen.set(response, call);
    const path = pathOf(req);
    response.once('close', () => {
      const line = {
        time: new Date().toISOString(),
        by,
        method: req.method,
        path,
        status: response.writableFinished ? response.statusCode : null,
        world: worlds.get(response),
        ...(call.made.length > 0 && { made: call.made }),
        from: req.headers['x-forwarded-for'] ?? req.socket.remoteAddress,
      };
      try {
        appendFileSync(file, `${JSON.stringify(line)}\n`);
      } catch (error) {
        console.error(`The audit log has no line of ${line.method} ${line.path}: ${String(error)}`);
      }
    });
  };
  subscribe('sandbox:call', routed);
  subscribe('sandbox:control', controlled);
  return () => {
    unsubscribe('sandbox:call', routed);
    unsubscribe('sandbox:control', controlled);
  };
}

/** Returns the path of a request as it was sent. */
function pathOf(req: IncomingMessage): string | undefined {
  const original = 'originalUrl' in req && typeof req.originalUrl === 'string' ? req.originalUrl : req.url;
  return original?.split('?', 1)[0];
}
