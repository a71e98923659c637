import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { targetFor, type RedirectPlaces, type RedirectTarget } from '../in-tests/redirect-places.js';
import type { Authority } from './authority.js';
import { isOwnProcess } from './peer.js';
import { credentialsFor, type Upstream } from './upstream.js';

/** Maximum number of concurrent connections; more are closed immediately. */
const MOST_CONNECTIONS = 2000;
/** First byte of a TLS connection, by which the proxy distinguishes it from plain HTTP. */
const TLS_HANDSHAKE = 0x16;
/** Matches the TLS alert of a client that doesn't trust the certificate. */
const DISTRUST = /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)/;
/** Hop-by-hop headers, which aren't forwarded, and the host, which the whole URL names (RFC 9112, 3.2.2). */
const OWN_HEADERS = /^(?:proxy-.*|connection|keep-alive|te|upgrade|host)$/i;

interface ProxyOptions {
  readonly places: RedirectPlaces;
  readonly authority: Authority;
  /** The user's own proxies, which connections to other hosts use. */
  readonly upstream: Upstream;
  /** Required `user:password` of callers that aren't known to be processes of this user; null if none is required. */
  readonly secret: string | null;
  /** Called when a program doesn't trust the certificate for a vendor's host. */
  readonly onDistrust: (host: string) => void;
}

export interface RunningProxy {
  readonly port: number;
  close(): void;
}

/**
 * Starts a forward proxy on loopback. Forwards traffic to a vendor's host, with TLS or without, to the pack, and all other traffic to its own host.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const sockets = new Set<Socket>();
  const server = http.createServer();
  server.maxConnections = MOST_CONNECTIONS;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const rejected = rejection(request, options.secret);
    if (rejected !== null) return socket.end(`HTTP/1.1 ${rejected.head}\r\n\r\n`);
    if (head.length > 0) socket.unshift(head);
    const { host, port } = authorityIn(request.url ?? '');
    const place = targetFor(options.places, host);
    try {
      if (place) toVendor(socket, host, place, options);
      else tunnel(socket, host, port, options);
    } catch {
      // Node throws at once for impossible ports and names.
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const rejected = rejection(request, options.secret);
    if (rejected === null)
      try {
        return forward(request, response, options);
      } catch {
        return response.writeHead(400).end();
      }
    const [status, ...headers] = rejected.head.split('\r\n');
    response.writeHead(
      Number.parseInt(status, 10),
      headers.flatMap((each) => each.split(': ', 2)),
    );
    response.end(rejected.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Parses the host and port of a CONNECT request. */
function authorityIn(target: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = '443'] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(target) ?? [];
  return { host: host.toLowerCase().replace(/\.$/, ''), port: Number(port) };
}

/** Status and message for a rejected caller. */
interface Rejection {
  readonly head: string;
  readonly text: string;
}

/**
 * Rejects callers without the password. Processes of this user don't need one if the system can identify them: browsers and Java's clients send none.
 */
function rejection({ headers, socket }: IncomingMessage, secret: string | null): Rejection | null {
  if (secret === null)
    return isOwnProcess(socket) === false
      ? { head: '403 Forbidden\r\nConnection: close', text: 'this proxy is for processes of another user\n' }
      : null;
  const expected = Buffer.from(`Basic ${Buffer.from(secret).toString('base64')}`);
  const given = Buffer.from(headers['proxy-authorization'] ?? '');
  return (given.length === expected.length && timingSafeEqual(given, expected)) || isOwnProcess(socket) === true
    ? null
    : {
        head: '407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="sandbox"\r\nConnection: close',
        text: 'this proxy is for one command, whose HTTPS_PROXY has the password\n',
      };
}

/** Connects a program to a pack, and terminates TLS. */
function toVendor(socket: Socket, host: string, place: RedirectTarget, options: ProxyOptions): void {
  socket.write(CONNECTED);
  socket.once('data', (first: Buffer) => {
    socket.pause();
    socket.unshift(first);
    // Node and Python programs with redirected connections already send plain HTTP.
    if (first[0] !== TLS_HANDSHAKE) return join(socket, net.connect(place));
    secured(socket, host, options).then(
      (plain) => join(plain, net.connect(place)),
      () => socket.destroy(),
    );
  });
}

/** Terminates TLS on a connection. */
async function secured(socket: Socket, host: string, { authority, onDistrust }: ProxyOptions): Promise<TLSSocket> {
  const secureContext = await authority.contextFor(host);
  const plain = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] });
  const failed = ({ code }: NodeJS.ErrnoException): void => {
    if (DISTRUST.test(code ?? '')) onDistrust(host);
  };
  return plain.on('error', failed).on('_tlsError', failed);
}

/** Connects a program to another host, directly or through the user's own proxy. */
function tunnel(socket: Socket, host: string, port: number, options: ProxyOptions): void {
  const way = options.upstream.wayTo('https', host, port);
  const failed = (error: Error): void => void socket.end(`HTTP/1.1 502 Bad Gateway\r\n\r\n${reason(host, error)}`);
  if (way === null) {
    const other = net.connect({ host, port }).once('error', failed);
    other.once('connect', () => {
      other.off('error', failed);
      socket.write(CONNECTED);
      join(socket, other);
    });
    return;
  }
  if (!mayUse(socket, options)) return failed(new Error(NO_WAY));
  const name = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  const request = (way.protocol === 'https:' ? https : http).request({
    ...hostOf(way),
    method: 'CONNECT',
    path: name,
    headers: { Host: name, ...credentialsFor(way) },
    agent: false,
  });
  request.once('error', failed);
  request.once('response', (response) =>
    failed(new Error(`the proxy ${way.host} returned ${String(response.statusCode)}`)),
  );
  request.once('connect', ({ statusCode }, other: Socket, head: Buffer) => {
    if (statusCode !== 200) {
      other.destroy();
      return failed(new Error(`the proxy ${way.host} returned ${String(statusCode)}`));
    }
    if (head.length > 0) other.unshift(head);
    socket.write(CONNECTED);
    join(socket, other);
  });
  request.end();
}

/** Forwards a request with an absolute URL to a pack, or to its own host. */
function forward(request: IncomingMessage, response: ServerResponse, options: ProxyOptions): void {
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    response.writeHead(400).end('this is a proxy: it takes requests with a whole URL, and CONNECT\n');
    return;
  }
  const [scheme, host] = [url.protocol === 'https:' ? 'https' : 'http', url.hostname.replace(/^\[|\]$/g, '')] as const;
  const place = targetFor(options.places, host);
  const way = place ? null : options.upstream.wayTo(scheme, host, Number(url.port || (scheme === 'https' ? 443 : 80)));
  const failed = (error: Error): void => {
    if (response.headersSent) return void response.destroy();
    response.writeHead(502).end(reason(host, error));
  };
  if (way !== null && !mayUse(request.socket, options)) return failed(new Error(NO_WAY));
  const path = url.pathname + url.search;
  const target = place ? { ...place, path } : way ? { ...hostOf(way), path: url.href } : { ...hostOf(url), path };
  const headers = ['Host', url.host, ...passedOn(request)];
  if (way) headers.push(...Object.entries(credentialsFor(way)).flat());
  const isSecure = place ? false : (way ?? url).protocol === 'https:';
  const onward = (isSecure ? https : http).request({ ...target, method: request.method, headers, agent: false });
  onward.on('error', failed);
  onward.on('response', (received) => {
    response.writeHead(received.statusCode ?? 502, received.statusMessage, passedOn(received));
    pipeline(received, response, () => undefined);
  });
  response.on('close', () => onward.destroy());
  pipeline(request, onward, () => undefined);
}

/** Returns the headers of a message as a flat list, without hop-by-hop ones. */
function passedOn({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.flatMap((name, at, all) => (at % 2 === 0 && !OWN_HEADERS.test(name) ? [name, all[at + 1]] : []));
}

const CONNECTED = 'HTTP/1.1 200 Connection Established\r\n\r\n';
const NO_WAY = "whose process asks isn't known, and the proxy of this user isn't lent";

/** Whether a caller may use the user's own proxy, whose address may contain a password. */
function mayUse(socket: Socket, { secret }: ProxyOptions): boolean {
  return secret !== null || isOwnProcess(socket) === true;
}

function hostOf({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

function reason(host: string, { message }: Error): string {
  return `sandbox: ${host} was not reached: ${message}\n`;
}

/** Passes bytes between two connections until one of them ends. */
function join(one: Duplex, other: Duplex): void {
  pipeline(one, other, one, () => undefined);
}
