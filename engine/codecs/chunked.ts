/** Limit of a chunk's first line, or of a trailer, in bytes. */
const LONGEST_LINE = 16 * 1024;
const MOST_TRAILERS = 100;
const LINE_FEED = 0x0a;

/**
 * Parses a body with its own chunked framing inside the HTTP body, as in HTTP/1.1 (RFC 9112, 7.1): `size;extensions`, the
 * bytes, and trailers after a chunk of size 0. Some vendors' clients sign chunks this way, or send a checksum after the bytes.
 */
export class ChunkDecoder {
  readonly trailers: Record<string, string> = {};
  /** The part of a line read so far. */
  #line: Buffer[] = [];
  #lineBytes = 0;
  /** Remaining bytes of the chunk. */
  #left = 0;
  #state: 'size' | 'bytes' | 'end' | 'trailers' | 'over' = 'size';

  /** Whether the last chunk and its trailers were read. */
  get isOver(): boolean {
    // The body is also complete without the line after the trailers, which some clients omit.
    return this.#state === 'over' || (this.#state === 'trailers' && this.#lineBytes === 0);
  }

  /** Yields the content in the next piece of the body. @throws SyntaxError */
  *take(piece: Buffer): Generator<Buffer> {
    for (let at = 0; at < piece.length;) {
      if (this.#state === 'over') throw new SyntaxError('there is more behind the last chunk');
      if (this.#state === 'bytes') {
        const bytes = piece.subarray(at, at + this.#left);
        at += bytes.length;
        this.#left -= bytes.length;
        if (this.#left === 0) this.#state = 'end';
        yield bytes;
        continue;
      }
      const end = piece.indexOf(LINE_FEED, at);
      const part = piece.subarray(at, end < 0 ? piece.length : end);
      this.#lineBytes += part.length;
      if (this.#lineBytes > LONGEST_LINE) throw new SyntaxError('a line between the chunks is too long');
      this.#line.push(part);
      at += part.length + 1;
      if (end >= 0) this.#read();
    }
  }

  #read(): void {
    const line = Buffer.concat(this.#line).toString('latin1').replace(/\r$/, '');
    this.#line = [];
    this.#lineBytes = 0;
    if (this.#state === 'end') {
      if (line !== '') throw new SyntaxError('a chunk is longer than it says');
      this.#state = 'size';
    } else if (this.#state === 'trailers') this.#trailer(line);
    else {
      const [size] = line.split(';');
      if (!/^[0-9a-fA-F]{1,12}$/.test(size.trim())) throw new SyntaxError('a chunk does not begin with its size');
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailers' : 'bytes';
    }
  }

  #trailer(line: string): void {
    if (line === '') {
      this.#state = 'over';
      return;
    }
    const colon = line.indexOf(':');
    if (colon <= 0 || Object.keys(this.trailers).length >= MOST_TRAILERS)
      throw new SyntaxError('a trailer is not a name and a value');
    this.trailers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
}
