import type { Request, Response } from 'express';
import { decodeJsonValue, jmespath } from '../codecs/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import { callWithin, type InnerResponse, type Plane } from '../http/index.js';
import type { Engine } from '../runtime/index.js';
import type { Caller } from './caller.js';
import { MissingInPath, NotSendable, requestOf } from './request.js';
import { isOfOperation, type OperationTool, type Tool } from './tool.js';

/** Matches media types whose content tools return as text. */
const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson)|application\/x-www-form-urlencoded)/;
/** Matches media types with a `charset` parameter, such as that of a diff, whose content is text too. */
const WITH_CHARSET = /;\s*charset=/i;

/** A call of a tool by an agent: the tool, its arguments and the caller. */
interface ToolCall {
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly caller: Caller;
  /** Whether the result is also returned as structured content. */
  readonly structured: boolean;
  readonly req: Request;
  readonly res: Response;
}

/**
 * Calls a tool: its operation is called as over HTTP, through all stages. Errors of the vendor are results with `isError`, so
 * that the agent can read them.
 */
export async function callTool(engine: Engine, vendor: Plane, call: ToolCall) {
  const { tool, args } = call;
  if (isOfOperation(tool)) return callOperation(engine, vendor, { ...call, tool, all: args, failure: null });
  const decision = tool.decide(args, engine);
  if ('problem' in decision) return failed(decision.problem);
  if ('value' in decision) {
    const structured = call.structured ? { structuredContent: decision.value } : {};
    return { content: [{ type: 'text', text: JSON.stringify(decision.value) }], ...structured };
  }
  const chosen = { ...decision.tool, name: tool.name, version: tool.version };
  const { args: own, all = own, failed: failure } = decision;
  return callOperation(engine, vendor, { ...call, tool: chosen, args: own, all, failure });
}

interface OperationCall extends ToolCall {
  readonly tool: OperationTool;
  /** All arguments of the agent, including those that the operation doesn't take. */
  readonly all: JsonObject;
  /** Formats a vendor error as text for the agent; null: the agent gets the error response unchanged. */
  readonly failure: ((error: Json) => string) | null;
}

/** Runs a tool's preliminary calls, then its operation; returns the first failure, or else the operation's result. */
async function callOperation(engine: Engine, vendor: Plane, call: OperationCall) {
  const { tool, args, all } = call;
  const known: Record<string, Json> = { args: all };
  for (const step of tool.first) {
    const sent = await send(engine, vendor, call, step.tool, evaluated(step.with, known));
    if ('problem' in sent) return failed(sent.problem);
    if (sent.response.status >= 400) return resultWith(engine, call, sent);
    const decoded = decodeJsonValue(sent.response.body);
    known[step.as] = decoded.ok ? decoded.value : sent.response.body.toString('utf8');
  }
  const sent = await send(engine, vendor, call, tool, { ...tool.given(args), ...evaluated(tool.from, known) });
  return 'problem' in sent ? failed(sent.problem) : resultWith(engine, call, sent);
}

/** Evaluates JMESPath expressions over earlier responses and arguments; leaves out results that are null. */
function evaluated(paths: ReadonlyMap<string, string>, known: JsonObject): JsonObject {
  const values = [...paths].map(([name, path]) => [name, jmespath(path, known)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

interface Sent {
  readonly response: InnerResponse;
  readonly url: string;
}

async function send(
  engine: Engine,
  vendor: Plane,
  { tool: { name, version }, caller, req, res }: OperationCall,
  tool: OperationTool,
  given: JsonObject,
): Promise<Sent | { readonly problem: string }> {
  const { model } = engine.pack;
  // Names the tool in the recorded exchange.
  const headers: Record<string, string> = { ...caller.headers, ...tool.headers, 'x-sandbox-tool': name };
  const versions = model.settings.versions?.headers ?? [];
  if (version !== null && !versions.some((each) => headers[each] !== undefined)) headers[versions[0]] = version;
  let call;
  try {
    call = requestOf(model, tool.operation, tool.route, given, headers);
  } catch (error) {
    if (!(error instanceof NotSendable)) throw error;
    if (!(error instanceof MissingInPath)) return { problem: error.message };
    return { problem: `missing argument '${tool.argumentOf(error.parameter)}'` };
  }
  const { parameter } = caller;
  if (parameter !== null) {
    const query = `${encodeURIComponent(parameter.name)}=${encodeURIComponent(parameter.value)}`;
    call = { ...call, url: `${call.url}${call.url.includes('?') ? '&' : '?'}${query}` };
  }
  const response = await callWithin(vendor.handler, vendor.onError, { req, res }, call);
  if (response === null)
    return { problem: 'connection lost before the response came: the call may have taken effect, or not' };
  return { response, url: call.url };
}

function resultWith(engine: Engine, call: OperationCall, { response, url }: Sent) {
  return {
    ...resultOf(response, call, url),
    ...(engine.model.realistic
      ? {}
      : {
          _meta: {
            'sandbox/trace': response.headers['x-mock-resolution-trace'] ?? null,
            'sandbox/status': response.status,
            'sandbox/entry': engine.world.ledger.count,
          },
        }),
  };
}

function failed(text: string) {
  return { content: [{ type: 'text', text }], isError: true };
}

function resultOf(
  { status, headers, body }: InnerResponse,
  { tool, structured, failure }: Pick<OperationCall, 'tool' | 'structured' | 'failure'>,
  uri: string,
) {
  const type = headers['content-type'] ?? '';
  const isError = status >= 400 ? { isError: true } : {};
  if (body.length > 0 && !TEXT.test(type) && !WITH_CHARSET.test(type)) {
    const resource = { uri, mimeType: type, blob: body.toString('base64') };
    return { content: [{ type: 'resource', resource }], ...isError };
  }
  const text = body.toString('utf8');
  if (status >= 400 && failure !== null) {
    const error = decodeJsonValue(body);
    return failed(error.ok ? failure(error.value) : text);
  }
  const isWhole = tool.show === null && tool.omitted.size === 0;
  if (status >= 400 || (isWhole && !structured)) return { content: [{ type: 'text', text }], ...isError };
  const decoded = decodeJsonValue(body);
  if (!decoded.ok) return { content: [{ type: 'text', text }] };
  const part: Json = tool.show === null ? decoded.value : jmespath(tool.show, decoded.value);
  const shown = tool.omitted.size === 0 ? part : withoutEmpty(part, tool.omitted);
  return {
    content: [{ type: 'text', text: isWhole ? text : typeof shown === 'string' ? shown : JSON.stringify(shown) }],
    ...(structured ? { structuredContent: shown } : {}),
  };
}

/** Removes members that have one of the given names and an empty value, at all levels. */
function withoutEmpty(value: Json, names: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((each: Json) => withoutEmpty(each, names));
  if (!isObject(value)) return value;
  const kept = Object.entries(value)
    .map(([name, each]) => [name, withoutEmpty(each, names)] as const)
    .filter(([name, each]) => !names.has(name) || !isEmpty(each));
  return Object.fromEntries(kept);
}

function isEmpty(value: Json): boolean {
  if (value === null || typeof value !== 'object') return !value;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}
