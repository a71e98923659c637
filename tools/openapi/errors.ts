import type { ClientNames } from './again/client-names.js';
import { type Document, listOr, METHODS, objectOr } from './document.js';
import { type BodyError, CODE, errorBody, otherBodies } from './error-bodies.js';
import { type DocumentedErrors, errorsIn } from './error-schemas.js';
import { plain } from './types.js';
import type { Sampler } from './sample.js';

/** The engine's errors, with their usual statuses and messages. */
const ERRORS: readonly BodyError[] = [
  { name: 'api_key_missing', status: 401, args: {}, title: 'Unauthorized', message: 'No API key was sent.' },
  {
    name: 'api_key_invalid',
    status: 401,
    args: { key: 'string' },
    title: 'Unauthorized',
    message: 'The API key ${mask(key)} is not valid.',
  },
  {
    name: 'unknown_route',
    status: 404,
    args: { method: 'string', path: 'string' },
    title: 'Not Found',
    message: 'There is no ${method} ${path}.',
  },
  {
    name: 'not_found',
    status: 404,
    args: { title: 'string', id: 'string', param: 'string?' },
    title: 'Not Found',
    message: 'There is no ${title} ${id}.',
  },
  {
    name: 'parameter_missing',
    status: 400,
    args: { param: 'string' },
    title: 'Bad Request',
    message: '${param} is required.',
  },
  {
    name: 'parameter_unknown',
    status: 400,
    args: { param: 'string' },
    title: 'Bad Request',
    message: '${param} is not a parameter.',
  },
  {
    name: 'parameter_invalid',
    status: 400,
    args: { param: 'string', kind: 'string?' },
    title: 'Bad Request',
    message: '${param} is invalid.',
  },
  {
    name: 'body_malformed',
    status: 400,
    args: { reason: 'string?' },
    title: 'Bad Request',
    message: 'The body cannot be read.',
  },
  {
    name: 'wrong_state',
    status: 409,
    args: { action: 'string', status: 'string', title: 'string' },
    title: 'Conflict',
    message: '${action} is not possible for a ${title} that is ${status}.',
  },
  { name: 'internal_error', status: 500, args: {}, title: 'Internal Server Error', message: 'Something went wrong.' },
];

/** The error for a token without the scopes that a call needs. */
const SCOPE_MISSING: BodyError = {
  name: 'scope_missing',
  status: 403,
  args: {},
  title: 'Forbidden',
  message: 'The token lacks a scope.',
};

/** Matches vendors' codes for the engine's errors. */
const CALLED: Readonly<Record<string, RegExp>> = {
  api_key_missing:
    /^(?:not_authed|unauthenticated|not_authenticated|authentication_required|missing_(?:api_)?(?:key|token))$/i,
  api_key_invalid: /^(?:invalid_auth|invalid_(?:api_)?(?:keys?|token|credentials)|unauthori[sz]ed)$/i,
  not_found: /^(?:not_found|resource_not_found|resource_missing|no_such_resource)$/i,
  parameter_missing:
    /^(?:(?:missing_)?required_(?:param|parameter|field|argument)s?|missing_(?:param|parameter|field|argument)s?|(?:param|parameter)_missing)$/i,
  parameter_unknown: /^unknown_(?:param|parameter|field|argument)s?$/i,
  parameter_invalid:
    /^(?:invalid_(?:param|parameter|field|argument|value|request|input)s?|invalid_arg_name|validation_(?:error|failed))$/i,
  body_malformed: /^(?:invalid_(?:json|body)|malformed_(?:json|body)|json_invalid|bad_request)$/i,
  wrong_state: /^(?:conflict|invalid_state|wrong_state)$/i,
  internal_error: /^(?:internal_(?:server_)?error|server_error|fatal_error)$/i,
};

/** An error body that some operations return instead of the usual one. */
interface Choice {
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** errors.yaml, and notes on it. */
interface ErrorsBuilt {
  readonly file: Record<string, unknown>;
  readonly notes: readonly string[];
}

/**
 * Builds errors.yaml: each error in the document's format for its status, else in its most common format.
 * @param more whether tokens may lack scopes, and error codes of the client library for documents without any
 * @param operations keys of the pack's operations by method and path
 */
export function buildErrors(
  document: Document,
  sampler: Sampler,
  operations: ReadonlyMap<string, string> = new Map(),
  { hasScopes, client }: { readonly hasScopes: boolean; readonly client?: ClientNames } = { hasScopes: false },
): ErrorsBuilt {
  const documented = errorsIn(document);
  const notes: string[] = [];
  if (documented.all.length === 0)
    notes.push('errors: the document shows no body of an error; errors.yaml has a plain one');
  // A vendor that returns `ok: false` and documents no error status uses 200 for errors.
  const isQuiet =
    documented.all.length > 0 && documented.all.every(({ status }) => status === 0) && saysFalse(document, documented);
  const own = codesOf(document, documented);
  const codes = own.size > 0 ? own : (client?.codes ?? own);
  const bodies: Record<string, unknown> = {};
  const errors: Record<string, Record<string, unknown>> = {};
  const choices = new Map<string, Choice[]>();
  for (const error of hasScopes ? [...ERRORS, SCOPE_MISSING] : ERRORS) {
    const status = isQuiet ? 200 : statusOf(document, error);
    const code = calledIn(codes, error.name);
    const whole = { ...error, status, ...(code === undefined ? {} : { code }) };
    bodies[error.name] = errorBody(document, sampler, documented, whole);
    const choice = (calls: readonly string[], value: unknown): Choice[] => {
      const keys = [...new Set(calls.flatMap((each) => operations.get(each) ?? []))].sort();
      return keys.length === 0 || JSON.stringify(value) === JSON.stringify(bodies[error.name]) ? [] : [{ keys, value }];
    };
    const other = isQuiet ? undefined : otherStatus(document, error, status);
    const found = [
      ...otherBodies(document, sampler, documented, whole, bodies[error.name]),
      ...(other === undefined
        ? []
        : otherBodies(document, sampler, documented, { ...whole, status: other.status }, bodies[error.name])),
    ].flatMap(({ calls, body }) => choice(calls, body));
    if (found.length > 0) choices.set(error.name, found);
    const [others] = other === undefined ? [] : choice(other.calls, other.status);
    errors[error.name] = {
      status:
        others === undefined
          ? status
          : `\${request.operation in ${literal(others.keys)} ? ${String(others.value)} : ${status}}`,
      ...(Object.keys(error.args).length > 0 ? { args: error.args } : {}),
    };
  }
  const faulty = errorBody(document, sampler, documented, {
    name: 'unavailable',
    status: 503,
    args: {},
    title: 'Service Unavailable',
    message: 'Try again later.',
  });
  const alternatives = [...choices.values()].flatMap((each) => each.map(({ value }) => value));
  const wrapper = commonKey([...Object.values(bodies), ...alternatives, faulty]);
  const inner = (body: unknown): unknown => (wrapper === undefined ? body : objectOr(body)[wrapper]);
  for (const [name, body] of Object.entries(bodies)) {
    const own = choices.get(name) ?? [];
    errors[name]['body'] =
      own.length === 0
        ? inner(body)
        : `\${${own.map(({ keys, value }) => `request.operation in ${literal(keys)} ? ${literal(inner(value))} : `).join('')}${literal(inner(body))}}`;
  }
  errors['fault'] = {
    status: '${status}',
    args: { status: 'integer', error: 'map' },
    body: Array.isArray(inner(faulty)) ? inner(faulty) : `\${merge(${literal(inner(faulty))}, error)}`,
  };
  const unnamed = ERRORS.filter(({ name }) => calledIn(codes, name) === undefined).map(({ name }) => name);
  if (documented.all.length > 0 && codes.size > 0)
    notes.push(
      `errors: ${ERRORS.length - unnamed.length} have codes of the document; it lists ${codes.size} (${[...codes].slice(0, 12).join(', ')}); not named: ${unnamed.join(', ')}`,
    );
  return { file: { ...(wrapper === undefined ? {} : { envelope: { [wrapper]: '${error}' } }), errors }, notes };
}

/** The only key at the top of all bodies, if they share one. */
function commonKey(bodies: readonly unknown[]): string | undefined {
  const [first] = Object.keys(objectOr(bodies[0]));
  const wraps = (body: unknown): boolean => {
    const entries = Object.entries(objectOr(body));
    return entries.length === 1 && entries[0][0] === first && Object.keys(objectOr(entries[0][1])).length > 0;
  };
  return first !== undefined && bodies.every(wraps) ? first : undefined;
}

/** Statuses that vendors use interchangeably, the engine's first. */
const SAME: readonly (readonly number[])[] = [
  [400, 422],
  [401, 403],
];

/** The status of an error: of the interchangeable ones, the one that most operations document. */
function statusOf(document: Document, { status }: BodyError): number {
  const same = SAME.find(([first]) => first === status) ?? [status];
  const counts = same.map((each) => {
    const operations = Object.values(objectOr(document.root['paths'])).flatMap((item) =>
      METHODS.map((method) => objectOr(document.at(item)[method])).filter(
        (operation) => status !== 400 || 'requestBody' in operation,
      ),
    );
    return operations.filter((operation) => each in objectOr(operation['responses'])).length;
  });
  return same[counts.indexOf(Math.max(...counts))];
}

/** Operations that document another of the interchangeable statuses instead of the usual one. */
function otherStatus(
  document: Document,
  { status }: BodyError,
  usual: number,
): { readonly status: number; readonly calls: readonly string[] } | undefined {
  const other = SAME.find(([first]) => first === status)?.find((each) => each !== usual);
  if (other === undefined) return undefined;
  const calls = Object.entries(objectOr(document.root['paths'])).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const responses = objectOr(objectOr(document.at(item)[method])['responses']);
      return other in responses && !(usual in responses) ? [`${method} ${path}`] : [];
    }),
  );
  return { status: other, calls };
}

function saysFalse(document: Document, { shapes }: DocumentedErrors): boolean {
  return shapes.some(({ schema }) =>
    Object.values(objectOr(plain(document, schema).schema['properties'])).some((each) => {
      const { schema: inner } = plain(document, each);
      return inner['const'] === false || (listOr(inner['enum']).length === 1 && listOr(inner['enum'])[0] === false);
    }),
  );
}

/** Collects the values that the document lists for error codes, in all responses. */
function codesOf(document: Document, { all }: DocumentedErrors): ReadonlySet<string> {
  const codes = new Set<string>();
  const look = (given: unknown, depth: number): void => {
    const { schema } = plain(document, given);
    for (const [name, each] of Object.entries(objectOr(schema['properties']))) {
      const { schema: inner } = plain(document, each);
      const values = 'const' in inner ? [inner['const']] : listOr(inner['enum']);
      if (CODE.test(name)) for (const value of values) if (typeof value === 'string') codes.add(value);
      if (depth < 2) look(each, depth + 1);
    }
  };
  for (const schema of new Set(all.map((each) => each.schema))) look(schema, 0);
  return codes;
}

/** The document's code for an error of the engine. */
function calledIn(codes: ReadonlySet<string>, name: string): string | undefined {
  return [...codes].find((code) => CALLED[name]?.test(code));
}

/** Writes a value with templates as an expression. */
function literal(value: unknown): string {
  if (typeof value === 'string') {
    const parts = value.split(/\$\{([^}]*)\}/).map((each, index) => (index % 2 === 1 ? each : quoted(each)));
    const said = parts.filter((each) => each !== "''");
    return said.length === 0 ? "''" : said.join(' + ');
  }
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `'${key}': ${literal(each)}`)
    .join(', ')}}`;
}

const quoted = (text: string): string => `'${text.replaceAll(/['\\$]/g, '')}'`;
