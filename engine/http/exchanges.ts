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

/** Characters of a response from which on it is not copied into the text of its exchange. */
const LONG = 8_192;

/**
 * An exchange as one text, since thousands are held and each object costs every collection of the heap: the bytes of both bodies that
 * are held, then of each body, the URL, both lists of headers (names and values in turn, a line each), the response, and the body; what
 * is too large is left out. A long response is beside it.
 */
type StoredExchange = string | readonly [text: string, response: string];

/**
 * The newest calls as they went over the wire, for people who look for a problem. They are not part of the world: neither the
 * ledger nor a store has them, and they are gone with the process. Adding one is O(1); keys are hidden when one is shown.
 */
export class Exchanges {
  readonly #byTrace = new Map<string, StoredExchange>();
  /** Stays behind what was dropped. */
  #oldest = this.#byTrace.entries();
  #held = 0;

  /** @param secrets texts that are never shown */
  constructor(private readonly secrets: readonly string[]) {}

  add(trace: string, { url, headers, body, responseHeaders, response }: Exchange): void {
    const bytes = body?.length ?? 0;
    const isHeld = response.length <= MOST_BYTES;
    const isLong = isHeld && response.length > LONG;
    const weight = (bytes > MOST_BYTES ? 0 : bytes) + (isHeld ? response.length : 0);
    const text = [
      weight,
      bytes,
      response.length,
      url,
      headers.join('\n'),
      responseHeaders.join('\n'),
      isHeld && !isLong ? response : '',
      // Its bytes as the characters of their numbers.
      body === null || bytes > MOST_BYTES ? '' : body.toString('latin1'),
    ].join(BETWEEN);
    this.#byTrace.set(trace, isLong ? [text, response] : text);
    this.#held += weight;
    while (this.#byTrace.size > KEPT || this.#held > MOST_HELD) this.#drop();
  }

  /** The exchange of a trace; undefined: it is not held any more, or never was. */
  find(trace: string): ShownExchange | undefined {
    const held = this.#byTrace.get(trace);
    if (held === undefined) return undefined;
    const [text, long] = typeof held === 'string' ? [held, null] : held;
    const [, ofBody, ofResponse, url, headers, responseHeaders, ...rest] = text.split(BETWEEN);
    const [bytes, responseBytes] = [Number(ofBody), Number(ofResponse)];
    // Bodies may have what is between: the response is as long as its number says.
    const bodies = rest.join(BETWEEN);
    const end = responseBytes > MOST_BYTES || long !== null ? 0 : responseBytes;
    const response = long ?? bodies.slice(0, end);
    const body = bytes > MOST_BYTES ? null : bodies.slice(end + BETWEEN.length);
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
    this.#held -= Number.parseInt(typeof held === 'string' ? held : held[0]);
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
