import type { Request, RequestHandler, Response } from 'express';
import { Keys } from '../api/index.js';
import {
  beforeLarge,
  bodyReader,
  type Guard,
  hostOf,
  type Plane,
  pathOf,
  queryOf,
  requestError,
} from '../http/index.js';
import { LIMITS } from '../limits.js';
import { didYouMean, suggest } from '../pack/index.js';
import type { Engine } from '../runtime/index.js';
import { isObject, type JsonObject, lazy, type Json } from '../values/index.js';
import { callTool } from './call.js';
import { type Caller, callerOf, callerKind, opensTool } from './caller.js';
import { catalogueOf, type ToolFilter, WrongSelection } from './catalogue.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../codecs/index.js';

/** Error codes (JSON-RPC 2.0, section 5.1). */
export const RPC = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const;

/** A JSON-RPC request; one without an id is a notification, which gets no response. */
interface RpcMessage {
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: JsonObject;
}

/** Thrown for a JSON-RPC message that is rejected. Contains the error code. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Parses one JSON-RPC message. Null for a response of the client, which is ignored. @throws RpcError if it is invalid */
function readMessage(text: string): RpcMessage | null {
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
function resultText(id: string | number, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

function errorText(id: string | number | null, { code, message }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

function isJsonObject(value: unknown): value is Readonly<Record<string, Json>> {
  return isObject(value);
}

const PATH = '/mcp';

/** Protocol revisions that begin with `initialize`, oldest first; `STATELESS` is the revision without it. */
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const STATELESS = '2026-07-28';

/** Members that all results have in the stateless revision. Lists don't change while the pack is served. */
const COMPLETE = { resultType: 'complete' };
const CACHED = { ...COMPLETE, ttlMs: 60_000, cacheScope: 'private' };

/**
 * Returns the vendor API as tools for agents: a Model Context Protocol endpoint (Streamable HTTP, without sessions) at `/mcp`,
 * and at the address of the vendor's own server in mcp.yaml. Other requests are passed on to the vendor API.
 * @param vendor receives the calls of tools
 */
export function mcpEndpoint(engine: Engine, guard: Guard, vendor: Plane): Plane {
  const { mcp } = engine.pack;
  const keys = new Keys(engine, guard);
  const readBody = bodyReader(LIMITS.body.value);
  // A pack's own route at the path `/mcp` takes precedence. Checked on the first call, since `match` builds the tree of all
  // routes.
  const isFree = lazy(() => engine.pack.routes.match('POST', PATH).kind === 'unknown');
  const isHere = (req: Request): boolean => {
    if (req.url.startsWith(PATH) && pathOf(req.url) === PATH && isFree()) return true;
    if (mcp === null || mcp.hosts.size === 0 || pathOf(req.url) !== mcp.path) return false;
    return mcp.hosts.has(hostOf(req));
  };
  const handler: RequestHandler = (req, res, next) => {
    if (!isHere(req)) return vendor.handler(req, res, next);
    if (req.method !== 'POST') {
      send(res, 405, errorText(null, new RpcError(RPC.request, 'POST a message of JSON-RPC')), { Allow: 'POST' });
      return;
    }
    const caller = callerOf(keys, engine.model, req);
    if (caller === null) {
      const error = new RpcError(RPC.request, "send a key of this world: 'Authorization: Bearer <key>'");
      send(res, 401, errorText(null, error), { 'WWW-Authenticate': 'Bearer' });
      return;
    }
    readBody(req, res, (error?: unknown) => {
      if (error) return failed(error, req, res);
      respond(req, res, caller).catch((thrown: unknown) => failed(thrown, req, res));
    });
  };
  return { ...vendor, handler };

  async function respond(req: Request, res: Response, caller: Caller): Promise<void> {
    let message: RpcMessage | null = null;
    try {
      const body: unknown = req.body;
      message = readMessage(Buffer.isBuffer(body) ? body.toString('utf8') : '');
      if (message?.id === undefined) {
        send(res, 202, '');
        return;
      }
      send(res, 200, resultText(message.id, await resultOf(message, req, res, caller)));
    } catch (thrown) {
      if (thrown instanceof OutOfContext) {
        send(res, 400, JSON.stringify({ error: thrown.message }));
        return;
      }
      const error = thrown instanceof WrongSelection ? new RpcError(RPC.params, thrown.message) : thrown;
      if (!(error instanceof RpcError)) throw error;
      send(res, message === null ? 400 : 200, errorText(message?.id ?? null, error));
    }
  }

  /** Computes the result of a request, as JSON text. @throws RpcError, WrongSelection */
  async function resultOf(
    { method, params }: RpcMessage,
    req: Request,
    res: Response,
    caller: Caller,
  ): Promise<string> {
    const isStateless = req.headers['mcp-protocol-version'] === STATELESS || revisionIn(params) === STATELESS;
    switch (method) {
      case 'initialize':
        return JSON.stringify({ protocolVersion: revisionOf(params['protocolVersion']), ...about() });
      case 'server/discover': {
        const { serverInfo, ...rest } = about();
        const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
        return JSON.stringify({ supportedVersions: [STATELESS, ...REVISIONS], ...rest, ...CACHED, _meta });
      }
      case 'ping':
        return JSON.stringify(isStateless ? COMPLETE : {});
      case 'tools/list': {
        const list = catalogueOf(engine.pack)
          .select(filterOf(req))
          .list((tool) => opensTool(keys, caller, tool), callerKind(caller));
        return isStateless ? `${list.slice(0, -1)},${JSON.stringify(CACHED).slice(1)}` : list;
      }
      case 'tools/call': {
        const result = await called(params, filterOf(req), req, res, caller);
        return JSON.stringify(isStateless ? { ...result, ...COMPLETE } : result);
      }
      default:
        throw new RpcError(RPC.method, `there is no method '${method}'`);
    }
  }

  function called(params: JsonObject, filter: ToolFilter, req: Request, res: Response, caller: Caller) {
    const { name, arguments: args = {} } = params;
    if (typeof name !== 'string') throw new RpcError(RPC.params, "'name' must be the name of a tool");
    if (!isObject(args)) throw new RpcError(RPC.params, "'arguments' must be an object");
    const catalogue = catalogueOf(engine.pack);
    const { tools } = catalogue.select(filter);
    const current = catalogue.currentName(name);
    const tool = tools.get(current);
    if (!tool || !opensTool(keys, caller, tool)) {
      const isElsewhere = catalogue.find(current) !== undefined;
      const why = isElsewhere ? `the tool '${name}' is not among the chosen tools` : `there is no tool '${name}'`;
      throw new RpcError(RPC.params, why + didYouMean(suggest(name, tools.keys())));
    }
    const own = tool.inContext ? withoutContext(args) : args;
    return callTool(engine, vendor, { tool, args: own, caller, structured: filter.output, req, res });
  }

  /** Returns the arguments without those of `context`. @throws OutOfContext */
  function withoutContext(args: JsonObject): JsonObject {
    const { context } = mcp ?? { context: new Map<string, never>() };
    for (const [name, { is, otherwise }] of context) if (args[name] !== is) throw new OutOfContext(otherwise);
    return Object.fromEntries(Object.entries(args).filter(([name]) => !context.has(name)));
  }

  function about() {
    const { name, title, version } = engine.model.settings;
    const serverInfo = { name: mcp?.name ?? name, title: mcp?.title ?? title, version };
    return { capabilities: { tools: {} }, serverInfo };
  }

  function failed(thrown: unknown, req: Request, res: Response): void {
    if (res.headersSent) return void res.destroy();
    const error = requestError(thrown);
    if (error.kind === 'defect') engine.options.onDefect(thrown, `${req.method} ${pathOf(req.url)}`);
    if (error.kind === 'body_too_large')
      return send(
        res,
        413,
        errorText(null, new RpcError(RPC.request, `a message has at most ${LIMITS.body.value} bytes`)),
      );
    const isOurs = error.kind === 'defect';
    send(res, isOurs ? 500 : 400, errorText(null, new RpcError(isOurs ? RPC.internal : RPC.request, error.kind)));
  }
}

/** Thrown for a call without the required arguments of `context`. */
class OutOfContext extends Error {}

/** Reads the protocol revision from a request's `_meta`, as the stateless revision sends it. */
function revisionIn({ _meta: meta = null }: JsonObject): unknown {
  return isObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined;
}

/** Negotiates the protocol revision: the client's if the endpoint has it, else the newest. */
function revisionOf(asked: unknown): string {
  return typeof asked === 'string' && REVISIONS.includes(asked) ? asked : (REVISIONS.at(-1) ?? '');
}

/** Returns the requested tools, from the query, else from headers. @throws RpcError */
function filterOf({ url, headers }: Request): ToolFilter {
  const query = new URLSearchParams(queryOf(url));
  const given = (name: string): string | null => {
    const header = headers[`x-mcp-${name}`];
    return query.get(name) ?? (typeof header === 'string' ? header : null);
  };
  const names = (text: string | null): readonly string[] | null =>
    text === null
      ? null
      : text
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== '');
  const isSet = (name: string): boolean => ['1', 'true', ''].includes(given(name)?.toLowerCase() ?? '0');
  const depth = given('depth');
  if (depth !== null && !/^[1-9]$/.test(depth))
    throw new RpcError(RPC.params, `'depth' is a number from 1 to 9, not '${depth}'`);
  return {
    toolsets: names(given('toolsets')),
    tools: names(given('tools')) ?? [],
    readOnly: isSet('readonly'),
    output: isSet('output'),
    depth: depth === null ? null : Number(depth),
  };
}

function send(res: Response, status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
  const type = text === '' ? {} : { 'Content-Type': 'application/json' };
  const bytes = Buffer.from(text);
  beforeLarge(bytes.length);
  res.writeHead(status, { ...headers, ...type, 'Content-Length': String(bytes.length) });
  res.end(bytes);
}
