import type { JsonObject } from '../../expression/index.js';
import { LIMITS } from '../../limits.js';
import { engineError, misfit, type Model } from '../../model/index.js';
import type { UnitOfWork } from '../../runtime/index.js';
import type { Fault, FaultKind } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { collectionNamed, unknownEntry } from '../names.js';
import { Refusal, unknown } from '../refusal.js';
import { integer, map, oneOf, optional, type Read, required, text, wrongValue } from '../shape.js';

const MAX_DELAY_MS = LIMITS.faultDelay.value;

const FAULT = {
  resource: required(text),
  operation: required(text),
  kind: optional(oneOf('error', 'delay', 'reset', 'lost_response')),
  status: optional(integer(400, 599)),
  error: optional(map),
  count: optional(integer(1, Number.MAX_SAFE_INTEGER)),
  match: optional(map),
  delay_ms: optional(integer(0, MAX_DELAY_MS)),
};

/** Faults: calls that a test lets fail. */
export function faultRoutes({ engine }: ControlContext): ControlRoute[] {
  const { world } = engine;
  return [
    route('POST /faults', { body: FAULT }, ({ body, why }) => {
      const { def, operations } = collectionNamed(engine, body.resource);
      if (!operations.has(body.operation)) {
        const near = engine.model.env.suggest(body.operation, operations.keys());
        throw unknown('operation', `${def.collection}.${body.operation}`, near, { operations: [...operations.keys()] });
      }
      const kind = kindOf(body);
      checkWords(engine.model, body.error);
      return { status: 201, body: faultView(arm({ ...body, kind }, why)) };
    }),
    route('GET /faults', {}, () => ({ body: { data: inOrder(world.faults.values()).map(faultView) } })),
    route('DELETE /faults', {}, ({ why }) => {
      const ids = [...world.faults.values()].map(({ id }) => id);
      clear(ids, why);
      return { body: { cleared: ids.length } };
    }),
    route('DELETE /faults/:id', {}, ({ id, why }) => {
      if (!world.faults.get(id))
        throw unknownEntry(
          'fault',
          id,
          [...world.faults.entries()].map(([key]) => key),
        );
      clear([id], why);
      return { body: { id, deleted: true } };
    }),
  ];

  function arm(ordered: Read<typeof FAULT> & { readonly kind: FaultKind }, why: JsonObject): Fault {
    let made: Fault | undefined;
    const write = (command: UnitOfWork): void => {
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
        delayMs: ordered.delay_ms ?? 0,
      };
      command.transaction.write(world.faults, made.id, made);
    };
    engine.command('arm fault', 'control', write, why);
    if (!made) throw new Error('the command made no fault');
    return made;
  }

  function clear(ids: readonly string[], why: JsonObject): void {
    const write = ({ transaction }: UnitOfWork): void => {
      for (const id of ids) transaction.write(world.faults, id, undefined);
    };
    engine.command('clear faults', 'control', write, why);
  }
}

/** What a fault does, and whether it says what that needs. */
function kindOf({ kind, status, error, delay_ms }: Read<typeof FAULT>): FaultKind {
  const waits = delay_ms !== undefined && delay_ms > 0;
  const chosen = kind ?? (waits && status === undefined && error === undefined ? 'delay' : 'error');
  if (chosen === 'error' && status === undefined)
    throw new Refusal(400, 'missing_key', "'status' is missing", { path: 'status' });
  if (chosen === 'delay' && !waits)
    throw new Refusal(400, 'missing_key', "'delay_ms' is missing", { path: 'delay_ms' });
  if (chosen !== 'error' && status !== undefined)
    throw wrongValue('status', `means nothing to a fault of kind ${chosen}`);
  if (chosen !== 'error' && error !== undefined)
    throw wrongValue('error', `means nothing to a fault of kind ${chosen}`);
  return chosen;
}

/** Refuses words of an error that are no text, or none that the pack's error for faults takes. */
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

/** A fault as tests see it; `remaining` null: until it is cleared. */
function faultView({ id, collection, operation, kind, status, error, remaining, match, delayMs }: Fault): JsonObject {
  return { id, resource: collection, operation, kind, status, error, remaining, match, delay_ms: delayMs };
}
