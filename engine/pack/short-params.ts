import type { Json } from '../values/index.js';
import { isJsonMap, type JsonMap, type Origins, type Path, SAME, type ShortProblem } from './short-form.js';
import { suggest } from './suggest.js';

/** Attributes of a field that don't apply to parameters. */
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

/** Declarations that a parameter without a type refers to by name: shared parameters, and fields of the resource. */
interface KnownParams {
  readonly shared: JsonMap;
  readonly fields: JsonMap;
  readonly used: Set<string>;
}

/**
 * Expands parameters by name. `{ amount }` is the parameter in `params:` of the resource, else has the type of the field with
 * that name; `amount!` is required. A parameter with its own type has the description in `params:`. Applies to `params:` of
 * operations, and of causes (which have no resource), and to the fields of objects in them.
 */
export function lowerParams(data: Json, origins: Origins, problems: ShortProblem[]): Json {
  if (!isJsonMap(data)) return data;
  const { params, ...rest } = data;
  const known: KnownParams = {
    shared: isJsonMap(params) ? params : {},
    fields: isJsonMap(data.fields) ? data.fields : {},
    used: new Set(),
  };
  const made: Record<string, Json> = { ...rest };
  if (isJsonMap(data.operations)) made.operations = entries(data.operations, ['operations']);
  if (isJsonMap(data.causes)) made.causes = causes(data.causes);
  if (params !== undefined) checkShared(params, known, problems);
  return made;

  function entries(all: JsonMap, path: Path): Json {
    return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, withParams(each, [...path, name])]));
  }

  function causes(all: JsonMap): Json {
    return Object.fromEntries(
      Object.entries(all).map(([name, cause]) => {
        const path = ['causes', name];
        if (!isJsonMap(cause) || !Array.isArray(cause.variants)) return [name, withParams(cause, path)];
        const variants = cause.variants.map((each: Json, at) => withParams(each, [...path, 'variants', at]));
        return [name, { ...cause, variants }];
      }),
    );
  }

  function withParams(each: Json, path: Path): Json {
    if (!isJsonMap(each) || !isJsonMap(each.params)) return each;
    const at = [...path, 'params'];
    return { ...each, params: lowered(each.params, { written: at, long: at }, known, origins, problems) };
  }
}

/** The path of parameters in the file, and in the long form. */
interface Place {
  readonly written: Path;
  readonly long: Path;
}

function lowered(params: JsonMap, at: Place, known: KnownParams, origins: Origins, problems: ShortProblem[]): Json {
  const made: Record<string, Json> = {};
  for (const [key, type] of Object.entries(params)) {
    const required = key.endsWith('!');
    const name = required ? key.slice(0, -1) : key;
    const written = [...at.written, key];
    const long = [...at.long, name];
    if (Object.hasOwn(made, name)) {
      problems.push({ path: written, at: 'key', code: 'duplicate-key', message: `parameter '${name}' is given twice` });
      continue;
    }
    const { declared, origin } =
      type === SAME
        ? byName(name, written, known, problems)
        : { declared: asDescribed(type, known.shared[name]), origin: written };
    const whole = withFields(declared, { written: origin ?? written, long }, known, origins, problems);
    made[name] = required ? asRequired(whole) : whole;
    if (origin !== undefined && (required || type === SAME)) origins.set(long, origin);
    if (origin !== undefined && typeof (type === SAME ? known.shared[name] : type) === 'string')
      origins.set([...long, 'type'], origin);
  }
  return made;
}

/** Expands the fields of objects in a parameter's type, also in lists, by the same rules as parameters. */
function withFields(type: Json, at: Place, known: KnownParams, origins: Origins, problems: ShortProblem[]): Json {
  if (!isJsonMap(type)) return type;
  const within = (...keys: Path): Place => ({ written: [...at.written, ...keys], long: [...at.long, ...keys] });
  if (isJsonMap(type.fields))
    return { ...type, fields: lowered(type.fields, within('fields'), known, origins, problems) };
  if (isJsonMap(type.items))
    return { ...type, items: withFields(type.items, within('items'), known, origins, problems) };
  if (!Array.isArray(type.one_of)) return type;
  const options = type.one_of.map((each: Json, index) =>
    withFields(each, within('one_of', index), known, origins, problems),
  );
  return { ...type, one_of: options };
}

/** Finds the declaration that a parameter's name alone refers to, and the declaration's path. */
function byName(
  name: string,
  written: Path,
  known: KnownParams,
  problems: ShortProblem[],
): { declared: Json; origin: Path } {
  const { shared, fields, used } = known;
  if (Object.hasOwn(shared, name)) {
    used.add(name);
    return { declared: shared[name], origin: ['params', name] };
  }
  const field = fields[name];
  if (Object.hasOwn(fields, name) && !isComputed(field)) return { declared: asParam(field), origin: written };
  const message = Object.hasOwn(fields, name)
    ? `field '${name}' is computed: say the type of the parameter`
    : `'${name}' is neither in 'params' of this resource nor one of its fields: say its type`;
  const suggestion = suggest(name, [...Object.keys(shared), ...Object.keys(fields)]);
  problems.push({ path: written, at: 'key', code: 'unknown-parameter', message, suggestion });
  return { declared: 'any', origin: written };
}

function checkShared(params: Json, { used }: KnownParams, problems: ShortProblem[]): void {
  if (!isJsonMap(params)) {
    problems.push({ path: ['params'], code: 'wrong-type', message: "'params' must be a map of names and types" });
    return;
  }
  for (const [name, type] of Object.entries(params)) {
    const problem = (
      code: 'missing-key' | 'unused-parameter',
      message: string,
      severity: 'error' | 'warning',
    ): void => {
      problems.push({ path: ['params', name], at: 'key', code, message, severity });
    };
    if (type === null || type === SAME) problem('missing-key', `parameter '${name}' needs a type`, 'error');
    else if (!used.has(name)) problem('unused-parameter', `no operation names parameter '${name}'`, 'warning');
  }
}

/** Adds the description of the resource's parameter to a type without one. */
function asDescribed(declared: Json, shared: Json | undefined): Json {
  const description = isJsonMap(shared) ? shared.description : undefined;
  if (description === undefined) return declared;
  if (typeof declared === 'string') return { type: declared, description };
  return isJsonMap(declared) ? { description, ...declared } : declared;
}

function asRequired(declared: Json): Json {
  if (typeof declared === 'string') return { type: declared, required: true };
  return isJsonMap(declared) ? { ...declared, required: true } : declared;
}

function isComputed(field: Json): boolean {
  return isJsonMap(field) && Object.hasOwn(field, 'view');
}

/** Turns the declaration of a field into that of a parameter: drops the keys that only fields have, and `?`. */
export function asParam(field: Json): Json {
  const plain = (type: Json): Json => (typeof type === 'string' ? type.replace(/\?$/, '') : type);
  if (!isJsonMap(field)) return plain(field);
  const own = Object.entries(field).filter(([key]) => !OF_FIELDS.has(key));
  const made = Object.fromEntries(own.map(([key, value]) => [key, key === 'type' ? plain(value) : value]));
  return Object.keys(made).length === 1 && typeof made.type === 'string' ? made.type : made;
}
