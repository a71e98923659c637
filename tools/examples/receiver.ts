import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook receiver for examples: returns a `challenge` from the query or JSON body, otherwise 204. */
export class ExampleReceiver {
  #server: Server | undefined;
  #url: Promise<string> | undefined;

  /** Returns the URL of the receiver, and starts it when it is first needed. */
  url(): Promise<string> {
    return (this.#url ??= this.#start());
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  #start(): Promise<string> {
    const server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const challenge = challengeOf(req.url ?? '', Buffer.concat(chunks).toString());
        if (challenge === undefined) res.writeHead(204).end();
        else res.end(challenge);
      });
    });
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
    });
  }
}

function challengeOf(url: string, body: string): string | undefined {
  const asked =
    new URL(url, 'http://receiver').searchParams.get('challenge') ?? /"challenge":"([^"]*)"/.exec(body)?.[1];
  return asked === '' ? undefined : asked;
}
