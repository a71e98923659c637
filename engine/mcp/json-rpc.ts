import { isTooDeep, MAX_JSON_DEPTH } from '../codecs/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';

/** Error codes (JSON-RPC 2.0, section 5.1). */
export const RPC = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const;

/** A request, or a notification, which has no id. */
export interface RpcMessage {
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: JsonObject;
}

/** Thrown for a message that is rejected, with its code. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Parses one JSON-RPC message. Null for a response of the client, which is ignored. @throws RpcError if it is invalid */
export function readMessage(text: string): RpcMessage | null {
  const bytes = Buffer.from(text);
  if (isTooDeep(bytes)) throw new RpcError(RPC.request, `the body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RpcError(RPC.parse, 'the body is not JSON');
  }
  if (Array.isArray(value)) throw new RpcError(RPC.request, 'one message a request: batches are not taken');
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0')
    throw new RpcError(RPC.request, 'not a message of JSON-RPC 2.0');
  const { id, method, params = {} } = value;
  if (method === undefined && (value['result'] !== undefined || value['error'] !== undefined)) return null;
  if (typeof method !== 'string') throw new RpcError(RPC.request, "'method' must be a text");
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw new RpcError(RPC.request, "'id' must be a text or a number");
  if (!isJsonObject(params)) throw new RpcError(RPC.params, "'params' must be an object");
  return { id, method, params };
}

/** Writes a successful response. @param result JSON text */
export function resultText(id: string | number, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function errorText(id: string | number | null, { code, message }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

function isJsonObject(value: unknown): value is Readonly<Record<string, Json>> {
  return isObject(value);
}
