import type { ControlCode, PackErrorName } from '../codes.js';
import { valueWithoutOrigin } from '../expression/index.js';
import type { JsonObject, Json } from '../values/index.js';
import { didYouMean, suggest } from '../pack/index.js';
import type { Row } from '../world/index.js';
import type { CommandExecution } from './command-execution.js';
import type { Cause, CauseVariant, Program } from '../program/index.js';
import type { Invocations } from './invocation.js';
import { decodeParams } from './params.js';
import type { ParamProblem } from './param-errors.js';

/** Thrown if an external event can't fire: it is unknown, its precondition doesn't hold, or a parameter is wrong. */
export class CauseRejected extends Error {
  constructor(
    readonly status: 400 | 404 | 409,
    readonly code: ControlCode | PackErrorName,
    message: string,
    /** Name of the wrong parameter; undefined: none. */
    readonly path?: string,
    /** The name that the caller probably meant. */
    readonly suggestion?: string,
  ) {
    super(message);
  }
}

/** Filters possible events by their name, and by the id of their subject. */
export interface PossibleFilter {
  readonly cause?: string;
  readonly id?: string;
  readonly limit: number;
}

/** An external event that can fire now. */
export interface PossibleEvent {
  readonly cause: string;
  /** Parameters of the event that name its subject. */
  readonly params: JsonObject;
  /** Names of required parameters that the caller still has to add. */
  readonly also_needs?: readonly string[];
  readonly description: string;
}

/** The external events of a pack: fires them, and finds those that can be fired now. */
export class WorldEvents {
  constructor(
    private readonly pack: Program,
    private readonly invocations: Invocations,
  ) {}

  /** Fires an external event. @throws CauseRejected */
  fire(command: CommandExecution, name: string, given: JsonObject, text: boolean): void {
    const { causes, model } = this.pack;
    const cause = causes.get(name);
    if (!cause) {
      const near = model.env.suggest(name, causes.keys());
      throw new CauseRejected(404, 'unknown_cause', `there is no cause '${name}'${didYouMean(near)}`, undefined, near);
    }
    const { variant, self, params } = this.#variant(command, cause, given, text);
    const tenant = self === null ? null : command.tenantOf(self);
    if (!command.within(tenant, () => variant.holds(command, self, params))) {
      const about = self
        ? ` (${self.id} is ${String(self.value[model.resources[self.resource].status ?? ''] ?? 'not in the right state')})`
        : '';
      throw new CauseRejected(409, 'precondition_failed', `'${name}' cannot happen now${about}`);
    }
    command.internal++;
    command.within(tenant, () => variant.run(command, self, params));
  }

  /** Lists the external events that can fire now, each with the parameters that name its subject. */
  possible(command: CommandExecution, filter: PossibleFilter): PossibleEvent[] {
    const found: PossibleEvent[] = [];
    for (const cause of this.pack.causes.values()) {
      if (filter.cause !== undefined && cause.name !== filter.cause) continue;
      for (const variant of cause.variants) this.#possibleOf(command, cause, variant, filter, found);
    }
    return found;
  }

  #variant(
    command: CommandExecution,
    cause: Cause,
    given: JsonObject,
    text: boolean,
  ): { variant: CauseVariant; self: Row | null; params: JsonObject } {
    const variant = cause.variants.find((each) => each.subject === null || Object.hasOwn(given, each.subject.param));
    if (!variant) {
      const names = cause.variants.map((each) => each.subject?.param).join(' or ');
      throw new CauseRejected(400, 'missing_key', `'${cause.name}' needs ${names}`);
    }
    const { subject } = variant;
    const rest = Object.fromEntries(Object.entries(given).filter(([name]) => name !== subject?.param));
    if (subject === null) return { variant, self: null, params: this.#params(command, cause, variant, rest, text) };
    const id = given[subject.param];
    const self = typeof id === 'string' ? command.world.tenants.find(subject.resource.index, id) : undefined;
    // References in the event's parameters are resolved in the subject's tenant.
    const read = (): JsonObject => this.#params(command, cause, variant, rest, text);
    const params = self ? command.within(command.tenantOf(self), read) : read();
    if (typeof id !== 'string')
      throw new CauseRejected(400, 'invalid_value', `'${subject.param}' must be an id`, subject.param);
    if (!self) throw new CauseRejected(409, 'precondition_failed', `there is no ${subject.resource.name} '${id}'`);
    return { variant, self, params: { ...params, [subject.param]: id } };
  }

  #params(
    command: CommandExecution,
    cause: Cause,
    variant: CauseVariant,
    given: JsonObject,
    text: boolean,
  ): JsonObject {
    const { params, problems } = decodeParams(variant.params, given, {
      ...this.invocations.context(command, text),
      rejectUnknown: true,
    });
    if (problems.length === 0) return valueWithoutOrigin(params, command.baseUrl);
    const [problem] = problems;
    const { code, message, path } = paramMessage(problem);
    const isGone = problem.error === 'not_found';
    const subject = variant.subject === null ? [] : [variant.subject.param];
    const taken = [...subject, ...variant.params.keys()].join(', ');
    const hint = problem.error === 'parameter_unknown' ? `; it takes ${taken === '' ? 'none' : taken}` : '';
    throw new CauseRejected(
      isGone ? 409 : 400,
      isGone ? 'not_found' : code,
      `'${cause.name}': ${message}${hint}`,
      path,
    );
  }

  #possibleOf(
    command: CommandExecution,
    cause: Cause,
    variant: CauseVariant,
    filter: PossibleFilter,
    found: PossibleEvent[],
  ): void {
    const { subject } = variant;
    const needed = [...variant.params].filter(([, schema]) => schema.required).map(([name]) => name);
    const report = (params: JsonObject) =>
      found.push({
        cause: cause.name,
        params,
        ...(needed.length > 0 ? { also_needs: needed } : {}),
        description: variant.description,
      });
    const defaults = Object.fromEntries(
      [...variant.params].flatMap(([name, schema]) => (schema.default === undefined ? [] : [[name, schema.default]])),
    );
    if (subject === null) {
      if (filter.id === undefined && variant.holds(command, null, defaults)) report({});
      return;
    }
    for (const collection of command.world.tenants.everywhere(subject.resource.index)) {
      const rows = filter.id === undefined ? collection.ordered().all() : [collection.get(filter.id)];
      for (const row of rows) {
        if (found.length >= filter.limit) return;
        if (!row) continue;
        const holds = (): boolean => variant.holds(command, row, { ...defaults, [subject.param]: row.id });
        if (command.within(command.tenantOf(row), holds)) report({ [subject.param]: row.id });
      }
    }
  }
}

/** A problem of a parameter, as the control API describes it. */
interface ParamMessage {
  readonly code: 'missing_key' | 'unknown_key' | 'invalid_value';
  readonly message: string;
  /** Path of the parameter with the problem. */
  readonly path: string;
}

/** Describes the problem of a pack's error: the given value, the allowed ones, and a suggestion. */
function paramMessage({ error, args }: ParamProblem): ParamMessage {
  const path = String(args['param']);
  const { value, limit, values, format, reason, suggestion } = args;
  const given = value === undefined || value === null ? '' : `, not ${JSON.stringify(value)}`;
  const wrong = (message: string): ParamMessage => ({ code: 'invalid_value', message: `'${path}' ${message}`, path });
  switch (error) {
    case 'parameter_unknown':
      return { code: 'unknown_key', message: `there is no parameter '${path}'${didYouMean(text(suggestion))}`, path };
    case 'parameter_missing':
      return { code: 'missing_key', message: `'${path}' is missing`, path };
    case 'parameter_empty':
      return wrong('must not be empty');
    case 'parameter_invalid_enum':
      return wrong(oneOf(values, value));
    case 'parameter_below_minimum':
      return wrong(`must be at least ${String(limit)}${given}`);
    case 'parameter_above_maximum':
      return wrong(`must be at most ${String(limit)}${given}`);
    case 'parameter_too_long':
      return wrong(`must have at most ${String(limit)} characters`);
    case 'parameter_too_many':
      return wrong(`must have at most ${String(limit)} items`);
    case 'parameter_invalid_format':
      return wrong(`must be a valid ${String(format)}${given}`);
    case 'parameter_invalid_json_schema':
      return wrong(`must be a JSON Schema: ${String(reason)}`);
    case 'not_found':
      return wrong(`names an object that does not exist${given === '' ? '' : `: ${JSON.stringify(value)}`}`);
    default:
      return wrong(`must be of type ${error.replace(/^parameter_invalid_/, '')}${given}`);
  }
}

/** Lists the allowed values: all if they are few, else those close to the given one. */
function oneOf(values: Json | undefined, given: Json | undefined): string {
  const known = Array.isArray(values) ? values.map(String) : [];
  const near = typeof given === 'string' ? suggest(given, known) : undefined;
  const allowed =
    known.length > FEW
      ? `one of ${known.slice(0, FEW).join(', ')} and ${known.length - FEW} more`
      : `one of ${known.join(', ')}`;
  return `must be ${allowed}${given === undefined || given === null ? '' : `, not ${JSON.stringify(given)}`}${didYouMean(near)}`;
}

/** Maximum number of allowed values that a message lists. */
const FEW = 12;

function text(given: Json | undefined): string | undefined {
  return typeof given === 'string' ? given : undefined;
}
