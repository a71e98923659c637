import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import qs from 'qs';
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { bytesIn, examplePart, multipartOf, streamOf } from './bodies.js';

/** A recorded call of a vendor's API with its response. */
export interface Recorded {
  readonly method: string;
  readonly url: URL;
  /** Request headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The request body as bytes, if it may be binary, such as an upload. */
  readonly bodyBytes?: Buffer;
  readonly status: number;
  /** Headers of the response, by lower-case name. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly text: string;
  /** The response body as bytes, if it may be binary. */
  readonly bytes?: Buffer;
  /** Set if the caller disconnected before the end of the response's stream. */
  readonly cut?: true;
  /** Whether the recording has only the relevant parts of the response. */
  readonly partial?: boolean;
  /** Time of the call in milliseconds; null if it wasn't recorded. */
  readonly at: number | null;
  /** Position of the call in the recording; set if results show it. */
  readonly place?: number;
}

/** Lists the recordings in a folder (recursively), or one file. */
export function recordingsIn(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ya?ml|har|json)$/i.test(name))
    .sort()
    .map((name) => join(path, name));
}

/**
 * Parses a recording, in order: a HAR file (1.2), a cassette of VCR (Ruby) or vcrpy, objects of nock, steps with their recorded responses, or an
 * example written by `sandbox record`.
 * @returns an empty list for other files
 */
export function readRecording(file: string): Recorded[] {
  return recordingIn(file, readFileSync(file, 'utf8'));
}

/** Parses the content of a recording, like `readRecording`. */
export function recordingIn(file: string, content: string): Recorded[] {
  let data: unknown;
  try {
    data = /\.(har|json)$/i.test(file)
      ? JSON.parse(content)
      : parse(content, { uniqueKeys: false, logLevel: 'silent' });
  } catch {
    return [];
  }
  if (Array.isArray(data)) return (data as Json[]).filter(isObject).flatMap(fromNock);
  if (!isObject(data)) return [];
  const log = data['log'];
  if (isObject(log)) return objects(log['entries']).flatMap(fromHar);
  if ('example' in data) return fromExample(objects(data['calls']));
  if ('stripe_version_pin' in data) return fromSteps(data);
  return [...objects(data['http_interactions']), ...objects(data['interactions'])].flatMap(fromCassette);
}

function fromHar(entry: JsonObject): Recorded[] {
  const request = memberObject(entry, 'request');
  const response = memberObject(entry, 'response');
  const content = memberObject(response, 'content');
  const data = memberObject(request, 'postData');
  const params = objects(data['params']).map((each): [string, string] => [
    toPlainText(each['name']),
    toPlainText(each['value']),
  ]);
  const body = toPlainText(data['text']) || new URLSearchParams(params).toString();
  const returned = toPlainText(content['text']);
  const bytes = content['encoding'] === 'base64' ? Buffer.from(returned, 'base64') : undefined;
  return recorded({
    method: toPlainText(request['method']),
    url: toPlainText(request['url']),
    headers: named(objects(request['headers'])),
    body,
    status: Number(response['status'] ?? 0),
    responseHeaders: named(objects(response['headers'])),
    text: bytes?.toString() ?? returned,
    bytes,
    at: Date.parse(toPlainText(entry['startedDateTime'])),
  });
}

/** Converts the calls of an example, with `${name}` for saved values. Empty if the example needs more than the vendor API. */
function fromExample(calls: readonly JsonObject[]): Recorded[] {
  if (calls.some((call) => call['plane'] === 'control')) return [];
  return calls.flatMap((call) => {
    const [method, path] = toPlainText(call['call']).split(' ');
    const query = isObject(call['query']) ? qs.stringify(call['query']) : '';
    const expected = memberObject(call, 'expect');
    const { body, type } = exampleBody(call);
    const response = Object.entries(memberObject(call, 'save')).reduce<Json>(
      (made, [name, where]) => withMember(made, toPlainText(where).split('.'), `\${${name}}`),
      isList(expected['events']) ? { events: expected['events'] } : (expected['body'] ?? {}),
    );
    const bytes = typeof expected['base64'] === 'string' ? Buffer.from(expected['base64'], 'base64') : undefined;
    const isEvents = isList(expected['events']);
    const text = isEvents ? streamOf(objects(memberList(response, 'events'))) : undefined;
    return recorded({
      method,
      url: `https://recorded.example${path}${query === '' ? '' : `?${query}`}`,
      headers: { 'content-type': type },
      body: body.toString(),
      bodyBytes: body,
      status: Number(expected['status'] ?? 200),
      responseHeaders: { ...flat(expected['headers']), ...(isEvents ? { 'content-type': 'text/event-stream' } : {}) },
      text: bytes?.toString() ?? text ?? (typeof response === 'string' ? response : JSON.stringify(response)),
      bytes,
      ...(expected['more'] === true ? { cut: true as const } : {}),
      at: NaN,
      partial: true,
    });
  });
}

/** Encodes the body of an example's call. */
function exampleBody({ json, form, parts, raw }: JsonObject): { readonly body: Buffer; readonly type: string } {
  if (parts !== undefined) return multipartOf(objects(parts).map(examplePart));
  if (isObject(raw)) return { body: bytesIn(raw), type: toPlainText(raw['type']) || 'application/octet-stream' };
  if (json !== undefined) return { body: Buffer.from(JSON.stringify(json)), type: 'application/json' };
  return { body: Buffer.from(form === undefined ? '' : qs.stringify(form)), type: 'application/x-www-form-urlencoded' };
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function memberList(value: Json, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

/** Copies a value with a member set at a path. */
function withMember(value: Json, [key, ...rest]: readonly string[], to: string): Json {
  if (Array.isArray(value) && /^\d+$/.test(key)) {
    const items = [...(value as readonly Json[])];
    items[Number(key)] = rest.length === 0 ? to : withMember(items[Number(key)] ?? {}, rest, to);
    return items;
  }
  const members = isObject(value) ? value : {};
  return { ...members, [key]: rest.length === 0 ? to : withMember(members[key] ?? {}, rest, to) };
}

/**
 * Converts the steps of a scenario with their recorded responses. References to earlier responses are replaced with the recorded values. A step has
 * no own time: it gets the latest time in responses so far, but not later than the recording.
 */
function fromSteps(scenario: JsonObject): Recorded[] {
  const bound = new Map<string, Json>();
  const recordedAt = Date.parse(toPlainText(scenario['recorded_at'])) / 1000;
  let moment = 0;
  return objects(scenario['steps']).flatMap((step) => {
    moment = Math.max(moment, latestMoment(step['recorded_body'] ?? null, recordedAt));
    const referred = (value: Json): Json => {
      if (Array.isArray(value)) return (value as readonly Json[]).map(referred);
      if (!isObject(value)) return value;
      const { $ref } = value;
      return isObject($ref)
        ? (referredIn(bound, $ref) ?? '')
        : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, referred(each)]));
    };
    const refs = memberObject(step, 'path_refs');
    const path = toPlainText(step['path']).replace(/\{(\w+)\}/g, (all, name: string) => {
      const ref = refs[name];
      return isObject(ref) ? toPlainText(referredIn(bound, ref)) : all;
    });
    const params = qs.stringify(referred(memberObject(step, 'params')));
    const isSent = step['method'] === 'POST';
    const response = step['recorded_body'] ?? {};
    if (typeof step['binds_as'] === 'string') bound.set(step['binds_as'], response);
    const key = toPlainText(step['idempotency_key']);
    return recorded({
      method: toPlainText(step['method']),
      url: `https://api.stripe.com${path}${isSent || params === '' ? '' : `?${params}`}`,
      headers: {
        'stripe-version': toPlainText(step['recorded_stripe_version']) || toPlainText(scenario['stripe_version_pin']),
        ...(isSent ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(key === '' ? {} : { 'idempotency-key': key }),
      },
      body: isSent ? params : '',
      status: Number(step['recorded_status']),
      responseHeaders: { 'content-type': 'application/json' },
      text: JSON.stringify(response),
      at: (moment || recordedAt) * 1000,
    });
  });
}

/** Finds the latest time in a value within a day before an end (Unix seconds); 0 if there is none. */
function latestMoment(value: Json, end: number): number {
  if (typeof value === 'number') return Number.isInteger(value) && value > end - 86_400 && value <= end ? value : 0;
  if (value === null || typeof value !== 'object') return 0;
  return Math.max(0, ...Object.values(value).map((each) => latestMoment(each, end)));
}

/** Resolves a reference: a field of an earlier step's response, `data[0].id`, or a time `offset` seconds from it. */
function referredIn(bound: ReadonlyMap<string, Json>, { step, field, offset }: JsonObject): Json | undefined {
  const found = toPlainText(field)
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<Json | undefined>(
      (value, key) =>
        Array.isArray(value) ? (value as readonly Json[])[Number(key)] : isObject(value) ? value[key] : undefined,
      bound.get(toPlainText(step)),
    );
  return typeof found === 'number' && typeof offset === 'number' ? found + offset : found;
}

function fromNock(call: JsonObject): Recorded[] {
  const said = call['body'] ?? '';
  const response = call['response'] ?? '';
  const raw = Array.isArray(call['rawHeaders']) ? call['rawHeaders'].map(toPlainText) : [];
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? ''] as const] : []));
  return recorded({
    method: toPlainText(call['method']),
    url: `${toPlainText(call['scope'])}${toPlainText(call['path'])}`,
    headers: { ...(isObject(said) ? { 'content-type': 'application/json' } : {}), ...flat(call['reqheaders']) },
    body: typeof said === 'string' ? said : JSON.stringify(said),
    status: Number(call['status']),
    responseHeaders: raw.length > 0 ? Object.fromEntries(pairs) : flat(call['rawHeaders'] ?? call['headers']),
    text: typeof response === 'string' ? response : JSON.stringify(response),
    at: NaN,
  });
}

/** Converts an interaction of VCR or vcrpy; go-vcr has `url` and `code`. */
function fromCassette(interaction: JsonObject): Recorded[] {
  const request = memberObject(interaction, 'request');
  const response = memberObject(interaction, 'response');
  const status = response['code'] ?? response['status'];
  const [sent, returned] = [bodyOf(request), bodyOf(response)];
  return recorded({
    method: toPlainText(request['method']),
    url: toPlainText(request['uri'] ?? request['url']),
    headers: flat(request['headers']),
    body: sent.toString(),
    bodyBytes: sent,
    status: Number(isObject(status) ? status['code'] : status),
    responseHeaders: flat(response['headers']),
    text: returned.toString(),
    bytes: returned,
    at: Date.parse(toPlainText(interaction['recorded_at'])),
  });
}

/** Builds a recorded call with a valid URL. */
export function recorded({
  url,
  method,
  at,
  ...rest
}: Omit<Recorded, 'url' | 'at'> & { url: string; at: number }): Recorded[] {
  if (!URL.canParse(url)) return [];
  // Prefers the time of the vendor's clock in the response, since recorded tests often simulate another time.
  const from = [Date.parse(rest.responseHeaders['date'] ?? ''), at].find((each) => !Number.isNaN(each)) ?? NaN;
  return [{ ...rest, method: method.toUpperCase(), url: new URL(url), at: Number.isNaN(from) ? null : from }];
}

/** Decodes a body in a cassette: a text, an object that contains it, or a value (`parsed_body`). */
function bodyOf({ body, parsed_body: parsed }: JsonObject): Buffer {
  if (parsed !== undefined) return Buffer.from(JSON.stringify(parsed));
  if (!isObject(body)) return Buffer.from(toPlainText(body));
  const coded = body['base64_string'];
  return typeof coded === 'string' ? Buffer.from(coded, 'base64') : Buffer.from(toPlainText(body['string']));
}

export function flat(headers: Json | undefined): Record<string, string> {
  if (!isObject(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : toPlainText(value),
    ]),
  );
}

function named(headers: readonly JsonObject[]): Record<string, string> {
  return Object.fromEntries(
    headers.map((each) => [toPlainText(each['name']).toLowerCase(), toPlainText(each['value'])]),
  );
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function memberObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

export function toPlainText(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
