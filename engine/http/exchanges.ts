import { LIMITS } from '../limits.js';

/** What a call brought and what it got, as it went over the wire. */
export interface Exchange {
  readonly url: string;
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[];
  readonly body: Buffer | null;
  /** The response's headers, names and values in turn. */
  readonly responseHeaders: readonly string[];
  readonly response: string;
}

/** One side of an exchange as people see it; `body` null: it was too large to be held. */
export interface ShownMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly bytes: number;
}

/** An exchange as people see it. */
export interface ShownExchange {
  readonly url: string;
  readonly request: ShownMessage;
  readonly response: ShownMessage;
}

const KEPT = LIMITS.exchanges.value;
const MOST_BYTES = LIMITS.exchangeBody.value;
const MOST_HELD = LIMITS.exchangeBodies.value;

const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);
const HIDDEN = '[hidden]';

/** No URL and no header has it. */
const BETWEEN = '\0';

/** An exchange as few objects: thousands are held, and each costs every collection of the heap. */
interface StoredExchange {
  /** The URL, both lists of headers (names and values in turn, a line each), and the body unless it is too large. */
  readonly text: string;
  /** Of the request's body. */
  readonly bytes: number;
  readonly response: string;
  readonly responseBytes: number;
}

/**
 * The newest calls as they went over the wire, for people who look for a mistake. They are not part of the world: neither the
 * ledger nor a store has them, and they are gone with the process. Adding one is O(1); keys are hidden when one is shown.
 */
export class Exchanges {
  readonly #byTrace = new Map<string, StoredExchange>();
  /** Stands behind what was dropped. */
  #oldest = this.#byTrace.entries();
  #held = 0;

  /** @param secrets texts that are never shown */
  constructor(private readonly secrets: readonly string[]) {}

  add(trace: string, { url, headers, body, responseHeaders, response }: Exchange): void {
    const bytes = body?.length ?? 0;
    const held: StoredExchange = {
      text: [
        url,
        headers.join('\n'),
        responseHeaders.join('\n'),
        // Its bytes as the characters of their numbers.
        body === null || bytes > MOST_BYTES ? '' : body.toString('latin1'),
      ].join(BETWEEN),
      bytes,
      response: response.length > MOST_BYTES ? '' : response,
      responseBytes: response.length,
    };
    this.#byTrace.set(trace, held);
    this.#held += weightOf(held);
    while (this.#byTrace.size > KEPT || this.#held > MOST_HELD) this.#drop();
  }

  /** The exchange of a trace; undefined: it is not held any more, or never was. */
  find(trace: string): ShownExchange | undefined {
    const held = this.#byTrace.get(trace);
    if (!held) return undefined;
    const { text, bytes, response, responseBytes } = held;
    const [url, headers, responseHeaders, ...rest] = text.split(BETWEEN);
    const body = bytes > MOST_BYTES ? null : rest.join(BETWEEN);
    return {
      url: this.#hide(url),
      request: {
        headers: this.#named(headers),
        body: body && this.#hide(Buffer.from(body, 'latin1').toString('utf8')),
        bytes,
      },
      response: {
        headers: this.#named(responseHeaders),
        body: responseBytes > MOST_BYTES ? null : this.#hide(response),
        bytes: responseBytes,
      },
    };
  }

  #drop(): void {
    const next = this.#oldest.next();
    if (next.done === true) return;
    const [trace, held] = next.value;
    this.#held -= weightOf(held);
    this.#byTrace.delete(trace);
  }

  #named(headers: string): Record<string, string> {
    const list = headers.split('\n');
    const named: Record<string, string> = {};
    for (let at = 0; at + 1 < list.length; at += 2) {
      const name = list[at].toLowerCase();
      named[name] = SECRET_HEADERS.has(name) ? HIDDEN : this.#hide(list[at + 1]);
    }
    return named;
  }

  #hide(text: string): string {
    return this.secrets.reduce(
      (shown, secret) => (shown.includes(secret) ? shown.replaceAll(secret, HIDDEN) : shown),
      text,
    );
  }
}

/** The bytes of both bodies as far as they are held. */
function weightOf({ bytes, response }: StoredExchange): number {
  return (bytes > MOST_BYTES ? 0 : bytes) + response.length;
}
