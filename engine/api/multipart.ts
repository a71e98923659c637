import type { Json, JsonObject } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { FORBIDDEN_KEYS } from './form.js';

/**
 * Reads a `multipart/form-data` body. A file is a map of `name`, `type`, `size` (bytes) and `base64`; a name that comes more
 * than once is a list.
 * @throws when it is none, or has too many parts
 */
export async function readMultipart(body: Buffer, contentType: string): Promise<JsonObject> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
  const parts = [...form.entries()];
  if (parts.length > LIMITS.parameters.value) throw new RangeError('too many parts');
  const made: Record<string, Json> = {};
  for (const [key, part] of parts) {
    const name = key.endsWith('[]') ? key.slice(0, -2) : key;
    if (FORBIDDEN_KEYS.has(name)) throw new RangeError(`'${name}' cannot be the name of a part`);
    const value = typeof part === 'string' ? part : await fileOf(part);
    const before = made[name] as Json | undefined;
    if (before !== undefined) made[name] = [...(Array.isArray(before) ? (before as readonly Json[]) : [before]), value];
    else made[name] = name === key ? value : [value];
  }
  return made;
}

async function fileOf(file: File): Promise<JsonObject> {
  const bytes = Buffer.from(await file.arrayBuffer());
  return { name: file.name, type: file.type, size: bytes.length, base64: bytes.toString('base64') };
}
