import { isObject, type Json, type JsonObject, toText } from '../values/index.js';
import { formText, xmlDocument } from '../codecs/index.js';
import { sendCall } from '../control/send.cjs';
import { type InnerCall, keyHeaders } from '../http/index.js';
import type { Model } from '../model/index.js';
import { dispatchParts, type Operation, type OperationRoute, type Program } from '../program/index.js';

/** Thrown for parameters that an HTTP request can't contain. */
export class NotSendable extends Error {}

/** Thrown for a parameter of the path that is missing or too long. */
export class MissingInPath extends NotSendable {
  constructor(readonly parameter: string) {
    super(`nothing gives '${parameter}' of the path`);
  }
}

/** Length limit of a value in a path, in characters: longer ones exceed the 16 KiB of HTTP headers. */
const MAX_IN_PATH = 16_384;

/**
 * Writes the HTTP request of an operation by name, as an application with a key would.
 * @param headers besides the key and the content type
 * @returns undefined: unknown operation
 * @throws MissingInPath
 */
export function requestNamed(
  { model, operations }: Pick<Program, 'model' | 'operations'>,
  name: string,
  given: JsonObject,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): InnerCall | undefined {
  const operation = operations.find((each) => each.key === name);
  if (!operation) return undefined;
  const credentials = keyHeaders(model.settings.auth, key, false);
  return requestOf(model, operation, operation.routes[0], given, { ...credentials, ...headers });
}

/** Sends a request to the server at an address. */
export function sendRequest(url: string, { url: path, body, ...call }: InnerCall): ReturnType<typeof sendCall> {
  return sendCall(`${url}${path}`, { ...call, body: body ?? undefined });
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/**
 * Writes the HTTP request of an operation.
 * @param given its parameters, including those in the path
 * @param others its headers, without the content type
 * @throws NotSendable
 */
export function requestOf(
  model: Model,
  operation: Operation,
  route: OperationRoute,
  given: JsonObject,
  others: Readonly<Record<string, string>>,
): InnerCall {
  const { path, rest: unnamed } = filledPath(route, given);
  const { rest, query, ...parts } = dispatchParts(operation, unnamed);
  const headers = { ...others, ...parts.headers };
  const { method } = route;
  if (method === 'GET' || method === 'DELETE')
    return {
      method,
      url: withQuery(path, { ...query, ...rest }),
      headers,
      body: null,
      ...(operation.reads ? { values: nested(rest) } : {}),
    };
  const { type, text } = bodyOf(model, operation, rest);
  const url = withQuery(path, query);
  return { method, url, headers: { ...headers, 'content-type': type }, body: Buffer.from(text) };
}

/** Selects lists and maps, which a query would turn into texts. Only for reads, since a replay has only the query. */
function nested(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === 'object' && value !== null));
}

/** Appends parameters to a path as a query. @throws NotSendable */
function withQuery(path: string, query: JsonObject): string {
  const text = formText(numbered(query));
  if (text.length > MAX_IN_PATH) throw new NotSendable(`the arguments have more than ${MAX_IN_PATH} characters`);
  return text === '' ? path : `${path}?${text}`;
}

function filledPath(route: OperationRoute, given: JsonObject): { readonly path: string; readonly rest: JsonObject } {
  const rest: Record<string, Json> = { ...given };
  const path = route.path.replace(/\{(\w+)(\+?)\}/g, (_, name: string, many: string) => {
    const { [name]: value = null } = given;
    if (value === null || value === '' || isObject(value)) throw new MissingInPath(name);
    delete rest[name];
    const text = toText(value);
    if (text.length > MAX_IN_PATH) throw new MissingInPath(name);
    return many === '' ? encodeURIComponent(text) : text.split('/').map(encodeURIComponent).join('/');
  });
  return { path, rest };
}

function bodyOf(model: Model, operation: Operation, given: JsonObject): { type: string; text: string | Buffer } {
  const { whole } = operation;
  const { settings } = model;
  if (whole !== null) {
    const value = given[whole.as] ?? null;
    const type = whole.contentType === '*' ? 'application/octet-stream' : whole.contentType;
    if (whole.type === 'bytes') return { type, text: Buffer.from(typeof value === 'string' ? value : '', 'base64') };
    if (whole.type === 'text') return { type, text: toText(value) };
    if (whole.type === 'list') return { type, text: JSON.stringify(value) };
    return {
      type,
      text: (Array.isArray(value) ? value : [value]).map((each: Json) => JSON.stringify(each)).join('\n'),
    };
  }
  const encoding = operation.resource.file.requests ?? settings.requests;
  if (encoding === 'xml') return { type: 'application/xml', text: xmlDocument({ request: given }) };
  if (encoding === 'json') return { type: JSON_TYPE, text: JSON.stringify(given) };
  return { type: FORM, text: formText(numbered(given)) };
}

/** Converts lists to maps with numeric keys, so that nested items stay separate in a form; null becomes empty. */
function numbered(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, numberedValue(value)]));
}

function numberedValue(value: Json): Json {
  if (value === null) return '';
  if (Array.isArray(value)) return Object.fromEntries(value.map((each: Json, at) => [String(at), numberedValue(each)]));
  return isObject(value) ? numbered(value) : value;
}
