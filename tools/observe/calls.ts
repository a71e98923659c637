import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RoutedCallEvent } from '../../engine/index.js';

/** A finished call, limited to data that may leave the process: no keys, bodies or query. */
interface CallEnded {
  readonly method: string;
  readonly path: string;
  /** Status of the response; null: the connection ended without one. */
  readonly status: number | null;
  readonly ms: number;
  readonly world: string | null;
  /** Name of the replica to which the call was forwarded; null if it was served here. */
  readonly to: string | null;
  readonly request: IncomingMessage;
}

/** An observer of calls. The result of `began` is passed to `ended`. */
interface CallWatcher<Seen> {
  began(request: IncomingMessage): Seen;
  /** Called when a call is forwarded to another replica, with the headers that replace its own. */
  handedOn?(headers: Record<string, string>, seen: Seen): void;
  ended(call: CallEnded, seen: Seen): void;
}

/** A call in progress, with the data of its watcher. */
interface OpenCall<Seen> {
  readonly seen: Seen;
  /** The replica and world that the call was routed to; undefined before. */
  routed?: RoutedCallEvent;
}

/** Notifies the watcher of every call to this thread's servers. Without a watcher there is no cost. */
export function watchCalls<Seen>(watcher: CallWatcher<Seen>): void {
  const open = new WeakMap<ServerResponse, OpenCall<Seen>>();
  subscribe('sandbox:call', (message) => {
    const routed = message as RoutedCallEvent;
    const call = open.get(routed.response);
    if (!call) return;
    call.routed = routed;
    if (routed.to !== null) watcher.handedOn?.(routed.headers, call.seen);
  });
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
    const begun = performance.now();
    const call: OpenCall<Seen> = { seen: watcher.began(request) };
    open.set(response, call);
    // Reads the URL before routing, which rewrites it.
    const { method = '', url = '/' } = request;
    response.once('close', () => {
      const { world = null, to = null } = call.routed ?? {};
      const status = response.writableFinished ? response.statusCode : null;
      const path = url.split('?', 1)[0];
      watcher.ended({ method, path, status, ms: performance.now() - begun, world, to, request }, call.seen);
    });
  });
}
