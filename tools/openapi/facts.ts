import { patternProblem } from '../../engine/values/index.js';
import { type DocumentedCall } from './contract.js';
import { type Document, documentBody, isJson, listOr, type Node, objectOr, textOr } from './document.js';
import { isFile, type PackType, plain, schemaTypeName } from './types.js';

/** The facts of one operation. */
export interface OperationFacts {
  readonly params?: Readonly<Record<string, PackType>>;
  readonly headers?: readonly string[];
  /** Media types that it returns besides JSON. */
  readonly returns?: readonly string[];
}

interface FactsOptions {
  /** Parameters that contain API keys, which facts omit. */
  readonly keys: ReadonlySet<string>;
  /** Text formats (`format` of JSON Schema) that the vendor enforces. */
  readonly formats: ReadonlySet<string>;
  /** Names with one pair of brackets, such as `page[size]`, are also parameters. */
  readonly members?: true;
}

type FactNode = Record<string, unknown>;

/** Maximum depth of described parameters; anything is accepted below it. */
const MAX_DEPTH = 3;
/** Maximum number of alternatives; a union of more accepts anything. */
const MAX_OPTIONS = 6;

/** Patterns of the formats that can be enforced. */
export const FORMATS: Readonly<Record<string, string>> = {
  date: '^\\d{4}-\\d{2}-\\d{2}$',
  'date-time': '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}',
  uuid: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  uri: '^[A-Za-z][A-Za-z0-9+.-]*:',
  email: '^[^@\\s]+@[^@\\s]+$',
};

/** Headers of HTTP, authentication or the body, which facts omit. */
const COMMON_HEADERS = /^(?:accept|accept-.*|authorization|content-.*|host|user-agent|connection|cookie|x-.*api-key)$/i;

/** Names, types and constraints of an operation's parameters, without descriptions. */
export function factsOf(document: Document, call: DocumentedCall, options: FactsOptions): OperationFacts {
  const body = documentBody(document, call.operation['requestBody']);
  const isForm = body !== undefined && !isJson(body.type);
  const reader = new FactsReader(document, options);
  const params: Record<string, PackType> = {};
  const headers: string[] = [];
  for (const each of call.parameters) {
    const name = textOr(each['name']);
    if (each['in'] === 'header' && !COMMON_HEADERS.test(name)) headers.push(name);
    const isMember = options.members === true && /^\w+\[\w+\]$/.test(name);
    if (each['in'] !== 'query' || !(isName(name) || isMember) || options.keys.has(name)) continue;
    const schema = 'schema' in each ? each['schema'] : each;
    const type = reader.typeOf(schema, 0, true);
    // If the body is JSON, query parameters aren't converted: their values are text.
    const isText = body !== undefined && !isForm && ['integer', 'number', 'boolean'].includes(textOr(type['type']));
    params[name] = short(isText ? { type: 'any' } : type, each['required'] === true);
  }
  if (body !== undefined && !/^(?:text|image|audio|video)\/|octet-stream/.test(body.type)) {
    const { properties, required } = reader.membersOf(body.schema);
    for (const [name, schema] of properties) {
      if (!isName(name) || options.keys.has(name)) continue;
      const type = body.type.includes('multipart') && isFile(plain(document, schema).schema) ? { type: 'any' } : null;
      params[name] = short(type ?? reader.typeOf(schema, 0, isForm), required.has(name));
    }
  }
  const returns = returnedTypes(document, call.operation);
  return {
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(headers.length > 0 ? { headers: headers.sort() } : {}),
    ...(returns.length > 0 ? { returns } : {}),
  };
}

/** Media types besides JSON in successful responses and in the operation's description. */
function returnedTypes(document: Document, operation: Node): string[] {
  const successes = Object.entries(objectOr(operation['responses'])).filter(([status]) =>
    /^(?:2|default)/.test(status),
  );
  const returned = successes.flatMap(([, each]) => Object.keys(objectOr(document.at(each)['content'])));
  const described = textOr(operation['description']).match(/\b(?:application|text)\/vnd\.[\w.+-]*\w/g) ?? [];
  const all = [...new Set([...returned, ...described].map((type) => type.split(';')[0].trim()))];
  const names = all.map((type) => type.replace(/\+\w+$/, ''));
  return (
    all
      .filter((type) => type.includes('/') && !type.includes('*') && type !== 'application/json')
      // The vendor's own JSON media type is a prefix of its other media types.
      .filter((type) => !names.some((name) => name.startsWith(`${type.replace(/\+json$/, '')}.`)))
      .sort()
  );
}

class FactsReader {
  constructor(
    private readonly document: Document,
    private readonly options: FactsOptions,
  ) {}

  /** The properties of a body, of all alternatives; a property is required if all alternatives require it. */
  membersOf(given: unknown, depth = 0): { properties: Map<string, unknown>; required: Set<string> } {
    const { schema } = plain(this.document, given);
    const properties = new Map(
      Object.entries(objectOr(schema['properties'])).filter(([, each]) => this.document.at(each)['readOnly'] !== true),
    );
    const required = new Set(listOr(schema['required']).map(String));
    const alternatives = [...listOr(schema['oneOf']), ...listOr(schema['anyOf'])];
    if (depth > 4 || alternatives.length === 0) return { properties, required };
    const members = alternatives.map((each) => this.membersOf(each, depth + 1));
    for (const [name, first] of members.flatMap((each) => [...each.properties])) {
      const all = members.flatMap((each) => each.properties.get(name) ?? []);
      if (!properties.has(name)) properties.set(name, all.length === 1 ? first : { anyOf: all });
    }
    for (const name of members[0].required) if (members.every((each) => each.required.has(name))) required.add(name);
    return { properties, required };
  }

  /** @param text the value is sent in a form or query */
  typeOf(given: unknown, depth: number, text: boolean): FactNode {
    const { schema, nullable } = plain(this.document, given);
    const made = this.#base(schema, depth, text);
    if (nullable && made['type'] !== 'any') made['nullable'] = true;
    return made;
  }

  #base(schema: Node, depth: number, text: boolean): FactNode {
    const choice = [...listOr(schema['oneOf']), ...listOr(schema['anyOf'])];
    if (choice.length > 1) return this.#choice(choice, depth, text);
    const values = listOr(schema['enum']);
    if (values.length > 0 && values.every((value) => typeof value === 'string')) return { enum: [...new Set(values)] };
    if (values.length > 0 && values.every((value) => typeof value === 'number')) {
      const numbers = values.map(Number);
      const type = numbers.every(Number.isInteger) ? 'integer' : 'number';
      return { type, min: Math.min(...numbers), max: Math.max(...numbers) };
    }
    switch (schemaTypeName(schema)) {
      case 'string':
        return { type: 'string', ...this.#textRules(schema) };
      case 'integer':
        return { type: 'integer', ...numberRules(schema) };
      case 'number':
        return { type: 'number', ...numberRules(schema) };
      case 'boolean':
        return { type: 'boolean' };
      case 'array':
        return this.#list(schema, depth, text);
      case 'object':
        return this.#object(schema, depth, text);
      default:
        return { type: 'any' };
    }
  }

  #choice(options: readonly unknown[], depth: number, text: boolean): FactNode {
    const types = new Map<string, FactNode>();
    for (const option of options) {
      const type = this.typeOf(option, depth, text);
      if (type['type'] === 'any') return { type: 'any' };
      // Nested unions are flattened.
      const inner: readonly PackType[] = Array.isArray(type['one_of']) ? (type['one_of'] as PackType[]) : [type];
      for (const each of inner) {
        const node: FactNode = typeof each === 'string' ? { type: each } : each;
        types.set(JSON.stringify(node), node);
      }
    }
    const all = [...types.values()];
    if (all.length === 1) return all[0];
    // A map accepts every object, and objects of several schemas differ in more than their names.
    const objects = all.filter((each) => each['type'] === 'map' || 'fields' in each);
    const others = all.filter((each) => !objects.includes(each));
    const merged = objects.length > 1 ? [...others, { type: 'map' }] : all;
    if (merged.length === 1) return merged[0];
    return merged.length > MAX_OPTIONS
      ? { type: 'any' }
      : { one_of: merged.map((each): PackType => short(each, false)) };
  }

  #list(schema: Node, depth: number, text: boolean): FactNode {
    const items = depth + 1 >= MAX_DEPTH ? { type: 'any' } : this.typeOf(schema['items'], depth + 1, text);
    const bounds = {
      ...(typeof schema['minItems'] === 'number' && !text ? { min: schema['minItems'] } : {}),
      ...(typeof schema['maxItems'] === 'number' ? { max: schema['maxItems'] } : {}),
    };
    const list = { type: 'array', items: short(items, false), ...bounds };
    // A form can send a list with one item as the item; a query can join items in one text.
    return text ? { one_of: [list, 'string'] } : list;
  }

  #object(schema: Node, depth: number, text: boolean): FactNode {
    const { properties, required } = this.membersOf(schema);
    if (properties.size === 0 || depth + 1 >= MAX_DEPTH) return { type: 'map' };
    const fields: Record<string, PackType> = {};
    for (const [name, property] of properties)
      fields[name] = short(this.typeOf(property, depth + 1, text), required.has(name));
    return { type: 'object', fields, ...(isOpen(schema) ? { open: true } : {}) };
  }

  #textRules(schema: Node): FactNode {
    const written = textOr(schema['pattern']);
    const format = textOr(schema['format']);
    const pattern = written !== '' ? written : this.options.formats.has(format) ? FORMATS[format] : '';
    return {
      ...(typeof schema['minLength'] === 'number' && schema['minLength'] > 0 ? { min: schema['minLength'] } : {}),
      ...(typeof schema['maxLength'] === 'number' ? { max_length: schema['maxLength'] } : {}),
      ...(pattern !== '' && patternProblem(pattern) === undefined ? { pattern } : {}),
    };
  }
}

/** Whether a schema explicitly accepts additional properties. */
function isOpen(schema: Node): boolean {
  const more = schema['additionalProperties'];
  return more === true || (typeof more === 'object' && more !== null);
}

function numberRules(schema: Node): FactNode {
  const step = schemaTypeName(schema) === 'integer' ? 1 : 0;
  const above = schema['exclusiveMinimum'];
  const below = schema['exclusiveMaximum'];
  const min = typeof above === 'number' ? above + step : schema['minimum'];
  const max = typeof below === 'number' ? below - step : schema['maximum'];
  return { ...(isBound(min) ? { min } : {}), ...(isBound(max) ? { max } : {}) };
}

/** Bounds beyond the safe integers are ignored. */
function isBound(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** A type in its short form, if it has one. */
function short(type: FactNode, required: boolean): PackType {
  const made: FactNode = required ? { ...type, required: true } : type;
  const keys = Object.keys(made);
  if (keys.length === 1 && typeof made['type'] === 'string') return made['type'];
  if (keys.length === 2 && typeof made['type'] === 'string' && made['nullable'] === true) return `${made['type']}?`;
  if (made['type'] === 'array' && !('nullable' in made)) return without(made, 'type');
  if ('fields' in made) return without(made, 'type');
  return made;
}

function without(type: FactNode, key: string): FactNode {
  return Object.fromEntries(Object.entries(type).filter(([name]) => name !== key));
}

/** Names with brackets are members of another parameter. */
function isName(name: string): boolean {
  return name !== '' && !/[[\]]/.test(name);
}
