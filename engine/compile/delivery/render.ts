import {
  accepts,
  ANY,
  describe,
  type Frame,
  frameOf,
  type Host,
  isObject,
  type Json,
  listOf,
  mapOf,
  NUMBER,
  type Scope,
  STRING,
  toText,
  withOrigin,
} from '../../expression/index.js';
import { inside, type Place, type TransportFile } from '../../model/index.js';
import { parseDuration } from '../../world/index.js';
import { type Headers, headersOf, type Message } from '../../delivery/message.js';
import { maskHeaders, textsOf } from '../../delivery/mask.js';
import { type DeliveryScope, endpointExpression } from './scope.js';
import { signer } from '../../delivery/sign.js';

/** A message of the HTTP transport, ready to go. */
export interface Rendered {
  readonly headers: Headers;
  readonly body: string;
  /** The headers as they may be shown. */
  readonly shown: Headers;
}

/** A compiled HTTP transport. */
export interface HttpPlan {
  readonly timeoutMs: number;
  readonly url: (host: Host, endpoint: Message['endpoint']) => string;
  /** Renders and signs; `timestamp` is wall time in Unix seconds. */
  readonly render: (host: Host, message: Message, timestamp: number) => Rendered;
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const DEFAULT_TIMEOUT = 10_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers of the connection, not of the message (RFC 9110, 7.6.1), and what the length and place of a message say. */
const OWN_HEADERS = new Set(
  'connection content-length expect host keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
);

/** Compiles a transport that posts over HTTP; mistakes are reported at their places. */
export function compileHttp(file: TransportFile, place: Place, delivery: DeliveryScope): HttpPlan {
  const { linking, env } = delivery.pack.model;
  const scope = delivery.root();
  const event = scope.declare('event', delivery.event, true).slot;
  const endpoint = scope.declare('endpoint', delivery.endpoint.type, true).slot;
  const url = endpointExpression(delivery, file.url ?? "''", inside(place, 'url'), STRING).run;
  const content = linking.template(inside(place, 'body'), file.body ?? null, scope, env).run;
  const timed = scope.child();
  const timestamp = timed.declare('timestamp', NUMBER).slot;
  const body = timed.declare('body', STRING).slot;
  const sign = compileSignature(file, place, timed, delivery);
  const signed = timed.child();
  const secret = signed.declare('secret', STRING).slot;
  const signature = signed.declare('signature', STRING).slot;
  const signatures = signed.declare('signatures', listOf(STRING)).slot;
  const headers = compileHeaders(file.headers ?? {}, inside(place, 'headers'), signed, delivery);
  const hidden = [...delivery.endpoint.schema.fields]
    .filter(([, schema]) => schema.hidden && !schema.internal)
    .map(([name]) => name);
  return {
    timeoutMs: timeoutOf(file, place, delivery),
    url: (host, row) => toText(url(host, row)),
    render(host, message, seconds) {
      const frame = frameOf(host, scope.layout.size);
      frame[event] = message.event;
      frame[endpoint] = message.endpoint;
      const text = message.body ?? withOrigin(written(content(frame)), host.origin);
      frame[timestamp] = seconds;
      frame[body] = text;
      const keys = delivery.secrets(host, message.endpoint);
      const made = sign(frame, keys);
      frame[secret] = keys[0] ?? null;
      frame[signature] = made[0] ?? null;
      frame[signatures] = made;
      const all = headersOf([JSON_TYPE, ...sendable(headers(frame)), lengthOf(text)]);
      const secrets = { keys, signatures: made, hidden: textsOf(message.endpoint.value, hidden) };
      return { headers: all, body: text, shown: maskHeaders(all, secrets) };
    },
  };
}

/** Compiles what a transport without a network records. */
export function compileRecord(
  template: Json,
  place: Place,
  delivery: DeliveryScope,
): (host: Host, message: Message) => Json {
  const { linking, env } = delivery.pack.model;
  const scope = delivery.root();
  const event = scope.declare('event', delivery.event, true).slot;
  const endpoint = scope.declare('endpoint', delivery.endpoint.type, true).slot;
  const { run } = linking.template(place, template, scope, env);
  return (host, message) => {
    const frame = frameOf(host, scope.layout.size);
    frame[event] = message.event;
    frame[endpoint] = message.endpoint;
    return run(frame);
  };
}

type SignAll = (frame: Frame, keys: readonly string[]) => string[];

function compileSignature(file: TransportFile, place: Place, scope: Scope, delivery: DeliveryScope): SignAll {
  if (!file.signature) return () => [];
  const { linking, env } = delivery.pack.model;
  const at = inside(place, 'signature');
  if (!delivery.hasSecret)
    linking.problem(at, 'no-secret', "a signature needs the endpoint's secret (`endpoint.secret`)", { at: 'key' });
  const content = linking.template(inside(at, 'content'), file.signature.content, scope, env).run;
  const sign = signer(file.signature);
  return (frame, keys) => {
    const text = toText(content(frame));
    return keys.map((key) => sign(key, text));
  };
}

type HeaderPairs = (frame: Frame) => readonly (readonly [string, Json])[];

function compileHeaders(file: Headers | string, place: Place, scope: Scope, delivery: DeliveryScope): HeaderPairs {
  const { model } = delivery.pack;
  const { linking, env } = model;
  if (typeof file === 'string') {
    const { type, run } = linking.template(place, file, scope, env);
    if (!accepts(mapOf(ANY), type))
      linking.problem(place, 'wrong-type', `headers are a map, this is ${describe(type)}`);
    return (frame) => {
      const made = run(frame);
      return isObject(made) ? Object.entries(made) : [];
    };
  }
  const pairs = Object.entries(file).map(([key, value]) => {
    const name = model.fill(key);
    const problem = (code: string, message: string): void =>
      linking.problem(inside(place, key), code, message, { at: 'key' });
    if (!HEADER_NAME.test(name)) problem('bad-header', `'${name}' cannot be the name of a header`);
    if (OWN_HEADERS.has(name.toLowerCase())) problem('bad-header', `'${name}' is set by the sandbox itself`);
    return [name, linking.template(inside(place, key), value, scope, env).run] as const;
  });
  return (frame) => pairs.map(([name, run]) => [name, run(frame)] as const);
}

/** Leaves out headers without a value and those that belong to the connection. */
function sendable(pairs: ReturnType<HeaderPairs>): [string, string][] {
  return pairs.flatMap(([name, value]) =>
    value === null || OWN_HEADERS.has(name.toLowerCase()) ? [] : [[name, toText(value)]],
  );
}

function lengthOf(body: string): [string, string] {
  return ['Content-Length', String(Buffer.byteLength(body))];
}

/** Compact JSON; text stands for itself, so that a body may be any text. */
function written(body: Json): string {
  if (typeof body === 'string') return body;
  return body === null ? '' : JSON.stringify(body);
}

function timeoutOf(file: TransportFile, place: Place, delivery: DeliveryScope): number {
  if (file.timeout === undefined) return DEFAULT_TIMEOUT;
  const ms = parseDuration(file.timeout);
  if (ms === undefined || ms === 0) {
    delivery.pack.model.linking.problem(
      inside(place, 'timeout'),
      'duration',
      `'${file.timeout}' is not a timeout (such as 10s)`,
    );
  }
  return ms || DEFAULT_TIMEOUT;
}
