import { busyWith } from '../runtime/activity.js';
import type { Engine } from '../runtime/index.js';
import type { Delivery } from './delivery.js';
import type { Listeners } from './listeners.js';
import { type AttemptResult, type Message, type Transport, unsent } from './message.js';
import { makeTransport } from './transports.js';

export interface SenderOptions {
  readonly onDefect: (error: unknown, what: string) => void;
  readonly wallMs: () => number;
  /** Transports that replace the pack's, by name. */
  readonly transports: ReadonlyMap<string, Transport>;
  readonly listeners: Listeners;
}

/** Sends deliveries by the transports of the pack and of the application. */
export class Sender {
  readonly #transports: Map<string, Transport>;
  /** Incremented by `abort`, so that deliveries that wait until the world is stored are discarded. */
  #epoch = 0;

  constructor(
    private readonly engine: Engine,
    private readonly options: SenderOptions,
  ) {
    this.#transports = new Map(options.transports);
  }

  /** A transport by its name; made when first needed. */
  transport(name: string): Transport | undefined {
    const known = this.#transports.get(name);
    if (known) return known;
    const delivery = this.engine.pack.delivery();
    const plan = delivery?.transports.get(name);
    if (!plan || !delivery) return undefined;
    const { wallMs, onDefect, listeners } = this.options;
    const surroundings = { host: this.engine.runtime.reader, wallMs, onDefect, listeners };
    const made = makeTransport(plan, delivery.endpoint, surroundings);
    this.#transports.set(name, made);
    return made;
  }

  /** Waits until the world is stored, then sends a delivery. Never rejects: a failure is a result. */
  async send(delivery: Delivery): Promise<AttemptResult> {
    const { id, transport: name } = delivery;
    const transport = this.transport(name);
    busyWith('delivery', id);
    if (!transport) return unsent(`there is no transport '${name}'`);
    const epoch = this.#epoch;
    try {
      await this.engine.world.keeper?.kept?.();
    } catch {
      return unsent('the world cannot be kept any more');
    }
    if (epoch !== this.#epoch) return unsent('the world was emptied');
    try {
      return await transport.send(deliveryMessage(delivery));
    } catch (error) {
      this.options.onDefect(error, `transport ${name}`);
      return unsent('the transport failed');
    }
  }

  /** Aborts all attempts in flight. */
  abort(): void {
    this.#epoch++;
    for (const transport of this.#transports.values()) transport.abort?.();
  }
}

/** Converts a delivery to the message for a transport's next attempt. */
export function deliveryMessage({ id, event, endpoint, body, attempts }: Delivery): Message {
  const before = attempts.at(-1);
  const failure = before === undefined ? null : { status: before.status, error: before.error };
  return { id, event, endpoint, body, attempt: attempts.length + 1, failure };
}
