import { ORIGIN } from './api.js';
import type { Exchange, Fields, Json, JsonObject, Pack, PackOperation, Shape } from './types.js';

/** A parameter while it is collected: first as text, later converted to the declared type. */
type Gathered = string | Json | { [name: string]: Gathered };

/**
 * Formats a call as code for the vendor's own JavaScript client.
 * @param operation of the call
 * @returns null if the pack names no client, or the client has no function for the call
 */
export function clientLine(pack: Pack, operation: PackOperation | undefined, exchange: Exchange): string | null {
  const { client } = pack;
  if (!client || !operation?.client) return null;
  const at = new URL(exchange.url, ORIGIN);
  const ids = idsOf(operation.path, at.pathname);
  if (!ids) return null;
  const params = paramsOf(at.searchParams, exchange, operation.params);
  const options = Object.entries(exchange.request.headers).flatMap(([name, value]): [string, Json][] =>
    Object.hasOwn(client.options, name) ? [[client.options[name], value]] : [],
  );
  const given: Json[] = [...ids];
  if (Object.keys(params).length > 0 || options.length > 0) given.push(params);
  if (options.length > 0) given.push(Object.fromEntries(options));
  const call = `await ${client.object}.${operation.client}(${given.map((each) => literal(each)).join(', ')});`;
  return `${beginOf(client.begin)}\n\n${call}`;
}

/** Formats code that creates a client for this sandbox. */
function beginOf(begin: string): string {
  const { hostname, port, protocol } = new URL(ORIGIN);
  const places: Readonly<Record<string, string>> = {
    host: hostname,
    port: port || (protocol === 'https:' ? '443' : '80'),
    protocol: protocol.slice(0, -1),
    url: ORIGIN,
  };
  return begin.replace(/\{(host|port|protocol|url)\}/g, (_, name: string) => places[name]);
}

/** Extracts the values of a template's names from a path; null if the path doesn't match. */
function idsOf(template: string, path: string): string[] | null {
  const pattern = template
    .split(/\{[^}]+\}/)
    .map((text) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  const found = new RegExp(`${pattern}/?$`).exec(path);
  return found && found.slice(1).map(decodeURIComponent);
}

/** Collects all parameters of a call, and converts them to their declared types. */
function paramsOf(query: URLSearchParams, { request: { headers, body } }: Exchange, fields: Fields): JsonObject {
  const gathered: { [name: string]: Gathered } = {};
  const isJson = headers['content-type']?.includes('json') ?? false;
  for (const [name, value] of query) put(gathered, name, value);
  if (body && isJson) Object.assign(gathered, JSON.parse(body));
  else if (body) for (const [name, value] of new URLSearchParams(body)) put(gathered, name, value);
  return Object.fromEntries(Object.entries(gathered).map(([name, value]) => [name, typed(value, fields[name])]));
}

/** Sets a value at a name of a form, such as `a[b][0]`. */
function put(into: { [name: string]: Gathered }, name: string, value: string): void {
  const path = name.split(/[[\]]+/).filter((part, at) => part !== '' || at === 0);
  const isListed = name.endsWith('[]');
  let at = into;
  for (const part of isListed ? path : path.slice(0, -1)) {
    const inner = at[part];
    at = typeof inner === 'object' && inner !== null ? (inner as { [name: string]: Gathered }) : (at[part] = {});
  }
  at[isListed ? String(Object.keys(at).length) : (path.at(-1) ?? name)] = value;
}

/** Converts a value to its declared type. Undeclared texts stay texts, and maps numbered from 0 become lists. */
function typed(value: Gathered | undefined, shape: Shape | undefined): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') {
    const number = Number(value);
    if ((shape?.type === 'integer' || shape?.type === 'number' || shape?.type === 'timestamp') && value !== '')
      return Number.isFinite(number) ? number : value;
    if (shape?.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
    return value;
  }
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each: Json) => typed(each, shape?.items));
  const entries = Object.entries(value as { [name: string]: Gathered });
  if (entries.length > 0 && entries.every(([name], at) => name === String(at)))
    return entries.map(([, each]) => typed(each, shape?.items));
  return Object.fromEntries(entries.map(([name, each]) => [name, typed(each, shape?.fields?.[name])]));
}

/** Maximum width, in characters, of an object on one line. */
const LINE = 60;

/** Formats a value as a JavaScript literal. */
function literal(value: Json, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const parts = (deep: string): string[] =>
    Array.isArray(value)
      ? value.map((each: Json) => literal(each, deep))
      : Object.entries(value).map(([name, each]) => `${named(name)}: ${literal(each, deep)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  const line = parts(indent);
  if (line.length === 0) return open.trim() + close.trim();
  const short = open + line.join(', ') + close;
  if (short.length <= LINE && !short.includes('\n')) return short;
  return `${open.trim()}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close.trim()}`;
}

function named(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
