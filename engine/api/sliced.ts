import { once } from 'node:events';
import type { Response } from 'express';
import type { ByteStore, BytesSlice } from '../values/index.js';
import type { HeaderList } from './headers.js';

export function slicesLength(slices: readonly BytesSlice[]): number {
  return slices.reduce((sum, each) => sum + (Buffer.isBuffer(each) ? each.length : each.end - each.start), 0);
}

/**
 * Sends bytes as they come from the store, no faster than the caller reads them.
 * @param failed responds instead when the first bytes can't be read; later the connection ends
 */
export async function sendSlices(
  res: Response,
  status: number,
  headers: HeaderList,
  slices: readonly BytesSlice[],
  store: ByteStore | null,
  failed: (error: unknown) => void,
): Promise<void> {
  const chunks = chunksOf(slices, store);
  try {
    // Before the head: a hash that doesn't fit shows here.
    let next = res.req.method === 'HEAD' ? { done: true as const, value: undefined } : await chunks.next();
    res.writeHead(status, [...headers, 'Content-Length', String(slicesLength(slices))]);
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

async function* chunksOf(slices: readonly BytesSlice[], store: ByteStore | null): AsyncGenerator<Buffer, void> {
  for (const each of slices) {
    if (Buffer.isBuffer(each)) yield each;
    else if (store !== null) yield* store.stream(each, each.start, each.end);
  }
}

/** Resolves when more can be written, or nothing can any more. */
async function writable(res: Response): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race(['drain', 'close', 'error'].map((event) => once(res, event, { signal: over.signal })));
  } catch {
    // The connection broke off, which the next write finds out.
  } finally {
    over.abort();
  }
}
