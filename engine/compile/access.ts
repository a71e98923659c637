import { type Json, lazy } from '../values/index.js';
import { type Holder, type Host, WatchedScope } from '../expression/index.js';
import { inside, parentField, type ResourceDef, type ResourceFile } from '../model/index.js';
import { type Execution, type ItemTest, type OperationBody, type Parent, Rejection } from '../program/index.js';
import { type Compiler, type FunctionScope, functionScope, liveParameter, stepContext } from './context.js';
import { compileFail } from './steps/fail.js';

type AccessRule = NonNullable<ResourceFile['access']>[number];

/** The access rules of one operation for objects of a resource. */
interface Access {
  /** Applies the rules that read only the parent, if the route names it; null if there are no such rules. */
  readonly admits: ((execution: Execution, parent: Holder) => void) | null;
  /** Checks that the caller may reach an object. @throws Rejection if it may not */
  readonly check: (execution: Execution, self: Holder) => void;
  /** Whether a list contains an object. */
  readonly shows: (host: Host, self: Holder) => boolean;
}

/** Which objects the routes of an operation name. */
interface NamedObjects {
  /** Whether the access check gets an object of the resource: the one that the routes name, or each object of a list. */
  readonly self: boolean;
  readonly parent: boolean;
}

/**
 * Compiles which callers may reach objects of a resource through one of its operations: those that may retrieve the parent and
 * that `access` admits. Null: all callers.
 */
export function compileAccess(
  def: ResourceDef,
  operation: string,
  compiler: Compiler,
  named: NamedObjects = { self: true, parent: false },
  within: readonly ResourceDef[] = [],
): (() => Access) | null {
  const own = rulesOf(def, operation, compiler, named);
  const parent = parentDef(def, compiler);
  const outer =
    parent === undefined || within.includes(parent)
      ? null
      : compileAccess(parent, 'retrieve', compiler, undefined, [...within, parent]);
  if (parent === undefined || outer === null) return own;
  const above = parentFinder(def, parent);
  return lazy(() => {
    const [outside, inner] = [outer(), own?.()];
    return {
      admits: inner?.admits ?? null,
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

/** Compiles the look-up of an object's parent. */
function parentFinder(def: ResourceDef, parent: ResourceDef): (host: Host, self: Holder) => Holder | null {
  const { field } = parentField(def.file) ?? { field: 'id' };
  return (host, { value }) => {
    const id = value[field];
    const found = typeof id === 'string' ? host.lookupObject(parent.index, id) : undefined;
    return found === undefined ? null : { value: found };
  };
}

/** Compiles `access` of a resource for one of its operations; null if no rule applies to it. */
function rulesOf(def: ResourceDef, operation: string, compiler: Compiler, named: NamedObjects): (() => Access) | null {
  const rules = (def.file.access ?? []).map((rule, index) => ({ rule, place: inside(def.place, 'access', index) }));
  const { operations = {} } = def.file;
  const names = Array.isArray(operations) ? operations.map(String) : Object.keys(operations);
  if (names[0] === operation)
    for (const { rule, place } of rules)
      rule.for?.forEach((name, at) => {
        compiler.diagnostics.known(inside(place, 'for', at), 'operation', name, names);
      });
  const own = rules.filter(({ rule }) => rule.for === undefined || rule.for.includes(operation));
  if (own.length === 0) return null;
  return lazy(() => {
    const { env, diagnostics, model } = compiler;
    const parent = parentDef(def, compiler);
    const seen = {
      self: liveParameter(def.type),
      ...(parent === undefined ? {} : { parent: liveParameter(parent.type) }),
    };
    const scopeOf = (name: string): FunctionScope => functionScope(name, inside(def.place, 'access'), env, seen);
    const test = scopeOf(`list of ${def.collection}`);
    const rulesRead = own.map((each) => {
      const watched = new WatchedScope(test.scope);
      const { js } = diagnostics.condition(inside(each.place, 'allow'), each.rule.allow, watched, env);
      const isOfParent = named.parent && !watched.read.has('self');
      if (!isOfParent && !named.self && each.rule.for !== undefined)
        diagnostics.problem(
          inside(each.place, 'for', each.rule.for.indexOf(operation)),
          'unasked-rule',
          `nothing asks this rule before '${operation}': its routes name no ${def.title}${named.parent ? ', only what it belongs to: read `parent` instead of `self`' : ''}`,
        );
      return { ...each, js: `${js} === true`, isOfParent, readsParent: watched.read.has('parent') };
    });
    const checkOf = (what: string, isOfParent: boolean): Check | null => {
      const rulesOfIt = rulesRead.filter((each) => each.isOfParent === isOfParent);
      if (rulesOfIt.length === 0) return null;
      const { scope, unit, parameters } = scopeOf(`access of ${what}`);
      const context = stepContext(compiler, scope);
      const lines = rulesOfIt.flatMap(({ rule, place }) => {
        const { js } = diagnostics.condition(inside(place, 'allow'), rule.allow, scope, env);
        if (rule.else !== undefined && !diagnostics.known(inside(place, 'else'), 'error', rule.else, model.errors))
          return [];
        const failure = failureOf(rule, isOfParent && parent !== undefined ? parent : def, compiler, isOfParent);
        return [`if (${js} !== true) {`, ...compileFail(failure, place, context), '}'];
      });
      return unit.function<Check>(parameters, lines);
    };
    const ofObject = rulesRead.filter(({ isOfParent }) => !isOfParent);
    const above =
      parent !== undefined && ofObject.some(({ readsParent }) => readsParent) ? parentFinder(def, parent) : () => null;
    const check = checkOf(`${def.collection}.${operation}`, false);
    const admits = checkOf(`${def.collection}.${operation} below`, true);
    const shows = test.unit.function<Shows>(test.parameters, [
      `return ${ofObject.map(({ js }) => js).join(' && ') || 'true'};`,
    ]);
    return {
      admits:
        admits === null
          ? null
          : (execution, holder) => {
              admits(execution, null, holder);
            },
      check: (execution, self) => check?.(execution, self, above(execution, self)),
      shows: (host, self) => shows(host, self, above(host, self)),
    };
  });
}

/** The compiled rules of access; `self` is null in those that read only the parent. */
type Check = (execution: Execution, self: Holder | null, parent: Holder | null) => void;
type Shows = (host: Host, self: Holder, parent: Holder | null) => boolean;

/** Returns the `fail` step of a rule; the parameters of a not-found error name the rejected object unless `with` sets them. */
function failureOf(
  rule: AccessRule,
  def: ResourceDef,
  { model }: Compiler,
  isOfParent: boolean,
): { fail: string; with: Record<string, Json> } {
  const { else: fail = 'not_found', with: given = {} } = rule;
  const id = isOfParent ? '${parent.id}' : '${self.id}';
  const usual: Record<string, Json> = { resource: def.name, title: def.title, id, param: 'id' };
  const { args } = model.errors.get(fail) ?? {};
  const known = Object.entries(usual).filter(([name]) => args?.has(name));
  return { fail, with: { ...Object.fromEntries(known), ...given } };
}

/** Adds the access check to the parent in an operation's routes, so that callers are rejected as soon as it is found. */
export function admitted(parent: Parent, access: () => Access): Parent {
  return {
    ...parent,
    check: (execution, row) => {
      parent.check?.(execution, row);
      access().admits?.(execution, row);
    },
  };
}

/** Wraps an operation's body with the access check of its object. */
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
