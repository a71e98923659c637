import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import type { Build } from './build.js';
import type { DocumentedCall } from './contract.js';
import { type Document, isJson, listOr, objectOr, successOf, textOr } from './document.js';
import { escapedTemplate } from './fields.js';
import { STATE_FIELDS, stateAtEnd } from './machine.js';
import { isIdentifier } from './names.js';
import { BESIDE, shownObject } from './shapes.js';
import { withTimes } from './times.js';
import { type Field, plain } from './types.js';
import { alternatives } from './unions.js';

/** Maximum number of members of a small object. */
const FEW = 6;

/** Keys of an operation that describe its response. */
type ResponseKeys = Readonly<Record<string, unknown>>;

/** `status` of an operation, unless it is 200. */
export function statusOf(build: Build, call: DocumentedCall): ResponseKeys {
  const status = successOf(build.document, call.operation)?.status ?? 200;
  return status === 200 ? {} : { status };
}

/** The constant response of a stub: the documented example, or a value that its schema accepts. */
export function stubResponse(build: Build, call: DocumentedCall, notes: string[]): ResponseKeys {
  const success = successOf(build.document, call.operation);
  const status = statusOf(build, call);
  const headers = headersOf(build, success?.response);
  const body = success?.body;
  if (success === undefined || body === undefined || [204, 205, 304].includes(success.status)) {
    const [shown] = success?.status === 200 ? build.examplesOf(call) : [];
    return { ...status, ...headers, return: escapedTemplate(shown?.response ?? {}) };
  }
  if (!isJson(body.type)) return { ...status, ...headers, content: contentOf(body.type, body.examples[0]) };
  const shown = shownFor(build, call, body.examples);
  const sample = done(build, body.schema, build.sampler.of(body.schema, shown), success.status, shown);
  if (sample === undefined)
    notes.push(`${call.method.toUpperCase()} ${call.path}: no response was found that the document accepts`);
  return {
    ...status,
    ...typed(body.type, headers),
    return: withTimes(escapedTemplate(fuller(build, body.schema, sample ?? {}))),
  };
}

/** Sets the state in a stub's response to the state of success, unless the document shows another. Calls that return 202 are excluded. */
function done(
  { document, sampler }: Build,
  schema: unknown,
  sample: Json | undefined,
  status: number,
  shown: readonly unknown[],
): Json | undefined {
  const properties = objectOr(plain(document, schema).schema['properties']);
  const field = STATE_FIELDS.find((each) => listOr(plain(document, properties[each]).schema['enum']).length > 0);
  if (field === undefined || status === 202 || shown.some((each) => field in objectOr(each))) return sample;
  const well = stateAtEnd(listOr(plain(document, properties[field]).schema['enum']).map(String));
  const made = { ...(objectOr(sample) as JsonObject), ...(well === undefined ? {} : { [field]: well }) };
  return isObject(sample ?? null) && sampler.accepts(schema, made) ? made : sample;
}

/** Adds all optional members to a small object without required members, since clients read them without checking. */
function fuller({ document, sampler }: Build, schema: unknown, sample: Json): Json {
  const own = plain(document, schema).schema;
  const properties = Object.entries(objectOr(own['properties']));
  if (Array.isArray(sample) || listOr(own['required']).length > 0 || properties.length > FEW) return sample;
  const more = properties.flatMap(([name, property]) => {
    const made = sampler.accepts(property, []) ? [] : sampler.of(property);
    return name in objectOr(sample) || made === undefined || BESIDE.test(name) ? [] : [[name, made] as const];
  });
  const whole = { ...(objectOr(sample) as JsonObject), ...Object.fromEntries(more) };
  return sampler.accepts(schema, whole) ? whole : sample;
}

/** All examples of a response. */
function shownFor(build: Build, call: DocumentedCall, examples: readonly unknown[]): readonly unknown[] {
  return [...build.examplesOf(call).map(({ response }) => response), ...examples];
}

/** Adds the Content-Type if it is a vendor's own JSON media type. */
function typed(type: string, written: { readonly headers?: Record<string, string> }): ResponseKeys {
  if (/^application\/json\b/.test(type) || type === '*/*') return written;
  return { headers: { ...written.headers, 'Content-Type': type } };
}

/** Headers that the sandbox computes itself. */
const COMPUTED = /^(?:content-(?:type|length|encoding)|date|etag|link|connection|transfer-encoding|vary)$/i;

/** Response headers with documented values, and `Location` of a redirect. */
function headersOf({ document }: Build, response: unknown): { readonly headers?: Record<string, string> } {
  const headers: Record<string, string> = {};
  for (const [name, given] of Object.entries(objectOr(document.at(response)['headers']))) {
    const shown = /^location$/i.test(name) ? '${base_url}${request.path}' : shownHeader(document, given);
    if (shown !== undefined && !COMPUTED.test(name) && /^[\w-]+$/.test(name)) headers[name] = shown;
  }
  return Object.keys(headers).length > 0 ? { headers } : {};
}

/** The value of a header: its example, default or only enum value. */
function shownHeader(document: Document, given: unknown): string | undefined {
  const header = document.at(given);
  const { schema } = plain(document, header['schema']);
  const named = Object.values(objectOr(header['examples'])).map((each) => document.at(each)['value']);
  const values = listOr(schema['enum']);
  const found = [
    header['example'],
    ...named,
    schema['example'],
    ...listOr(schema['examples']),
    schema['const'],
    schema['default'],
    values.length === 1 ? values[0] : undefined,
  ].find((each) => ['string', 'number', 'boolean'].includes(typeof each));
  const text = found === undefined ? '' : String(found);
  return /^[\x20-\x7e]+$/.test(text) ? String(escapedTemplate(text)) : undefined;
}

function contentOf(type: string, example: unknown): ResponseKeys {
  if (/^(?:text\/|application\/(?:xml|x-yaml|yaml|javascript|x-ndjson|scim))|[+]xml$/.test(type))
    return { type, text: escapedTemplate(textOr(example)) };
  return { type: type.includes('*') ? 'application/octet-stream' : type, base64: '' };
}

/**
 * The create response, if the document shows fewer members in it than elsewhere, or secrets; undefined if it shows the whole object.
 * @param once members that only the create response contains
 */
export function createdResponse(
  build: Build,
  call: DocumentedCall,
  whole: Readonly<Record<string, Json>>,
  once: ReadonlyMap<string, { readonly sample: Json }>,
  names: readonly string[],
): ResponseKeys | undefined {
  const { document, sampler } = build;
  const success = successOf(document, call.operation);
  const body = success?.body;
  const shape = body && isJson(body.type) ? shownObject(document, body.schema, names) : undefined;
  if (success === undefined || body === undefined || shape === undefined) return undefined;
  const members = Object.keys(objectOr(shape.schema['properties'])).filter((name) => isIdentifier(name));
  const own = members.filter((name) => name in whole || once.has(name));
  const secrets = own.filter((name) => once.has(name));
  if (own.length === 0 || (secrets.length === 0 && own.length * 2 > Object.keys(whole).length)) return undefined;
  const wrap = (value: unknown): unknown => wrapped(shape, value);
  const isStored = (name: string): boolean => once.has(name) || (name === 'id' && typeof whole['id'] === 'string');
  const shows = (name: string): string => (isStored(name) ? `\${self.${name}}` : `\${rest(self).${name}}`);
  const sample = Object.fromEntries(own.map((name) => [name, once.get(name)?.sample ?? whole[name]]));
  if (!sampler.accepts(body.schema, wrap(sample))) return undefined;
  const made = Object.fromEntries(own.map((name) => [name, shows(name)]));
  return {
    ...statusOf(build, call),
    ...typed(body.type, headersOf(build, success.response)),
    return: wrap(made),
  };
}

/** Wraps an object as in the response: as the only item of a list, under a key, with other members beside it. */
function wrapped(
  { key, isList }: { readonly key: string | undefined; readonly isList?: true },
  value: unknown,
  more: object = {},
): unknown {
  const held = isList === true ? [value] : value;
  return key === undefined ? held : { ...more, [key]: held };
}

/** Members beside the object in a response, such as `secret` in `{"key": {...}, "secret": {...}}`. Omits those about the call, such as errors. */
function beside(build: Build, schema: unknown, key: string): JsonObject {
  const properties = Object.entries(objectOr(plain(build.document, schema).schema['properties']));
  const made = properties.flatMap(([name, property]) => {
    const sample = name === key || BESIDE.test(name) ? undefined : build.sampler.of(property);
    return sample === undefined || sample === null ? [] : [[name, sample] as const];
  });
  return Object.fromEntries(made);
}

/**
 * The response of a call about an object: the object, if the document accepts it; else the documented response, with the object's members where the
 * document accepts them.
 * @param whole response members of a new object
 * @param self name of the object in the operation's steps
 */
export function objectResponse(
  build: Build,
  call: DocumentedCall,
  whole: Readonly<Record<string, Json>>,
  fields: ReadonlyMap<string, Field>,
  self: string,
  names: readonly string[],
  notes: string[],
): ResponseKeys {
  const { document, sampler } = build;
  const success = successOf(document, call.operation);
  const body = success?.body;
  const shape = body && isJson(body.type) ? shownObject(document, body.schema, names) : undefined;
  if (success === undefined || body === undefined || shape === undefined) return stubResponse(build, call, notes);
  const status = statusOf(build, call);
  const written = { ...status, ...typed(body.type, headersOf(build, success.response)) };
  const { key } = shape;
  const more = key === undefined ? {} : beside(build, body.schema, key);
  // Alternatives depend on the request, so a new object with few members may match none.
  const isUnion = [body.schema, shape.original].some((each) => alternatives(plain(document, each).schema).length > 0);
  if (isUnion || sampler.accepts(body.schema, wrapped(shape, whole, more))) {
    const isBare = key === undefined && shape.isList !== true && self === 'self';
    return {
      ...written,
      ...(isBare ? {} : { return: wrapped(shape, `\${rest(${self})}`, objectOr(withTimes(escapedTemplate(more)))) }),
    };
  }
  if (shape.isList === true) return stubResponse(build, call, notes);
  const sample = sampler.of(body.schema, body.examples);
  if (sample === undefined) return stubResponse(build, call, notes);
  const inside = objectOr(key === undefined ? sample : objectOr(sample)[key]) as JsonObject;
  const properties = objectOr(shape.schema['properties']);
  const live = new Set(Object.keys(whole).filter((name) => name in properties && isIdentifier(name)));
  const laid = (): Json => {
    const values = { ...inside, ...Object.fromEntries([...live].map((name) => [name, whole[name]])) };
    return key === undefined ? values : { ...(objectOr(sample) as JsonObject), [key]: values };
  };
  for (let rounds = 0; rounds < 60; rounds++) {
    const [error] = build.contract.errors(body.schema, laid());
    if (error === undefined) break;
    const [first, second] = error.instancePath.split('/').slice(1);
    const name = key === undefined ? first : second;
    // The object's own id is used even if the document's pattern rejects it.
    if (name === undefined || !fields.has(name) || !live.delete(name)) break;
  }
  const shown = Object.fromEntries(
    Object.entries(inside).map(([name, value]) => [
      name,
      live.has(name) ? `\${rest(${self}).${name}}` : withTimes(escapedTemplate(value)),
    ]),
  );
  for (const name of live) shown[name] ??= `\${rest(${self}).${name}}`;
  return {
    ...written,
    return: key === undefined ? shown : { ...objectOr(withTimes(escapedTemplate(sample))), [key]: shown },
  };
}
