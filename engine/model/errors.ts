import { headerText, isObject, type Json, type JsonObject } from '../values/index.js';
import {
  ANY,
  type Environment,
  fixed,
  type Host,
  objectType,
  Scope,
  mapType,
  STRING,
  type Type,
  CodeUnit,
} from '../expression/index.js';
import { suggest } from '../pack/index.js';
import { defaultErrors } from './default-errors.js';
import type { ErrorFile, ErrorsFile } from './files.js';
import { inside, keyIn, type Diagnostics, type SourceLocation } from './diagnostics.js';
import { parseFields } from './parse-schema.js';
import { type SchemaContext } from './schema-context.js';
import type { Schema } from './schema.js';

/** Values of `request.key`: `token` for a key that the world issued, `anonymous` for calls without a key. */
export const TOKEN_KEY = 'token';
export const ANONYMOUS_KEY = 'anonymous';

/** The data of the current call that expressions read as `request`. */
export interface RequestInfo {
  readonly id: string | null;
  readonly idempotency_key: string | null;
  readonly method: string;
  readonly path: string;
  /** `collection.name` of the call's operation; null: none. */
  readonly operation: string | null;
  readonly version: string | null;
  /** Kind of the call's key: `token` if the world issued it, `anonymous` without a key; null: the world's own key. */
  readonly key: string | null;
  /** Id of the object that contains the call's key, if the world issued the key; null otherwise. */
  readonly token: string | null;
  /**
   * The declared headers of a call, by their names in the pack; headers with a common prefix are a map by the rest of their
   * names.
   */
  readonly headers: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** Cookies that the pack declares and that haven't expired, by its names for them. */
  readonly cookies: Readonly<Record<string, string>>;
  /** Parameters that the pack declares for all operations, by its names for them. */
  readonly params: JsonObject;
}

/** Returns the type of `request`. @param headers, cookies, params declared by the pack, by its names for them */
export function requestType(
  headers: Readonly<Record<string, string>>,
  cookies: Iterable<string>,
  params: Iterable<string>,
): Type {
  const read = Object.entries(headers).map(([name, header]): [string, Type] => [
    name,
    header.endsWith('*') ? mapType(STRING) : STRING,
  ]);
  const texts = (names: Iterable<string>): [string, Type][] => [...names].map((name) => [name, STRING]);
  return objectType(
    [
      ...texts(['id', 'idempotency_key', 'method', 'path', 'operation', 'version', 'key', 'token']),
      ['headers', objectType(read, 'request.headers')],
      ['cookies', objectType(texts(cookies), 'request.cookies')],
      [
        'params',
        objectType(
          [...params].map((name) => [name, ANY] as const),
          'request.params',
        ),
      ],
    ],
    'request',
  );
}

/** The `request` of commands without a call. */
export const NO_REQUEST: RequestInfo = {
  id: null,
  idempotency_key: null,
  method: '',
  path: '',
  operation: null,
  version: null,
  key: null,
  token: null,
  headers: {},
  cookies: {},
  params: {},
};

/** An error as the API sends it. `body` undefined: the response has no body. */
export interface RenderedError {
  readonly status: number;
  /** The error without its envelope, in the form in which the pack's steps may store it. */
  readonly error: Json;
  readonly body: Json | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** An error that errors.yaml declares, or a default one. */
export interface ErrorDef {
  readonly name: string;
  readonly place: SourceLocation;
  readonly args: ReadonlyMap<string, Schema>;
  /** Whether a call without a key that matches no operation gets this error, instead of the one for a missing key. */
  readonly open: boolean;
  render(host: Host, request: RequestInfo, args: JsonObject): RenderedError;
}

/**
 * Compiles errors.yaml, with defaults for the engine's errors. Each error is compiled when first rendered, or when `check`
 * compiles all.
 */
export function linkErrors(
  file: ErrorsFile,
  place: SourceLocation,
  context: SchemaContext,
  env: Environment,
): Map<string, ErrorDef & { check(): void }> {
  const errors = new Map<string, ErrorDef & { check(): void }>();
  const all = [...Object.entries(file.errors), ...defaultErrors(file)];
  const wrapped = wrappedType(all.map(([, error]) => error));
  for (const [name, own] of all) errors.set(name, linkError(name, own, file.envelope, wrapped, place, context, env));
  return errors;
}

/** Returns the expression type of an error in the common envelope: an object with every key that an error's body has. */
function wrappedType(errors: readonly ErrorFile[]): Type {
  const bodies = errors.flatMap(({ body, envelope }) => (envelope === undefined ? [body ?? {}] : []));
  const maps = bodies.filter(isObject);
  return maps.length < bodies.length
    ? ANY
    : objectType(maps.flatMap((body) => Object.keys(body)).map((key) => [key, ANY] as const));
}

function linkError(
  name: string,
  own: ErrorFile,
  common: Json | undefined,
  wrapped: Type,
  root: SourceLocation,
  context: SchemaContext,
  env: Environment,
): ErrorDef & { check(): void } {
  const place = inside(root, 'errors', name);
  const args = parseFields(own.args, inside(place, 'args'), context);
  for (const arg of args.keys())
    context.diagnostics.hides(inside(place, 'args', arg), arg, own.envelope ? ['error'] : []);
  let compiled: ReturnType<typeof compile> | undefined;
  const ready = () => (compiled ??= compile());

  function compile() {
    const { diagnostics } = context;
    const unit = new CodeUnit(`error ${name}`, place, env.texts);
    const scope = new Scope(unit);
    const request = scope.declare('request', env.request).js;
    if (!args.has('name')) scope.name('name', { ...fixed(name, unit), live: false });
    const given = [...args].map(([arg, schema]) => scope.declare(arg, schema.expr).js);
    const status = diagnostics.template(inside(place, 'status'), own.status, scope, env);
    if (status.type.kind !== 'number' && status.type.kind !== 'any')
      diagnostics.problem(inside(place, 'status'), 'wrong-type', 'the status of an error is a number');
    if (typeof own.status === 'number' && (own.status < 200 || own.status > 599))
      diagnostics.problem(inside(place, 'status'), 'invalid-value', 'the status of an error is 200 to 599');
    const body = diagnostics.template(inside(place, 'body'), own.body ?? {}, scope, env);
    const headers = diagnostics.template(inside(place, 'headers'), own.headers ?? {}, scope, env);
    const envelope = own.envelope === undefined ? common : own.envelope;
    const wrapScope = scope.child();
    const error = wrapScope.declare('error', own.envelope === undefined ? wrapped : body.type).js;
    const wrapPlace = own.envelope === undefined ? inside(root, 'envelope') : inside(place, 'envelope');
    const wrap =
      envelope === undefined || envelope === false
        ? error
        : diagnostics.template(wrapPlace, envelope, wrapScope, env).js;
    const code = unit.identifier('status');
    return unit.function<(host: Host, request: RequestInfo, ...args: Json[]) => ErrorParts>(
      ['x', request, ...given],
      [
        `const ${code} = ${status.js};`,
        `const ${error} = ${unit.refer(withoutNulls, 'withoutNulls')}(${body.js});`,
        `return { status: ${code}, error: ${error}, body: ${own.empty ? 'undefined' : wrap}, headers: ${headers.js} };`,
      ],
    );
  }

  return {
    name,
    place,
    args,
    open: own.open === true,
    check: () => void ready(),
    render: (host, info, given) => host.withRequestRandom(() => rendered(host, info, given)),
  };

  function rendered(host: Host, info: RequestInfo, given: JsonObject): RenderedError {
    const { status, headers, ...parts } = ready()(host, info, ...[...args.keys()].map((arg) => given[arg] ?? null));
    return { ...parts, status: isStatus(status) ? status : 500, headers: textValues(headers) };
  }
}

/** The evaluated parts of an error's template. */
interface ErrorParts extends Pick<RenderedError, 'error' | 'body'> {
  readonly status: Json;
  readonly headers: Json;
}

/** Whether a value is a valid status of an error. 2xx is valid, since RPC-style vendors return errors with status 200. */
function isStatus(value: Json): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599;
}

function withoutNulls(value: Json): Json {
  if (!isObject(value)) return value;
  const made: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) if (item !== null) made[key] = item;
  return made;
}

function textValues(value: Json): Record<string, string> {
  const made: Record<string, string> = {};
  if (isObject(value))
    for (const [key, item] of Object.entries(value)) if (item !== null) made[key] = headerText(String(item));
  return made;
}

/** Arguments of all errors for broken rules between parameters. */
const OF_RULES = ['param', 'value', 'other', 'other_value', 'object'];

/** An error that the engine raises: its arguments, and the broader error that replaces it in packs without it. */
interface EngineError {
  readonly args: readonly string[];
  readonly fallback?: string;
  /** Converts the error's arguments to those of the broader error; by default they are the same. */
  readonly instead?: (args: JsonObject) => JsonObject;
}

/** Defines an error that packs without it render with their error `fault`, which accepts any status. */
function asFault(status: number, code: string, message: (args: JsonObject) => string): Omit<EngineError, 'args'> {
  return {
    fallback: 'fault',
    instead: (args) => ({ status, code, type: null, message: message(args), error: { message: message(args) } }),
  };
}

/** All errors that the engine raises, by name. */
export const ENGINE_ERRORS: Readonly<Record<string, EngineError>> = {
  api_key_missing: { args: [] },
  api_key_invalid: { args: ['key'] },
  key_not_allowed: { args: ['key'], fallback: 'api_key_invalid' },
  call_embedded: { args: [], fallback: 'api_key_missing' },
  token_expired: { args: ['key'], fallback: 'api_key_invalid' },
  scope_missing: { args: ['scopes', 'key'], fallback: 'key_not_allowed' },
  tenant_unknown: { args: ['tenant', 'key'], fallback: 'api_key_invalid' },
  tenant_siblings: { args: ['tenant', 'key'], fallback: 'tenant_unknown' },
  unknown_route: { args: ['method', 'path'] },
  method_not_allowed: { args: ['method', 'path'], fallback: 'unknown_route' },
  operation_unknown: { args: ['method', 'path', 'given'], fallback: 'unknown_route' },
  not_found: { args: ['resource', 'title', 'id', 'param'] },
  moved: { args: ['resource', 'title', 'id', 'param', 'to', 'path'], fallback: 'not_found' },
  parameter_missing: { args: ['param'], fallback: 'parameter_invalid' },
  parameter_unknown: { args: ['param', 'suggestion'], fallback: 'parameter_invalid' },
  parameter_invalid: { args: ['param', 'kind', 'value', 'limit', 'values', 'format'] },
  ...Object.fromEntries(
    ['integer', 'number', 'boolean', 'string', 'array', 'object', 'timestamp', 'enum', 'format'].map((kind) => [
      `parameter_invalid_${kind}`,
      { args: ['param', 'value', 'values', 'format', 'limit', 'kind'], fallback: 'parameter_invalid' },
    ]),
  ),
  parameter_invalid_json_schema: { args: ['param', 'value', 'kind', 'reason'], fallback: 'parameter_invalid' },
  ...Object.fromEntries(
    ['empty', 'too_long', 'too_many', 'below_minimum', 'above_maximum'].map((kind) => [
      `parameter_${kind}`,
      { args: ['param', 'value', 'limit', 'kind'], fallback: 'parameter_invalid' },
    ]),
  ),
  parameters_not_ascending: { args: OF_RULES, fallback: 'parameter_invalid' },
  parameter_not_unique: { args: OF_RULES, fallback: 'parameter_invalid' },
  parameter_invalid_step: { args: ['param', 'value', 'limit', 'kind'], fallback: 'parameter_invalid' },
  parameter_out_of_range: { args: ['param', 'reason'], fallback: 'parameter_invalid' },
  parameters_exclusive: { args: ['first', 'second', 'params', ...OF_RULES], fallback: 'parameter_invalid' },
  parameters_missing: { args: ['params', ...OF_RULES], fallback: 'parameter_missing' },
  parameter_needed: { args: OF_RULES, fallback: 'parameter_missing' },
  parameter_only_with: { args: ['values', ...OF_RULES], fallback: 'parameter_invalid' },
  parameter_not_with: { args: OF_RULES, fallback: 'parameter_invalid' },
  validation_failed: { args: ['problems'], fallback: 'parameter_invalid' },
  body_malformed: { args: ['reason'] },
  body_too_large: {
    args: ['limit'],
    ...asFault(413, 'body_too_large', ({ limit }) => `The request body is larger than ${String(limit)} bytes.`),
  },
  response_too_large: { args: ['limit', 'reason'], fallback: 'body_malformed' },
  content_type_unsupported: { args: ['content_type', 'expected'], fallback: 'body_malformed' },
  not_acceptable: { args: ['accept', 'expected'], fallback: 'body_malformed' },
  expand_invalid: { args: ['path', 'reason'], fallback: 'parameter_invalid' },
  expand_too_deep: { args: ['path', 'limit'], fallback: 'parameter_invalid' },
  cursor_not_found: { args: ['param', 'id', 'title'], fallback: 'not_found' },
  cursors_exclusive: { args: [], fallback: 'parameter_invalid' },
  search_query_invalid: { args: ['reason'], fallback: 'parameter_invalid' },
  idempotency_mismatch: { args: ['key'], fallback: 'body_malformed' },
  idempotency_other_route: { args: ['key', 'method', 'path'], fallback: 'idempotency_mismatch' },
  idempotency_in_flight: { args: ['key'], fallback: 'idempotency_mismatch' },
  idempotency_key_too_long: { args: ['limit'], fallback: 'body_malformed' },
  version_invalid: { args: ['version'], fallback: 'body_malformed' },
  unrecognized_test_value: { args: ['value', 'param'], fallback: 'parameter_invalid' },
  id_taken: { args: ['id', 'title', 'resource', 'param', 'value'], fallback: 'parameter_invalid' },
  id_invalid: { args: ['id', 'title', 'resource', 'param', 'value'], fallback: 'parameter_invalid' },
  still_referenced: { args: ['id', 'title', 'resource', 'by', 'by_title', 'by_id'], fallback: 'parameter_invalid' },
  precondition_failed: {
    args: ['id', 'title'],
    ...asFault(412, 'precondition_failed', () => 'A precondition of the request does not hold.'),
  },
  precondition_required: {
    args: ['id', 'title'],
    ...asFault(428, 'precondition_required', () => 'The request needs a precondition.'),
  },
  range_not_satisfiable: {
    args: ['size'],
    ...asFault(416, 'range_not_satisfiable', ({ size }) => `The range is not within ${String(size)} bytes.`),
  },
  unsupported: { args: ['kind', 'name', 'param', 'value'], fallback: 'parameter_invalid' },
  wrong_state: { args: ['action', 'status', 'title', 'id'] },
  fault: { args: ['status', 'code', 'type', 'message', 'error'] },
  internal_error: { args: ['request_id'] },
};

/** Finds the pack's error for an engine error, or for the broader one that replaces it. @throws Error without either */
export function engineError(errors: ReadonlyMap<string, ErrorDef>, name: string): ErrorDef {
  const found = errors.get(name);
  if (found) return found;
  const { fallback, instead }: Partial<EngineError> = ENGINE_ERRORS[name] ?? {};
  if (fallback === undefined) throw new Error(`the pack has no error '${name}'`);
  const broader = engineError(errors, fallback);
  if (instead === undefined) return broader;
  return { ...broader, render: (host, request, args) => broader.render(host, request, instead(args)) };
}

/**
 * Reports misspelt names of engine errors, and arguments that the engine never passes.
 * @param own the errors of the pack's file
 */
export function checkEngineErrors(
  errors: ReadonlyMap<string, ErrorDef>,
  own: ErrorsFile['errors'],
  root: SourceLocation,
  diagnostics: Diagnostics,
): void {
  const strange = Object.keys(own).filter((each) => !Object.hasOwn(ENGINE_ERRORS, each));
  for (const [name, { args, fallback }] of Object.entries(ENGINE_ERRORS)) {
    const found = Object.hasOwn(own, name) ? errors.get(name) : undefined;
    if (found === undefined && fallback === undefined) {
      // A name that the engine never raises may be the misspelt name of an engine error.
      const near = strange.find((each) => suggest(each, [name]) !== undefined);
      if (near !== undefined)
        diagnostics.problem(
          keyIn(root, 'errors', near),
          'missing-error',
          `the engine raises '${name}', which is not in the catalogue; is it '${near}'?`,
          { suggestion: name },
        );
    }
    for (const arg of found?.args.keys() ?? []) {
      diagnostics.known(keyIn(root, 'errors', name, 'args', arg), 'argument', arg, args);
    }
  }
}
