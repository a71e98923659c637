import type { Json } from '../values/index.js';
import type { FileKind } from './pack-files.js';
import { lowerErrors } from './short-errors.js';
import { isJsonMap, Origins, type Path, SAME, type ShortProblem } from './short-form.js';
import { lowerParams } from './short-params.js';

/** A file in the long form, which all other code reads, with the paths of parts that are elsewhere in the file. */
interface Lowered {
  readonly data: Json;
  readonly origins: Origins;
  readonly problems: readonly ShortProblem[];
}

/** Kinds of files without expressions: their texts are shown by pages, or sent by calls. */
const WITHOUT_EXPRESSIONS: ReadonlySet<FileKind> = new Set([
  'browser',
  'example',
  'mcp',
  'graphql',
  'task',
  'company',
  'actors',
  'facts',
]);
/** Keys that contain arguments: a name without a value in them means the variable of that name. */
export const ARGUMENTS: ReadonlySet<string> = new Set(['with', 'to', 'return', 'value', 'body', 'snapshot']);
/** Keys whose texts are literal, even with a leading `=`. */
export const LITERAL: ReadonlySet<string> = new Set(['pattern', 'rows']);
/** Keys that contain names chosen by the pack: a key `to` inside of `params` is a parameter, not a keyword. */
export const NAMING: ReadonlySet<string> = new Set(['args', 'errors', 'fields', 'operations', 'params', 'values']);

/** Expands the short forms of a file: `=expression`, `{ same_name }`, `name!`, parameters by name, errors with defaults. */
export function lower(kind: FileKind, data: Json): Lowered {
  const origins = new Origins();
  const problems: ShortProblem[] = [];
  let made = walk(data, [], { expressions: !WITHOUT_EXPRESSIONS.has(kind), variables: false });
  if (kind === 'errors') made = lowerErrors(made, origins, problems);
  if (kind === 'resource' || kind === 'causes') made = lowerParams(made, origins, problems);
  return { data: made, origins, problems };
}

/** Expands a name without a colon by its path: a variable, a parameter, or in rules a column or a condition. */
function sameName(key: string, path: Path, { variables }: PlaceKind): Json {
  if (variables) return `\${${key}}`;
  if (path.at(-1) === 'params' || (path.at(-1) === 'fields' && isInParams(path))) return SAME;
  if (!path.some((each, at) => each === 'rules' && typeof path[at + 1] === 'number')) return null;
  // In `columns` of a rule between parameters, a name means the column of that name; elsewhere in a rule, a parameter that was
  // sent.
  return path.at(-1) === 'columns' ? key : { not: null };
}

/** Whether a path is inside of the parameters of an operation, of a cause or of the resource. */
function isInParams([top, , third, , fifth]: Path): boolean {
  if (top === 'causes') return third === 'params' || fifth === 'params';
  return top === 'params' || (top === 'operations' && third === 'params');
}

/** What a path allows: `expressions`: `=` begins an expression; `variables`: a name without a value is a variable. */
interface PlaceKind {
  readonly expressions: boolean;
  readonly variables: boolean;
}

function walk(value: Json, path: Path, place: PlaceKind): Json {
  if (typeof value === 'string') {
    const isExpression = place.expressions && value.length > 1 && value.startsWith('=');
    return isExpression ? `\${${value.slice(1)}}` : value;
  }
  if (Array.isArray(value)) return value.map((item: Json, at) => walk(item, [...path, at], place));
  if (!isJsonMap(value)) return value;
  const named = !place.variables && NAMING.has(String(path.at(-1)));
  const made: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === SAME) made[key] = sameName(key, path, place);
    else
      made[key] = walk(item, [...path, key], {
        expressions: place.expressions && (named || !LITERAL.has(key) || place.variables),
        // The values of `let` are expressions, but a map in it is a value whose members are variables, as in `with`.
        variables: place.variables || path.at(-1) === 'let' || (!named && ARGUMENTS.has(key)),
      });
  }
  return made;
}
