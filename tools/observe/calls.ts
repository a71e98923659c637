import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RoutedCallEvent } from '../../engine/index.js';

/** A call that is over, as far as it may leave the process: no keys, no bodies, no query. */
interface CallEnded {
  readonly method: string;
  readonly path: string;
  /** Null: the connection ended without a response. */
  readonly status: number | null;
  readonly ms: number;
  readonly world: string | null;
  /** The replica that it was handed on to. */
  readonly to: string | null;
  readonly request: IncomingMessage;
}

/** An observer of calls. What `began` gives is given back to `ended`. */
interface CallWatcher<Seen> {
  began(request: IncomingMessage): Seen;
  ended(call: CallEnded, seen: Seen): void;
}

/** Publishes every call that servers of this thread get. Without a subscriber nothing is done. */
export function watchCalls<Seen>(watcher: CallWatcher<Seen>): void {
  const found = new WeakMap<ServerResponse, RoutedCallEvent>();
  subscribe('sandbox:call', (message) => {
    const news = message as RoutedCallEvent;
    found.set(news.response, news);
  });
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
    const begun = performance.now();
    const seen = watcher.began(request);
    // What pages are called with is rewritten on its way.
    const { method = '', url = '/' } = request;
    response.once('close', () => {
      const { world = null, to = null } = found.get(response) ?? {};
      const status = response.writableFinished ? response.statusCode : null;
      const path = url.split('?', 1)[0];
      watcher.ended({ method, path, status, ms: performance.now() - begun, world, to, request }, seen);
    });
  });
}
