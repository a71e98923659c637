import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives webhooks, rejects some of them, and remembers the objects of those that it took. */
export class WebhookCounter {
  readonly objects = new Set<string>();
  rejected = 0;

  private constructor(private readonly server: Server) {}

  /** @param rejects share of the webhooks that it rejects */
  static async start(rejects = 0.1): Promise<WebhookCounter> {
    const server = createServer();
    const receiver = new WebhookCounter(server);
    server.on('request', (req, res) => {
      let text = '';
      req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      req.on('end', () => {
        const isRejected = Math.random() < rejects;
        const event = JSON.parse(text) as { readonly data: { readonly object: { readonly id: string } } };
        if (isRejected) receiver.rejected++;
        else receiver.objects.add(event.data.object.id);
        res.writeHead(isRejected ? 500 : 200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
