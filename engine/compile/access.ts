import { type Json, lazy } from '../values/index.js';
import type { Holder, Host } from '../expression/index.js';
import { inside, parentField, type ResourceDef, type ResourceFile } from '../model/index.js';
import { type Execution, type ItemTest, type OperationBody, Rejection } from '../program/index.js';
import { type Compiler, functionScope, liveParameter, stepContext } from './context.js';
import { compileFail } from './steps/fail.js';

type AccessRule = NonNullable<ResourceFile['access']>[number];

/** Who may reach objects of a resource by one operation. */
interface Access {
  /** @throws Rejection when the caller may not reach the object */
  readonly check: (execution: Execution, self: Holder) => void;
  /** Whether a list shows an object. */
  readonly shows: (host: Host, self: Holder) => boolean;
}

/**
 * Who may reach objects of a resource by one of its operations: who may retrieve what they belong to, and whom `access` lets.
 * Null: everyone.
 */
export function compileAccess(
  def: ResourceDef,
  operation: string,
  compiler: Compiler,
  within: readonly ResourceDef[] = [],
): (() => Access) | null {
  const own = rulesOf(def, operation, compiler);
  const parent = parentDef(def, compiler);
  const outer =
    parent === undefined || within.includes(parent)
      ? null
      : compileAccess(parent, 'retrieve', compiler, [...within, parent]);
  if (parent === undefined || outer === null) return own;
  const { field } = parentField(def.file) ?? { field: 'id' };
  const above = (host: Host, { value }: Holder): Holder | null => {
    const id = value[field];
    const found = typeof id === 'string' ? host.lookupObject(parent.index, id) : undefined;
    return found === undefined ? null : { value: found };
  };
  return lazy(() => {
    const [outside, inner] = [outer(), own?.()];
    return {
      check: (execution, self) => {
        const holder = above(execution, self);
        if (holder !== null && !outside.shows(execution, holder))
          throw new Rejection('not_found', {
            resource: def.name,
            title: def.title,
            id: self.value['id'],
            param: 'id',
          });
        inner?.check(execution, self);
      },
      shows: (host, self) => {
        const holder = above(host, self);
        return (holder === null || outside.shows(host, holder)) && inner?.shows(host, self) !== false;
      },
    };
  });
}

/** The resource that a resource's objects belong to; none where `parent` leads nowhere. */
export function parentDef(def: ResourceDef, { model }: Compiler): ResourceDef | undefined {
  const own = parentField(def.file);
  const schema = own === null ? undefined : def.schema.fields.get(own.field);
  return schema?.kind === 'ref' ? model.byName.get(schema.refs[0]) : undefined;
}

/** Compiles `access` of a resource for one of its operations; null: no rule is for it. */
function rulesOf(def: ResourceDef, operation: string, compiler: Compiler): (() => Access) | null {
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
    const seen = { self: liveParameter(def.type) };
    const check = functionScope(`access of ${def.collection}.${operation}`, inside(def.place, 'access'), env, seen);
    const { scope } = check;
    const context = stepContext(compiler, scope);
    const lines = own.flatMap(({ rule, place }) => {
      const { js } = diagnostics.condition(inside(place, 'allow'), rule.allow, scope, env);
      const { errors } = compiler.model;
      if (rule.else !== undefined && !errors.has(rule.else)) {
        diagnostics.unknown(inside(place, 'else'), 'error', rule.else, errors.keys());
        return [];
      }
      return [`if (${js} !== true) {`, ...compileFail(failureOf(rule, def, compiler), place, context), '}'];
    });
    const test = functionScope(`list of ${def.collection}`, inside(def.place, 'access'), env, seen);
    const allowed = own.map(
      ({ rule, place }) => `${diagnostics.condition(inside(place, 'allow'), rule.allow, test.scope, env).js} === true`,
    );
    return {
      check: check.unit.function<Access['check']>(check.parameters, lines),
      shows: test.unit.function<Access['shows']>(test.parameters, [`return ${allowed.join(' && ')};`]),
    };
  });
}

/** The step that rejects: errors that name what was not found receive the object. */
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
    access.shows(host, item) && (where === null || where(host, item, value, params));
  return body.kind === 'list'
    ? { kind: 'list', plan: { ...body.plan, where: shows } }
    : { kind: 'search', plan: { ...body.plan, where: shows } };
}
