import type { Engine } from '../runtime/index.js';
import type { JsonObject } from '../values/index.js';
import type { AttemptsPlan, DeliveryOutcome, OutcomeSteps } from '../program/index.js';
import type { Delivery } from './delivery.js';
import type { AttemptResult } from './message.js';

/** Runs the pack's steps for the outcomes of deliveries: a receiver's response, or an unreachable endpoint. */
export class Reactions {
  /** Deliveries that were sent again by hand; the pack's steps for them run when the world next records outcomes. */
  #ended: Delivery[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly onDefect: (error: unknown, what: string) => void,
  ) {}

  /** Adds a delivery that was sent again by hand to the result of the next `take`, if the pack has steps for its outcome. */
  note(delivery: Delivery): void {
    if (this.#applies(delivery)) this.#ended.push(delivery);
  }

  clear(): void {
    this.#ended = [];
  }

  /**
   * Returns the deliveries whose outcome the pack has steps for, in order of creation: those of the given ones, and those that
   * `note` added since the last call, which it removes.
   * @param news deliveries whose latest result the world hasn't recorded
   */
  take(news: Iterable<Delivery>): readonly Delivery[] {
    const ended = [...this.#ended, ...[...news].filter((each) => this.#applies(each))];
    this.#ended = [];
    return ended.sort((a, b) => a.number - b.number);
  }

  /** Returns the rules for repeating and judging attempts; null if the transport makes no attempts. */
  attemptsOf({ transport }: Delivery): AttemptsPlan | null {
    const plan = this.engine.pack.delivery()?.transports.get(transport);
    return plan === undefined || plan.kind === 'record' ? null : plan.attempts;
  }

  /** Runs the pack's steps for a receiver's response. The journal holds the response, so a replay sends nothing. */
  react(delivery: Delivery): void {
    const attempts = this.attemptsOf(delivery);
    const steps = delivery.status === 'delivered' ? attempts?.onResponse : attempts?.onFailure;
    const endpoint = this.engine.runtime.endpoints?.find(delivery.endpoint.id);
    const last = delivery.attempts.at(-1);
    if (!steps || !endpoint || !last) return;
    const { status, error } = last;
    const args = { delivery: delivery.id, endpoint: endpoint.id, status, error };
    this.#guarded(`what follows delivery ${delivery.id}`, () => {
      this.engine.command(
        'delivery ended',
        'outside',
        (x) => steps(x, delivery.event, endpoint, outcomeOf(last)),
        args,
      );
    });
  }

  /** Runs the pack's steps for an unreachable endpoint. */
  abandon(delivery: Delivery): void {
    delivery.gaveUp = false;
    const exhausted = this.engine.pack.delivery()?.endpoint.exhausted;
    const endpoint = this.engine.runtime.endpoints?.find(delivery.endpoint.id);
    if (!endpoint || !exhausted) return;
    const args = { delivery: delivery.id, endpoint: endpoint.id };
    this.#guarded(`giving up delivery ${delivery.id}`, () => {
      this.engine.command('delivery given up', 'outside', (command) => exhausted(command, endpoint), args);
    });
  }

  /** Whether the pack has steps for an unrecorded outcome of a delivery. */
  #applies(delivery: Delivery): boolean {
    return delivery.attempts.length > 0 && this.#stepsFor(delivery) !== null;
  }

  #stepsFor(delivery: Delivery): OutcomeSteps | null {
    const { status, known } = delivery;
    const attempts = status === known.status ? null : this.attemptsOf(delivery);
    return (status === 'delivered' ? attempts?.onResponse : status === 'failed' ? attempts?.onFailure : null) ?? null;
  }

  /** Runs steps of the pack; reports a defect in them instead of throwing, so that deliveries continue. */
  #guarded(what: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.onDefect(error, what);
    }
  }
}

/** The outcome of an attempt, for expressions. */
export function outcomeOf({
  status,
  error,
  response,
}: Pick<AttemptResult, 'status' | 'error' | 'response'>): DeliveryOutcome {
  return { status, error, headers: lowerCase(response?.headers ?? {}), body: response?.body ?? null };
}

function lowerCase(headers: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
