import { Transform } from 'node:stream';
import { LIMITS } from '../../engine/limits.js';

const LINE_FEED = 10;

/**
 * Splits a stream into lines and passes them on one at a time. Searches each part only once, even of long lines. A line above the size limit of a
 * call's body is dropped.
 * @param respond called with an error response for the sender
 */
export function boundedLines(respond: (text: string) => void, maxBytes: number = LIMITS.body.value): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        add(chunk.subarray(from, end + 1));
        if (size > maxBytes) respond(tooLong(maxBytes));
        else this.push(Buffer.concat(parts));
        parts = [];
        size = 0;
        from = end + 1;
      }
      add(chunk.subarray(from));
      done();
    },
    flush(done): void {
      if (size > 0 && size <= maxBytes) this.push(Buffer.concat(parts));
      done();
    },
  });
}

function tooLong(maxBytes: number): string {
  const message = `the message has more than ${maxBytes} bytes`;
  return `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } })}\n`;
}
