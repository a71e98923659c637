import { CONTROL, get, headers } from './api.js';
import { Store } from './store.js';
import { Timeline } from './timeline.js';
import type { CallEvent, DeliveryEvent, EntryEvent, Instant } from './types.js';

/** Number of past entries to load at the start. */
const BEFORE = 400;

interface ClockEvent {
  readonly now: Instant;
  readonly last: number;
  readonly advancing?: { readonly to: Instant; readonly fired: number };
}

/** The current state of the world: its clock, its timeline, and the connection. */
class Live extends Store {
  readonly timeline = new Timeline();
  now: Instant | null = null;
  advancing: ClockEvent['advancing'] | null = null;
  /** Increases with every change of the world, after which shown data may be outdated. */
  changes = 0;
  state: 'connecting' | 'live' | 'paused' | 'lost' = 'connecting';
  #last = '';
  #stop: AbortController | null = null;
  #attempts = 0;
  #asked: ReturnType<typeof setTimeout> | null = null;
  /** Milliseconds to wait before the next update; the first update is immediate. */
  #restMs = 0;

  /** Connects while the page is visible: a hidden page uses no connection. */
  begin(): void {
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#end('paused');
      else if (this.#stop === null) void this.#listen();
    });
    void this.#listen();
  }

  #end(state: Live['state']): void {
    this.#stop?.abort();
    this.#stop = null;
    this.state = state;
    this.changed();
  }

  async #listen(): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    try {
      const from = this.#last === '' ? `?from=${await firstEntry()}` : '';
      const last: Record<string, string> = this.#last === '' ? {} : { 'Last-Event-ID': this.#last };
      const response = await fetch(`${CONTROL}/stream${from}`, {
        headers: { ...headers(), ...last },
        signal: stop.signal,
      });
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
      this.state = 'live';
      this.#attempts = 0;
      this.changed();
      await this.#read(response.body.getReader());
    } catch {
      // The error needs no message: the page shows the lost connection by `state`.
    }
    if (this.#stop !== stop) return;
    this.state = 'lost';
    this.changed();
    this.#attempts = Math.min(this.#attempts + 1, 6);
    setTimeout(
      () => {
        if (this.#stop === stop) void this.#listen();
      },
      250 * 2 ** (this.#attempts - 1),
    );
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
      this.timeline.settle();
      this.#notifySoon();
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const data = fields.get('data');
    if (data === undefined) return;
    this.#last = fields.get('id') ?? this.#last;
    const message: unknown = JSON.parse(data);
    switch (fields.get('event')) {
      case 'entry': {
        const entry = message as EntryEvent;
        this.timeline.entry(entry);
        this.now = entry.at;
        this.changes++;
        return;
      }
      case 'call':
        this.timeline.call(message as CallEvent);
        return;
      case 'delivery':
        this.timeline.delivery(message as DeliveryEvent);
        this.changes++;
        return;
      case 'clock': {
        const { now, advancing = null } = message as ClockEvent;
        this.now = now;
        this.advancing = advancing;
        return;
      }
      case 'gap': {
        const { from, to } = message as { from: number; to: number };
        this.timeline.gap(from, to);
        this.changes++;
        return;
      }
      case 'reset':
      case 'moment':
        this.changes++;
        return;
    }
  }

  /** Reloads data after the page switched to another moment. */
  askAgain(): void {
    this.changes++;
    this.changed();
  }

  /** Reloads at most a few times per second, however many changes there are. */
  #notifySoon(): void {
    if (this.#asked !== null) return;
    this.#asked = setTimeout(() => {
      this.#asked = null;
      this.changed();
    }, this.#restMs);
    this.#restMs = 60;
  }
}

async function firstEntry(): Promise<number> {
  const { last } = await get<{ last: number }>('/ledger', { limit: 1 });
  return Math.max(0, last - BEFORE);
}

export const live = new Live();
