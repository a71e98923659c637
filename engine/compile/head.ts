import { type Json, type JsonObject, lazy } from '../values/index.js';
import { ANY, type Js, listType, type Scope, type Type } from '../expression/index.js';
import {
  inside,
  keyIn,
  type Model,
  type OperationFile,
  type OperationKind,
  type SourceLocation,
  type ResourceDef,
  type Schema,
  typeOfFields,
} from '../model/index.js';
import type { Execution, ResponseHead, Invocation, ListPage, OperationResult, Parent } from '../program/index.js';
import type { Row } from '../world/index.js';
import { type Compiler, resourceOf, rootScope } from './context.js';
import { declarePage } from './envelopes.js';

export interface Owner {
  readonly key: string;
  readonly kind: OperationKind;
  readonly resource: ResourceDef;
  readonly parent: Parent | null;
  readonly params: () => ReadonlyMap<string, Schema>;
  /** Types of the variables that the operation's `let` binds. */
  readonly locals: () => ReadonlyMap<string, Type>;
  /** Response headers of the operation's list, with their locations. */
  readonly listHeaders: JsonObject;
}

/** Compiles `headers` of an operation; null if it has none. */
export function compileHead(
  owner: Owner,
  file: OperationFile,
  place: SourceLocation,
  compiler: Compiler,
): (() => ResponseHead) | null {
  const { listHeaders } = owner;
  const headers: JsonObject = { ...listHeaders, ...file.headers };
  if (Object.keys(headers).length === 0) return null;
  const at = inside(place, 'headers');
  return lazy(() => {
    const { scope, parameters, lines } = responseScope(`headers of ${owner.key}`, owner, at, compiler);
    const { model, diagnostics } = compiler;
    const parts = [...new Set([...Object.keys(headers)])].map((name) => {
      const own = file.headers !== undefined && Object.hasOwn(file.headers, name);
      return [name, own ? inside(at, name) : placeOfLists(['headers', name], owner.resource, place, model)] as const;
    });
    const members = parts.map(
      ([name, where]) =>
        `${JSON.stringify(name)}: ${diagnostics.template(where, headers[name], scope, compiler.env).js}`,
    );
    return scope.unit.function(parameters, [...lines, `return { ${members.join(', ')} };`]);
  });
}

/** Compiles `cookies` of an operation; null if it sets none. */
export function compileCookies(
  owner: Owner,
  { cookies }: OperationFile,
  place: SourceLocation,
  compiler: Compiler,
): (() => ResponseHead) | null {
  if (cookies === undefined) return null;
  const { model, diagnostics, env } = compiler;
  const at = inside(place, 'cookies');
  const known = model.settings.cookies;
  for (const name of Object.keys(cookies)) diagnostics.known(keyIn(at, name), 'cookie', name, known);
  return lazy(() => {
    const { scope, parameters, lines } = responseScope(`cookies of ${owner.key}`, owner, at, compiler);
    const members = Object.entries(cookies).map(
      ([name, value]) => `${JSON.stringify(name)}: ${diagnostics.template(inside(at, name), value, scope, env).js}`,
    );
    return scope.unit.function(parameters, [...lines, `return { ${members.join(', ')} };`]);
  });
}

/** The location of a key of `lists`: in the operation, the resource or pack.yaml. */
export function placeOfLists(
  path: readonly string[],
  def: ResourceDef,
  operation: SourceLocation,
  model: Model,
): SourceLocation {
  const places = [operation, def.place, model.packPlace].map((each) => inside(each, 'lists', ...path));
  return places.find((each) => standsAt(each)) ?? places[0];
}

function standsAt({ file, path }: SourceLocation): boolean {
  let at: unknown = file.data;
  for (const key of path) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  return at !== undefined;
}

/** The scope of expressions over a response that is about to be written. */
export function responseScope(
  name: string,
  { kind, resource, parent, params, locals }: Owner,
  place: SourceLocation,
  { env }: Compiler,
): { readonly scope: Scope; readonly parameters: readonly string[]; readonly lines: Js } {
  const scope = rootScope(name, place, env);
  const { unit } = scope;
  const [call, outcome] = [unit.identifier('call'), unit.identifier('outcome')];
  const given = scope.declare('params', typeOfFields(params(), 'params')).js;
  const request = scope.declare('request', env.request).js;
  const lines = [`const ${given} = ${call}.params, ${request} = x.request;`];
  if (parent !== null) {
    const above = scope.declare('parent', parent.resource.type, true).js;
    lines.push(`const ${above} = ${call}.parent;`);
  }
  const parameters = ['x', call, outcome];
  if (kind === 'list' || kind === 'search') {
    const page = unit.identifier('page');
    scope.name('data', { js: `${unit.refer(itemsOf, 'itemsOf')}(x, ${page})`, type: listType(ANY), live: false });
    return { scope, parameters, lines: [...lines, `const ${page} = ${outcome}.page;`, ...declarePage(scope, page)] };
  }
  const self = scope.declare('self', resource.type, true).js;
  const result = scope.declare('result', ANY).js;
  const bound = [...locals()].map(([name, type]) => {
    const { js } = scope.declare(name, type, resourceOf(type, env) !== undefined);
    return `const ${js} = ${call}.bound?.[${JSON.stringify(name)}] ?? null;`;
  });
  return {
    scope,
    parameters,
    lines: [
      ...lines,
      `const ${self} = ${unit.refer(selfOf, 'selfOf')}(${call}, ${outcome}, ${resource.index});`,
      `const ${result} = ${unit.refer(valueOf, 'valueOf')}(x, ${outcome});`,
      ...bound,
    ],
  };
}

/** Returns the items of a page as the API returns them. */
function itemsOf(x: Execution, { rows, each }: ListPage): Json {
  return rows.map((row) => (each === null ? x.answer(row.resource, row.value) : each(x, row)));
}

/** The object of a response: the result, if it is an object of the resource, else the object of the operation's route. */
function selfOf({ self }: Invocation, outcome: OperationResult, resource: number): Row | null {
  return outcome.kind === 'row' && outcome.row.resource === resource ? outcome.row : self;
}

/** Returns the value of an operation's result; null for a page. */
function valueOf(x: Execution, outcome: OperationResult): Json {
  switch (outcome.kind) {
    case 'row':
      return x.answer(outcome.row.resource, outcome.row.value);
    case 'object':
      return x.answer(outcome.resource, outcome.value);
    case 'value':
      return outcome.value;
    case 'page':
      return null;
  }
}
