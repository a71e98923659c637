/** A server-sent event with parsed data. */
export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads a stream of server-sent events and collects the events. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  #text = '';
  #changed: () => void = () => undefined;
  readonly #stop = new AbortController();

  private constructor(readonly response: Response) {
    this.ended = this.#read().catch(() => undefined);
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
    return new EventStream(await fetch(url, { headers }));
  }

  /** Waits for the first event that fits, and returns it. */
  async find(fits: (event: StreamEvent) => boolean): Promise<StreamEvent> {
    for (;;) {
      const found = this.events.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }

  async #read(): Promise<void> {
    const reader = this.response.body?.getReader();
    if (!reader) return;
    this.#stop.signal.addEventListener('abort', () => void reader.cancel());
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value }: { readonly done: boolean; readonly value?: unknown } = await reader.read();
      if (done) return;
      if (value instanceof Uint8Array) this.#text += decoder.decode(value, { stream: true });
      const blocks = this.#text.split('\n\n');
      this.#text = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
      this.#changed();
    }
  }

  #take(block: string): void {
    const lines = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    );
    const data = lines.get('data');
    if (data === undefined) return;
    const parsed = JSON.parse(data) as StreamEvent['data'];
    this.events.push({ id: lines.get('id') ?? '', type: lines.get('event') ?? '', data: parsed });
  }
}
