import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { receive, type Receiver } from '../kit/receiver.js';
import { serveBuild } from '../kit/served.js';
import { Dice, seedFrom } from '../simulate/dice.js';
import { KEY, SEED } from '../simulate/simulation.js';
import { type RecordedCall, RECEIVERS } from './calls.js';

/** A compared message: the response to a call, or a delivery to a receiver. */
export interface RecordedMessage {
  /** Method and path of a call; for a delivery, the receiver's path. */
  readonly line: string;
  readonly status: number;
  /** Headers as one `name: value` per line, sorted, without those that depend on the connection or real time. */
  readonly headers: string;
  readonly body: string;
}

/** A call of a story with its response, and the deliveries until the next call, by receiver. */
export interface Played {
  readonly response: RecordedMessage;
  readonly deliveries: readonly RecordedMessage[];
}

/** Names of headers that depend on the connection or on real time. */
const UNSTEADY = new Set(['connection', 'content-length', 'date', 'host', 'keep-alive', 'transfer-encoding']);

/** Matches names of headers with a delivery's signature. */
const SIGNED = /signature|webhook-timestamp/;

/** Extracts the id of the event in a delivery. */
const eventOf = (body: string): string => /"id":\s*"(\w+)"/.exec(body)?.[1] ?? '';

/** Receivers that reject or cut some deliveries, depending only on path and event, and record them. */
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
   * Returns new deliveries since the last call, by receiver, in order of arrival. The time of a retry is a race between receiver and clock, so
   * identical retries are omitted.
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

  /** Forgets earlier deliveries, because the next story has another world and new events. */
  begin(): void {
    this.#came.length = 0;
    this.#known.clear();
  }
}

/** Plays stories on a build in a separate process. @param folder of the build @param port to listen on: responses contain the address */
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
        // Waits for due deliveries before the next call, so that a build's speed doesn't matter.
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

/** Formats headers without variable ones; of signatures and their times, which depend on real time, only the format. */
function shown(headers: IncomingHttpHeaders): string {
  return Object.entries(headers)
    .filter(([name]) => !UNSTEADY.has(name))
    .map(
      ([name, value]) => `${name}: ${SIGNED.test(name) ? String(value).replace(/[\w+/]{8,}=*/g, '*') : String(value)}`,
    )
    .sort()
    .join('\n');
}
