import type { ProblemCode } from '../codes.js';
import { isObject, type Json } from '../values/index.js';
import type { FileKind } from './pack-files.js';

/** What the reader gives for a key of a flow map that stands without a colon (`{ intent }`): the thing of the same name. */
export const SAME = '\u0000same';

type Path = readonly (string | number)[];
type Map_ = Readonly<Record<string, Json>>;

/** A mistake in a short form, where it is written. */
export interface ShortProblem {
  readonly path: Path;
  readonly code: ProblemCode;
  readonly message: string;
  readonly at?: 'key' | 'value';
}

/** A file in the long form that everything behind reads, and where parts of it are written that stand elsewhere in the short one. */
export interface Lowered {
  readonly data: Json;
  /** Long path (as JSON) -> written path. */
  readonly origins: ReadonlyMap<string, Path>;
  readonly problems: readonly ShortProblem[];
}

/** Keys below which a blank name means the variable of that name. */
const ARGUMENTS: ReadonlySet<string> = new Set(['with', 'to', 'return', 'value', 'body']);
/** Keys whose texts are never expressions. */
const LITERAL: ReadonlySet<string> = new Set(['pattern', 'rows']);
/** Attributes of a field that say nothing of what a caller may send. */
const OF_FIELDS: ReadonlySet<string> = new Set([
  'nullable',
  'default',
  'optional',
  'hidden',
  'internal',
  'view',
  'shown',
  'on_expand',
  'expandable',
  'machine',
  'touch',
  'update',
  'on_delete',
]);

/** Writes out the short forms of a file: `=expression`, `{ same_name }`, `name!`, parameters by name, errors with defaults. */
export function lower(kind: FileKind, data: Json): Lowered {
  const origins = new Map<string, Path>();
  const problems: ShortProblem[] = [];
  if (kind === 'browser') return { data: walk(data, [], false, false), origins, problems };
  let made = walk(data, [], true, false);
  if (kind === 'errors') made = errors(made, origins, problems);
  if (kind === 'resource') made = resource(made, origins, problems);
  return { data: made, origins, problems };
}

function isMap(value: Json | undefined): value is Map_ {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function walk(value: Json, path: Path, sigil: boolean, args: boolean): Json {
  if (typeof value === 'string') {
    if (sigil && value.length > 1 && value.startsWith('=')) return `\${${value.slice(1)}}`;
    return value;
  }
  if (Array.isArray(value)) return value.map((item, at) => walk(item as Json, [...path, at], sigil, args));
  if (!isMap(value)) return value;
  const made: Record<string, Json> = {};
  const keep = path.length === 3 && path[0] === 'operations' && path[2] === 'params';
  for (const [key, item] of Object.entries(value)) {
    if (item === SAME) made[key] = keep ? SAME : args ? `\${${key}}` : null;
    else made[key] = walk(item, [...path, key], sigil && !LITERAL.has(key), args || ARGUMENTS.has(key));
  }
  return made;
}

const ERROR_KEYS: ReadonlySet<string> = new Set([
  'status',
  'args',
  'body',
  'empty',
  'envelope',
  'headers',
  'description',
]);

/** `defaults: { status, body }`: an error says what is different; the keys of `defaults.body` may stand beside `status`. */
function errors(data: Json, origins: Map<string, Path>, problems: ShortProblem[]): Json {
  if (!isMap(data) || !isMap(data.defaults)) return data;
  const { defaults, ...rest } = data;
  const common = isMap(defaults.body) ? defaults.body : {};
  const made: Record<string, Json> = {};
  for (const [name, own] of Object.entries(isMap(data.errors) ? data.errors : {})) {
    const given: Map_ = typeof own === 'string' ? { message: own } : isMap(own) ? own : {};
    if (typeof own === 'string') origins.set(JSON.stringify(['errors', name, 'body', 'message']), ['errors', name]);
    const error: Record<string, Json> = {};
    const body: Record<string, Json> = {};
    const short = Object.keys(given).filter((key) => Object.hasOwn(common, key));
    const whole = given.body !== undefined || given.empty === true;
    if (whole && short.length > 0)
      problems.push({
        path: ['errors', name, short[0]],
        at: 'key',
        code: 'invalid-value',
        message: `'${short[0]}' belongs into \`body\`, which this error has`,
      });
    if (!whole)
      for (const [key, usual] of Object.entries(common)) {
        const value = Object.hasOwn(given, key) ? given[key] : usual;
        if (Object.hasOwn(given, key))
          origins.set(JSON.stringify(['errors', name, 'body', key]), ['errors', name, key]);
        else origins.set(JSON.stringify(['errors', name, 'body', key]), ['defaults', 'body', key]);
        if (value !== null) body[key] = value;
      }
    error.status = given.status ?? defaults.status ?? null;
    if (given.status === undefined) origins.set(JSON.stringify(['errors', name, 'status']), ['defaults', 'status']);
    for (const [key, value] of Object.entries(given))
      if (key !== 'status' && (ERROR_KEYS.has(key) || !short.includes(key)))
        error[key] =
          key === 'args' && Array.isArray(value)
            ? Object.fromEntries(value.map((each) => [String(each), 'string']))
            : value;
    if (!whole) error.body = body;
    made[name] = error;
  }
  return { ...rest, errors: made };
}

/** Parameters by name: `name` is as `params:` of the resource says it, else of the type of the field; `name!` is required. */
function resource(data: Json, origins: Map<string, Path>, problems: ShortProblem[]): Json {
  if (!isMap(data) || !isMap(data.operations)) return data;
  const shared = isMap(data.params) ? data.params : {};
  const fields = isMap(data.fields) ? data.fields : {};
  const { params: _shared, ...rest } = data;
  const given = new Map<string, Map_>();
  const busy = new Set<string>();
  const operations = data.operations;

  function paramsOf(name: string): Map_ {
    const known = given.get(name);
    if (known !== undefined) return known;
    const operation = operations[name];
    if (!isMap(operation) || !isMap(operation.params)) return {};
    busy.add(name);
    const { like, without, ...own } = operation.params;
    const made: Record<string, Json> = {};
    if (typeof like === 'string' && Object.hasOwn(operations, like) && !busy.has(like)) {
      const dropped = Array.isArray(without) ? without.map(String) : [];
      const base = paramsOf(like);
      for (const [param, type] of Object.entries(base)) {
        if (dropped.includes(param)) continue;
        made[param] = relaxed(type);
        origins.set(
          JSON.stringify(['operations', name, 'params', param]),
          originOf(['operations', like, 'params', param]),
        );
      }
      dropped.forEach((param, at) => {
        if (!Object.hasOwn(base, param))
          problems.push({
            path: ['operations', name, 'params', 'without', at],
            code: 'unknown-parameter',
            message: `${like} has no parameter '${param}'`,
          });
      });
    } else if (like !== undefined)
      problems.push({
        path: ['operations', name, 'params', 'like'],
        code: 'unknown-operation',
        message: `there is no operation '${String(like)}' beside this one`,
      });
    for (const [key, type] of Object.entries(own)) {
      const required = key.endsWith('!');
      const param = required ? key.slice(0, -1) : key;
      const written: Path = ['operations', name, 'params', key];
      let declared: Json = type;
      if (type === SAME) {
        if (Object.hasOwn(shared, param)) declared = shared[param];
        else if (Object.hasOwn(fields, param)) declared = asParam(fields[param]);
        else {
          problems.push({
            path: written,
            at: 'key',
            code: 'unknown-parameter',
            message: `'${param}' is neither in \`params\` of this resource nor one of its fields: say its type`,
          });
          declared = 'any';
        }
      }
      if (required) {
        const long: Json = typeof declared === 'string' ? { type: declared } : declared;
        if (isObject(long)) declared = { ...long, required: true };
      }
      made[param] = declared;
      const isShared = type === SAME && Object.hasOwn(shared, param);
      origins.set(JSON.stringify(['operations', name, 'params', param]), isShared ? ['params', param] : written);
    }
    busy.delete(name);
    given.set(name, made);
    return made;
  }
  const originOf = (path: Path): Path => origins.get(JSON.stringify(path)) ?? path;

  const made: Record<string, Json> = {};
  for (const [name, operation] of Object.entries(operations))
    made[name] = isMap(operation) && isMap(operation.params) ? { ...operation, params: paramsOf(name) } : operation;
  return { ...rest, operations: made };
}

function relaxed(type: Json): Json {
  if (!isMap(type)) return type;
  const { required: _, ...rest } = type;
  const keys = Object.keys(rest);
  return keys.length === 1 && typeof rest.type === 'string' ? rest.type : rest;
}

function asParam(field: Json): Json {
  if (typeof field === 'string') return field.endsWith('?') ? field.slice(0, -1) : field;
  if (!isMap(field)) return field;
  const entries = Object.entries(field).filter(([key]) => !OF_FIELDS.has(key));
  const made = Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      key === 'type' && typeof value === 'string' ? value.replace(/\?$/, '') : value,
    ]),
  );
  return Object.keys(made).length === 1 && typeof made.type === 'string' ? made.type : made;
}
