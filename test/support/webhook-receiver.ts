import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Reply = (response: ServerResponse, received: Received) => void;

const takes: Reply = (response) => response.end('ok');

/** A receiver of webhooks that notes what came; it returns 200 unless `reply` says otherwise. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  reply: Reply;
  connections = 0;
  readonly #server: Server;

  /** @param usual what it replies again after `clear` */
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
   * One whose response depends on the path and the event alone: `/ok` takes everything, `/down` hangs up, `/fail` returns 500, `/gone` 410,
   * `/moody` takes some events and never others.
   * @param delay how long a response takes, in milliseconds
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

  /** Forgets what came, and replies as usual. */
  clear(): void {
    this.received.length = 0;
    this.connections = 0;
    this.reply = this.usual;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Names of the vessels that the events were about, in the order of arrival. */
  get names(): string[] {
    return this.received.map(({ body }) => (JSON.parse(body) as { about: { name: string } }).about.name);
  }

  /** Answers with these statuses in turn, then with the last one. */
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
