import type { Json } from '../../engine/values/index.js';
import { type Document, listOr, type Node, objectOr } from './document.js';
import { type DocumentedErrors, shapesOf } from './error-schemas.js';
import { escapedTemplate } from './fields.js';
import type { Sampler } from './sample.js';
import { plain, schemaTypeName } from './types.js';

/** An error of the engine, with the document's code for it if there is one. */
export interface BodyError {
  readonly name: string;
  readonly status: number;
  readonly args: Readonly<Record<string, string>>;
  readonly message: string;
  readonly title: string;
  readonly code?: string;
}

/** Matches names of members that contain an error code. */
export const CODE = /^(?:type|code|error|name|kind|id|category|error_?code|error_?type)$/i;
const MESSAGE = /message|detail|description|reason|^msg$/i;
const PARAM = /^(?:param|parameter|field|pointer|property|attribute)(?:_?(?:name|path))?$/i;
const PLAIN: Node = { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } };
const MOST_LEVELS = 4;
/** Maximum number of error formats considered per status. */
const MOST_SHAPES = 3;
/** A format that is this many times rarer than the most common one is ignored. */
const RARE = 5;
/** Errors whose body names the parameter; the document's example contains another parameter's name. */
const NAMES_PARAM = /^parameter_/;

/** Builds the body of an error in the document's format for its status: required and shown members, with the error's own code and message. */
export function errorBody(
  document: Document,
  sampler: Sampler,
  documented: DocumentedErrors,
  error: BodyError,
): unknown {
  const own = documented.all.filter(({ status }) => status === error.status);
  const pool = own.length > 0 ? own : documented.all.filter(({ status }) => status === 0);
  const found = pool.length > 0 ? pool : documented.all;
  const shapes = shapesOf(document, found);
  const [{ schema } = { schema: PLAIN as unknown }] = shapes;
  const shown = own
    .filter((each) => each.schema === schema || sampler.accepts(schema, each.examples[0]))
    .flatMap(({ examples }) => examples);
  const example = shown.find((each) => sampler.accepts(schema, each));
  const sample = documented.all.length === 0 ? undefined : (example ?? sampler.of(schema));
  const made = filled(document, sampler, schema, sample, example !== undefined, error, 0);
  // If some operations return more members than most, a body with all members is valid for both.
  const usual = shapes.filter(({ count }) => count * RARE > shapes[0].count).slice(0, MOST_SHAPES);
  return usual.slice(1).reduce((body, other, index) => {
    if (sampler.accepts(other.schema, body)) return body;
    const more = {
      ...objectOr(filled(document, sampler, other.schema, sampler.of(other.schema), false, error, 0)),
      ...objectOr(body),
    };
    return usual.slice(0, index + 2).every((each) => sampler.accepts(each.schema, more)) ? more : body;
  }, made);
}

/** An error body for operations with a different error format, listed by method and path. */
interface OtherBody {
  readonly calls: readonly string[];
  readonly body: unknown;
}

/** Builds an error body for each group of operations whose schemas don't accept the usual format. */
export function otherBodies(
  document: Document,
  sampler: Sampler,
  documented: DocumentedErrors,
  error: BodyError,
  usual: unknown,
): readonly OtherBody[] {
  const sample = withoutTemplates(usual);
  const all = documented.all.filter(({ status }) => status === error.status);
  return shapesOf(document, all)
    .filter(({ schema }) => !sampler.accepts(schema, sample))
    .slice(0, MOST_SHAPES)
    .flatMap(({ schema, calls }): OtherBody[] => {
      const own = all.filter((each) => each.schema === schema);
      const body = errorBody(document, sampler, { all: own, shapes: [] }, error);
      return sampler.accepts(schema, withoutTemplates(body)) ? [{ calls, body }] : [];
    });
}

/** A body with its templates replaced by a name, for validation. */
function withoutTemplates(body: unknown): Json {
  return JSON.parse(JSON.stringify(body ?? null).replaceAll(/\$\{[^}]*\}/g, 'name')) as Json;
}

/** @param isShown the sample is the document's example of this error, so its code is right */
function filled(
  document: Document,
  sampler: Sampler,
  given: unknown,
  sample: Json | undefined,
  isShown: boolean,
  error: BodyError,
  depth: number,
): unknown {
  const { schema } = branchOf(document, sampler, given, sample);
  if (schemaTypeName(schema) === 'array') {
    const item: unknown = filled(
      document,
      sampler,
      schema['items'],
      listOr(sample)[0] as Json | undefined,
      isShown,
      error,
      depth + 1,
    );
    return item === undefined ? [] : [item];
  }
  const properties = Object.entries(objectOr(schema['properties']));
  if (properties.length === 0 && typeof sample === 'string') return isShown ? escapedTemplate(sample) : error.message;
  if (properties.length === 0 || depth > MOST_LEVELS) return sample === undefined ? undefined : escapedTemplate(sample);
  const required = new Set(listOr(schema['required']));
  const body: Record<string, unknown> = {};
  for (const [name, each] of properties) {
    const inner = plain(document, each).schema;
    const there = objectOr(sample)[name] as Json | undefined;
    const isNeeded = required.has(name) || (isShown && there !== undefined);
    const type = schemaTypeName(inner);
    if (type === 'object' || type === 'array') {
      const holds = type === 'array' ? /error|detail|messages?$/i.test(name) : /error|message|fault/i.test(name);
      if (!isNeeded && !(holds && depth === 0)) continue;
      const made = filled(document, sampler, each, there, isShown, error, depth + 1);
      if (made !== undefined) body[name] = made;
      continue;
    }
    const value = valueFor(name, inner, error, isShown ? there : undefined);
    if (value !== undefined && (isTemplate(value) || sampler.accepts(each, value))) body[name] = value;
    else if (isNeeded && there !== undefined) body[name] = escapedTemplate(there);
  }
  return Object.keys(body).length === 0 && sample !== undefined ? escapedTemplate(sample) : body;
}

/** The first alternative of a schema that a sample matches. */
function branchOf(
  document: Document,
  sampler: Sampler,
  given: unknown,
  sample: Json | undefined,
): { readonly schema: Node } {
  const whole = plain(document, given);
  const options = ['oneOf', 'anyOf'].flatMap((key) => listOr(whole.schema[key]));
  if (options.length === 0) return whole;
  const found = options.find((each) => sample !== undefined && sampler.accepts(each, sample)) ?? options[0];
  const { schema } = plain(document, found);
  return {
    schema: {
      ...whole.schema,
      ...schema,
      properties: { ...objectOr(whole.schema['properties']), ...objectOr(schema['properties']) },
    },
  };
}

const isTemplate = (value: unknown): boolean => typeof value === 'string' && value.includes('${');

/** @param shown the document's example value of the member */
function valueFor(name: string, schema: Node, error: BodyError, shown: Json | undefined): unknown {
  const type = schemaTypeName(schema);
  const values = listOr('const' in schema ? [schema['const']] : schema['enum']);
  const hasCode = error.code !== undefined && values.includes(error.code);
  if (hasCode) return error.code;
  const isParam = NAMES_PARAM.test(error.name) && (PARAM.test(name) || MESSAGE.test(name));
  if (shown !== undefined && shown !== null && !isParam) return escapedTemplate(shown);
  if (values.length > 0) return nearestValue(values, error);
  if (type === 'integer' || type === 'number') return /status|code/i.test(name) ? error.status : undefined;
  if (type !== 'string' && type !== '') return undefined;
  if (/status/i.test(name) && /^\d+$/.test(String(schema['example'] ?? ''))) return String(error.status);
  if (MESSAGE.test(name)) return error.message;
  if (/^title$/i.test(name)) return error.title;
  if (CODE.test(name))
    return schema['format'] === 'uri' || schema['format'] === 'uri-reference'
      ? 'about:blank'
      : (error.code ?? error.name);
  if (PARAM.test(name)) return 'param' in error.args ? '${param}' : undefined;
  return undefined;
}

/** The enum value with the most words in common with the error. */
function nearestValue(values: readonly unknown[], { name, title }: BodyError): unknown {
  const words = `${name} ${title}`.toLowerCase().split(/[^a-z]+/);
  const score = (value: unknown): number =>
    String(value)
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => words.includes(word)).length;
  return [...values].sort((a, b) => score(b) - score(a))[0];
}
