import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A running HTTP server that passes each request to a function. */
export interface Receiver {
  /** Base URL of the receiver, without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts an HTTP server on a free port. @param take responds to each request */
export async function receive(take: (call: ReceivedCall, response: ServerResponse) => void): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      take({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
