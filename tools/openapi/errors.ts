import { documentBody, type Document, listOr, METHODS, type Node, objectOr } from './document.js';
import { plain, schemaTypeName } from './types.js';

/** An error of the engine: its name, its usual status, and what it says. */
const ERRORS: readonly {
  readonly name: string;
  readonly status: number;
  readonly args: Readonly<Record<string, string>>;
  readonly message: string;
  readonly title: string;
}[] = [
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

/** An error with the document's code for it, where it has one. */
type NamedError = (typeof ERRORS)[number] & { readonly code?: string };

/** How vendors call what the engine raises. */
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

/** What was found out about the vendor's errors. */
interface ErrorsBuilt {
  readonly file: Record<string, unknown>;
  readonly notes: readonly string[];
}

/** Builds errors.yaml after the shape that most errors of the document have. */
export function buildErrors(document: Document): ErrorsBuilt {
  const schemas = errorSchemas(document);
  const notes: string[] = [];
  const shape = schemas.length === 0 ? undefined : commonest(document, schemas);
  if (!shape) notes.push('errors: the document shows no body of an error; errors.yaml has a plain one');
  const { schema } = plain(document, shape?.schema ?? PLAIN);
  const properties = Object.entries(objectOr(schema['properties']));
  const [only] = properties;
  const inner = only === undefined ? {} : objectOr(plain(document, only[1]).schema['properties']);
  const wrapped = properties.length === 1 && Object.keys(inner).length > 0;
  const members = wrapped ? inner : objectOr(schema['properties']);
  const invalid = shape && shape.statuses.has(422) && !shape.statuses.has(400) ? 422 : 400;
  const errors: Record<string, unknown> = {};
  // A vendor that says `ok: false` and documents no status of errors says it with 200.
  const isQuiet =
    shape !== undefined &&
    [...shape.statuses].every((status) => status === 0) &&
    Object.values(members).some((each) => {
      const { schema: inner } = plain(document, each);
      return inner['const'] === false || (listOr(inner['enum']).length === 1 && listOr(inner['enum'])[0] === false);
    });
  const codes = codesOf(document, schemas);
  for (const error of ERRORS) {
    const status = isQuiet ? 200 : error.status === 400 ? invalid : error.status;
    errors[error.name] = {
      status,
      ...(Object.keys(error.args).length > 0 ? { args: error.args } : {}),
      body: bodyFor(document, members, { ...error, status, code: calledIn(codes, error.name) }),
    };
  }
  const faulty = bodyFor(document, members, {
    name: 'unavailable',
    status: 503,
    args: {},
    title: 'Service Unavailable',
    message: 'Try again later.',
  });
  errors['fault'] = {
    status: '${status}',
    args: { status: 'integer', error: 'map' },
    body: `\${merge(${literal(faulty)}, error)}`,
  };
  const unnamed = ERRORS.filter(({ name }) => calledIn(codes, name) === undefined).map(({ name }) => name);
  if (shape)
    notes.push(
      codes.size === 0
        ? "errors: the codes are the sandbox's own names; replace them by the vendor's"
        : `errors: ${ERRORS.length - unnamed.length} have codes of the document; it lists ${codes.size} (${[...codes].slice(0, 12).join(', ')}); not named: ${unnamed.join(', ')}`,
    );
  return { file: { ...(wrapped && only ? { envelope: { [only[0]]: '${error}' } } : {}), errors }, notes };
}

/** The values that the document lists for codes of errors, in all its responses. */
function codesOf(document: Document, schemas: readonly { readonly schema: unknown }[]): ReadonlySet<string> {
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
  for (const { schema } of schemas) look(schema, 0);
  return codes;
}

/** The code that the document has for an error of the engine. */
function calledIn(codes: ReadonlySet<string>, name: string): string | undefined {
  return [...codes].find((code) => CALLED[name]?.test(code));
}

/** Names of members that hold the code of an error. */
const CODE = /^(?:type|code|error|name|kind|error_?code)$/i;

const PLAIN: Node = { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } };

interface Shape {
  readonly schema: unknown;
  readonly count: number;
  readonly statuses: ReadonlySet<number>;
}

function errorSchemas(document: Document): { readonly status: number; readonly schema: unknown }[] {
  return Object.values(objectOr(document.root['paths'])).flatMap((item) =>
    METHODS.flatMap((method) =>
      Object.entries(objectOr(objectOr(document.at(item)[method])['responses'])).flatMap(([status, response]) => {
        if (!/^(?:[45]|default)/.test(status)) return [];
        const body = documentBody(document, response);
        return body && schemaTypeName(plain(document, body.schema).schema) === 'object'
          ? [{ status: Number(status) || 0, schema: body.schema }]
          : [];
      }),
    ),
  );
}

function commonest(document: Document, found: readonly { readonly status: number; readonly schema: unknown }[]): Shape {
  const shapes = new Map<string, { schema: unknown; count: number }>();
  for (const { schema } of found) {
    const key = Object.keys(objectOr(plain(document, schema).schema['properties'])).join(' ');
    const known = shapes.get(key);
    if (known) known.count++;
    else shapes.set(key, { schema, count: 1 });
  }
  const [first] = [...shapes.values()].sort((a, b) => b.count - a.count);
  return { ...first, statuses: new Set(found.map(({ status }) => status)) };
}

function bodyFor(document: Document, properties: Node, error: NamedError): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(properties)) {
    const { schema } = plain(document, each);
    const value = valueFor(name, schema, error);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

function valueFor(name: string, schema: Node, error: NamedError): unknown {
  const type = schemaTypeName(schema);
  const values = listOr('const' in schema ? [schema['const']] : schema['enum']);
  if (values.length > 0)
    return error.code !== undefined && values.includes(error.code) ? error.code : nearestValue(values, error);
  if (type === 'integer' || type === 'number') return /status|code/i.test(name) ? error.status : undefined;
  if (type !== 'string') return undefined;
  if (/message|detail|description|reason/i.test(name)) return error.message;
  if (/^title$/i.test(name)) return error.title;
  if (CODE.test(name))
    return schema['format'] === 'uri' || schema['format'] === 'uri-reference'
      ? 'about:blank'
      : (error.code ?? error.name);
  if (/param|field|pointer|property/i.test(name)) return 'param' in error.args ? '${param}' : undefined;
  return undefined;
}

/** The value of an enum that sounds most like the error. */
function nearestValue(values: readonly unknown[], { name, title }: (typeof ERRORS)[number]): unknown {
  const words = `${name} ${title}`.toLowerCase().split(/[^a-z]+/);
  const score = (value: unknown): number =>
    String(value)
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => words.includes(word)).length;
  return [...values].sort((a, b) => score(b) - score(a))[0];
}

/** A map of constants as an expression. */
function literal(value: Record<string, unknown>): string {
  const entries = Object.entries(value).map(
    ([key, each]) => `'${key}': ${typeof each === 'string' ? `'${each.replaceAll("'", '')}'` : JSON.stringify(each)}`,
  );
  return `{${entries.join(', ')}}`;
}
