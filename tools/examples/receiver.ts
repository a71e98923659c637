import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something that webhooks may be sent to while examples run: it answers 204 to everything. */
export class Receiver {
  #server: Server | undefined;
  #url: Promise<string> | undefined;

  /** Where it listens; started when first asked. */
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
      req.resume();
      res.writeHead(204).end();
    });
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
    });
  }
}
