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
} from '../../expression/index.js';
import { inside, type Place, type TransportFile } from '../../model/index.js';
import {
  CONNECTION_HEADERS,
  type HttpPlan,
  type MessageParts,
  type SignedMessage,
  type WrittenMessage,
} from '../../program/index.js';
import { parseDuration } from '../../world/index.js';
import { rootScope } from '../context.js';
import { type DeliveryContext, endpointExpression } from './endpoint.js';

const DEFAULT_TIMEOUT = 10_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What the templates of a transport see, and how it gets into their frames. */
interface MessageScope {
  readonly scope: Scope;
  readonly frame: (host: Host, message: MessageParts) => Frame;
}

/** Compiles a transport that posts over HTTP; mistakes are reported at their places. */
export function compileHttp(file: TransportFile, place: Place, hasSecret: boolean, context: DeliveryContext): HttpPlan {
  const { linking, env } = context.compiler;
  const parts = messageScope(context);
  const body = linking.template(inside(place, 'body'), file.body ?? null, parts.scope, env).run;
  return {
    timeoutMs: timeoutOf(file, place, context),
    url: endpointExpression(context, file.url ?? "''", inside(place, 'url'), STRING).run,
    body: (host, message) => body(parts.frame(host, message)),
    signature: compileSignature(file, place, hasSecret, context),
    headers: compileHeaders(file.headers ?? {}, inside(place, 'headers'), context),
    secretFields: [...context.endpoint.schema.fields]
      .filter(([, schema]) => schema.hidden && !schema.internal)
      .map(([name]) => name),
  };
}

/** Compiles what a transport without a network records. */
export function compileRecord(
  template: Json,
  place: Place,
  context: DeliveryContext,
): (host: Host, message: MessageParts) => Json {
  const { linking, env } = context.compiler;
  const { scope, frame } = messageScope(context);
  const { run } = linking.template(place, template, scope, env);
  return (host, message) => run(frame(host, message));
}

function messageScope(context: DeliveryContext): MessageScope {
  const scope = rootScope();
  const event = scope.declare('event', context.event, true).slot;
  const endpoint = scope.declare('endpoint', context.endpoint.type, true).slot;
  return {
    scope,
    frame: (host, message) => {
      const frame = frameOf(host, scope.layout.size);
      frame[event] = message.event;
      frame[endpoint] = message.endpoint;
      return frame;
    },
  };
}

/** As `messageScope`, with the text that is sent and when. */
function writtenScope(context: DeliveryContext): {
  readonly scope: Scope;
  readonly frame: (host: Host, message: WrittenMessage) => Frame;
} {
  const { scope, frame: over } = messageScope(context);
  const timestamp = scope.declare('timestamp', NUMBER).slot;
  const body = scope.declare('body', STRING).slot;
  return {
    scope,
    frame: (host, message) => {
      const frame = over(host, message);
      frame[timestamp] = message.timestamp;
      frame[body] = message.body;
      return frame;
    },
  };
}

function compileSignature(
  file: TransportFile,
  place: Place,
  hasSecret: boolean,
  context: DeliveryContext,
): HttpPlan['signature'] {
  if (!file.signature) return null;
  const { linking, env } = context.compiler;
  const at = inside(place, 'signature');
  if (!hasSecret)
    linking.problem(at, 'no-secret', "a signature needs the endpoint's secret (`endpoint.secret`)", { at: 'key' });
  const { scope, frame } = writtenScope(context);
  const { run } = linking.template(inside(at, 'content'), file.signature.content, scope, env);
  return { style: file.signature, content: (host, message) => run(frame(host, message)) };
}

function compileHeaders(
  file: Readonly<Record<string, string>> | string,
  place: Place,
  context: DeliveryContext,
): HttpPlan['headers'] {
  const { model, linking, env } = context.compiler;
  const { scope, frame: written } = writtenScope(context);
  const secret = scope.declare('secret', STRING).slot;
  const signature = scope.declare('signature', STRING).slot;
  const signatures = scope.declare('signatures', listOf(STRING)).slot;
  const frameFor = (host: Host, message: SignedMessage): Frame => {
    const frame = written(host, message);
    frame[secret] = message.secret;
    frame[signature] = message.signatures[0] ?? null;
    frame[signatures] = message.signatures;
    return frame;
  };
  if (typeof file === 'string') {
    const { type, run } = linking.template(place, file, scope, env);
    if (!accepts(mapOf(ANY), type))
      linking.problem(place, 'wrong-type', `headers are a map, this is ${describe(type)}`);
    return (host, message) => {
      const made = run(frameFor(host, message));
      return isObject(made) ? Object.entries(made) : [];
    };
  }
  const pairs = Object.entries(file).map(([key, value]) => {
    const name = model.fill(key);
    const problem = (message: string): void =>
      linking.problem(inside(place, key), 'bad-header', message, { at: 'key' });
    if (!HEADER_NAME.test(name)) problem(`'${name}' cannot be the name of a header`);
    if (CONNECTION_HEADERS.has(name.toLowerCase())) problem(`'${name}' is set by the sandbox itself`);
    return [name, linking.template(inside(place, key), value, scope, env).run] as const;
  });
  return (host, message) => {
    const frame = frameFor(host, message);
    return pairs.map(([name, run]) => [name, run(frame)] as const);
  };
}

function timeoutOf(file: TransportFile, place: Place, { compiler }: DeliveryContext): number {
  if (file.timeout === undefined) return DEFAULT_TIMEOUT;
  const ms = parseDuration(file.timeout);
  if (ms === undefined || ms === 0) {
    compiler.linking.problem(inside(place, 'timeout'), 'duration', `'${file.timeout}' is not a timeout (such as 10s)`);
  }
  return ms || DEFAULT_TIMEOUT;
}
