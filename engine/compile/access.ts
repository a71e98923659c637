import type { Json } from '../values/index.js';
import { inside, type ResourceDef, type ResourceFile } from '../model/index.js';
import { type Execution, type ItemTest, lazy, type OperationBody } from '../program/index.js';
import type { Row } from '../world/index.js';
import { type Compiler, rootScope, stepContext } from './context.js';
import { compileFail } from './steps/fail.js';

type AccessRule = NonNullable<ResourceFile['access']>[number];

/** Who may reach objects of a resource by one operation. */
export interface Access {
  /** @throws Rejection when the caller may not reach the object */
  readonly check: (execution: Execution, self: Row) => void;
  /** Whether a list shows an object. */
  readonly shows: ItemTest;
}

/** Compiles `access` of a resource for one of its operations; null: no rule is for it. */
export function compileAccess(def: ResourceDef, operation: string, compiler: Compiler): (() => Access) | null {
  const rules = (def.file.access ?? []).map((rule, index) => ({ rule, place: inside(def.place, 'access', index) }));
  const { operations = {} } = def.file;
  const names = Array.isArray(operations) ? operations.map(String) : Object.keys(operations);
  if (names[0] === operation)
    for (const { rule, place } of rules)
      rule.for?.forEach((name, at) => {
        if (!names.includes(name)) compiler.diagnostics.unknown(inside(place, 'for', at), 'operation', name, names);
      });
  const own = rules.filter(({ rule }) => rule.for === undefined || rule.for.includes(operation));
  if (own.length === 0) return null;
  return lazy(() => {
    const { env, diagnostics } = compiler;
    const scope = rootScope(`access of ${def.collection}.${operation}`, inside(def.place, 'access'), env);
    const self = scope.declare('self', def.type, true).js;
    const context = stepContext(compiler, scope);
    const lines = own.flatMap(({ rule, place }) => {
      const { js } = diagnostics.condition(inside(place, 'allow'), rule.allow, scope, env);
      return [`if (${js} !== true) {`, ...compileFail(failureOf(rule, def, compiler), place, context), '}'];
    });
    const test = rootScope(`list of ${def.collection}`, inside(def.place, 'access'), env);
    const item = test.declare('self', def.type, true).js;
    const allowed = own.map(
      ({ rule, place }) => `${diagnostics.condition(inside(place, 'allow'), rule.allow, test, env).js} === true`,
    );
    return {
      check: scope.unit.function<Access['check']>(['x', self], lines),
      shows: test.unit.function<ItemTest>(['x', item], [`return ${allowed.join(' && ')};`]),
    };
  });
}

/** The step that rejects: errors that say what was not found are told of the object. */
function failureOf(
  rule: AccessRule,
  def: ResourceDef,
  { model }: Compiler,
): { fail: string; with: Record<string, Json> } {
  const { else: fail = 'not_found', with: given = {} } = rule;
  const usual: Record<string, Json> = { resource: def.name, title: def.title, id: '${self.id}', param: 'id' };
  const { args } = model.errors.get(fail) ?? {};
  const known = Object.entries(usual).filter(([name]) => args?.has(name));
  return { fail, with: { ...Object.fromEntries(known), ...given } };
}

/** A body that looks first whether its caller may reach what it is about. */
export function guarded(body: OperationBody, access: Access): OperationBody {
  if (body.kind === 'steps')
    return {
      kind: 'steps',
      run: (execution, invocation) => {
        if (invocation.self !== null) access.check(execution, invocation.self);
        return body.run(execution, invocation);
      },
    };
  const { where } = body.plan;
  const shows: ItemTest = (host, item, value, params) =>
    access.shows(host, item, value, params) && (where === null || where(host, item, value, params));
  return body.kind === 'list'
    ? { kind: 'list', plan: { ...body.plan, where: shows } }
    : { kind: 'search', plan: { ...body.plan, where: shows } };
}
