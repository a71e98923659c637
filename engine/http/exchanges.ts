import { LIMITS } from '../limits.js';

/** The request and response of a call, as sent. */
export interface Exchange {
  readonly url: string;
  /** Names and values in turn, as received. */
  readonly headers: readonly string[];
  readonly body: Buffer | null;
  /** The response's headers, names and values in turn. */
  readonly responseHeaders: readonly string[];
  readonly response: string;
  /** Size of the response's body in UTF-8, in bytes. */
  readonly responseBytes: number;
}

/** A request or response as the control API returns it. `body` is null if it was too large to be stored. */
export interface ShownMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly bytes: number;
}

/** An exchange as the control API returns it. */
export interface ShownExchange {
  readonly url: string;
  readonly request: ShownMessage;
  readonly response: ShownMessage;
}

const KEPT = LIMITS.exchanges.value;
const MOST_BYTES = LIMITS.exchangeBody.value;
const MOST_HELD = LIMITS.exchangeBodies.value;

const SECRET_HEADERS = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);
const HIDDEN = '[hidden]';

/** Separates texts; no URL and no header contains it. */
const BETWEEN = '\0';

/** Bytes of the first buffer; each further one is twice as large, up to the limit. */
const [FIRST_BYTES, MOST_PIECE_BYTES] = [16 * 1024, 512 * 1024];

/** Size of an exchange's head: four numbers, the bytes of the exchange, its text, the request's body and the response. */
const HEAD_BYTES = 16;

/** A buffer outside of the heap, filled from its start. */
interface Piece {
  readonly memory: Buffer;
  /** Offset of the oldest exchange in the buffer. */
  from: number;
  /** Offset after the newest exchange in the buffer. */
  end: number;
}

/**
 * The newest requests and responses, for debugging. They aren't part of the world: neither the ledger nor a store contains
 * them, and they are lost with the process. Adding one is O(1) and leaves no objects for the garbage collector to move; finding
 * one searches all. Keys are masked on output. An exchange is stored as numbers, one text (its trace, the URL, and both lists
 * of headers, one name or value per line), the response, and the call's body; bodies that are too large are omitted.
 */
export class Exchanges {
  /** The newest requests and responses, oldest first. */
  readonly #pieces: Piece[] = [];
  /** A released buffer for reuse: new memory comes page by page, which takes longer than filling it. */
  #spare: Buffer | null = null;
  #count = 0;
  #heldBytes = 0;

  /** @param secrets texts that are never shown */
  constructor(private readonly secrets: readonly string[]) {}

  add(trace: string, { url, headers, body, responseHeaders, response, responseBytes }: Exchange): void {
    const text = [trace, url, headers.join('\n'), responseHeaders.join('\n')].join(BETWEEN);
    // The text is written as latin1: a character is a byte.
    const textBytes = text.length;
    const bodyBytes = body?.length ?? 0;
    const [heldBody, heldResponse] = [heldBytesOf(bodyBytes), heldBytesOf(responseBytes)];
    const wholeBytes = HEAD_BYTES + textBytes + heldResponse + heldBody;
    const piece = this.#pieceFor(wholeBytes);
    const { memory, end } = piece;
    memory.writeUInt32LE(wholeBytes, end);
    memory.writeUInt32LE(textBytes, end + 4);
    memory.writeUInt32LE(bodyBytes, end + 8);
    memory.writeUInt32LE(responseBytes, end + 12);
    memory.write(text, end + HEAD_BYTES, 'latin1');
    if (heldResponse > 0) write(memory, response, end + HEAD_BYTES + textBytes, heldResponse);
    if (heldBody > 0) body?.copy(memory, end + wholeBytes - heldBody);
    piece.end += wholeBytes;
    this.#count++;
    this.#heldBytes += heldBody + heldResponse;
    while (this.#count > KEPT || this.#heldBytes > MOST_HELD) this.#drop();
  }

  /** The newest exchange of a trace, since ids repeat after a reset; undefined: it isn't kept. */
  find(trace: string): ShownExchange | undefined {
    const asked = Buffer.from(trace + BETWEEN);
    let found: { readonly memory: Buffer; readonly at: number } | undefined;
    for (const { memory, from, end } of this.#pieces) {
      for (let at = from; at < end; at += memory.readUInt32LE(at))
        if (memory.subarray(at + HEAD_BYTES, at + HEAD_BYTES + asked.length).equals(asked)) found = { memory, at };
    }
    return found && this.#shown(found.memory, found.at);
  }

  #shown(memory: Buffer, at: number): ShownExchange {
    const [wholeBytes, textBytes, bodyBytes, responseBytes] = [0, 4, 8, 12].map((part) =>
      memory.readUInt32LE(at + part),
    );
    const response = at + HEAD_BYTES + textBytes;
    const body = response + heldBytesOf(responseBytes);
    const [, url, headers, responseHeaders] = memory.toString('latin1', at + HEAD_BYTES, response).split(BETWEEN);
    return {
      url: this.#hide(url),
      request: {
        headers: this.#named(headers),
        body: bodyBytes > MOST_BYTES ? null : this.#hide(memory.toString('utf8', body, at + wholeBytes)),
        bytes: bodyBytes,
      },
      response: {
        headers: this.#named(responseHeaders),
        body: responseBytes > MOST_BYTES ? null : this.#hide(memory.toString('utf8', response, body)),
        bytes: responseBytes,
      },
    };
  }

  /** The newest buffer if it has enough space, else a new one. */
  #pieceFor(bytes: number): Piece {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.end + bytes <= last.memory.length) return last;
    const size = last === undefined ? FIRST_BYTES : Math.min(last.memory.length * 2, MOST_PIECE_BYTES);
    const spare = this.#spare !== null && this.#spare.length >= bytes ? this.#spare : null;
    this.#spare = null;
    const made = { memory: spare ?? Buffer.allocUnsafeSlow(Math.max(size, bytes)), from: 0, end: 0 };
    this.#pieces.push(made);
    return made;
  }

  #drop(): void {
    const [oldest] = this.#pieces;
    const { memory, from } = oldest;
    this.#count--;
    this.#heldBytes -= heldBytesOf(memory.readUInt32LE(from + 8)) + heldBytesOf(memory.readUInt32LE(from + 12));
    oldest.from += memory.readUInt32LE(from);
    if (oldest.from < oldest.end) return;
    this.#pieces.shift();
    if (memory.length === MOST_PIECE_BYTES) this.#spare = memory;
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

/** Returns how many bytes of a body are stored: all, or none if it is too large. */
function heldBytesOf(bytes: number): number {
  return bytes > MOST_BYTES ? 0 : bytes;
}

/** Writes a text of a known size. If its length equals the size, it is ASCII and needs no encoding. */
function write(memory: Buffer, text: string, at: number, bytes: number): void {
  memory.write(text, at, bytes === text.length ? 'latin1' : 'utf8');
}
