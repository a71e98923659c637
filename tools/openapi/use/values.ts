import qs from 'qs';
import { isObject, type Json } from '../../../engine/values/index.js';
import type { Contract, DocumentedCall } from '../contract.js';
import { documentBody, isJson, listOr, type Node, objectOr, textOr } from '../document.js';
import { examplesOf } from '../examples.js';
import { singular, snake } from '../names.js';
import { Sampler } from '../sample.js';
import { plain, schemaTypeName } from '../types.js';

/** Members with a restricted vocabulary, for which no other text is generated. */
const MEANT =
  /currency|country|locale|language|region|zone|phone|state|status|type|kind|object|version|code|iban|number|scope|format|method|size|plan|image|icon|colou?r|query|cron|ip/i;

/** Generates request values in the structure of the document's examples, with different content. */
export class SentValues {
  readonly #sampler: Sampler;
  #key: string | undefined;
  #nouns: readonly string[] = [];

  /** @param idOf returns the id of an existing object by its noun */
  constructor(
    private readonly contract: Contract,
    private readonly idOf: (noun: string) => Json | undefined,
  ) {
    this.#sampler = new Sampler(contract);
  }

  /**
   * Generates a body for a call; each `nth` differs.
   * @param key a unique member by which the object is found
   * @param nouns of the object: `pet_id` of a pet is its own id
   */
  body(call: DocumentedCall, nth: number, key?: string, nouns: readonly string[] = []): Json {
    this.#nouns = nouns;
    this.#key = key === undefined ? undefined : snake(key);
    const { document } = this.contract;
    const body = documentBody(document, call.operation['requestBody']);
    const shown = [...examplesOf(document, call).flatMap(({ sent }) => sent ?? []), ...(body?.examples ?? [])];
    const fitting = shown.find((each) => this.#problems(body?.schema, each) === 0);
    const base = this.#asClient((fitting ?? this.#sampler.of(body?.schema, shown) ?? {}) as Json, body?.schema);
    return this.#varied(base, base, [], body?.schema, body?.schema, nth);
  }

  /** Removes members that the vendor sets: read-only ones, ids of new objects and times, which some shared schemas contain. */
  #asClient(value: Json, schema: unknown): Json {
    const written = this.#less(value, schema, 0, () => false);
    const less = this.#less(written, schema, 0, (name) =>
      /^(?:id|(?:created|updated|modified|deleted)_?at)$/i.test(name),
    );
    return this.#problems(schema, less) <= this.#problems(schema, written) ? less : written;
  }

  #less(value: Json, given: unknown, depth: number, isGiven: (name: string) => boolean): Json {
    const { document } = this.contract;
    const { schema } = plain(document, given);
    if (Array.isArray(value)) return value.map((each) => this.#less(each as Json, schema['items'], depth, isGiven));
    if (!isObject(value)) return value;
    const properties = objectOr(schema['properties']);
    const kept = Object.entries(value).filter(
      ([name]) => !(depth < 2 && isGiven(name)) && plain(document, properties[name]).schema['readOnly'] !== true,
    );
    return Object.fromEntries(
      kept.map(([name, each]) => [name, this.#less(each, properties[name], depth + 1, isGiven)]),
    );
  }

  /** A body without one required member; undefined if none is required. */
  lacking(call: DocumentedCall, whole: Json): { readonly name: string; readonly body: Json } | undefined {
    const { schema } = plain(
      this.contract.document,
      documentBody(this.contract.document, call.operation['requestBody'])?.schema,
    );
    const name = listOr(schema['required'])
      .map(String)
      .find((each) => isObject(whole) && each in whole);
    if (name === undefined || !isObject(whole)) return undefined;
    return { name, body: Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name)) };
  }

  /** The id of an existing object that a name such as `pet_id` refers to. */
  reference(name: string): string | undefined {
    const noun = /^(.*?)_ids?$/.exec(snake(name))?.[1];
    const known = noun === undefined ? undefined : this.idOf(noun);
    return known === undefined ? undefined : String(known);
  }

  /** A parameter's example, or a generated value. */
  parameter(parameter: Node): string {
    const named = Object.values(objectOr(parameter['examples'])).map((each) => objectOr(each)['value']);
    const shown = [parameter['example'], ...named].filter((each) => each !== undefined);
    const made = this.#sampler.of(parameter['schema'], shown);
    return typeof made === 'object' ? '' : String(made);
  }

  /** A unique name for an object in a path. */
  name(parameter: Node, nth: number): string {
    const shown = this.parameter(parameter);
    const made = this.#leaf(
      shown,
      textOr(parameter['name']),
      plain(this.contract.document, parameter['schema']).schema,
      nth,
    );
    const fitting = made.find((each) => this.#problems(parameter['schema'], each) === 0);
    return String(fitting ?? shown).replaceAll('/', '-') || `name-${nth}`;
  }

  #problems(schema: unknown, value: unknown): number {
    return schema === undefined ? 0 : this.contract.errors(schema, value).length;
  }

  /** Copies a value with different content. Changes that make it invalid are skipped. */
  #varied(
    root: Json,
    value: Json,
    path: readonly (string | number)[],
    given: unknown,
    rootSchema: unknown,
    nth: number,
  ): Json {
    const { document } = this.contract;
    const { schema } = plain(document, given);
    if (Array.isArray(value)) {
      let made = root;
      value.forEach((each, at) => {
        made = this.#varied(made, each as Json, [...path, at], schema['items'], rootSchema, nth);
      });
      return made;
    }
    if (isObject(value)) {
      let made = root;
      for (const [name, each] of Object.entries(value)) {
        const property = objectOr(schema['properties'])[name];
        if (plain(document, property).schema['readOnly'] === true) continue;
        made = this.#varied(made, each, [...path, name], property, rootSchema, nth);
      }
      return made;
    }
    const name = String(path.findLast((each) => typeof each === 'string') ?? '');
    const known = this.#problems(rootSchema, root);
    for (const other of this.#leaf(value, name, schema, nth)) {
      const made = withValue(root, path, other);
      if (this.#problems(rootSchema, made) <= known) return made;
    }
    return root;
  }

  /** Different values for a member, most likely first; empty if its values have a fixed meaning. */
  #leaf(value: Json, name: string, schema: Node, nth: number): readonly Json[] {
    if ('const' in schema || listOr(schema['enum']).length > 0) return [];
    const id = /^(.*?)_ids?$/.exec(snake(name))?.[1] ?? snake(name);
    // A client generates a new idempotency key for each call.
    if (/^idempoten/i.test(name) && typeof value === 'string') return [`juniper-${nth}`];
    // The key may be named after the object: `external_customer_id` of a customer is its `external_id`.
    const isInside = this.#nouns.some((noun) => this.#key?.replace(`_${noun}_`, '_') === snake(name));
    const isKey = snake(name) === this.#key || (isInside && snake(name) !== 'id');
    const isOwn = isKey && (this.#nouns.includes(id) || this.idOf(id) === undefined);
    if (isOwn && typeof value === 'string')
      return [...textsFor(value, 'name', schema, nth), `juniper-${nth}`, `juniper_${nth}`];
    const known = this.idOf(id) ?? this.idOf(singular(id));
    if (known !== undefined && (typeof known === typeof value || /_ids?$/.test(snake(name))))
      return [typeof value === 'number' ? Number(known) : String(known)];
    if (/(?:^|_)ids?$/.test(snake(name))) return [];
    if (typeof value === 'number') return schemaTypeName(schema) === '' ? [] : [value + nth];
    if (typeof value !== 'string') return [];
    return textsFor(value, name, schema, nth);
  }
}

function textsFor(value: string, name: string, schema: Node, nth: number): readonly string[] {
  const format = textOr(schema['format']);
  if (format === 'email' || /e_?mail$/i.test(name)) return [`juniper.${nth}@example.org`];
  if (format === 'date-time') return [`2031-05-${10 + (nth % 18)}T10:00:00Z`];
  if (format === 'date') return [`2031-05-${10 + (nth % 18)}`];
  if (format === 'uri' || format === 'url' || /ur[li]$/i.test(name)) return [`https://example.org/juniper/${nth}`];
  if ('pattern' in schema && /name|slug|key|title|handle/i.test(name))
    return [`juniper-${nth}`, `juniper_${nth}`, `juniper${nth}`, `Juniper${nth}`];
  if (format !== '' || 'pattern' in schema || MEANT.test(name) || /^[A-Z]{2,3}$|^\d|^\/|\n/.test(value)) return [];
  if (/^[\w.-]+\.[a-z]{2,}$/.test(value)) return [`juniper-${nth}.example.org`];
  return [/^[a-z0-9]+(?:[-_][a-z0-9]+)+$/.test(value) ? `juniper-${nth}` : `Juniper ${nth}`];
}

function withValue(root: Json, path: readonly (string | number)[], value: Json): Json {
  if (path.length === 0) return value;
  const made = structuredClone(root);
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], made);
  (holder as Record<string | number, Json>)[path[path.length - 1]] = value;
  return made;
}

/** Encodes a body in the media type that the document declares. */
export function encoded(
  contract: Contract,
  call: DocumentedCall,
  body: Json,
): { readonly type: string; readonly text: string | FormData } {
  const type = documentBody(contract.document, call.operation['requestBody'])?.type ?? 'application/json';
  if (isJson(type))
    return { type: /^application\/json|\*/.test(type) ? 'application/json' : type, text: JSON.stringify(body) };
  if (!type.includes('multipart')) return { type: 'application/x-www-form-urlencoded', text: qs.stringify(body) };
  const form = new FormData();
  for (const [name, value] of Object.entries(isObject(body) ? body : {}))
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return { type: '', text: form };
}
