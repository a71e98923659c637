import { type JsonObject } from '../../values/index.js';
import { bare, type Compiled, type Host, type Js, type Type } from '../../expression/index.js';
import {
  inside,
  keyIn,
  type OperationFile,
  type OperationKind,
  type SourceLocation,
  type ResourceDef,
  type Schema,
  typeOfFields,
} from '../../model/index.js';
import type { Execution, OperationBody, OperationResult, Parent } from '../../program/index.js';
import type { Row } from '../../world/index.js';
import {
  bind,
  type Compiler,
  held,
  definitionOf,
  resourceOf,
  rootScope,
  type StepContext,
  stepContext,
} from '../context.js';
import { compileMaker, numberedId } from '../maker.js';
import { compileChanger } from '../changer.js';
import { compileSteps } from '../steps/index.js';

/** Parts of an operation that the compilation of its steps needs. */
interface OperationHead {
  readonly name: string;
  readonly kind: OperationKind;
  readonly resource: ResourceDef;
  readonly params: ReadonlyMap<string, Schema>;
  /** Receives the types of the variables that `let` binds. */
  readonly locals: Map<string, Type>;
  readonly parent: Parent | null;
  /** Whether every route names the parent. */
  readonly isIn: boolean;
}

/** The steps of an operation as one function. */
export function compileBody(
  head: OperationHead,
  file: OperationFile,
  place: SourceLocation,
  compiler: Compiler,
  hasSelf: boolean,
): Extract<OperationBody, { kind: 'steps' }>['run'] {
  const { resource: def, kind, parent } = head;
  const { env, diagnostics } = compiler;
  const scope = rootScope(`operation ${def.collection}.${head.name}`, place, env);
  const { unit } = scope;
  const call = unit.identifier('call');
  const params = scope.declare('params', typeOfFields(head.params, 'params')).js;
  const request = scope.declare('request', env.request).js;
  const self = hasSelf || kind === 'create' ? scope.declare('self', def.type, true).js : 'null';
  const above = parent === null ? null : scope.declare('parent', parent.resource.type, true).js;
  const current = kind === 'update' && self !== 'null' ? `, ${self}` : '';
  const context: StepContext = {
    ...stepContext(compiler, scope),
    scope: scope.child(),
    creates: kind === 'create' ? { resource: def, self } : undefined,
    params: head.params,
    parent: above !== null && parent !== null && head.isIn ? { ...parent, resource: def, js: above } : undefined,
    returns: (value) => resultOf(value, current),
  };
  /** Returns the JavaScript of the result. For an update, the result first emits the event of the changed object. */
  function resultOf(value: Compiled, updated: string): string {
    return `${unit.refer(result, 'result')}(x, ${value.js}, ${resourceOf(value.type, env) ?? null}${updated})`;
  }
  const locals = Object.entries(file.let ?? {}).map(([name, source]) => {
    const at = inside(place, 'let', name);
    const compiled = diagnostics.bound(at, source, context.scope, env);
    const js = held(resourceOf(compiled.type, env), compiled, scope);
    head.locals.set(name, compiled.type);
    const variable = bind(context, name, compiled.type).js;
    return { place: at, name, variable, js: `const ${variable} = ${bare(js)};` };
  });
  const isSeen = ['status', 'headers', 'content', 'stream', 'wait'].some((key) => Object.hasOwn(file, key));
  const bound = locals.map(({ name, variable }) => `${JSON.stringify(name)}: ${variable}`).join(', ');
  const steps =
    file.do === undefined
      ? plainSteps(kind, def, self, place, context)
      : compileSteps(file.do, inside(place, 'do'), context);
  const returned =
    file.return === undefined ? null : diagnostics.returned(inside(place, 'return'), file.return, context.scope, env);
  const ended =
    kind === 'delete' && self !== 'null'
      ? deletion(
          def,
          self,
          returned === null ? null : { value: returned, write: (value) => resultOf(value, '') },
          context,
        )
      : returned === null
        ? []
        : [`return ${resultOf(returned, '')};`];
  return unit.function(
    ['x', call],
    [
      `const ${params} = ${call}.params, ${request} = x.request;`,
      ...(self === 'null' ? [] : [`let ${self} = ${call}.self;`]),
      ...(above === null ? [] : [`const ${above} = ${call}.parent;`]),
      ...locals,
      ...(isSeen && locals.length > 0 ? [`${call}.bound = { ${bound} };`] : []),
      ...steps,
      ...(current === '' ? [] : [`if (${self} !== null) x.emitUpdated(${self});`]),
      ...ended,
      `return ${self === 'null' ? '' : `${self} ? { kind: "row", row: ${self} } : `}{ kind: "value", value: {} };`,
    ],
  );
}

/** Compiles the default steps of `create` and `update` operations that declare none. */
function plainSteps(
  kind: OperationKind,
  def: ResourceDef,
  self: string,
  place: SourceLocation,
  context: StepContext,
): Js {
  const { unit } = context.scope;
  const given = { from: 'params' };
  const key = def.file.id?.key;
  const numbered = numberedId(def, context);
  if (kind === 'create' && key !== undefined && numbered === null)
    context.compiler.diagnostics.problem(
      keyIn(place),
      'missing-id',
      `the id of ${def.title} is its key (${key.join('/')}): write a step \`create\` with an \`id:\``,
    );
  if (kind === 'create') {
    const id = unit.identifier('id');
    const shape = unit.refer(def, `def_${def.name}`);
    const makeId = (kind?: string): string => numbered ?? `x.newId(${shape}${kind === undefined ? '' : `, ${kind}`})`;
    const { lines, made } = compileMaker(context, def, given, place, id, makeId);
    return [...lines, `${self} = x.create(${definitionOf(def, context)}, ${made});`];
  }
  if (kind !== 'update') return [];
  const { lines, edits } = compileChanger(context, def, given, place, `${self}.value`);
  return self === 'null' ? [] : [`if (${self} !== null) {`, [...lines, `x.change(${self}, ${edits});`], '}'];
}

/**
 * Compiles the end of a `delete` operation: deletes the object after the steps, if it still exists, and returns a tombstone or
 * the value of `return`, which still sees the object.
 */
function deletion(
  def: ResourceDef,
  self: string,
  own: { readonly value: Compiled; readonly write: (value: Compiled) => string } | null,
  context: StepContext,
): Js {
  const { unit } = context.scope;
  const response = unit.identifier('answer');
  const tombstone = () => unit.refer(linkTombstone(def, context.compiler), 'tombstone');
  return [
    `if (${self} !== null) {`,
    [
      `const ${response} = ${own === null ? `${tombstone()}(x, ${self}.value)` : own.value.js};`,
      `x.delete(${definitionOf(def, context)}, ${self});`,
      `return ${own === null ? `{ kind: "value", value: ${response} }` : own.write({ ...own.value, js: response })};`,
    ],
    '}',
  ];
}

/**
 * The result of an operation: an object of a resource (by number), or a value.
 * @param updated first emits an event with its changes
 */
function result(
  x: Execution,
  value: JsonObject | null,
  resource: number | null,
  updated: Row | null = null,
): OperationResult {
  if (updated !== null) x.emitUpdated(updated);
  if (resource === null || value === null) return { kind: 'value', value };
  const row = x.row(resource, String(value['id']));
  return row ? { kind: 'row', row } : { kind: 'object', resource, value };
}

/** Compiles the response for a deleted object of a resource. */
export function linkTombstone(
  def: ResourceDef,
  { model, env }: Compiler,
): (host: Host, value: JsonObject) => JsonObject {
  const place = inside(model.packPlace, 'tombstone');
  const scope = rootScope(`tombstone of ${def.name}`, place, env);
  const self = scope.unit.identifier('self');
  scope.name('self', { js: self, type: def.type, live: false });
  return scope.unit.expression(['x', self], model.diagnostics.template(place, model.settings.tombstone, scope, env));
}
