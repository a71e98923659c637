import type { Request } from 'express';
import { ChunkDecoder } from '../codecs/index.js';
import type { WholeBody } from '../program/index.js';
import {
  type ByteStore,
  ByteStoreFull,
  type ByteWriter,
  INLINE_BYTES,
  type JsonObject,
  referenceText,
  STORED_CODING,
  type StoredBytes,
} from '../values/index.js';
import { isWhole, mediaTypeOf, Upload } from './whole-body.js';

/** Thrown for a body above the limit; looks like body-parser's own error. */
export class BodyTooLarge extends Error {
  readonly type = 'entity.too.large';
  readonly status = 413;
}

/** Thrown for a body that can't be read. */
class BodyUnreadable extends Error {
  readonly status = 400;
}

/** Collects bytes: few in memory, more in a store. */
export class ByteSink {
  size = 0;
  #near: Buffer[] = [];
  #writer: ByteWriter | null = null;

  constructor(
    private readonly store: ByteStore,
    private readonly limitBytes: number,
  ) {}

  /** Adds a chunk of bytes. @throws BodyTooLarge */
  async write(chunk: Buffer): Promise<void> {
    this.size += chunk.length;
    if (this.size > this.limitBytes) throw new BodyTooLarge('the body is too large');
    if (this.#writer === null && this.size <= INLINE_BYTES) {
      this.#near.push(chunk);
      return;
    }
    const near = this.#near.splice(0);
    this.#writer ??= this.store.writer();
    try {
      for (const each of [...near, chunk]) await this.#writer.write(each);
    } catch (error) {
      throw error instanceof ByteStoreFull ? new BodyTooLarge(error.message) : error;
    }
  }

  /** The text that represents the bytes. @param held receives the stored bytes */
  async finish(held: StoredBytes[]): Promise<string> {
    if (this.#writer === null) return Buffer.concat(this.#near).toString('base64');
    const stored = await this.#writer.finish();
    held.push(stored);
    return referenceText(stored, this.store);
  }

  async abort(): Promise<void> {
    await this.#writer?.abort();
  }
}

/** The bytes that each request has stored; they are released at its end. */
const held = new WeakMap<Request, StoredBytes[]>();

/** Returns the list of bytes that a request has stored; callers add to it. */
export function heldBy(req: Request): StoredBytes[] {
  let list = held.get(req);
  if (list === undefined) held.set(req, (list = []));
  return list;
}

/** Releases the bytes that a finished call stored, so that they may be deleted. @returns whether there were any */
export function releaseHeld(req: Request, store: ByteStore): boolean {
  const list = held.get(req);
  if (list === undefined) return false;
  held.delete(req);
  for (const each of list) store.release(each);
  return list.length > 0;
}

/** How bytes arrive: plain, in a chunked framing of their own, or (in a replay) as a reference. */
type BytesForm = 'plain' | 'framed' | 'stored';

/** How a request's body is read as bytes while it arrives; null if it isn't bytes, or is small enough to be read whole. */
export function uploadFormOf(req: Request, whole: WholeBody | null, store: ByteStore): BytesForm | null {
  if (whole?.type !== 'bytes' || !isWhole(whole, mediaTypeOf(req.headers['content-type'] ?? ''))) return null;
  const coding = req.headers['content-encoding'];
  if (coding === undefined || coding === 'identity') {
    const length = req.headers['content-length'];
    // A small body is read whole, like bodies of other types.
    return length !== undefined && Number(length) <= INLINE_BYTES ? null : 'plain';
  }
  const codings = coding.split(',').map((each) => each.trim().toLowerCase());
  if (store.isReplay && codings.includes(STORED_CODING)) return 'stored';
  return whole.framed !== null && codings.includes(whole.framed) ? 'framed' : null;
}

/** Checks the declared length of a body. @throws BodyTooLarge if it exceeds the limit; the body is discarded */
export function checkAnnounced(req: Request, limitBytes: number): void {
  if (Number(req.headers['content-length'] ?? 0) <= limitBytes) return;
  req.resume();
  throw new BodyTooLarge('it says so itself');
}

/** Reads a body while it arrives. @throws BodyTooLarge, BodyUnreadable */
export async function readUpload(req: Request, store: ByteStore, limitBytes: number, form: BytesForm): Promise<Upload> {
  if (form === 'stored') return readReference(req);
  const framed = form === 'framed';
  const sink = new ByteSink(store, limitBytes);
  const frame = framed ? new ChunkDecoder() : null;
  try {
    if (!framed) checkAnnounced(req, limitBytes);
    for await (const chunk of req as AsyncIterable<Buffer>) {
      if (frame === null) await sink.write(chunk);
      else for (const part of frame.take(chunk)) await sink.write(part);
    }
    if (frame !== null && !frame.isOver) throw new BodyUnreadable('the body ends before its last chunk');
    return new Upload(await sink.finish(heldBy(req)), sink.size, frame?.trailers ?? null);
  } catch (error) {
    await sink.abort();
    // Reads and discards the rest of the body, so that the caller receives the response.
    if (!req.destroyed) req.resume();
    if (error instanceof BodyTooLarge || error instanceof BodyUnreadable) throw error;
    if (error instanceof SyntaxError) throw new BodyUnreadable(error.message);
    if (req.errored ?? req.destroyed) throw new BodyUnreadable('the request broke off');
    throw error;
  }
}

/** The body of a replayed call: a reference to stored bytes. */
export async function storedBody(req: Request): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
}

async function readReference(req: Request): Promise<Upload> {
  const { base64, size, trailers } = await storedBody(req);
  return new Upload(String(base64), Number(size), (trailers ?? null) as Upload['trailers']);
}
