import { receive, type Receiver } from '../kit/receiver.js';

/** Receives webhooks, rejects some of them, and records the objects of accepted ones. */
export class WebhookCounter {
  readonly objects = new Set<string>();
  rejected = 0;
  readonly #receiver: Promise<Receiver>;

  /** Creates a receiver. @param rejects share of webhooks to reject */
  constructor(rejects = 0.1) {
    this.#receiver = receive(({ body }, response) => {
      const isRejected = Math.random() < rejects;
      const event = JSON.parse(body) as { readonly data: { readonly object: { readonly id: string } } };
      if (isRejected) this.rejected++;
      else this.objects.add(event.data.object.id);
      response.writeHead(isRejected ? 500 : 200).end();
    });
  }

  async url(): Promise<string> {
    return (await this.#receiver).url;
  }

  async stop(): Promise<void> {
    await (await this.#receiver).stop();
  }
}
