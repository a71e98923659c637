import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import { LIMITS } from '../limits.js';
import {
  type ByteStore,
  INLINE_BYTES,
  isList,
  isObject,
  type JsonObject,
  STORED_CODING,
  textOfBytes,
} from '../values/index.js';
import { FormReader } from './form.js';
import { BodyTooLarge, ByteSink, checkAnnounced, heldBy, storedBody } from './upload.js';

type Parts = readonly (readonly [string, string | JsonObject])[];

/** Parts of a form that was parsed while it arrived; null if it was malformed. In a replay, the recorded parameters. */
export class ReadForm {
  constructor(readonly parts: Parts | JsonObject | null) {}
}

/**
 * Parses a `multipart/form-data` body. A file is a map of `name`, `type`, `size` (bytes) and `base64`; names nest as in forms
 * (`a[b]`, `a[]`), and a repeated name is a list.
 * @throws MalformedForm for invalid names; Error for an invalid body, or too many parts
 */
export async function readMultipart(
  body: Buffer | ReadForm,
  contentType: string,
  store: ByteStore | null,
): Promise<JsonObject> {
  if (body instanceof ReadForm && isObject(body.parts)) return body.parts;
  const parts = body instanceof ReadForm ? body.parts : await partsIn(body, contentType, store);
  if (!isList(parts)) throw new Error('the body has no parts');
  if (parts.length > LIMITS.parameters.value) throw new RangeError('too many parts');
  const reader = new FormReader<string | JsonObject>();
  for (const [name, part] of parts) reader.add(name, part);
  return reader.finish();
}

async function partsIn(body: Buffer, contentType: string, store: ByteStore | null): Promise<Parts> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
  const made: (readonly [string, string | JsonObject])[] = [];
  for (const [name, part] of form.entries())
    made.push([name, typeof part === 'string' ? part : await fileOf(part, store)]);
  return made;
}

async function fileOf(file: File, store: ByteStore | null): Promise<JsonObject> {
  const bytes = Buffer.from(await file.arrayBuffer());
  return { name: file.name, type: file.type, size: bytes.length, base64: textOfBytes([bytes], store) };
}

/** Whether parts of a body may be large, so that they are parsed while they arrive. */
export function hasLargeParts({ headers }: Request, { isReplay }: ByteStore): boolean {
  if (headers['content-type']?.toLowerCase().startsWith('multipart/form-data') !== true) return false;
  const coding = headers['content-encoding'];
  if (coding !== undefined) return isReplay && coding === STORED_CODING;
  const length = headers['content-length'];
  return length === undefined || Number(length) > INLINE_BYTES;
}

/** Parses the parts of a body while it arrives; files go to the store. @throws BodyTooLarge */
export async function readParts(req: Request, store: ByteStore, limitBytes: number): Promise<ReadForm> {
  if (req.headers['content-encoding'] === STORED_CODING) return new ReadForm(await storedBody(req));
  checkAnnounced(req, limitBytes);
  const { Busboy } = await import('@fastify/busboy');
  const parts: (readonly [string, string | JsonObject])[] = [];
  const files: Promise<void>[] = [];
  const contents: Readable[] = [];
  let size = 0;
  let form: InstanceType<typeof Busboy>;
  const headers = { ...req.headers, 'content-type': String(req.headers['content-type']) };
  try {
    form = new Busboy({
      headers,
      preservePath: true,
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
      limits: { fieldSize: limitBytes, parts: LIMITS.parameters.value + 1, fileSize: limitBytes + 1 },
    });
  } catch {
    req.resume();
    return new ReadForm(null);
  }
  form.on('field', (name, value) => parts.push([name, value]));
  form.on('file', (name, content, fileName, _encoding, type) => {
    const at = parts.push([name, '']) - 1;
    const sink = new ByteSink(store, limitBytes);
    contents.push(content);
    const read = async (): Promise<void> => {
      try {
        for await (const chunk of content as AsyncIterable<Buffer>) await sink.write(chunk);
        const text = await sink.finish(heldBy(req));
        parts[at] = [name, { name: fileName, type, size: sink.size, base64: text }];
      } catch (error) {
        await sink.abort();
        form.destroy(error instanceof Error ? error : undefined);
        throw error;
      }
    };
    const reading = read();
    reading.catch(() => undefined);
    files.push(reading);
  });
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      if ((size += chunk.length) > limitBytes) throw new BodyTooLarge('the body is too large');
      yield chunk;
    }
  };
  try {
    await pipeline(counted, form);
    await Promise.all(files);
    return new ReadForm(parts);
  } catch (error) {
    // The parser doesn't close the file that it was reading when it failed.
    for (const each of contents) each.destroy(new Error('the request broke off'));
    const failed = await Promise.allSettled(files);
    if (!req.destroyed) req.resume();
    const reasons = [error, ...failed.map((each) => (each.status === 'rejected' ? (each.reason as unknown) : null))];
    const large = reasons.find((each) => each instanceof BodyTooLarge);
    if (large !== undefined) throw large;
    return new ReadForm(null);
  }
}
