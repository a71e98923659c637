import type { JsonObject } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { FormReader } from './form.js';

/**
 * Reads a `multipart/form-data` body. A file is a map of `name`, `type`, `size` (bytes) and `base64`; names nest as those of a
 * form do (`a[b]`, `a[]`), and one that comes more than once is a list.
 * @throws MalformedForm for names that a form may not have; Error when it is no such body, or has too many parts
 */
export async function readMultipart(body: Buffer, contentType: string): Promise<JsonObject> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
  const parts = [...form.entries()];
  if (parts.length > LIMITS.parameters.value) throw new RangeError('too many parts');
  const reader = new FormReader<string | JsonObject>();
  for (const [name, part] of parts) reader.add(name, typeof part === 'string' ? part : await fileOf(part));
  return reader.finish();
}

async function fileOf(file: File): Promise<JsonObject> {
  const bytes = Buffer.from(await file.arrayBuffer());
  return { name: file.name, type: file.type, size: bytes.length, base64: bytes.toString('base64') };
}
