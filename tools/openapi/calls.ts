import qs from 'qs';
import { isObject, type Json } from '../../engine/values/index.js';
import type { Schema } from '../../engine/model/index.js';
import type { Operation } from '../../engine/program/index.js';
import { Random } from './random.js';
import { type DocumentedCall, type Contract } from './contract.js';
import { documentBody, type Document, isJson, listOr, objectOr, textOr } from './document.js';
import { namesIn } from './names.js';
import { type Example, examplesOf } from './examples.js';
import { Sampler } from './sample.js';
import { isFile, plain } from './types.js';

/** A request to the vendor API. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
}

/** Percentage of optional query parameters that a random call sends. */
const OPTIONAL = 20;
/** Number of different bodies generated per operation. */
const BODIES = 5;

/** Builds requests that the document allows, with ids of existing objects. */
export class CallMaker {
  readonly #sampler: Sampler;
  readonly #random: Random;

  /**
   * @param idOf returns the id of an object of one of these resources, if there is any
   * @param parentOf returns the id of an object's parent
   */
  constructor(
    private readonly contract: Contract,
    seed: number,
    private readonly idOf: (resources: readonly string[], random: Random) => string | undefined,
    private readonly parentOf: (operation: Operation, own: string) => string | undefined,
  ) {
    this.#sampler = new Sampler(contract);
    this.#random = new Random(seed);
  }

  get random(): Random {
    return this.#random;
  }

  /**
   * @param operation the pack's operation for the call, if known
   * @param route of the operation
   * @param plain sends only required parameters, with the document's examples first
   * @param example sent instead of generated values
   */
  make(
    call: DocumentedCall,
    operation: Operation | undefined,
    route: string,
    plain: boolean,
    example?: Example,
  ): Request {
    const names = namesIn(route);
    let at = 0;
    const own = operation ? this.idOf([operation.resource.name], this.#random) : undefined;
    const path = route.replace(/\{[^{}]+\}/g, () => {
      const name = names[at];
      const documented = namesIn(call.path)[at++] ?? name;
      return encodeURIComponent(this.#segment(call, operation, name.replace(/\+$/, ''), documented, own));
    });
    // Required parameters without an example are generated.
    const made = this.#query(call, operation, plain || example !== undefined);
    const query = qs.stringify({ ...made, ...example?.query }, { arrayFormat: 'repeat' });
    const { body, type } = this.#body(call, operation, plain, example?.sent);
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    for (const each of call.parameters)
      if (
        each['in'] === 'header' &&
        each['required'] === true &&
        !/^(?:accept|content-type|authorization)$/i.test(textOr(each['name']))
      )
        headers[textOr(each['name']).toLowerCase()] = scalar(this.#sampler.of(each['schema'], shownOf(each)));
    return { method: call.method.toUpperCase(), path: query === '' ? path : `${path}?${query}`, headers, body };
  }

  #segment(
    call: DocumentedCall,
    operation: Operation | undefined,
    name: string,
    documented: string,
    own: string | undefined,
  ): string {
    if (operation && own !== undefined) {
      if (name === 'id' && operation.idKey === null) return own;
      const part = operation.idKey?.indexOf(name) ?? -1;
      if (part >= 0) return own.split('/')[part] ?? own;
    }
    const parent = operation?.parent;
    const level = parent?.names.indexOf(name) ?? -1;
    if (operation && parent && level >= 0) {
      const above =
        (own === undefined ? undefined : this.parentOf(operation, own)) ??
        this.idOf([parent.resource.name], this.#random);
      if (above !== undefined) return parent.names.length === 1 ? above : (above.split('/')[level] ?? above);
    }
    const schema = operation?.params().get(name);
    const id = schema?.kind === 'ref' ? this.idOf(schema.refs, this.#random) : undefined;
    if (id !== undefined) return id;
    const parameter = call.parameters.find((each) => each['in'] === 'path' && each['name'] === documented) ?? {};
    const value = scalar(this.#sampler.of(parameter['schema'], shownOf(parameter)));
    // An empty text, or one with a slash, would match another route.
    return value === '' || value === '{}' ? 'x1' : value.replaceAll('/', '-');
  }

  #query(call: DocumentedCall, operation: Operation | undefined, plain: boolean): Record<string, Json> {
    const values: Record<string, Json> = {};
    for (const each of call.parameters) {
      if (each['in'] !== 'query') continue;
      const wanted = each['required'] === true || (!plain && this.#random.below(100) < OPTIONAL);
      // Cursors come from the pack's responses, not from examples.
      if (
        !wanted ||
        (each['required'] !== true && /cursor|token|after|before|offset|^page$/i.test(textOr(each['name'])))
      )
        continue;
      const name = textOr(each['name']);
      const schema = operation?.params().get(name);
      const made =
        schema?.kind === 'ref' ? this.idOf(schema.refs, this.#random) : this.#sampler.of(each['schema'], shownOf(each));
      if (made !== undefined && made !== null) values[name] = made;
    }
    return values;
  }

  #body(
    call: DocumentedCall,
    operation: Operation | undefined,
    plain: boolean,
    shown?: Json,
  ): { body: string | FormData | undefined; type: string | undefined } {
    const { document } = this.contract;
    const body = documentBody(document, call.operation['requestBody']);
    if (body === undefined || call.method === 'get') return { body: undefined, type: undefined };
    const seed = plain ? 1 : 1 + this.#random.below(BODIES);
    const made =
      shown ??
      this.#sampler.of(
        body.schema,
        plain ? [...examplesOf(document, call).flatMap(({ sent }) => sent ?? []), ...body.examples] : [],
        seed,
      ) ??
      {};
    const value = operation ? this.#withIds(made, operation.params()) : made;
    if (isJson(body.type)) return { body: JSON.stringify(value), type: 'application/json' };
    if (body.type.includes('multipart')) return { body: formData(value, document, body.schema), type: undefined };
    if (body.type.includes('form'))
      return { body: isObject(value) ? qs.stringify(value) : '', type: 'application/x-www-form-urlencoded' };
    return {
      body: typeof value === 'string' ? value : JSON.stringify(value),
      type: body.type.replace('*/*', 'application/octet-stream'),
    };
  }

  /** Replaces ids in a body with those of existing objects. */
  #withIds(value: Json, params: ReadonlyMap<string, Schema>): Json {
    if (!isObject(value)) return value;
    const made: Record<string, Json> = {};
    for (const [name, each] of Object.entries(value)) {
      const schema = params.get(name);
      if (schema?.kind === 'ref') {
        const id = this.idOf(schema.refs, this.#random);
        if (id !== undefined) made[name] = id;
      } else if (schema?.kind === 'object') made[name] = this.#withIds(each, schema.fields);
      else made[name] = each;
    }
    return made;
  }
}

function shownOf(parameter: Readonly<Record<string, unknown>>): unknown[] {
  const named = Object.values(objectOr(parameter['examples'])).map((each) => objectOr(each)['value']);
  return [parameter['example'], ...named, ...listOr(parameter['x-example'])].filter((each) => each !== undefined);
}

function scalar(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function formData(value: Json, document: Document, schema: unknown): FormData {
  const form = new FormData();
  const properties = objectOr(plain(document, schema).schema['properties']);
  for (const [name, each] of Object.entries(isObject(value) ? value : {})) {
    const text = typeof each === 'string' ? each : JSON.stringify(each);
    form.append(name, isFile(plain(document, properties[name]).schema) ? new File([text], 'file.txt') : text);
  }
  return form;
}
