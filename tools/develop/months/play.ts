import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { receive, type Receiver } from '../kit/receiver.js';
import { serveBuild } from '../kit/served.js';
import { Dice, seedFrom } from '../simulate/dice.js';
import { KEY, SEED } from '../simulate/simulation.js';
import { type RecordedCall, RECEIVERS } from './calls.js';

/** What two builds are compared by: the response to a call, or a delivery to a receiver. */
export interface RecordedMessage {
  /** Method and path; of a delivery the path of the receiver. */
  readonly line: string;
  readonly status: number;
  /** One `name: value` a line, in alphabetical order, without what depends on the connection or real time. */
  readonly headers: string;
  readonly body: string;
}

/** A call of a story: its response, and what was delivered until the next call, by receiver. */
export interface Played {
  readonly response: RecordedMessage;
  readonly deliveries: readonly RecordedMessage[];
}

/** Of the connection or of real time. */
const UNSTEADY = new Set(['connection', 'content-length', 'date', 'host', 'keep-alive', 'transfer-encoding']);

/** Of a delivery's signature. */
const SIGNED = /signature|webhook-timestamp/;

/** The id of the event that a delivery is about. */
const eventOf = (body: string): string => /"id":\s*"(\w+)"/.exec(body)?.[1] ?? '';

/** Receivers that reject and cut some deliveries, by their path and event alone; they keep what came. */
export class MonthReceivers {
  readonly #came: RecordedMessage[] = [];
  readonly #known = new Map<string, string>();
  #receiver: Receiver | null = null;

  async start(): Promise<this> {
    this.#receiver = await receive(({ path, headers, body }, response) => {
      this.#came.push({ line: path, status: 0, headers: shown(headers), body });
      const way = new Dice(seedFrom(path, eventOf(body))).below(100);
      if (way >= 97) response.destroy();
      else response.writeHead(way >= 92 ? 500 : 200).end();
    });
    return this;
  }

  get url(): string {
    return this.#receiver?.url ?? '';
  }

  async stop(): Promise<void> {
    await this.#receiver?.stop();
  }

  /**
   * What came for the first time since the last call, by receiver, in the order of arrival. When a retry comes is a race between the
   * receiver and the clock; only one that is not the same again counts.
   */
  take(): RecordedMessage[] {
    const came = this.#came.splice(0).filter(({ line, body }) => {
      const attempt = `${line} ${eventOf(body)}`;
      const isSame = this.#known.get(attempt) === body;
      this.#known.set(attempt, body);
      return !isSame;
    });
    return came.sort((a, b) => (a.line < b.line ? -1 : a.line > b.line ? 1 : 0));
  }

  /** Begins a story in another world, whose events are new. */
  begin(): void {
    this.#came.length = 0;
    this.#known.clear();
  }
}

/**
 * Plays stories against a build in a process of its own.
 * @param folder where it was built
 * @param port where it listens: responses contain the address
 */
export async function playStories(
  folder: string,
  pack: string,
  stories: readonly (readonly RecordedCall[])[],
  port: number,
  receivers: MonthReceivers,
): Promise<Played[][]> {
  const options = ['--port', String(port), '--key', KEY, '--seed', SEED, '--log', 'none'];
  const server = await serveBuild([join(folder, 'packs', pack), ...options], { folder });
  try {
    const played: Played[][] = [];
    for (const calls of stories) {
      receivers.begin();
      const story: Played[] = [];
      for (const call of calls) {
        const response = await send(port, call, receivers.url);
        // The next call finds everything delivered that is due, however fast a build is.
        await send(
          port,
          { method: 'POST', path: '/__admin__/webhooks/flush', headers: keyed(call), body: undefined },
          '',
        );
        story.push({ response, deliveries: receivers.take() });
      }
      played.push(story);
    }
    return played;
  } finally {
    await server.stop();
  }
}

const keyed = ({ headers }: RecordedCall): Readonly<Record<string, string>> => ({
  authorization: headers['authorization'] ?? '',
});

async function send(
  port: number,
  { method, path, headers, body }: RecordedCall,
  receivers: string,
): Promise<RecordedMessage> {
  const given = body
    ?.replaceAll(RECEIVERS, receivers)
    .replaceAll(encodeURIComponent(RECEIVERS), encodeURIComponent(receivers));
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: given, redirect: 'manual' });
  return {
    line: `${method} ${path}`,
    status: response.status,
    headers: shown(Object.fromEntries(response.headers)),
    body: await response.text(),
  };
}

/** Headers but what is unsteady; of signatures and their instants, which are of real time, the form. */
function shown(headers: IncomingHttpHeaders): string {
  return Object.entries(headers)
    .filter(([name]) => !UNSTEADY.has(name))
    .map(
      ([name, value]) => `${name}: ${SIGNED.test(name) ? String(value).replace(/[\w+/]{8,}=*/g, '*') : String(value)}`,
    )
    .sort()
    .join('\n');
}
