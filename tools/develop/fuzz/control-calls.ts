import { isObject, type Json } from '../../../engine/values/index.js';
import type { Cause, Program } from '../../../engine/program/index.js';
import { contractText, CONTROL_PATH } from '../../../engine/control/index.js';
import { Document, listOr, type Node, objectOr } from '../../openapi/document.js';
import { type FuzzCall, http, withQuery } from './call.js';
import type { Dice } from '../simulate/dice.js';
import { encode } from '../simulate/form.js';
import { BIG, DURATIONS, NUMBERS, odd, TEXTS } from './oddities.js';
import type { ParameterValues } from './values.js';

/** Percentage of external events, seeds and overrides that follow the pack's declarations, since the contract describes them loosely. */
const OF_PACK = 40;
/** Names of moments and worlds; few, so that calls reuse them. */
const NAMES = ['one', 'two', 'three'];

interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly schema: Node; readonly required: boolean }[];
  readonly body: Node | null;
}

/** Generates calls of the control API from its whole contract, with names of the pack and its world. */
export class ControlCalls {
  readonly #contract: Document;
  readonly #routes: readonly Route[];
  readonly #words: Readonly<Record<string, () => Json>>;

  constructor(
    private readonly program: Program,
    private readonly dice: Dice,
    private readonly values: ParameterValues,
  ) {
    const contract = JSON.parse(contractText()) as Node;
    this.#contract = new Document(contract, contract);
    this.#routes = this.#routesOf();
    this.#words = this.#wordsOf();
  }

  next(): FuzzCall {
    return this.dice.chance(OF_PACK) ? this.#ofPack() : this.#ofContract();
  }

  #ofContract(): FuzzCall {
    const { dice } = this;
    const { method, path, query, body } = dice.one(this.#routes);
    const given = query
      .filter(({ required }) => required || dice.chance(30))
      .map(({ name, schema }) => `${name}=${encode(text(this.#value(name, schema)))}`);
    const named = path.replace('{id}', () => encode(text(this.#value(this.#kindOfId(path), {}))));
    return control(method, withQuery(named, given.join('&')), body === null ? undefined : this.#value('', body));
  }

  /** Selects the kind of id that a path parameter needs. */
  #kindOfId(path: string): string {
    if (path.startsWith('/ledger')) return 'at';
    if (path.startsWith('/moments') || path.startsWith('/worlds')) return 'name';
    return path.startsWith('/pack') ? 'resource' : 'id';
  }

  /** Generates a value for a schema of the contract; some names have their own generators. */
  #value(name: string, given: Node, depth = 0): Json {
    const { dice } = this;
    if (dice.chance(5)) return harmless(name, odd(dice));
    const made = this.#words[name];
    if (made !== undefined && dice.chance(85)) return made();
    const schema = this.#contract.at(given);
    const options = listOr(schema['oneOf'] ?? schema['anyOf']);
    if (options.length > 0) return this.#value(name, objectOr(dice.one(options)), depth);
    if (Array.isArray(schema['enum'])) return dice.one(schema['enum'] as Json[]);
    if (depth > 4) return null;
    const type = Array.isArray(schema['type']) ? dice.one(schema['type'] as string[]) : schema['type'];
    switch (type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return Array.from({ length: dice.below(3) }, () => this.#value(name, objectOr(schema['items']), depth + 1));
      case 'integer':
      case 'number':
        return harmless(name, dice.chance(70) ? dice.below(20) : dice.one(NUMBERS));
      case 'boolean':
        return dice.chance(50);
      case 'null':
        return null;
      default:
        return dice.chance(60) ? this.values.anyId() : dice.one(TEXTS);
    }
  }

  #object(schema: Node, depth: number): Json {
    const required = listOr(schema['required']);
    const made: Record<string, Json> = {};
    for (const [key, each] of Object.entries(objectOr(schema['properties'])))
      if (required.includes(key) || this.dice.chance(25)) made[key] = this.#value(key, objectOr(each), depth + 1);
    const { additionalProperties: more } = schema;
    if (isObject(more)) made[this.#key()] = this.#value('', more, depth + 1);
    return made;
  }

  #key(): string {
    return this.dice.one([...this.program.model.settings.durations.keys(), 'x', '__proto__']);
  }

  #routesOf(): Route[] {
    return Object.entries(objectOr(this.#contract.root['paths'])).flatMap(([path, methods]) =>
      Object.entries(objectOr(methods))
        // Excludes streams, whose responses never end.
        .filter(([, operation]) => !JSON.stringify(operation).includes('text/event-stream'))
        .map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          query: listOr(objectOr(operation)['parameters'])
            .map(objectOr)
            .filter((parameter) => parameter['in'] === 'query')
            .map(({ name, schema, required }) => ({
              name: String(name),
              schema: objectOr(schema),
              required: required === true,
            })),
          body: bodyOf(objectOr(operation)),
        })),
    );
  }

  /** Returns generators of values by the parameter names that the contract uses. */
  #wordsOf(): Readonly<Record<string, () => Json>> {
    const { dice, program, values } = this;
    const collections = program.model.resources.map(({ collection }) => collection);
    const moment = (): Json =>
      dice.one<Json>([dice.below(40), 1_736_942_400 + dice.below(86_400), values.anyId(), ...NAMES]);
    const duration = (): Json => dice.one(DURATIONS);
    const event = (): Json => dice.one([...program.eventTypes, '*', 'x.*']);
    return {
      id: () => values.anyId(),
      object: () => values.anyId(),
      endpoint: () => values.anyId(),
      resource: () => dice.one([...collections, 'x']),
      operation: () => dice.one(program.operations).name,
      cause: () => dice.one([...program.causes.keys(), 'x']),
      event,
      events: () => [event()],
      url: () => dice.one(['http://127.0.0.1:9/', 'http://127.0.0.1:1/x', 'x', `http://${BIG}`]),
      name: () => dice.one(NAMES),
      world: () => dice.one(['main', values.anyId(), ...NAMES]),
      pack: () => dice.one([program.model.settings.name, 'x']),
      seed: () => dice.one(['1', '2', 'x']),
      expires: duration,
      duration,
      at_most: duration,
      at: moment,
      from: moment,
      to: moment,
      t0: () => 1_736_942_400 + dice.below(86_400),
      // Excludes 500: a response with an injected 500 would look like a defect.
      status: () => dice.one([402, 404, 429, 503, 999, 99]),
      delay_ms: () => dice.one([0, 5, 50, -1]),
      path: () => this.#pinPath(),
    };
  }

  #pinPath(): string {
    const pins = this.program.resources.flatMap((each) => each.pins.map(({ path }) => path));
    return this.dice.one([...pins, 'branch', 'a..b', '__proto__']);
  }

  #ofPack(): FuzzCall {
    const { dice, program, values } = this;
    const resource = dice.one(program.model.resources);
    const { collection } = resource;
    const operation = dice.one(program.operations);
    const calls: (() => [string, string, Json?])[] = [
      () => ['POST', '/clock/advance', { duration: dice.one(DURATIONS) }],
      () => ['GET', `/state?resource=${collection}&limit=5`],
      () => [
        'POST',
        '/faults',
        {
          resource: operation.resource.collection,
          operation: operation.name,
          status: dice.one([402, 429, 503, 999]),
          count: 1,
          error: dice.one<Json>([{}, { code: 'x' }, { code: 5, type: [], message: {} }]),
        },
      ],
      () => ['DELETE', '/faults'],
      () => [
        'POST',
        '/exogenous/pins',
        {
          resource: dice.one([collection, values.anyId()]),
          path: dice.one([...(program.resources[resource.index]?.pins ?? []).map(({ path }) => path), 'branch']),
          value: odd(dice),
        },
      ],
      () => ['POST', '/world/events', this.#cause()],
      () => ['POST', '/seed', { resource: collection, objects: [this.#seedOf(collection)] }],
      () => ['POST', '/webhooks/flush', {}],
    ];
    return control(...dice.one(calls)());
  }

  #cause(): Json {
    const causes = [...this.program.causes.values()];
    if (causes.length === 0) return { cause: 'none' };
    const cause: Cause = this.dice.one(causes);
    const variant = this.dice.one(cause.variants);
    const params = this.values.params(variant.params, []);
    if (variant.subject) params[variant.subject.param] = this.values.refTo([variant.subject.resource.name]);
    return { cause: cause.name, params };
  }

  /** Generates an object of a collection with some of its fields. */
  #seedOf(collection: string): Json {
    const def = this.program.model.byCollection.get(collection);
    const made: Record<string, Json> = {};
    for (const [name, field] of def?.schema.fields ?? [])
      if (this.dice.chance(35)) made[name] = this.values.of(field, 1);
    return { ...made, id: `${def?.ids.prefix ?? ''}${'A'.repeat(this.dice.one([14, 16, 24]))}` };
  }
}

function control(method: string, path: string, body?: Json): FuzzCall {
  const type = { 'content-type': 'application/json' };
  const isNone = body === undefined;
  return http(method, CONTROL_PATH + path, isNone ? {} : type, isNone ? null : JSON.stringify(body));
}

function bodyOf(operation: Node): Node | null {
  const { content } = objectOr(operation['requestBody']);
  const schema = objectOr(objectOr(content)['application/json'])['schema'];
  return schema === undefined ? null : objectOr(schema);
}

/** Shortens deliberate delays, which would look like hanging calls. */
function harmless(name: string, value: Json): Json {
  return typeof value === 'number' && /_ms$|delay|hold|chunk/.test(name) ? Math.min(value, 50) : value;
}

function text(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
