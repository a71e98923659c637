import type { Json, JsonObject } from '../../engine/values/index.js';
import type { Build } from './build.js';
import type { Call } from './contract.js';
import { isJson, object, successOf, text } from './document.js';
import { escaped, type Field } from './fields.js';
import { isIdentifier } from './names.js';
import { objectShape } from './survey.js';

/** What an operation answers, as keys of its description. */
export type OperationBody = Readonly<Record<string, unknown>>;

/** The status of an operation where it is not 200. */
export function statusOf(build: Build, call: Call): OperationBody {
  const status = successOf(build.document, call.operation)?.status ?? 200;
  return status === 200 ? {} : { status };
}

/** A response that is the same every time: what the document shows, or what its schema accepts. */
export function stubResponse(build: Build, call: Call, notes: string[]): OperationBody {
  const success = successOf(build.document, call.operation);
  const status = statusOf(build, call);
  const headers = headersOf(success?.response);
  const body = success?.body;
  if (success === undefined || body === undefined || [204, 205, 304].includes(success.status))
    return { ...status, ...headers, return: {} };
  if (!isJson(body.type)) return { ...status, ...headers, content: contentOf(body.type, body.examples[0]) };
  const sample = build.sampler.of(body.schema, body.examples);
  if (sample === undefined)
    notes.push(`${call.method.toUpperCase()} ${call.path}: no response was found that the document accepts`);
  return { ...status, ...headers, ...typed(body.type), return: escaped(sample ?? {}) };
}

/** The Content-Type of responses that are JSON of another name than most. */
function typed(type: string): OperationBody {
  return /^application\/json\b/.test(type) || type === '*/*' ? {} : { headers: { 'Content-Type': type } };
}

/** A redirect says where to. */
function headersOf(response: unknown): OperationBody {
  const names = Object.keys(object(object(response)['headers']));
  return names.some((name) => name.toLowerCase() === 'location')
    ? { headers: { Location: '${base_url}${request.path}' } }
    : {};
}

function contentOf(type: string, example: unknown): OperationBody {
  if (/^(?:text\/|application\/(?:xml|x-yaml|yaml|javascript|x-ndjson|scim))|[+]xml$/.test(type))
    return { type, text: escaped(text(example)) };
  return { type: type.includes('*') ? 'application/octet-stream' : type, base64: '' };
}

/**
 * The response of a call that tells an object of a resource: the object, if the document accepts it; else what the document shows, with
 * the members of the object that it accepts.
 * @param whole what a new object answers
 * @param self how the operation calls it
 */
export function objectResponse(
  build: Build,
  call: Call,
  whole: Readonly<Record<string, Json>>,
  fields: ReadonlyMap<string, Field>,
  self: string,
  notes: string[],
): OperationBody {
  const { document, sampler } = build;
  const success = successOf(document, call.operation);
  const body = success?.body;
  const shape = body && isJson(body.type) ? objectShape(document, body.schema) : undefined;
  if (success === undefined || body === undefined || shape === undefined) return stubResponse(build, call, notes);
  const status = statusOf(build, call);
  const written = { ...status, ...headersOf(success.response), ...typed(body.type) };
  const { key } = shape;
  if (sampler.accepts(body.schema, key === undefined ? whole : { [key]: whole }))
    return {
      ...written,
      ...(key === undefined
        ? self === 'self'
          ? {}
          : { return: `\${rest(${self})}` }
        : { return: { [key]: `\${rest(${self})}` } }),
    };
  const sample = sampler.of(body.schema, body.examples);
  if (sample === undefined) return stubResponse(build, call, notes);
  const inside = object(key === undefined ? sample : object(sample)[key]) as JsonObject;
  const properties = object(shape.schema['properties']);
  const live = new Set(
    Object.keys(whole).filter((name) => name in properties && fields.has(name) && isIdentifier(name)),
  );
  const laid = (): Json => {
    const values = { ...inside, ...Object.fromEntries([...live].map((name) => [name, whole[name]])) };
    return key === undefined ? values : { ...(object(sample) as JsonObject), [key]: values };
  };
  for (let rounds = 0; rounds < 60; rounds++) {
    const [error] = build.contract.errors(body.schema, laid());
    if (error === undefined) break;
    const [first, second] = error.instancePath.split('/').slice(1);
    const name = key === undefined ? first : second;
    if (name === undefined || !live.delete(name)) return stubResponse(build, call, notes);
  }
  const shown = Object.fromEntries(
    Object.entries(inside).map(([name, value]) => [
      name,
      live.has(name) ? `\${rest(${self}).${name}}` : escaped(value),
    ]),
  );
  for (const name of live) shown[name] ??= `\${rest(${self}).${name}}`;
  return { ...written, return: key === undefined ? shown : { ...object(escaped(sample)), [key]: shown } };
}
