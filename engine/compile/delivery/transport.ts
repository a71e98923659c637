import { isObject, type Json } from '../../values/index.js';
import {
  accepts,
  ANY,
  describeType,
  type Host,
  type Js,
  scriptLiteral,
  listType,
  mapType,
  NUMBER,
  objectType,
  type Scope,
  STRING,
  WatchedScope,
} from '../../expression/index.js';
import { inside, keyIn, type SourceLocation, type TransportFile } from '../../model/index.js';
import { CONNECTION_HEADERS, type HttpPlan, type MessageParts, type WrittenMessage } from '../../program/index.js';
import { parseDuration } from '../../world/index.js';
import { rootScope } from '../context.js';
import { type DeliveryContext, deliveryExpression } from './endpoint.js';

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_INDENT = 8;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Compiles a transport that posts over HTTP; problems are reported at their places. */
export function compileHttp(
  file: TransportFile,
  place: SourceLocation,
  hasSecret: boolean,
  context: DeliveryContext,
): HttpPlan {
  const { method = 'POST' } = file;
  const url = deliveryExpression(context, context.event, file.url ?? "''", inside(place, 'url'));
  if (file.indent !== undefined && file.encoding === 'form')
    context.compiler.diagnostics.problem(keyIn(place, 'indent'), 'invalid-value', 'only JSON is indented');
  for (const key of ['body', 'encoding', 'indent'] as const)
    if (method === 'GET' && file[key] !== undefined)
      context.compiler.diagnostics.problem(keyIn(place, key), 'invalid-value', 'a GET has no body');
  return {
    timeoutMs: timeoutOf(file, place, context),
    method,
    url: url.run,
    hasOwnUrls: url.seesEvent,
    body: compileMessage(file.body ?? null, inside(place, 'body'), MESSAGE, context),
    encoding: file.encoding ?? 'json',
    indent: compileIndent(file.indent ?? 0, inside(place, 'indent'), context),
    signature: compileSignature(file, place, hasSecret, context),
    headers: compileHeaders(file.headers ?? {}, inside(place, 'headers'), context),
    secretFields: context.endpoints.flatMap(({ schema: { fields } }) =>
      [...fields].flatMap(([name, schema]) => (schema.hidden && !schema.internal ? [name] : [])),
    ),
  };
}

/** Compiles the indentation of JSON: a number of spaces, or an expression over the message. */
function compileIndent(file: number | string, place: SourceLocation, context: DeliveryContext): HttpPlan['indent'] {
  if (typeof file === 'number') return () => file;
  const { diagnostics, env } = context.compiler;
  const indent = compileOver<MessageParts>(MESSAGE, place, context, (scope) => {
    const made = diagnostics.template(place, file, scope, env);
    if (!accepts(NUMBER, made.type))
      diagnostics.problem(place, 'wrong-type', `an indent is a number, this is ${describeType(made.type)}`);
    return made;
  });
  return (host, message) => Math.max(0, Math.min(Number(indent(host, message)), MAX_INDENT));
}

/** Compiles the record of a transport that doesn't use the network. */
export function compileRecord(
  template: Json,
  place: SourceLocation,
  context: DeliveryContext,
): (host: Host, message: MessageParts) => Json {
  return compileMessage(template, place, MESSAGE, context);
}

/** Variables of templates by stage. Each stage adds some: the event and endpoint, the written text, the signatures. */
const MESSAGE = ['event', 'endpoint'] as const;
const WRITTEN = [...MESSAGE, 'timestamp', 'body'] as const;
/** Variables that are missing if an endpoint has no secret; headers that read one are then omitted. */
const KEYED = ['secret', 'signature', 'signatures'] as const;
const SIGNED = [...WRITTEN, ...KEYED, 'attempt', 'failure'] as const;
/** Variables in templates of messages over a WebSocket connection. */
export const FRAMED = [...WRITTEN, 'delivery', 'headers', 'attempt', 'failure'] as const;

/** Type of the previous attempt's failure. */
const FAILURE = objectType(
  [
    ['status', NUMBER],
    ['error', STRING],
  ],
  'failure',
);

type MessagePart = (typeof SIGNED)[number] | (typeof FRAMED)[number];

/** The scope of a template over a message, and the lines that declare its variables. */
function messageScope(
  seen: readonly MessagePart[],
  place: SourceLocation,
  { compiler, event, endpoint }: DeliveryContext,
): { readonly scope: Scope; readonly parameters: readonly string[]; readonly lines: Js } {
  const scope = rootScope(`delivery ${place.path.slice(2).join(' ')}`, place, compiler.env);
  const message = scope.unit.identifier('message');
  const types = {
    event,
    endpoint,
    timestamp: NUMBER,
    body: STRING,
    secret: STRING,
    signature: STRING,
    signatures: listType(STRING),
    delivery: STRING,
    headers: mapType(STRING),
    attempt: NUMBER,
    failure: FAILURE,
  };
  const lines = seen.map((name) => {
    const { js } = scope.declare(name, types[name], name === 'event' || name === 'endpoint');
    return `const ${js} = ${message}.${name === 'signature' ? 'signatures[0] ?? null' : name};`;
  });
  return { scope, parameters: ['x', message], lines };
}

/** Compiles a template over the given parts of a message. */
export function compileMessage<M extends MessageParts>(
  template: Json,
  place: SourceLocation,
  seen: readonly MessagePart[],
  context: DeliveryContext,
): (host: Host, message: M) => Json {
  const { diagnostics, env } = context.compiler;
  return compileOver<M>(seen, place, context, (scope) => diagnostics.template(place, template, scope, env));
}

/** Compiles a condition over a message before its text is written. */
export function compileMessageTest(
  source: string,
  place: SourceLocation,
  context: DeliveryContext,
): (host: Host, message: MessageParts) => Json {
  const { diagnostics, env } = context.compiler;
  return compileOver(MESSAGE, place, context, (scope) => diagnostics.condition(place, source, scope, env));
}

function compileOver<M extends MessageParts>(
  seen: readonly MessagePart[],
  place: SourceLocation,
  context: DeliveryContext,
  compile: (scope: Scope) => { readonly js: string },
): (host: Host, message: M) => Json {
  const { scope, parameters, lines } = messageScope(seen, place, context);
  const { js } = compile(scope);
  return scope.unit.function(parameters, [...lines, `return ${js};`]);
}

function compileSignature(
  file: TransportFile,
  place: SourceLocation,
  hasSecret: boolean,
  context: DeliveryContext,
): HttpPlan['signature'] {
  if (!file.signature) return null;
  const at = inside(place, 'signature');
  if (!hasSecret)
    context.compiler.diagnostics.problem(
      keyIn(at),
      'no-secret',
      "a signature needs the endpoint's secret (`endpoint.secret`)",
    );
  const content = compileMessage<WrittenMessage>(file.signature.content, inside(at, 'content'), WRITTEN, context);
  return { style: file.signature, content };
}

function compileHeaders(
  file: Readonly<Record<string, string>> | string,
  place: SourceLocation,
  context: DeliveryContext,
): HttpPlan['headers'] {
  const { model, diagnostics, env } = context.compiler;
  const { scope, parameters, lines } = messageScope(SIGNED, place, context);
  if (typeof file === 'string') {
    const { type, js } = diagnostics.template(place, file, scope, env);
    if (!accepts(mapType(ANY), type))
      diagnostics.problem(place, 'wrong-type', `headers are a map, this is ${describeType(type)}`);
    return scope.unit.function(parameters, [...lines, `return ${scope.unit.refer(entriesOf, 'entriesOf')}(${js});`]);
  }
  const pairs = Object.entries(file).map(([key, value]) => {
    const name = model.fill(key);
    const problem = (message: string): void => diagnostics.problem(keyIn(place, key), 'bad-header', message);
    if (!HEADER_NAME.test(name)) problem(`'${name}' cannot be the name of a header`);
    if (CONNECTION_HEADERS.has(name.toLowerCase())) problem(`'${name}' is set by the sandbox itself`);
    const watched = new WatchedScope(scope);
    const { js } = diagnostics.template(inside(place, key), value, watched, env);
    const secret = KEYED.some((each) => watched.read.has(each)) ? scope.lookup('secret') : undefined;
    return `[${scriptLiteral(name)}, ${secret === undefined ? js : `${secret.js} === null ? null : ${js}`}]`;
  });
  return scope.unit.function(parameters, [...lines, `return [${pairs.join(', ')}];`]);
}

function entriesOf(made: Json): [string, Json][] {
  return isObject(made) ? Object.entries(made) : [];
}

/** Limit of a transport's timeout. Node's timers fire at once if they are longer than 24 days. */
const MAX_TIMEOUT_MS = 3_600_000;

function timeoutOf(file: TransportFile, place: SourceLocation, { compiler }: DeliveryContext): number {
  if (file.timeout === undefined) return DEFAULT_TIMEOUT_MS;
  const ms = parseDuration(file.timeout);
  if (ms === undefined || ms === 0 || ms > MAX_TIMEOUT_MS) {
    const message = `'${file.timeout}' is not a timeout (such as 10s, at most 1h)`;
    compiler.diagnostics.problem(inside(place, 'timeout'), 'invalid-value', message);
  }
  return ms || DEFAULT_TIMEOUT_MS;
}
