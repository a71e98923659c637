import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Recorded } from './read.js';

/** Headers that belong to one connection, or to an encoding that was undone. */
const OWN = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'accept-encoding',
  'content-encoding',
  'upgrade',
  'expect',
]);

/**
 * A server that hands every call on to a vendor and its response back.
 * @param report gets each call with its response once it is over
 */
export function recordingProxy(target: URL, report: (call: Recorded) => void): Server {
  return createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const body = await bytesOf(request);
      const url = new URL(request.url ?? '/', target);
      const headers = flat(request);
      const method = request.method ?? 'GET';
      const answer = await fetch(url, {
        method,
        headers,
        body: body.length === 0 ? undefined : new Uint8Array(body),
        redirect: 'manual',
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const responseHeaders = Object.fromEntries([...answer.headers].filter(([name]) => !OWN.has(name)));
      response.writeHead(answer.status, responseHeaders).end(bytes);
      report({
        method,
        url,
        headers,
        body: body.toString(),
        status: answer.status,
        responseHeaders: responseHeaders,
        text: bytes.toString(),
        at: Date.now(),
      });
    };
    pass().catch((error: unknown) => {
      response.writeHead(502, { 'content-type': 'text/plain' }).end(`the vendor did not respond: ${String(error)}\n`);
    });
  });
}

function flat(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || OWN.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
