import { once } from 'node:events';
import type { Response } from 'express';
import { byteCount, type ByteStore, type BytesPiece, type SentPart, slicesOf } from '../values/index.js';
import type { HeaderList } from './headers.js';

export function partsLength(parts: readonly SentPart[]): number {
  return parts.reduce((sum, each) => {
    if (Buffer.isBuffer(each)) return sum + each.length;
    return sum + ('base64' in each ? Math.ceil(byteCount(each.base64) / 3) * 4 : each.end - each.start);
  }, 0);
}

/**
 * Sends texts and stored bytes in chunks, as fast as the caller reads.
 * @param failed called with any error; sends an error response if the headers aren't sent yet
 */
export async function sendParts(
  res: Response,
  status: number,
  headers: HeaderList,
  parts: readonly SentPart[],
  store: ByteStore | null,
  failed: (error: unknown) => void,
): Promise<void> {
  const chunks = chunksOf(parts, store);
  try {
    // Reads the first chunk before the headers are sent, so that an error in reading becomes an error response.
    let next = res.req.method === 'HEAD' ? { done: true as const, value: undefined } : await chunks.next();
    res.writeHead(status, [...headers, 'Content-Length', String(partsLength(parts))]);
    for (; next.done !== true; next = await chunks.next()) {
      if (res.destroyed) return;
      if (!res.write(next.value)) await writable(res);
    }
    res.end();
  } catch (error) {
    if (res.headersSent) res.destroy();
    failed(error);
  } finally {
    await chunks.return(undefined);
  }
}

async function* chunksOf(parts: readonly SentPart[], store: ByteStore | null): AsyncGenerator<Buffer, void> {
  for (const each of parts) {
    if (Buffer.isBuffer(each)) yield each;
    else if ('base64' in each) yield* encoded(each.base64, store);
    else if (store !== null) yield* store.stream(each, each.start, each.end);
  }
}

/** Bytes as base64, in chunks; bytes beyond a multiple of three are carried over to the next chunk. */
async function* encoded(pieces: readonly BytesPiece[], store: ByteStore | null): AsyncGenerator<Buffer, void> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(slicesOf(pieces, 0, byteCount(pieces)), store)) {
    const all = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    const whole = all.length - (all.length % 3);
    left = all.subarray(whole);
    yield Buffer.from(all.toString('base64', 0, whole), 'latin1');
  }
  yield Buffer.from(left.toString('base64'), 'latin1');
}

/** Resolves when more can be written, or nothing can any more. */
async function writable(res: Response): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race(['drain', 'close', 'error'].map((event) => once(res, event, { signal: over.signal })));
  } catch {
    // The wait ends on an error too: the next write reports that the connection is closed.
  } finally {
    over.abort();
  }
}
