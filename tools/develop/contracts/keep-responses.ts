/**
 * For `node --import`: appends every response of the process's HTTP servers to the file `KEEP_RESPONSES`, one JSON object per line, so that
 * unmodified tests can be checked against a document later.
 */
import { appendFileSync } from 'node:fs';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';

const file = process.env['KEEP_RESPONSES'];

interface KeptResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export type { KeptResponse };

type Call = (this: unknown, ...given: unknown[]) => unknown;

if (file !== undefined) {
  const prototype = Server.prototype as unknown as Record<'emit', Call>;
  const { emit } = prototype;
  prototype.emit = function (...given) {
    if (given[0] === 'request') keep(file, given[1] as IncomingMessage, given[2] as ServerResponse);
    return emit.apply(this, given);
  };
}

function keep(to: string, { method = '', url = '', headers }: IncomingMessage, response: ServerResponse): void {
  // Page requests of browsers aren't calls of the vendor API.
  if (headers.accept?.startsWith('text/html')) return;
  const parts: Buffer[] = [];
  let contentType: unknown;
  const take = (part: unknown): void => {
    if (typeof part === 'string' || part instanceof Uint8Array) parts.push(Buffer.from(part as string));
  };
  const patched = response as unknown as Record<'write' | 'end' | 'writeHead', Call>;
  const { write, end, writeHead } = patched;
  // Headers passed to `writeHead` can't be read afterwards.
  patched.writeHead = (...all) => {
    contentType = contentTypeIn(all.at(-1));
    return writeHead.apply(response, all);
  };
  patched.write = (...all) => {
    take(all[0]);
    return write.apply(response, all);
  };
  patched.end = (...all) => {
    take(all[0]);
    const type = String(contentType ?? response.getHeader('content-type') ?? '');
    const text = String(Buffer.concat(parts));
    const kept: KeptResponse = { method, path: url, status: response.statusCode, contentType: type, text };
    appendFileSync(to, `${JSON.stringify(kept)}\n`);
    return end.apply(response, all);
  };
}

/** Reads the content type. @param headers an object, or a flat list of names and values */
function contentTypeIn(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const isType = (name: unknown): boolean => String(name).toLowerCase() === 'content-type';
  if (Array.isArray(headers))
    return headers[headers.findIndex((each, at) => at % 2 === 0 && isType(each)) + 1] as unknown;
  return Object.entries(headers).find(([name]) => isType(name))?.[1];
}
