import {
  type Diagnostics,
  glob,
  inside,
  keyIn,
  type OperationFile,
  parseSchema,
  type SourceLocation,
  type Schema,
  type TypeFile,
} from '../model/index.js';
import type { OperationRoute, WholeBody } from '../program/index.js';
import { sizeBytes } from '../values/index.js';
import type { Compiler } from './context.js';

type WholeType = WholeBody['type'];

/** How each kind of body is parsed, and its default content types; the first is used for sending. */
const TYPES: Readonly<
  Record<
    WholeType,
    { readonly schema: TypeFile; readonly kinds: readonly string[]; readonly accept: readonly string[] }
  >
> = {
  bytes: {
    schema: { type: 'object', required: true, fields: { type: 'string', size: 'integer', base64: 'string' } },
    kinds: ['object', 'map', 'any'],
    accept: ['*'],
  },
  text: {
    schema: { type: 'string', required: true },
    kinds: ['string', 'enum', 'any'],
    accept: ['text/plain', 'text/*'],
  },
  lines: {
    schema: { type: 'array', required: true, items: 'any' },
    kinds: ['array', 'any'],
    accept: [
      'application/x-ndjson',
      'application/jsonl',
      'application/x-jsonlines',
      'application/json-lines',
      'text/*',
    ],
  },
  list: {
    schema: { type: 'array', required: true, items: 'any' },
    kinds: ['array', 'any'],
    accept: ['application/json', 'application/*+json'],
  },
};

/** Bodies with a chunked framing of their own may have trailers. */
function withTrailers(schema: TypeFile): TypeFile {
  if (typeof schema === 'string') return schema;
  return { ...schema, fields: { ...schema.fields, trailers: 'map' } };
}

/** Reads `body` of an operation; null if its body is a map of parameters. */
export function linkWholeBody(
  { body }: OperationFile,
  routes: readonly OperationRoute[],
  place: SourceLocation,
  { diagnostics }: Compiler,
): WholeBody | null {
  if (body === undefined) return null;
  const at = inside(place, 'body');
  const { as, type } = body;
  requireBody(routes, at, diagnostics);
  if (routes.some(({ names }) => names.includes(as)))
    diagnostics.problem(inside(at, 'as'), 'duplicate-parameter', `'${as}' is part of the route already`);
  const accept = body.accept ?? TYPES[type].accept;
  if (body.framed !== undefined && type !== 'bytes')
    diagnostics.problem(keyIn(at, 'framed'), 'key-not-read', 'only a body of bytes comes in chunks of its own');
  return { as, type, accepts: accept.map(glob), framed: body.framed ?? null, contentType: accept[0] };
}

/** The size limit of an operation's body, in bytes. */
export function linkMaxBody(
  { max_body: size }: OperationFile,
  routes: readonly OperationRoute[],
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): number {
  if (size === undefined) return model.settings.maxBodyBytes;
  requireBody(routes, inside(place, 'max_body'), diagnostics);
  return sizeBytes(size);
}

function requireBody(routes: readonly OperationRoute[], at: SourceLocation, diagnostics: Diagnostics): void {
  if (routes.every(({ method }) => method === 'GET'))
    diagnostics.problem(keyIn(at), 'key-not-read', 'a GET has no body');
}

/** The type of the parameter that receives the body, with the pack's description. */
export function schemaOfBody(
  { body }: OperationFile,
  params: ReadonlyMap<string, Schema>,
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): readonly (readonly [string, Schema])[] {
  if (body === undefined) return [];
  const { schema, kinds } = TYPES[body.type];
  const own = params.get(body.as);
  if (own === undefined) {
    const whole = body.framed === undefined ? schema : withTrailers(schema);
    return [[body.as, parseSchema(whole, inside(place, 'body'), model.context)]];
  }
  if (!kinds.includes(own.kind))
    diagnostics.problem(
      own.place,
      'wrong-type',
      `the body is ${body.type}, which no parameter of type ${own.kind} takes`,
    );
  return [];
}
