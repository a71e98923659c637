import { channel } from 'node:diagnostics_channel';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { LIMITS } from '../limits.js';
import { PROTOCOLS, serveHttp2 } from './http2.js';
import { watchReading } from './unread.js';

interface Classes {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/** TLS for a server: a certificate (with its chain) and its key, as PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/**
 * Milliseconds for which an idle connection stays open: longer than load balancers keep theirs (usually 60 s), so that no call
 * is sent on a closing connection.
 */
const keepAliveMs = 65_000;

/** The open connections of each server. */
const connectionsOf = new WeakMap<Server, Set<Socket>>();

/** Message classes by the request prototype of the app, since apps may share a prototype. */
const classesOf = new WeakMap<object, Classes>();

/**
 * The HTTP server of an Express app. Express replaces the prototype of every request and response by `app.request` and
 * `app.response`, which makes V8 drop its optimisations. This server creates its messages with those prototypes, so that the
 * replacement changes nothing: a request takes a quarter of the time on Node 20 and 22, two thirds on Node 24. If Express has
 * an unexpected structure, it is a plain server.
 */
export function createHttpServer(app: Express, tls?: Tls): Server {
  const classes = messageClasses(app);
  const { headersTime, requestTime, connections } = LIMITS;
  const limits = {
    headersTimeout: headersTime.value,
    requestTimeout: requestTime.value,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: headersTime.value / 5,
  };
  const server = tls
    ? secureServer({ ...limits, ...classes, ...tls }, app)
    : createServer({ ...limits, ...classes }, app);
  server.maxConnections = connections.value;
  const open = new Set<Socket>();
  connectionsOf.set(server, open);
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    // No limit: each pipelined request adds a listener to the connection, and Node would warn of a leak.
    socket.setMaxListeners(0);
    open.add(socket);
    watchReading(socket);
    // Node removes its error handler when the protocol changes, and an unhandled error would end the process.
    socket.on('error', (error) => {
      if (secureClients.hasSubscribers && beginsTls(error)) secureClients.publish({ address: server.address() });
    });
    socket.once('close', () => open.delete(socket));
  });
  server.on('connect', (_req, socket) => {
    socket.end(NO_TUNNEL, () => socket.destroy());
  });
  return server;
}

/** Reports clients that speak TLS to a server without it; a message has the server's address. */
const secureClients = channel('sandbox:tls-to-plain');

/** Checks whether a server of plain HTTP failed to read the first message of TLS. */
function beginsTls(error: Error): boolean {
  const packet = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : undefined;
  return packet?.[0] === 22 && packet[1] === 3;
}

/** The response to CONNECT: a client that uses the server as a TLS proxy gets a reason instead of a closed connection. */
const NO_TUNNEL =
  'HTTP/1.1 405 Method Not Allowed\r\nContent-Type: text/plain\r\nContent-Length: 44\r\nConnection: close\r\n\r\n' +
  'CONNECT is not supported: call this address\n';

function secureServer(options: ServerOptions, app: Express): Server {
  const server = createSecureServer({ ...options, ALPNProtocols: PROTOCOLS }, app);
  endSessions.set(server, serveHttp2(server));
  return server;
}

/** Ends the HTTP/2 sessions of a server. */
const endSessions = new WeakMap<Server, () => void>();

/** Ends the connections without a call, including unused ones that clients opened in advance, which Node counts as busy. */
export function closeUnused(server: Server): void {
  server.closeIdleConnections();
  endSessions.get(server)?.();
  for (const socket of connectionsOf.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/** Ends all connections, including calls in flight. */
export function closeAll(server: Server): void {
  server.closeAllConnections();
  for (const socket of connectionsOf.get(server) ?? []) socket.destroy();
}

/** Returns message classes with the app's prototypes; undefined if these have an unexpected structure. */
function messageClasses(app: Express): Classes | undefined {
  const known = classesOf.get(app.request);
  if (known) return known;
  const request: unknown = app.request;
  const response: unknown = app.response;
  if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return undefined;
  class Request extends IncomingMessage {}
  class Response<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(Request.prototype, request);
  Object.setPrototypeOf(Response.prototype, response);
  const shared = { configurable: true, enumerable: true, writable: true };
  Object.defineProperty(app, 'request', { ...shared, value: Request.prototype });
  Object.defineProperty(app, 'response', { ...shared, value: Response.prototype });
  const made = { IncomingMessage: Request, ServerResponse: Response };
  classesOf.set(Request.prototype, made);
  return made;
}
