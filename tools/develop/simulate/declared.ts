import { rulesOf, type Schema } from '../../../engine/model/index.js';
import type { Operation } from '../../../engine/program/index.js';
import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { Dice } from './dice.js';
import { formOf } from './form.js';
import type { DeclaredWords, SimulatedCall } from './kit.js';
import { textField, type ObservedWorld } from './view.js';

/** Percentages of optional parameters: most calls without any succeed, and few with many do. */
const OPTIONAL = [0, 10, 15, 30, 60];
/** Percentages of further optional parameters for calls that already have their usual ones. */
const FEW = [0, 0, 0, 10, 30];
/** Percentage of random calls that are of operations with usual parameters. */
const USUAL = 30;
const WRONG = ['', 'x', '-1', '0', '1.5', '9007199254740993', '99999999999', 'true', 'null', '[]', 'none_000000'];
const LONG = '🐢'.repeat(300);
const DAY = 86_400;
/** Values of time parameters, in seconds from now. */
const INSTANTS = [-40 * DAY, -DAY, 0, 1, 3600, 5 * DAY, 20 * DAY, 33 * DAY, 400 * DAY];

/** Generates calls of operations with parameters of their declared types, and sometimes of other types. */
export class DeclaredCalls {
  /** Percentage of optional parameters in the current call. */
  #share = 0;

  constructor(
    private readonly dice: Dice,
    private readonly view: ObservedWorld,
    private readonly words: DeclaredWords,
  ) {}

  /** Generates a call of any operation; rarely a delete. */
  any(): SimulatedCall | null {
    const { dice, view, words } = this;
    const usual = view.operations.filter(({ key }) => key in words.usual);
    const operation = dice.one(usual.length > 0 && dice.chance(USUAL) ? usual : view.operations);
    return operation.kind === 'delete' && dice.chance(60) ? null : this.of(operation);
  }

  of(operation: Operation): SimulatedCall | null {
    const { dice, view, words } = this;
    if (words.except.includes(operation.key)) return null;
    const usual = operation.key in words.usual && dice.chance(90) ? words.usual[operation.key] : undefined;
    const fit = usual && words.fit[operation.key];
    let target = '';
    const path = pathOf(operation, (resources) => (target = this.#id(resources, fit)));
    if (fit && target === '') return null;
    const params = usual ? usual(dice, view, target) : {};
    return params && this.#call(operation, path, params);
  }

  /** Adds declared parameters to a call of an action. */
  more({ method, path, body = {} }: SimulatedCall): SimulatedCall | null {
    const operation = operationOf(this.view, method, path);
    return operation && method === 'POST' ? this.#call(operation, path, body) : null;
  }

  #call(operation: Operation, path: string, base: JsonObject): SimulatedCall {
    const [{ method, names }] = operation.routes;
    this.#share = this.dice.one(Object.keys(base).length > 0 ? FEW : OPTIONAL);
    const open = [...operation.params()].filter(([name]) => !names.includes(name) && !(name in base));
    const params = { ...base, ...this.#fields(open, false) };
    return callOf(method, path, params);
  }

  #fields(fields: Iterable<readonly [string, Schema]>, isInside: boolean): JsonObject {
    const made: Record<string, Json> = {};
    for (const [name, schema] of fields) {
      const isWanted = schema.required === true || (isInside && this.words.wanted.includes(name));
      if (this.dice.chance(isWanted ? 95 : this.#share)) made[name] = this.#value(schema, name);
    }
    return made;
  }

  #value(schema: Schema, name: string): Json {
    const { dice } = this;
    if (dice.chance(2)) return dice.one([...WRONG, LONG]);
    if (schema.unset && dice.chance(10)) return '';
    switch (schema.kind) {
      case 'object':
        return this.#fields(schema.fields, true);
      case 'array':
        return Array.from({ length: dice.one([0, 1, 1, 1, 2, 3]) }, () => this.#value(schema.items, name));
      case 'map':
        return { k: dice.chance(20) ? '' : 'v' };
      case 'one_of':
        return this.#value(dice.one(schema.options), name);
      default:
        return this.#scalar(schema, name);
    }
  }

  #scalar(schema: Schema, name: string): Json {
    const { dice, view, words } = this;
    const known = words.values[name];
    switch (schema.kind) {
      case 'enum':
        return dice.one(known ?? schema.values);
      case 'const':
        return schema.constant;
      case 'boolean':
        return dice.chance(50);
      case 'timestamp':
        return view.now + dice.one(INSTANTS);
      case 'ref':
        return this.#id(schema.refs);
      case 'integer':
      case 'number':
        return dice.one(known ?? [-1, 0, 1, 2, 50, 500, 1000, 2000]);
      default: {
        if (known) return dice.one(known);
        const { format } = rulesOf(schema);
        if (format?.name === 'email') return 'jenny@example.com';
        if (format?.name === 'url') return 'http://127.0.0.1:9/x';
        const [, resource] = words.named.find(([place]) => place.test(name)) ?? [];
        if (resource !== undefined) return this.#id([resource]);
        return dice.one(['text', 'US', '2', 'Zoë', 'k', 'very odd\n', "it's"]);
      }
    }
  }

  /** Chooses the id of an object, mostly of one that can still change. */
  #id(resources: readonly string[], fit?: readonly string[]): string {
    const { dice, view, words } = this;
    const fitting =
      fit && resources.flatMap((each) => view.all(each).filter((one) => fit.includes(textField(one, 'status'))));
    if (fitting) return textField(dice.maybe(fitting), 'id');
    if (dice.chance(3)) return 'x_unknown';
    const given = resources.flatMap((resource) => words.ids[resource] ?? []);
    if (given.length > 0 && dice.chance(50)) return dice.one(given);
    const newest = resources.flatMap((resource) => view.all(resource).slice(-8));
    const alive = newest.filter((each) => !words.over.includes(textField(each, 'status')));
    const found = dice.maybe(alive.length > 0 && dice.chance(85) ? alive : newest);
    return found ? textField(found, 'id') : 'x_none';
  }
}

/** Yields calls of operations with each parameter set to a wrong value or treated as an object, and without any parameters. */
export function* wrongCalls(view: ObservedWorld, operations: readonly Operation[]): Iterable<SimulatedCall> {
  const values = [...WRONG, LONG];
  let turn = 0;
  for (const operation of operations) {
    if (operation.kind === 'delete' || operation.name === 'advance') continue;
    const [{ method, names }] = operation.routes;
    const path = pathOf(
      operation,
      (resources) => resources.map((each) => textField(view.all(each).at(-1), 'id')).find((id) => id !== '') ?? 'x',
    );
    yield callOf(method, path, {});
    for (const name of operation.params().keys()) {
      if (names.includes(name)) continue;
      yield callOf(method, path, { [name]: values[turn++ % values.length] });
      yield callOf(method, path, { [name]: [['x'], { a: 'x' }, { a: { b: 'x' } }][turn % 3] });
    }
  }
}

function callOf(method: string, path: string, params: JsonObject): SimulatedCall {
  if (method !== 'GET' && method !== 'DELETE') return { method, path, body: params };
  const query = formOf(params);
  return { method, path: query === '' ? path : `${path}?${query}` };
}

/** Builds the path of an operation. @param id returns the id of an object of one of some resources */
function pathOf(
  { routes: [route], params, resource }: Operation,
  id: (resources: readonly string[]) => string,
): string {
  return route.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const param = params().get(name);
    return encodeURIComponent(id(name === 'id' ? [resource.name] : param?.kind === 'ref' ? param.refs : []));
  });
}

/** Finds the operation of a call: of all matching routes, the one with the fewest path parameters. */
export function operationOf(view: ObservedWorld, method: string, path: string): Operation | undefined {
  return view.operations
    .filter(({ routes: [route] }) => route.method === method && fits(route, path))
    .sort((a, b) => a.routes[0].names.length - b.routes[0].names.length)
    .at(0);
}

function fits(route: { readonly path: string }, path: string): boolean {
  const parts = route.path.split('/');
  const own = path.replace(/\?.*/, '').split('/');
  return parts.length === own.length && parts.every((part, at) => part.startsWith('{') || part === own[at]);
}
