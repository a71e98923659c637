import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as SecureServer } from 'node:tls';

/** Accepts a connection that requests another protocol. @returns false if it was left untouched, for another handler */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => Promise<boolean>;

const HOP = new Set(['upgrade', 'http2-settings']);

/**
 * Serves a request for another protocol as an ordinary one (RFC 9110, 7.8: a server may ignore the header). Node stops handling
 * such a connection as soon as there is an `upgrade` listener, whatever the protocol: Java clients offer HTTP/2 with their
 * first request. So the request is written back to the server without the header.
 */
export function ignoreUpgrade(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  const { rawHeaders } = req;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    const lower = name.toLowerCase();
    const value = lower === 'connection' ? withoutHop(rawHeaders[at + 1]) : rawHeaders[at + 1];
    if (!HOP.has(lower) && value !== '') lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit(server instanceof SecureServer ? 'secureConnection' : 'connection', socket);
}

function withoutHop(value: string): string {
  const kept = value.split(',').filter((each) => !HOP.has(each.trim().toLowerCase()));
  return kept.join(',').trim();
}
