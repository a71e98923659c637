import { createInterface } from 'node:readline';
import { sendCall } from '../../engine/control/send.cjs';
import { isObject } from '../../engine/values/index.js';
import { boundedLines } from './bounded-lines.js';

/** The address and key of a world. */
interface RelayTarget {
  readonly url: string;
  readonly key: string | undefined;
}

/** Options that select the listed tools of the vendor API. */
interface RelayedTools {
  readonly toolsets?: string;
  readonly readOnly?: boolean;
}

/** Serves the MCP endpoint of a world over standard input and output, one message per line, in order of arrival, until the input ends. */
export async function relayMessages({ url, key }: RelayTarget, { toolsets, readOnly }: RelayedTools): Promise<void> {
  const endpoint = new URL(`${url}/mcp`);
  if (toolsets !== undefined) endpoint.searchParams.set('toolsets', toolsets);
  if (readOnly) endpoint.searchParams.set('readonly', '1');
  const headers = {
    'Content-Type': 'application/json',
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  };
  for await (const line of createInterface({
    input: process.stdin.pipe(boundedLines((text) => process.stdout.write(text))),
  })) {
    if (line.trim() === '') continue;
    const text = await sendCall(endpoint.href, { method: 'POST', headers, body: line }).then(
      (response) => response.text(),
      (error: NodeJS.ErrnoException) => unreachable(line, error),
    );
    if (text !== '') process.stdout.write(`${text}\n`);
  }
}

/** Creates the error response to a message if the world can't be reached; empty for a notification. */
function unreachable(line: string, { message: failure, code }: NodeJS.ErrnoException): string {
  const message: unknown = JSON.parse(line);
  const id = isObject(message) ? message['id'] : undefined;
  if (id === undefined) return '';
  // A failure for a host name with several addresses has a code but no message.
  const reason = failure === '' ? code : failure;
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message: `the sandbox does not respond: ${reason}` },
  });
}
