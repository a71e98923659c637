import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { FINISH, type EnvironmentSession } from './session.js';

/** JSON-RPC codes that OpenEnv uses. */
const CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  server: -32000,
} as const;

/** Sessions that clients refer to by id. */
export interface HeldSessions {
  /** Null: too many. */
  open(): { readonly id: string; readonly session: EnvironmentSession } | null;
  find(id: string): EnvironmentSession | undefined;
  close(id: string): Promise<boolean>;
  /** Runs something in a session for one message. */
  once<T>(work: (session: EnvironmentSession) => Promise<T>): Promise<T>;
}

/**
 * Serves a message of OpenEnv's `/mcp`: `tools/list`, `tools/call`, and `openenv/session/create` and `close`, which hold an environment over
 * several messages of HTTP.
 * @param own the session of a WebSocket, and its id
 */
export async function rpcResponse(
  text: string,
  sessions: HeldSessions,
  own?: { readonly id: string; readonly session: EnvironmentSession },
): Promise<JsonObject> {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return failure(null, CODES.parse, 'Parse error');
  }
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
    return failure(null, CODES.request, 'Invalid request');
  const { id = null, method, params = {} } = message;
  if (!isObject(params)) return failure(id, CODES.params, 'Params must be an object');
  const named = params['session_id'] ?? null;
  switch (method) {
    case 'openenv/session/create': {
      const made = own ?? sessions.open();
      return made ? success(id, { session_id: made.id }) : failure(id, CODES.server, 'there are too many sessions');
    }
    case 'openenv/session/close': {
      if (typeof named !== 'string') return failure(id, CODES.params, "Invalid params - 'session_id' is required");
      if (named === own?.id) return failure(id, CODES.request, 'Cannot close the session of an open WebSocket');
      if (!(await sessions.close(named))) return failure(id, CODES.params, `Unknown session_id: ${named}`);
      return success(id, { session_id: named, closed: true });
    }
    case 'tools/list':
    case 'tools/call':
      break;
    default:
      return failure(id, CODES.method, `Method not found: ${String(method)}`);
  }
  const work = (session: EnvironmentSession): Promise<JsonObject> => useTools(session, id, String(method), params);
  try {
    if (own) return await work(own.session);
    if (typeof named !== 'string') return await sessions.once(work);
    const session = sessions.find(named);
    return session ? await work(session) : failure(id, CODES.params, `Unknown session_id: ${named}`);
  } catch (error) {
    return failure(id, CODES.internal, error instanceof Error ? error.message : String(error));
  }
}

async function useTools(
  session: EnvironmentSession,
  id: Json,
  method: string,
  params: JsonObject,
): Promise<JsonObject> {
  if (method === 'tools/list') {
    const tools = await session.tools();
    return success(id, {
      tools: tools.map(({ input_schema, ...tool }) => ({ ...tool, inputSchema: input_schema, input_schema })),
    });
  }
  const { name = null, arguments: given = {} } = params;
  if (typeof name !== 'string') return failure(id, CODES.params, "Missing 'name' in params");
  const { observation, reward, done } = await session.step({ type: 'call_tool', tool_name: name, arguments: given });
  const { result = null, error = null } = observation;
  if (isObject(error)) return failure(id, CODES.params, String(error['message']));
  return success(id, name === FINISH.name && isObject(result) ? { ...result, reward, done } : result);
}

function success(id: Json, result: Json): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

function failure(id: Json, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message, data: null } };
}
