import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long an answer takes, in milliseconds. */
export type Delay = () => number;

/**
 * A receiver of webhooks whose answer depends on the path and the event alone: `/ok` takes everything, `/down` hangs up,
 * `/fail` answers 500, `/gone` 410, `/moody` takes some events and never others.
 */
export class MoodyReceiver {
  received = 0;
  readonly #server: Server;

  private constructor(delay: Delay) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.received++;
        const status = statusOf(request.url ?? '', Buffer.concat(chunks).toString());
        const answer = (): void => {
          if (status === null) request.socket.destroy();
          else response.writeHead(status).end();
        };
        const wait = delay();
        if (wait > 0) setTimeout(answer, wait);
        else answer();
      });
    });
  }

  static async start(delay: Delay = () => 0): Promise<MoodyReceiver> {
    const receiver = new MoodyReceiver(delay);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function statusOf(path: string, body: string): number | null {
  switch (path) {
    case '/down':
      return null;
    case '/fail':
      return 500;
    case '/gone':
      return 410;
    case '/moody':
      return [...((JSON.parse(body) as { id: string }).id ?? '')].reduce((sum, each) => sum + each.charCodeAt(0), 0) %
        3 ===
        0
        ? 503
        : 200;
    default:
      return 200;
  }
}
