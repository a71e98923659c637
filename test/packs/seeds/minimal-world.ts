import { type Sandbox } from '../../../engine/index.js';
import { isList, isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { ResourceDef, Schema } from '../../../engine/model/index.js';
import type { Operation } from '../../../engine/program/index.js';
import { RandomStream } from '../../../engine/world/index.js';
import { TestSandbox } from '../../support/start-sandbox.js';
import { call } from '../../support/http.js';

/** What came of a seed or a call. */
export interface Outcome {
  readonly status: number;
  readonly body: JsonObject;
}

/** Values for fields whose type does not say what would make sense. */
const USUAL: Readonly<Record<string, Json>> = {
  currency: 'usd',
  email: 'ann@example.com',
  url: 'https://example.com/hook',
  country: 'US',
  code: 'SAVE',
  amount: 1000,
  unit_amount: 1000,
  interval: 'month',
  type: 'card',
};

/** Values by `collection.field`, or by the name of a parameter: as they are, or what makes one. */
export type Hints = Readonly<Record<string, Json | ((sandbox: Sandbox) => Json)>>;

/** A sandbox in which single objects are seeded, with as little said of them as is taken. */
export class MinimalWorld {
  readonly defects: string[] = [];
  readonly #ids = new RandomStream(7);
  #base = 0;

  private constructor(
    readonly sandbox: Sandbox,
    private readonly hints: Hints,
  ) {}

  /**
   * @param arrange makes the objects that references may name
   * @param hints values by `collection.field`
   */
  static async start(
    pack: string,
    arrange: (sandbox: Sandbox) => Promise<void>,
    hints: Hints = {},
  ): Promise<MinimalWorld> {
    const defects: string[] = [];
    const options = { seed: 'minimal', t0: '2026-01-31T10:00:00Z', ledgerLimit: Infinity };
    const onDefect = (error: unknown, what: string): void => void defects.push(`${what}: ${String(error)}`);
    const sandbox = await new TestSandbox(`packs/${pack}`, { ...options, onDefect }).open();
    const world = new MinimalWorld(sandbox, hints);
    world.defects.length = 0;
    Object.defineProperty(world, 'defects', { value: defects });
    await arrange(sandbox);
    world.#base = sandbox.engine.world.ledger.count;
    return world;
  }

  /** Back to the objects that references may name. */
  begin(): void {
    this.defects.length = 0;
    if (this.sandbox.engine.world.ledger.count > this.#base) this.sandbox.engine.rewind(this.#base);
  }

  /** Every resource with each of its statuses; null where it has none. */
  get rows(): { readonly def: ResourceDef; readonly status: string | null }[] {
    return this.sandbox.engine.model.resources
      .filter(({ singleton }) => !singleton)
      .flatMap((def) => (def.machine?.states ?? [null]).map((status) => ({ def, status })));
  }

  /** Operations that name an object of a resource. */
  operationsOn(def: ResourceDef): Operation[] {
    return this.sandbox.engine.pack.operations.filter(
      ({ resource, routes }) => resource === def && routes.some(({ path }) => path.includes('{id}')),
    );
  }

  /** Seeds an object that says what has to be said, and nothing else. */
  async seed(
    def: ResourceDef,
    status: string | null,
  ): Promise<{ readonly given: JsonObject; readonly answer: Outcome }> {
    let given: JsonObject = {
      id: this.#idOf(def),
      ...(status === null || def.status === null ? {} : { [def.status]: status }),
    };
    for (let tries = 0; ; tries++) {
      const answer = await this.call('POST', '/__admin__/seed', { resource: def.collection, objects: [given] });
      const error = isObject(answer.body['error']) ? answer.body['error'] : {};
      const keys = String(error['path'])
        .split(/[.[\]]+/)
        .slice(2)
        .filter((key) => key !== '');
      const wanted =
        error['code'] === 'missing_field' || this.hints[`${def.collection}.${keys.join('.')}`] !== undefined;
      if (answer.status === 200 || !wanted || tries > 30 || has(given, keys)) return { given, answer };
      given = put(given, keys, this.#valueAt(def, keys));
    }
  }

  /** Calls an operation on an object, with what it requires. */
  operate(operation: Operation, id: string, object: JsonObject): Promise<Outcome> {
    const [route] = operation.routes;
    const given: Record<string, Json> = {};
    for (const [name, schema] of operation.params()) {
      if (schema.required === true && !route.names.includes(name)) given[name] = this.#value(schema, name, '');
    }
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(
        name === 'id' ? id : String(object[name] ?? this.#value(operation.params().get(name), name, '')),
      ),
    );
    return this.call(route.method, path, given);
  }

  async call(method: string, path: string, given: JsonObject = {}): Promise<Outcome> {
    const { engine } = this.sandbox;
    const isForm = !path.startsWith('/__admin__') && engine.model.settings.requests === 'form';
    const text = isForm ? formOf(given) : JSON.stringify(given);
    const reads = method === 'GET' || method === 'DELETE';
    const query = reads && isForm && text !== '' ? `?${text}` : '';
    const type = reads ? undefined : isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const body = reads ? undefined : text;
    const called = await call(this.sandbox, `${method} ${path}${query}`, body, { 'content-type': type });
    return { status: called.status, body: called.body as JsonObject };
  }

  #idOf(def: ResourceDef): string {
    return def.ids.make(this.#ids);
  }

  #valueAt(def: ResourceDef, keys: readonly string[]): Json {
    const hint = this.#hint(`${def.collection}.${keys.join('.')}`);
    if (hint !== undefined) return hint;
    let schema: Schema | undefined = def.schema;
    for (const key of keys) {
      schema = schema?.kind === 'object' ? schema.fields.get(key) : schema?.kind === 'array' ? schema.items : undefined;
    }
    return this.#value(schema, keys.at(-1) ?? '', def.collection);
  }

  #value(schema: Schema | undefined, name: string, collection: string): Json {
    const hint = this.#hint(`${collection}.${name}`) ?? this.#hint(name);
    if (hint !== undefined) return hint;
    switch (schema?.kind) {
      case 'ref':
        return this.#one(schema.refs);
      case 'enum':
        return schema.values.includes(String(USUAL[name])) ? USUAL[name] : (schema.values[0] ?? 'x');
      case 'const':
        return schema.constant;
      case 'integer':
      case 'number':
        return Number(USUAL[name] ?? schema.min ?? 1000);
      case 'boolean':
        return true;
      case 'timestamp':
        return this.sandbox.engine.world.now;
      case 'array':
        return [this.#value(schema.items, name, collection)];
      case 'object':
        return Object.fromEntries(
          [...schema.fields]
            .filter(([, field]) => field.required === true)
            .map(([key, field]) => [key, this.#value(field, key, collection)]),
        );
      case 'map':
      case 'json_schema':
        return {};
      case 'one_of':
        return this.#value(schema.options[0], name, collection);
      default:
        return USUAL[name] ?? 'x';
    }
  }

  #hint(name: string): Json | undefined {
    const hint = this.hints[name];
    return typeof hint === 'function' ? hint(this.sandbox) : hint;
  }

  /** An object that a reference may name. */
  #one(refs: readonly string[]): string {
    const { engine } = this.sandbox;
    for (const name of refs) {
      const def = engine.model.byName.get(name);
      const id = def && engine.world.objects(def.index)[0]?.['id'];
      if (typeof id === 'string') return id;
    }
    return 'none';
  }
}

function has(value: Json, keys: readonly string[]): boolean {
  const [key, ...rest] = keys;
  if (key === undefined) return true;
  return isObject(value) && Object.hasOwn(value, key) && has(value[key], rest);
}

function put(object: JsonObject, keys: readonly string[], value: Json): JsonObject {
  const [key, ...rest] = keys;
  if (rest.length === 0) return { ...object, [key]: value };
  const inner = object[key] ?? null;
  return { ...object, [key]: put(isObject(inner) ? inner : {}, rest, value) };
}

/** A form's text, with nested keys. */
function formOf(object: JsonObject): string {
  const pairs: [string, string][] = [];
  const add = (value: Json, name: string): void => {
    if (isObject(value))
      for (const [key, each] of Object.entries(value)) add(each, name === '' ? key : `${name}[${key}]`);
    else if (isList(value)) for (const [index, each] of value.entries()) add(each, `${name}[${index}]`);
    else pairs.push([name, String(value)]);
  };
  add(object, '');
  return new URLSearchParams(pairs).toString();
}
