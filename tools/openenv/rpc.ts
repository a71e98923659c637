import { RPC } from '../../engine/mcp/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { FINISH, type EnvironmentSession } from './session.js';

/** Error code that OpenEnv's servers use for too many sessions. */
const TOO_MANY = -32000;

/** An environment session, and the id by which clients refer to it. */
export interface OpenSession {
  readonly id: string;
  readonly session: EnvironmentSession;
}

/** Sessions that clients refer to by id. */
export interface HeldSessions {
  /** Opens a session; null if too many are open. */
  open(): OpenSession | null;
  find(id: string): EnvironmentSession | undefined;
  close(id: string): Promise<boolean>;
  /** Runs a function in a temporary session, for one message. */
  once<T>(work: (session: EnvironmentSession) => Promise<T>): Promise<T>;
}

/** Parses and serves a message of OpenEnv's `/mcp`. @param own the session of a WebSocket */
export async function rpcResponseTo(text: string, sessions: HeldSessions, own?: OpenSession): Promise<JsonObject> {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return failure(null, RPC.parse, 'Parse error');
  }
  return rpcResponse(message, sessions, own);
}

/**
 * Serves a message of OpenEnv's `/mcp`: `tools/list`, `tools/call`, and `openenv/session/create` and `close`, which hold an environment over
 * several messages of HTTP.
 * @param own the session of a WebSocket
 */
export async function rpcResponse(message: unknown, sessions: HeldSessions, own?: OpenSession): Promise<JsonObject> {
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
    return failure(null, RPC.request, 'Invalid request');
  const { id = null, method, params = {} } = message;
  if (!isObject(params)) return failure(id, RPC.params, 'Params must be an object');
  const named = params['session_id'] ?? null;
  switch (method) {
    case 'openenv/session/create': {
      const made = own ?? sessions.open();
      return made ? success(id, { session_id: made.id }) : tooMany(id, 'there are too many sessions');
    }
    case 'openenv/session/close': {
      if (typeof named !== 'string') return failure(id, RPC.params, "Invalid params - 'session_id' is required");
      if (named === own?.id) return failure(id, RPC.request, 'Cannot close the session of an open WebSocket');
      if (!(await sessions.close(named))) return failure(id, RPC.params, `Unknown session_id: ${named}`);
      return success(id, { session_id: named, closed: true });
    }
    case 'tools/list':
    case 'tools/call':
      break;
    default:
      return failure(id, RPC.method, `Method not found: ${String(method)}`);
  }
  const work = (session: EnvironmentSession): Promise<JsonObject> => useTools(session, id, String(method), params);
  try {
    if (own) return await work(own.session);
    if (typeof named !== 'string') return await sessions.once(work);
    const session = sessions.find(named);
    return session ? await work(session) : failure(id, RPC.params, `Unknown session_id: ${named}`);
  } catch (error) {
    return failure(id, RPC.internal, error instanceof Error ? error.message : String(error));
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
  if (typeof name !== 'string') return failure(id, RPC.params, "Missing 'name' in params");
  const { observation, reward, done } = await session.step({ type: 'call_tool', tool_name: name, arguments: given });
  const { result = null, error = null } = observation;
  if (isObject(error)) return failure(id, RPC.params, String(error['message']));
  return success(id, name === FINISH.name && isObject(result) ? { ...result, reward, done } : result);
}

function success(id: Json, result: Json): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

function failure(id: Json, code: number, message: string, data: Json = null): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

/** Creates the error response for too many sessions. */
export function tooMany(id: Json, message: string, data: Json = null): JsonObject {
  return failure(id, TOO_MANY, message, data);
}
