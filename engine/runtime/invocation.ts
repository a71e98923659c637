import { valueWithoutOrigin } from '../expression/index.js';
import type { Json, JsonObject } from '../values/index.js';
import { engineError, type ListSettings, rejectsUnknown, type RequestInfo, type ResourceDef } from '../model/index.js';
import type { Row, Transaction } from '../world/index.js';
import type { CommandExecution } from './command-execution.js';
import {
  Rejection,
  type Invocation,
  type Operation,
  type OperationResult,
  type Program,
  type Scenario,
  type Version,
  withoutDispatch,
} from '../program/index.js';
import { brokenRuleOf, decodeParams, type ParamContext, type ParamProblem } from './params.js';

/** A body that is not the usual JSON. `binary`: base64 of what goes out. */
export interface BodyContent {
  readonly type: string;
  readonly binary: boolean;
  /** It comes in a part where the caller asks for one; `several`: in several, too. */
  readonly ranges?: boolean | 'several';
}

/** What callers have left of the pack's rate limits. */
export interface RateView {
  /** As headers of the limit show it; null: the limit doesn't count these calls. */
  of(name: string, request: RequestInfo): Json;
}

/** The response of a call, where the response itself is part of the world. */
export interface CallResult {
  readonly status: number;
  readonly body: string | undefined;
  readonly error: string | null;
  /** The operation ran (its parameters were fine). */
  readonly executed: boolean;
  /** What the body is; null: the usual JSON, or none. */
  readonly content: BodyContent | null;
}

/** A call of an operation as it came in, decoded but not yet checked. */
export interface ApiCall {
  readonly operation: Operation;
  readonly request: RequestInfo;
  /** Values of the names in the route. */
  readonly path: Readonly<Record<string, string>>;
  /** Parameters from query and body. */
  readonly given: JsonObject;
  /** Parameters came as text. */
  readonly text: boolean;
  /** The map that a list was written as, of forms. */
  readonly listAsMap?: ParamContext['listAsMap'];
  readonly expand: readonly string[];
  readonly scenario: Scenario | null;
  /** The version of the vendor's API that it asked for; the account's unless given. */
  readonly version?: Version;
  /** The tenant that it is about; none unless given. */
  readonly tenant?: string | null;
  /** The tenant that a header named. */
  readonly named?: string | null;
  /** Media ranges that the caller accepts, the best first; none unless given. */
  readonly accepts?: readonly string[];
  /** Whether it may wait for what its operation waits for; else it responds at once. */
  readonly mayWait?: boolean;
  /** What callers have left of the pack's rate limits; null or absent: there are none. */
  readonly rates?: RateView | null;
  /** Id of its trace. */
  readonly trace?: string;
  /** Writes what the call leaves whether or not it succeeds (its key, the fault that it met), in the same ledger entry. */
  readonly conclude?: (transaction: Transaction, said: CallResult) => void;
}

/** What a call brought, as the ledger records it: enough to make it again. */
interface Called {
  readonly request: RequestInfo;
  readonly given: JsonObject;
  /** Parameters came as text. */
  readonly text: boolean;
  readonly expand: readonly string[];
  /** Name of the scenario that a header ordered. */
  readonly scenario: string | null;
  /** The tenant that a header named; null: none did. */
  readonly tenant: string | null;
  /** Media ranges that the caller accepts, where the response depends on them. */
  readonly accepts?: readonly string[];
}

/**
 * The arguments of a call. What is as usual is left out.
 * @param current the version that is meant when a call names none
 */
export function argsOf(
  { request, given, text, expand, scenario, tenant, accepts = [] }: Called,
  current: string | null,
): JsonObject {
  const { method, path, idempotency_key, version, key, token, headers, cookies } = request;
  const args: Record<string, Json> = { method, path, idempotency_key, params: given };
  if (!text) args['json'] = true;
  if (expand.length > 0) args['expand'] = expand;
  if (scenario !== null) args['scenario'] = scenario;
  if (version !== current) args['version'] = version;
  if (tenant !== null) args['tenant'] = tenant;
  if (accepts.length > 0) args['accept'] = accepts.join(', ');
  if (key !== null) args['key'] = key;
  if (token !== null) args['token'] = token;
  for (const _ in headers) {
    args['headers'] = headers;
    break;
  }
  for (const _ in cookies) {
    args['cookies'] = cookies;
    break;
  }
  return args;
}

/** Turns calls into what operations run with: the object that the route names, parameters read and checked. */
export class Invocations {
  constructor(private readonly pack: Program) {}

  /** @throws Rejection when something is wrong with it */
  of(command: CommandExecution, call: ApiCall): Invocation | { readonly gone: OperationResult } {
    const { operation, given } = call;
    const { resource } = operation;
    let { path } = call;
    const context = this.context(
      command,
      call.text,
      call.listAsMap,
      rejectsUnknown(this.pack.model.settings, operation.routes[0]?.path),
    );
    const { lists } = this.pack.model.settings;
    const isList = operation.kind === 'list' || operation.kind === 'search';
    const lenient = lists.lenient && isList;
    let self: Row | null = null;
    const named = this.#parent(command, operation, path);
    if (named !== null && operation.parent !== null) path = asWritten(path, operation.parent.names, named);
    if (resource.singleton) self = command.row(resource.index, resource.name) ?? null;
    const { idKey } = operation;
    const id = idKey === null ? path['id'] : keyIn(path, idKey, named, operation);
    if (id !== undefined) {
      const gone =
        operation.tombstone && !command.row(resource.index, id)
          ? command.collection(resource.index).deleted(id)
          : undefined;
      if (gone && operation.tombstone) return { gone: { kind: 'value', value: operation.tombstone()(command, gone) } };
      self = this.#row(command, resource, id);
      if (idKey !== null) path = asWritten(path, idKey, self);
    }
    const own = parentOf(command, operation, self);
    if (self !== null && named !== null && own !== named) throw notFound(resource, self.id);
    const parent = named ?? own;
    let all = given;
    for (const name of Object.keys(path))
      if (name !== 'id' && idKey?.includes(name) !== true && !isOfParent(name, operation))
        all = { ...all, [name]: path[name] };
    const asked = call.version ?? this.pack.versions?.current;
    const version = asked?.calls.get(operation.key);
    const declared = version?.params ?? operation.params();
    if (operation.dispatch.length > 0) all = withoutDispatch(operation, all, declared);
    const fields = this.pack.facts === null ? declared : this.pack.facts.complete(operation, declared, asked);
    const {
      params: decoded,
      problems,
      ineffective,
    } = decodeParams(fields, all, lenient ? this.#lenient(context, path) : context);
    const params = valueWithoutOrigin(decoded, command.baseUrl);
    for (const [param, error] of version?.rejected ?? [])
      if (Object.hasOwn(all, param)) throw new Rejection(error, { param });
    for (const name of ineffective ?? []) command.unsupported('parameter', name);
    for (const { error, args } of problems)
      if (error === 'unsupported') command.unsupported('value', String(args['name']), String(args['param']));
    const reported = lenient
      ? problems.filter(({ error, args }) => !isUnreadable(error) || Object.hasOwn(path, String(args['param'])))
      : isList && lists.beyond === 'ignore'
        ? problems.filter(({ error, args: { param } }) => !isUnreadable(error) || !isOfPage(lists, param))
        : problems;
    if (reported.length > 0) this.#reject(command, reported, call);
    const translated = version === undefined ? params : version.translate(command, params);
    const rules = operation.rules();
    if (rules !== null) {
      const sent = version === undefined ? all : version.sent(all, translated);
      const target = { sent, params: translated, self: self?.value ?? null };
      const broken = brokenRuleOf(rules, target, context, (name) => version?.nameOf(name) ?? name);
      if (broken) throw new Rejection(broken.error, broken.args);
    }
    if (command.world.clocks.size > 0) {
      const line = command.runtime.times.ofCall(self ?? parent, translated, command.tenant, (error) => {
        throw new Rejection(error, {});
      });
      if (line !== null) command.enterLine(line);
    }
    return { params: translated, self, parent, path: call.request.path, given };
  }

  /** The parent that the route names; null: it names none. */
  #parent(command: CommandExecution, { parent }: Operation, path: ApiCall['path']): Row | null {
    if (parent === null || !parent.names.every((name) => Object.hasOwn(path, name))) return null;
    const row = this.#row(command, parent.resource, parent.names.map((name) => path[name]).join('/'));
    parent.check?.(command, row);
    return row;
  }

  #row(command: CommandExecution, resource: ResourceDef, id: string): Row {
    const made = this.pack.magic.make(command, resource.index, id);
    if (made === 'unknown') throw new Rejection('unrecognized_test_value', { value: id, param: 'id' });
    const row = command.row(resource.index, made?.id ?? id);
    if (!row) throw moved(command, resource, id) ?? notFound(resource, id);
    return row;
  }

  /** What decoding parameters needs. */
  context(
    command: CommandExecution,
    text: boolean,
    listAsMap: ParamContext['listAsMap'] = () => undefined,
    rejectUnknown = this.pack.model.settings.rejectUnknown,
  ): ParamContext {
    const { pack } = this;
    const { model } = pack;
    return {
      text,
      listAsMap,
      time: model.settings.time,
      rejectUnknown,
      longestText: model.settings.longestText,
      singleValues: text ? model.settings.singleValues : null,
      suggest: model.env.suggest,
      resolve: (refs, id, param): string | ParamProblem => {
        for (const name of refs) {
          const def = model.byName.get(name);
          if (!def) continue;
          // No object has a test value as its id.
          const made = pack.magic.make(command, def.index, id);
          if (made === 'unknown') return { error: 'unrecognized_test_value', args: { value: id, param } };
          if (made) return made.id;
          const row = command.row(def.index, id);
          if (row) return row.id;
        }
        const def = model.byName.get(refs[0]);
        return { error: 'not_found', args: { resource: refs[0], title: def?.title ?? refs[0], id, param } };
      },
      object: (refs, id) => {
        for (const name of refs) {
          const def = model.byName.get(name);
          const row = def && command.row(def.index, id);
          if (row) return row.value;
        }
        return undefined;
      },
      hasSwitch: (name) => command.hasSwitch(name),
    };
  }

  /** An id in the query that leads nowhere matches nothing; one in the path is not found. */
  #lenient(context: ParamContext, path: ApiCall['path']): ParamContext {
    return {
      ...context,
      resolve: (refs, id, param) => (Object.hasOwn(path, param) ? context.resolve(refs, id, param) : id),
    };
  }

  #reject(command: CommandExecution, problems: readonly ParamProblem[], call: ApiCall): never {
    const { settings, errors } = this.pack.model;
    const [first] = problems;
    const collectable = problems.filter(({ error }) => error.startsWith('parameter') || error === 'unsupported');
    if (!settings.collectProblems || collectable.length === 0) throw new Rejection(first.error, first.args);
    const list = collectable.map(({ error, args }) => {
      const rendered = engineError(errors, error).render(command, call.request, args).error;
      const message =
        rendered !== null && typeof rendered === 'object' && !Array.isArray(rendered)
          ? (rendered as JsonObject)['message']
          : null;
      return { param: args['param'], message: message ?? 'is invalid', error };
    });
    throw new Rejection('validation_failed', { problems: list });
  }
}

/** The rejection of a call that names an object by an id that it had before; null: there is none. */
function moved(command: CommandExecution, { index, name, title }: ResourceDef, id: string): Rejection | null {
  const to = command.runtime.resources[index].movedTo?.()(command, id);
  if (typeof to !== 'string' || command.row(index, to) === undefined) return null;
  const path = command.request.path.replace(`/${id}`, () => `/${to}`);
  return new Rejection('moved', { resource: name, title, id, param: 'id', to, path });
}

function notFound({ name, title }: ResourceDef, id: string): Rejection {
  return new Rejection('not_found', { resource: name, title, id, param: 'id' });
}

/** The id that names in a route make: below a parent, as that one is written. */
function keyIn(path: ApiCall['path'], key: readonly string[], named: Row | null, { parent }: Operation): string {
  const above = named === null || parent === null ? [] : parent.names;
  const isBelow = above.length > 0 && above.every((name, at) => key[at] === name);
  const own = (isBelow ? key.slice(above.length) : key).map((name) => path[name]);
  return [...(isBelow && named !== null ? [named.id] : []), ...own].join('/');
}

/** Names in a route, as the object that they lead to writes them: ids may ignore case. */
function asWritten(path: ApiCall['path'], names: readonly string[], { id }: Row): ApiCall['path'] {
  if (names.map((name) => path[name]).join('/').length !== id.length) return path;
  const parts = names.length === 1 ? [id] : id.split('/');
  if (parts.length !== names.length || names.every((name, at) => path[name] === parts[at])) return path;
  return { ...path, ...Object.fromEntries(names.map((name, at) => [name, parts[at]])) };
}

/** What an object refers to as its parent. */
function parentOf(command: CommandExecution, { parent }: Operation, self: Row | null): Row | null {
  const id = parent === null ? null : self?.value[parent.field];
  return parent === null || typeof id !== 'string' ? null : (command.row(parent.resource.index, id) ?? null);
}

/** A name in the route that is used up by finding the parent. */
function isOfParent(name: string, { parent, params }: Operation): boolean {
  return parent !== null && parent.names.includes(name) && !params().has(name);
}

/** Whether a parameter says which page is asked for. */
function isOfPage({ param, paging }: ListSettings, name: Json | undefined): boolean {
  return name === param || ('param' in paging && name === paging.param);
}

/** Whether a problem is that a value cannot be read: what a lenient list ignores. */
function isUnreadable(error: string): boolean {
  if (error === 'unsupported') return true;
  return error.startsWith('parameter_') && error !== 'parameter_missing' && error !== 'parameter_unknown';
}
