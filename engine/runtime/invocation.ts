import { valueWithoutOrigin } from '../expression/index.js';
import type { Json, JsonObject } from '../values/index.js';
import {
  brokenParamRules,
  engineError,
  type ListSettings,
  type RequestInfo,
  type ResourceDef,
  type RuleSet,
} from '../model/index.js';
import type { Row, Transaction } from '../world/index.js';
import type { CommandExecution } from './command-execution.js';
import type { RateView } from './read-context.js';
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
import { decodeParams, pathForCaller } from './params.js';
import type { ParamContext, ParamProblem } from './param-errors.js';

/** The media type of a body that isn't JSON. `binary`: the body is the base64 text of the bytes to send. */
export interface BodyContent {
  readonly type: string;
  readonly binary: boolean;
  /** Whether range requests get a part of the content; `several`: also several parts. */
  readonly ranges?: boolean | 'several';
}

/** A call's response, as stored with its idempotency key and trace. */
export interface CallResult {
  readonly status: number;
  readonly body: string | undefined;
  readonly error: string | null;
  /** Whether the operation ran: its parameters were valid, and an error, if any, came from its steps. */
  readonly executed: boolean;
  /** The media type of the body; null for JSON, or without a body. */
  readonly content: BodyContent | null;
}

/** A decoded call whose parameters aren't checked yet, with its operation and caller. */
export interface ApiCall {
  readonly operation: Operation;
  readonly request: RequestInfo;
  /** Values of the parameters in the path, by name. */
  readonly path: Readonly<Record<string, string>>;
  /** Parameters in the query and the body of the call. */
  readonly given: JsonObject;
  /** Whether parameters arrived as text (form or query), so that `true` and `5` are converted. */
  readonly text: boolean;
  /** Converts a list to the map that a form meant by it, for a map parameter sent in the syntax of lists. */
  readonly listAsMap?: ParamContext['listAsMap'];
  readonly expand: readonly string[];
  readonly scenario: Scenario | null;
  /** The requested version of the vendor API; the account's by default. */
  readonly version?: Version;
  /** The tenant in which the call runs; none by default. */
  readonly tenant?: string | null;
  /** The tenant that a header of the call names; null: none. */
  readonly named?: string | null;
  /** Media ranges that the caller accepts, the best first; none by default. */
  readonly accepts?: readonly string[];
  /** Whether the call may wait until its operation's condition holds; otherwise it responds at once. */
  readonly mayWait?: boolean;
  /** State of the caller's rate limits; null or absent: the pack has none. */
  readonly rates?: RateView | null;
  /** Id of the call's trace. */
  readonly trace?: string;
  /** Stores, in the call's entry, data of failed calls too: the idempotency record, and the use of a fault. */
  readonly conclude?: (transaction: Transaction, said: CallResult) => void;
}

/** A call as the ledger records it, so that it can be repeated. */
interface Called {
  readonly request: RequestInfo;
  readonly given: JsonObject;
  /** Whether parameters arrived as text (form or query), so that `true` and `5` are converted. */
  readonly text: boolean;
  readonly expand: readonly string[];
  /** Name of the scenario that a header selects. */
  readonly scenario: string | null;
  /** The tenant that a header names; null if none does. */
  readonly tenant: string | null;
  /** Media ranges that the caller accepts, if the response depends on them. */
  readonly accepts?: readonly string[];
}

/** Builds the ledger's record of a call, without defaults. @param current the version of calls that name none */
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

/** Prepares calls for their operations: finds the object in the route, parses and checks parameters. */
export class Invocations {
  constructor(private readonly pack: Program) {}

  /** Checks a call and prepares its execution. @throws Rejection if the call is invalid */
  of(command: CommandExecution, call: ApiCall): Invocation | { readonly gone: OperationResult } {
    const { operation, given } = call;
    const { resource } = operation;
    let { path } = call;
    const context = this.context(command, call.text, call.listAsMap, operation.rejectsUnknown);
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
      idle,
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
      const target = {
        sent,
        params: idle === undefined ? translated : { ...idle, ...translated },
        self: self?.value ?? null,
      };
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

  /** Finds the parent in the route; null if the route names none. @throws Rejection if the caller can't use it */
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

  /** Returns the functions and settings for decoding the parameters of a call. */
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
          // Checked first, since no object has a test value as its id.
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

  /** Returns a context in which unknown ids in the query match nothing; those in the path are still not found. */
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

/** Returns the rejection of a call that uses the earlier id of a moved object; null if the object wasn't moved. */
function moved(command: CommandExecution, { index, name, title }: ResourceDef, id: string): Rejection | null {
  const to = command.runtime.resources[index].movedTo?.()(command, id);
  if (typeof to !== 'string' || command.row(index, to) === undefined) return null;
  const { path: asked } = command.request;
  // The path may contain the id in another case, if ids ignore case.
  const at = asked.toLowerCase().indexOf(`/${id.toLowerCase()}`);
  const path = at < 0 ? asked : `${asked.slice(0, at)}/${to}${asked.slice(at + id.length + 1)}`;
  return new Rejection('moved', { resource: name, title, id, param: 'id', to, path });
}

function notFound({ name, title }: ResourceDef, id: string): Rejection {
  return new Rejection('not_found', { resource: name, title, id, param: 'id' });
}

/** Joins the names in a route to an object's id; for names that identify the parent, it uses the parent's own spelling. */
function keyIn(path: ApiCall['path'], key: readonly string[], named: Row | null, { parent }: Operation): string {
  const above = named === null || parent === null ? [] : parent.names;
  const isBelow = above.length > 0 && above.every((name, at) => key[at] === name);
  const own = (isBelow ? key.slice(above.length) : key).map((name) => path[name]);
  return [...(isBelow && named !== null ? [named.id] : []), ...own].join('/');
}

/** Returns the names in a route in the spelling of the object's id, since ids may ignore case. */
function asWritten(path: ApiCall['path'], names: readonly string[], { id }: Row): ApiCall['path'] {
  if (names.map((name) => path[name]).join('/').length !== id.length) return path;
  const parts = names.length === 1 ? [id] : id.split('/');
  if (parts.length !== names.length || names.every((name, at) => path[name] === parts[at])) return path;
  return { ...path, ...Object.fromEntries(names.map((name, at) => [name, parts[at]])) };
}

/** Finds an object's parent by the field that refers to it; null: none. */
function parentOf(command: CommandExecution, { parent }: Operation, self: Row | null): Row | null {
  const id = parent === null ? null : self?.value[parent.field];
  return parent === null || typeof id !== 'string' ? null : (command.row(parent.resource.index, id) ?? null);
}

/** Whether a name in the route only identifies the parent, and is no parameter. */
function isOfParent(name: string, { parent, params }: Operation): boolean {
  return parent !== null && parent.names.includes(name) && !params().has(name);
}

/** Whether a parameter selects the page of a list. */
function isOfPage({ param, paging }: ListSettings, name: Json | undefined): boolean {
  return name === param || ('param' in paging && name === paging.param);
}

/** Whether an error says that a value couldn't be parsed, or isn't supported; lenient lists ignore such a value. */
function isUnreadable(error: string): boolean {
  if (error === 'unsupported') return true;
  return error.startsWith('parameter_') && error !== 'parameter_missing' && error !== 'parameter_unknown';
}

/** A decoded call, as rules between parameters read it. */
interface DecodedCall {
  /** The parameters that the call sent, as it sent them. */
  readonly sent: JsonObject;
  readonly params: JsonObject;
  /** Value of the object that the route names; null: none. */
  readonly self: JsonObject | null;
}

/**
 * Finds the first rule between parameters that a call breaks.
 * @param nameOf returns a parameter's name in the call's version
 */
function brokenRuleOf(
  rules: RuleSet,
  call: DecodedCall,
  context: ParamContext,
  nameOf: (name: string) => string = (name) => name,
): ParamProblem | undefined {
  const { object, hasSwitch, text } = context;
  const name = ([first = '', ...rest]: readonly string[]): string => pathForCaller([nameOf(first), ...rest], text);
  return brokenParamRules(rules, { ...call, object, hasSwitch, name })[0];
}
