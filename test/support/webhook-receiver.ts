import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Reply = (response: ServerResponse, received: Received) => void;

const takes: Reply = (response) => response.end('ok');

/** A receiver of webhooks that records requests; responds with 200, unless `reply` is set. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  reply: Reply;
  connections = 0;
  readonly #server: Server;

  /** Creates a receiver. @param usual default response, to which `clear` returns */
  constructor(private readonly usual: Reply = takes) {
    this.reply = usual;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
        this.received.push(received);
        this.reply(response, received);
      });
    });
    this.#server.on('connection', () => this.connections++);
  }

  /**
   * Creates a receiver whose response depends only on the path and the event: `/ok` accepts everything, `/down` closes the connection, `/fail`
   * returns 500, `/gone` 410, and `/moody` rejects some events every time.
   * @param delay returns how long a response takes, in milliseconds
   */
  static byPath(delay: () => number = () => 0): WebhookReceiver {
    return new WebhookReceiver((response, { path, body }) => {
      const status = statusOf(path, body);
      const respond = (): void => {
        if (status === null) response.destroy();
        else response.writeHead(status).end();
      };
      const wait = delay();
      if (wait > 0) setTimeout(respond, wait);
      else respond();
    });
  }

  static start(): Promise<WebhookReceiver> {
    return new WebhookReceiver().listen();
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** Discards recorded requests, and returns to the default response. */
  clear(): void {
    this.received.length = 0;
    this.connections = 0;
    this.reply = this.usual;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Names of the vessels in the received events, in order of arrival. */
  get names(): string[] {
    return this.received.map(({ body }) => (JSON.parse(body) as { about: { name: string } }).about.name);
  }

  /** Sets the statuses of the next responses, one each; the last one is repeated. */
  answer(...statuses: number[]): void {
    this.reply = (response) => {
      response.statusCode = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
      response.end(`answer ${response.statusCode}`);
    };
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
