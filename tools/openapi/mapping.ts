import type { Build } from './build.js';
import { type Document, listOr, objectOr } from './document.js';
import { isIdentifier, snake } from './names.js';
import { type Field, plain, schemaTypeName } from './types.js';
import { alternatives } from './unions.js';

/** A parameter that is stored in a field. */
export interface Mapping {
  /** The parameter in expressions, such as `params.team.name`. */
  readonly from: string;
  readonly field: string;
  /** `merge` changes only the sent members of an object; `list` stores one object or a list as a list. */
  readonly how: 'same' | 'merge' | 'list';
  readonly required: boolean;
  /** The parameter may be null. */
  readonly nullable: boolean;
}

/** Maps the properties of a request to fields, and lists those without a field. @param echoed names that examples return unchanged */
export function mappingsOf(
  build: Build,
  properties: Readonly<Record<string, unknown>>,
  required: ReadonlySet<unknown>,
  wrapper: string | undefined,
  fields: ReadonlyMap<string, Field>,
  echoed: ReadonlySet<string>,
): { readonly mappings: Mapping[]; readonly lost: string[] } {
  const { document } = build;
  const mappings: Mapping[] = [];
  const lost: string[] = [];
  const bySnake = new Map([...fields.keys()].map((name) => [snake(name), name]));
  for (const [name, property] of Object.entries(properties)) {
    if (document.at(property)['readOnly'] === true) continue;
    const field = fields.has(name) ? name : bySnake.get(snake(name));
    const target = field === undefined ? undefined : fields.get(field);
    const how = target && (echoed.has(name) ? 'same' : compatibility(document, property, target.schema));
    const readable = isIdentifier(name) && (wrapper === undefined || isIdentifier(wrapper.replace('[0]', '')));
    const isMany = target !== undefined && how === 'no' && sendsOneOrMany(document, property, target.schema);
    const merges = how === 'merge' && target !== undefined && objectOr(target.at_first) === target.at_first;
    if (field === undefined || !readable || (how !== 'same' && !merges && !isMany)) {
      lost.push(name);
      continue;
    }
    const { nullable } = plain(document, property);
    const from = `params.${wrapper === undefined ? '' : `${wrapper}.`}${name}`;
    mappings.push({
      from,
      field,
      how: merges ? 'merge' : isMany ? 'list' : 'same',
      required: required.has(name),
      nullable,
    });
  }
  return { mappings, lost };
}

/** Whether the request may contain one item or a list, and the field is a list. */
function sendsOneOrMany(document: Document, sent: unknown, kept: unknown): boolean {
  const { schema } = plain(document, kept);
  const options = alternatives(plain(document, sent).schema);
  if (schemaTypeName(schema) !== 'array' || options.length === 0) return false;
  return options.every((each) =>
    [kept, schema['items']].some((form) => compatibility(document, each, form) === 'same'),
  );
}

/** Whether every value that one schema accepts is valid in another: unchanged (`same`), merged into the existing value, or not at all. */
export function compatibility(document: Document, sent: unknown, kept: unknown, depth = 0): 'same' | 'merge' | 'no' {
  if (sent === kept) return 'same';
  const name = document.nameOf(sent);
  if (name !== undefined && name === document.nameOf(kept)) return 'same';
  if (depth > 4) return 'no';
  const one = plain(document, sent).schema;
  const other = plain(document, kept).schema;
  const [from, to] = [schemaTypeName(one), schemaTypeName(other)];
  if (to === '' && !['oneOf', 'anyOf', 'allOf', 'not'].some((key) => key in other)) return 'same';
  const isOther = from !== '' && to !== '' && from !== to && !(from === 'integer' && to === 'number');
  if (isOther) return 'no';
  if (['oneOf', 'anyOf'].some((key) => key in one || key in other)) {
    // Unions on both sides are stored unchanged, so that clients read what they sent.
    if (alternatives(one).length > 0 && alternatives(other).length > 0) return 'same';
    const options = (schema: object): readonly unknown[] =>
      ['oneOf', 'anyOf'].flatMap((key) => listOr((schema as Record<string, unknown>)[key]));
    const fits = (option: unknown): boolean =>
      options(other).length > 0
        ? options(other).some((each) => compatibility(document, option, each, depth + 1) === 'same')
        : compatibility(document, option, other, depth + 1) === 'same';
    return (options(one).length > 0 ? options(one) : [one]).every(fits) ? 'same' : 'no';
  }
  if (from !== to && from !== 'integer') return 'no';
  const allowed = listOr(other['enum']);
  if (allowed.length > 0 || 'const' in other) {
    const values = 'const' in one ? [one['const']] : listOr(one['enum']);
    const known = 'const' in other ? [other['const']] : allowed;
    return values.length > 0 && values.every((value) => known.includes(value)) ? 'same' : 'no';
  }
  switch (to) {
    case 'array':
      return compatibility(document, one['items'], other['items'], depth + 1) === 'same' ? 'same' : 'no';
    case 'object':
      return objects(document, one, other, depth);
    default:
      return RULES.every((rule) => other[rule] === undefined || other[rule] === one[rule] || isEnum(one))
        ? 'same'
        : 'no';
  }
}

const RULES = ['format', 'pattern', 'maxLength', 'minLength', 'minimum', 'maximum'];

function isEnum(schema: object): boolean {
  return 'enum' in schema;
}

function objects(
  document: Document,
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
  depth: number,
): 'same' | 'merge' | 'no' {
  const given = objectOr(one['properties']);
  const kept = objectOr(other['properties']);
  if (other['additionalProperties'] === false && Object.keys(given).some((key) => !(key in kept))) return 'no';
  if (Object.keys(given).length === 0 && Object.keys(kept).length > 0) return 'no';
  const sure = new Set(listOr(one['required']));
  for (const [key, property] of Object.entries(given))
    if (key in kept && compatibility(document, property, kept[key], depth + 1) !== 'same') return 'no';
  for (const [key, property] of Object.entries(given))
    if (key in kept && plain(document, property).nullable && !plain(document, kept[key]).nullable) return 'no';
  return listOr(other['required']).every((key) => sure.has(key)) ? 'same' : 'merge';
}
