import { isObject, type JsonObject } from '../../values/index.js';
import { LIMITS } from '../../limits.js';
import { engineError, misfit, type Model } from '../../model/index.js';
import { didYouMean } from '../../pack/index.js';
import type { Operation } from '../../program/index.js';
import type { Engine, CommandExecution } from '../../runtime/index.js';
import { EVERY, type Fault, type FaultResponse, type FaultKind, turnsOf } from '../../world/index.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { collectionNamed, DeletedSchema, unknownEntry } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import {
  integer,
  map,
  oneOf,
  optional,
  type ReadValue,
  reader,
  required,
  shaped,
  shapeSchema,
  share,
  text,
  wrongValue,
} from '../shape.js';

const MAX_DELAY_MS = LIMITS.faultDelay.value;

const anyText = reader(s.string, (value, path) => {
  if (typeof value !== 'string') throw wrongValue(path, 'must be text');
  return value;
});

/** Headers that delimit a message: a wrong value would break later calls on the connection. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection']);

const headers = reader(s.map, (value, path): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(map(value, path)).map(([name, given]) => {
      const at = `${path}.${name}`;
      if (FRAMING.has(name.toLowerCase())) throw wrongValue(at, 'is set by the server');
      if (typeof given !== 'string' && typeof given !== 'number') throw wrongValue(at, 'must be text');
      const written = String(given);
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(written))
        throw wrongValue(at, 'cannot be sent as a header');
      return [name, written];
    }),
  ),
);

const delayBound = integer(0, MAX_DELAY_MS);
const DELAY_SPREAD = { min: required(delayBound), max: required(delayBound) };
const spread = shaped(DELAY_SPREAD);

const delay = reader(
  s.union<unknown>(delayBound.schema, spread.schema),
  (value, path): { min: number; max: number } => {
    if (!isObject(value)) {
      const ms = delayBound(value, path);
      return { min: ms, max: ms };
    }
    const { min, max } = spread(value, path);
    if (max < min) throw wrongValue(path, 'has a `max` below its `min`');
    return { min, max };
  },
);

const FAULT = {
  resource: optional(text, 'collection whose operations fail (default: `*`, all)'),
  operation: optional(text, 'operation that fails (default: `*`, all)'),
  kind: optional(
    oneOf('error', 'delay', 'reset', 'lost_response', 'response'),
    'error: return an error without running the operation; delay: only wait; reset: close the connection before the operation runs; lost_response: close it after the operation took effect; response: run the operation and change its response',
    { default: 'error' },
  ),
  status: optional(
    integer(200, 599),
    'HTTP status, required for kind `error`; below 400 only with `body` or for kind `response`',
  ),
  error: optional(map, "code, type, message and other members of the vendor's error envelope"),
  count: optional(
    integer(1, Number.MAX_SAFE_INTEGER),
    'number of requests that the fault affects (default: until cleared)',
  ),
  match: optional(map, 'parameters that a request must have for the fault to apply'),
  delay_ms: optional(
    delay,
    'delay before the response, in milliseconds of real time; `{min, max}` draws a delay for each request',
  ),
  headers: optional(headers, 'headers to add to the response, such as Retry-After'),
  body: optional(anyText, 'replaces the body of the response'),
  truncate_at: optional(integer(0, LIMITS.body.value), 'close the connection after this many bytes of the body'),
  drip_ms: optional(integer(1, MAX_DELAY_MS), 'milliseconds of real time over which the body is sent, in pieces'),
  after_events: optional(
    integer(0, 100_000),
    'end a stream after this many events, with `error_event` or by closing the connection',
  ),
  error_event: optional(
    map,
    'error to send at the end of a stream, such as {"message":...}; the pack defines the format of its event',
  ),
  after: optional(integer(0, Number.MAX_SAFE_INTEGER), 'number of matching requests to skip first'),
  probability: optional(
    share,
    "probability (0 to 1) that a later matching request is affected, drawn from the world's random seed (default: 1)",
  ),
};

const FaultSchema = s.named(
  'Fault',
  s.object({
    id: s.string,
    resource: s.string,
    operation: s.string,
    kind: s.string,
    status: s.integer.orNull(),
    error: s.map,
    remaining: s.integer.orNull().about('number of requests that the fault will still affect; null: until cleared'),
    match: s.map.orNull(),
    delay_ms: s.integer,
    delay_max_ms: s.integer
      .about('longest delay in milliseconds, if each request draws one from `delay_ms` up to it')
      .optional(),
    headers: s.map.optional(),
    body: s.string.optional(),
    truncate_at: s.integer.optional(),
    drip_ms: s.integer.optional(),
    after_events: s.integer.optional(),
    error_event: s.map.optional(),
    after: s.integer.optional(),
    probability: s.number.optional(),
    seen: s.integer.about('number of matching requests so far').optional(),
  }),
);

/**
 * Rejects a fault's `match` on a name that no call of the operation can have: it is most likely misspelt. Lists are skipped,
 * since they also accept filters.
 * @throws ControlRejection (400)
 */
function checkMatch({ model }: Engine, { key, kind, params, rejectsUnknown }: Operation, match: JsonObject): void {
  if (!rejectsUnknown || kind === 'list' || kind === 'search') return;
  for (const path of Object.keys(match)) {
    const [name, ...rest] = path.split('.');
    if (params().has(name)) continue;
    const near = model.env.suggest(name, params().keys());
    const hint = near === undefined ? '' : didYouMean([near, ...rest].join('.'));
    throw wrongValue(`match.${path}`, `is no parameter of ${key}${hint}`);
  }
}

/** Routes of faults, which make vendor API calls fail or change their responses. */
export const FAULT_ROUTES: readonly ControlRoute[] = [
  route(
    'POST /faults',
    {
      id: 'armFault',
      tag: 'faults',
      about: 'Inject a fault: vendor API requests fail, are delayed, or get a changed response',
      body: FAULT,
      bodySchema: s.named('FaultOrder', shapeSchema(FAULT)),
      status: 201,
      response: FaultSchema,
      errors: [404],
    },
    ({ engine }, { body, why }) => {
      if (body.resource === undefined && body.operation !== undefined)
        throw new ControlRejection(400, 'missing_key', "'resource' is missing", { path: 'resource' });
      const { resource = EVERY, operation = EVERY } = body;
      const named = operationNamed(engine, resource, operation);
      const kind = kindOf(body);
      if (named !== null) {
        checkMatch(engine, named, body.match ?? {});
        checkStream(named, body);
      }
      checkWords(engine.model, body.error);
      return { body: faultView(arm(engine, { ...body, resource, operation, kind }, why)) };
    },
  ),
  route(
    'GET /faults',
    { id: 'faults', tag: 'faults', about: 'Active faults', response: s.object({ data: s.list(FaultSchema) }) },
    ({ engine: { world } }) => ({ body: { data: inOrder(world.faults.values()).map(faultView) } }),
  ),
  route(
    'DELETE /faults',
    { id: 'clearFaults', tag: 'faults', about: 'Clear all faults', response: s.object({ cleared: s.integer }) },
    ({ engine }, { why }) => {
      const ids = [...engine.world.faults.values()].map(({ id }) => id);
      clear(engine, ids, why);
      return { body: { cleared: ids.length } };
    },
  ),
  route(
    'DELETE /faults/:id',
    {
      id: 'clearFault',
      tag: 'faults',
      about: 'Clear one fault',
      names: 'id of the fault',
      response: DeletedSchema,
      errors: [404],
    },
    ({ engine }, { id, why }) => {
      const { faults } = engine.world;
      if (!faults.get(id))
        throw unknownEntry(
          'fault',
          id,
          [...faults.entries()].map(([key]) => key),
        );
      clear(engine, [id], why);
      return { body: { id, deleted: true } };
    },
  ),
];

/** Finds the operation of a fault; null: the fault applies to several. @throws ControlRejection (404) for an unknown name */
function operationNamed(engine: Engine, resource: string, name: string): Operation | null {
  if (resource === EVERY) {
    const { operations } = engine.pack;
    if (name === EVERY || operations.some((each) => each.name === name)) return null;
    const names = [...new Set(operations.map((each) => each.name))];
    throw unknown('operation', `${EVERY}.${name}`, engine.model.env.suggest(name, names), { operations: names });
  }
  const { def, operations } = collectionNamed(engine, resource);
  if (name === EVERY) return null;
  const operation = operations.get(name);
  if (operation) return operation;
  const near = engine.model.env.suggest(name, operations.keys());
  throw unknown('operation', `${def.collection}.${name}`, near, { operations: [...operations.keys()] });
}

/** A requested fault, with defaults. */
type OrderedFault = ReadValue<typeof FAULT> & {
  readonly resource: string;
  readonly operation: string;
  readonly kind: FaultKind;
};

function arm(engine: Engine, ordered: OrderedFault, why: JsonObject): Fault {
  const { world } = engine;
  let made: Fault | undefined;
  const write = (command: CommandExecution): void => {
    made = {
      id: `flt_${command.randomString(16)}`,
      seq: world.nextSeq(),
      collection: ordered.resource,
      operation: ordered.operation,
      kind: ordered.kind,
      status: ordered.status ?? null,
      error: ordered.error ?? {},
      remaining: ordered.count ?? null,
      match: ordered.match ?? null,
      delayMs: ordered.delay_ms?.min ?? 0,
      ...part('delayMaxMs', maxOf(ordered.delay_ms)),
      ...part('answer', responseOf(ordered)),
      ...part('turns', turnsOf(ordered.after, ordered.probability)),
    };
    command.transaction.write(world.faults, made.id, made);
  };
  engine.command('arm fault', 'control', write, why);
  if (!made) throw new Error('the command made no fault');
  return made;
}

/** The upper limit of a random delay; undefined: all calls have the same delay. */
function maxOf(delay: ReadValue<typeof FAULT>['delay_ms']): number | undefined {
  return delay === undefined || delay.max === delay.min ? undefined : delay.max;
}

function clear(engine: Engine, ids: readonly string[], why: JsonObject): void {
  const write = ({ transaction }: CommandExecution): void => {
    for (const id of ids) transaction.write(engine.world.faults, id, undefined);
  };
  engine.command('clear faults', 'control', write, why);
}

/** Rejects faults of streams for operations without a stream. @throws ControlRejection (400) */
function checkStream({ key, stream }: Operation, ordered: ReadValue<typeof FAULT>): void {
  if (stream !== null) return;
  for (const name of ['after_events', 'error_event'] as const)
    if (ordered[name] !== undefined) throw wrongValue(name, `means nothing to ${key}, which has no stream`);
}

/** The kind of a fault. @throws ControlRejection (400) if a key that the kind needs is missing */
function kindOf(ordered: ReadValue<typeof FAULT>): FaultKind {
  const { kind, status, error, delay_ms, body } = ordered;
  const waits = delay_ms !== undefined && delay_ms.max > 0;
  const altered = responseOf(ordered);
  const plain = status === undefined && error === undefined;
  const chosen = kind ?? (plain && altered !== undefined ? 'response' : plain && waits ? 'delay' : 'error');
  if (chosen === 'error' && status === undefined)
    throw new ControlRejection(400, 'missing_key', "'status' is missing", { path: 'status' });
  if (chosen === 'error' && body === undefined && status !== undefined && status < 400)
    throw wrongValue('status', 'must be an integer from 400 to 599, unless there is a body');
  if (chosen === 'delay' && !waits)
    throw new ControlRejection(400, 'missing_key', "'delay_ms' is missing", { path: 'delay_ms' });
  if (chosen === 'response' && altered === undefined && status === undefined)
    throw new ControlRejection(
      400,
      'missing_key',
      "'headers', 'body', 'truncate_at', 'drip_ms' or 'status' is missing",
      {
        path: 'body',
      },
    );
  const reject = (key: string): ControlRejection => wrongValue(key, `means nothing to a fault of kind ${chosen}`);
  if (chosen !== 'error' && chosen !== 'response') {
    if (status !== undefined) throw reject('status');
    const [stray] = RESPONSE.filter((key) => ordered[key] !== undefined);
    if (stray !== undefined) throw reject(stray);
  }
  if (chosen !== 'error' && error !== undefined) throw reject('error');
  return chosen;
}

const RESPONSE = ['headers', 'body', 'truncate_at', 'drip_ms', 'after_events', 'error_event'] as const;

/** Returns how a fault changes the response; undefined: not at all. */
function responseOf({
  headers,
  body,
  truncate_at,
  drip_ms,
  after_events,
  error_event,
}: ReadValue<typeof FAULT>): FaultResponse | undefined {
  const altered = {
    ...part('headers', headers),
    ...part('body', body),
    ...part('truncateAt', truncate_at),
    ...part('dripMs', drip_ms),
    ...part('afterEvents', after_events),
    ...part('errorEvent', error_event),
  };
  return Object.keys(altered).length > 0 ? altered : undefined;
}

/** Returns an object with the member; without it if the value is undefined, since missing keys aren't stored. */
function part<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: T });
}

/** Rejects arguments of an error that aren't texts, or that the pack's error for faults doesn't take. */
function checkWords({ errors, settings }: Model, error: JsonObject | undefined): void {
  const { args } = engineError(errors, 'fault');
  for (const key of ['code', 'type', 'message']) {
    const given = error?.[key] ?? null;
    if (given === null) continue;
    const path = `error.${key}`;
    if (typeof given !== 'string') throw wrongValue(path, 'must be text');
    const schema = args.get(key);
    const wrong = schema && misfit(schema, given, path, settings.time);
    if (wrong) throw wrongValue(path, wrong.message);
  }
}

function inOrder(faults: Iterable<Fault>): Fault[] {
  return [...faults].sort((a, b) => a.seq - b.seq);
}

/** A fault as responses show it. `remaining` is null if the fault stays until it is cleared. */
function faultView(fault: Fault): s.Shown<typeof FaultSchema> {
  const { id, collection, operation, kind, status, error, remaining, match, answer: altered, turns } = fault;
  const { delayMs, delayMaxMs } = fault;
  return {
    ...{ id, resource: collection, operation, kind, status, error, remaining, match, delay_ms: delayMs },
    ...part('delay_max_ms', delayMaxMs),
    ...part('headers', altered?.headers),
    ...part('body', altered?.body),
    ...part('truncate_at', altered?.truncateAt),
    ...part('drip_ms', altered?.dripMs),
    ...part('after_events', altered?.afterEvents),
    ...part('error_event', altered?.errorEvent),
    ...(turns ? { after: turns.after, probability: turns.probability, seen: turns.seen } : {}),
  };
}
