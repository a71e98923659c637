import type { BugAction } from '../control/index.js';
import { cookiePair, xmlDocument } from '../codecs/index.js';
import { isObject, isStored, type Json, type JsonObject, STORED_CODING } from '../values/index.js';
import { ANONYMOUS_KEY, publicValue } from '../model/index.js';
import { dispatchParts, type WholeBody } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import type { StoredEntry } from '../world/index.js';

/** A step of a bug file as an HTTP call. */
export interface ReplayOrder {
  readonly method: string;
  /** Path and query, relative to the world's address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Prefixes to convert the world's key to another kind of key; null: the call sends no key. Undefined: the key itself. */
  readonly key?: { readonly prefix: string; readonly instead: string } | null;
  /** In a company, the pack that receives the call. */
  readonly vendor?: string;
  /** A key that the world issued, which the call sends in place of the world's own. */
  readonly token?: string;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'Content-Type': 'application/json' };
const XML_BODY = { 'Content-Type': 'application/xml' };

/** The call that repeats a step; null: the step isn't a call. */
export function replayOrderOf(did: BugAction, engine: Engine): ReplayOrder | null {
  switch (did.kind) {
    case 'call':
      return callOrder(did, engine);
    case 'control': {
      const [method, path] = did.route.split(' ');
      return control(method, path, Object.keys(did.body).length > 0 ? did.body : undefined);
    }
    case 'cause':
      return control('POST', '/world/events', { cause: did.cause, params: did.params });
    case 'clock':
      return control('POST', '/clock/advance', {
        to: new Date(did.to).toISOString(),
        ...(did.of === undefined ? {} : { of: did.of }),
      });
    case 'rewind':
      return control('POST', '/rewind', { to: did.to });
    case 'moment':
      return control('POST', '/moments', { name: did.name, at: did.entry });
    case 'flush':
      return control('POST', '/webhooks/flush');
    case 'stream':
      return null;
    case 'resend':
      return control('POST', `/webhooks/deliveries/${did.delivery}/replay`);
    case 'entry':
      return entryOrder(did.entry, engine);
  }
}

function control(method: string, path: string, body?: JsonObject): ReplayOrder {
  const at = `/__admin__${path}`;
  return body
    ? { method, path: at, headers: JSON_BODY, body: JSON.stringify(body) }
    : { method, path: at, headers: {} };
}

/** Returns the call that repeats an entry of seeding or resetting the world. */
function entryOrder({ args, changes }: StoredEntry, engine: Engine): ReplayOrder | null {
  const { route, body } = isObject(args) ? args : {};
  if (route === 'POST /reset') return control('POST', '/reset', isObject(body) ? body : undefined);
  const resources: Record<string, Json[]> = {};
  const tenants: Record<string, { readonly resources: Record<string, Json[]> }> = {};
  for (const change of changes) {
    const def = change.op === 'put' ? engine.model.byCollection.get(change.collection) : undefined;
    if (!def || change.op !== 'put') continue;
    const of = change.tenant === undefined ? resources : (tenants[change.tenant] ??= { resources: {} }).resources;
    (of[change.collection] ??= []).push(publicValue(def, change.value));
  }
  if (Object.keys(tenants).length > 0) return control('POST', '/seed', { resources, tenants });
  return Object.keys(resources).length > 0 ? control('POST', '/seed', { resources }) : null;
}

/** Returns the call that repeats a vendor API call. `args` were recorded by `argsOf`. */
function callOrder({ operation, args }: Extract<BugAction, { readonly kind: 'call' }>, engine: Engine): ReplayOrder {
  const { settings } = engine.model;
  const { method, params, idempotency_key, expand, scenario, version, key, token, tenant } = args;
  const all = { ...(isObject(params) ? params : {}), ...expansion(expand, engine) };
  const meant = engine.pack.operations.find((each) => each.key === operation);
  const parts = meant === undefined ? null : dispatchParts(meant, all);
  const given = parts?.rest ?? all;
  const path = withQuery(String(args['path']), queryOf(parts?.query ?? {}));
  const headers: Record<string, string> = { ...parts?.headers };
  if (isObject(args['headers']))
    for (const [name, value] of Object.entries(args['headers'])) {
      const header = settings.requestHeaders.get(name);
      if (header !== undefined && isObject(value))
        for (const [rest, each] of Object.entries(value)) headers[header.slice(0, -1) + rest] = String(each);
      else if (header !== undefined) headers[header] = String(value);
    }
  const cookies = isObject(args['cookies']) ? Object.entries(args['cookies']) : [];
  const sent = cookies.map(([key, value]) => cookiePair(settings.cookies.get(key)?.name ?? key, String(value)));
  if (sent.length > 0) headers['Cookie'] = sent.join('; ');
  // Adds a header that the ledger recorded as sent, unless it is already there.
  const give = (name: string | undefined, value: Json | undefined): void => {
    if (name !== undefined && typeof value === 'string' && !Object.hasOwn(headers, name.toLowerCase()))
      headers[name] = value;
  };
  give(settings.idempotency?.header ?? undefined, idempotency_key);
  give('X-Mock-Scenario', scenario);
  give(settings.versions?.headers[0], version);
  give('Accept', args['accept']);
  give(settings.tenants?.headers[0], tenant);
  const other =
    typeof key === 'string' ? (settings.auth.others.get(key) ?? settings.auth.wholeKeys.get(key)) : undefined;
  const called = {
    method: String(method),
    ...(other === undefined ? {} : { key: { prefix: settings.auth.keyPrefix, instead: other } }),
    ...(key === ANONYMOUS_KEY ? { key: null } : {}),
    ...tokenOf(token, engine),
  };
  if (Object.keys(given).length === 0 && args['json'] !== true) return { ...called, path, headers };
  const whole = wholeOf(meant?.whole ?? null, given);
  if (whole !== null) {
    const target = withQuery(path, queryOf(whole.rest));
    const coding: Record<string, string> = whole.coding === undefined ? {} : { 'Content-Encoding': whole.coding };
    return {
      ...called,
      path: target,
      headers: { ...headers, 'Content-Type': whole.type, ...coding },
      body: whole.body,
    };
  }
  if (args['json'] !== true && Object.values(given).some(hasFile)) {
    const multipart = { 'Content-Type': 'multipart/form-data', 'Content-Encoding': STORED_CODING };
    return { ...called, path, headers: { ...headers, ...multipart }, body: JSON.stringify(given) };
  }
  if (args['json'] === true)
    return { ...called, path, headers: { ...headers, ...JSON_BODY }, body: JSON.stringify(given) };
  const mayHaveBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
  if (settings.requests === 'xml' && mayHaveBody)
    return { ...called, path, headers: { ...headers, ...XML_BODY }, body: xmlDocument({ request: given }) };
  const form = queryOf(given);
  const isBody = settings.requests === 'form' && mayHaveBody;
  return isBody
    ? { ...called, path, headers: { ...headers, ...FORM }, body: form }
    : { ...called, path: withQuery(path, form), headers };
}

function withQuery(path: string, query: string): string {
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** A body that is one parameter, and the call's other parameters. */
interface WholeOrder {
  readonly rest: JsonObject;
  readonly type: string;
  readonly coding?: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Whether bytes are in the store, or had trailers: a replay sends them as a reference. */
function isReference({ base64, trailers }: JsonObject): boolean {
  return (typeof base64 === 'string' && isStored(base64)) || trailers !== undefined;
}

/** Returns a body that is one parameter, with the call's other parameters; null if the call has no such body. */
function wholeOf(whole: WholeBody | null, given: JsonObject): WholeOrder | null {
  // Lists are excluded, since a map of parameters expresses them too.
  if (whole === null || whole.type === 'list' || !Object.hasOwn(given, whole.as)) return null;
  const { [whole.as]: value, ...rest } = given;
  if (whole.type === 'bytes' && isObject(value) && isReference(value)) {
    const { type: _, ...stored } = value;
    return { rest, type: String(value['type']), coding: STORED_CODING, body: JSON.stringify(stored) };
  }
  if (whole.type === 'bytes' && isObject(value))
    return { rest, type: String(value['type']), body: new Uint8Array(Buffer.from(String(value['base64']), 'base64')) };
  const lines = Array.isArray(value)
    ? (value as readonly Json[]).map((each) => JSON.stringify(each)).join('\n')
    : value;
  return { rest, type: whole.contentType, body: String(lines) };
}

/** Whether a form contained a file: its size is a number, which form fields never are. */
function hasFile(value: Json): boolean {
  if (Array.isArray(value)) return (value as readonly Json[]).some(hasFile);
  if (!isObject(value)) return false;
  return (
    (typeof value['base64'] === 'string' && typeof value['size'] === 'number') || Object.values(value).some(hasFile)
  );
}

/** Returns the text of a key that the world issued, by the id of its object. */
function tokenOf(id: Json | undefined, { pack, world }: Engine): { readonly token?: string } {
  if (typeof id !== 'string' || pack.tokens === null) return {};
  const value = world.tenants.find(pack.tokens.resource, id)?.value[pack.tokens.field];
  return typeof value === 'string' ? { token: value } : {};
}

function expansion(paths: Json | undefined, engine: Engine): JsonObject {
  const { expansion: how } = engine.model.settings;
  if (!how || !Array.isArray(paths)) return {};
  return { [how.param]: how.separator === null ? paths : paths.join(how.separator) };
}

function queryOf(given: JsonObject): string {
  return [...pairsOf(given)].map(([name, value]) => `${nameText(name)}=${encodeURIComponent(value)}`).join('&');
}

/** Yields the names and values of a form's parameters: `a[b][0]=c`. */
function* pairsOf(value: Json, name = ''): Generator<readonly [string, string]> {
  const within = (key: string): string => (name === '' ? key : `${name}[${key}]`);
  if (Array.isArray(value)) {
    for (const [at, each] of (value as readonly Json[]).entries()) yield* pairsOf(each, within(String(at)));
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) yield* pairsOf(each, within(key));
  } else yield [name, value === null ? '' : String(value)];
}

function nameText(name: string): string {
  return encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']');
}
