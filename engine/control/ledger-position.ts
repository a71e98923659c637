import { endOf, type Json } from '../values/index.js';
import { suggest } from '../pack/index.js';
import { type Engine, isMemoryShort, requireMemory, runSteps, whileMemoryLasts } from '../runtime/index.js';
import { BeyondLedger, parseInstant, type StoredEntry, type World } from '../world/index.js';
import { packInstant, type SeenWorld } from './lookup.js';
import { ControlRejection, unknown } from './rejection.js';
import * as s from './schema.js';
import { InstantSchema, reader, wrongValue } from './shape.js';
import { publicArgs } from './secrets.js';

/** How a request names a moment: number of an entry, instant, id of a request or trace, name of a saved moment, or `now`. */
export type RequestedMoment = string | number;

/** The current state as a moment. */
const NOW = 'now';

/** Numbers with this many digits are Unix seconds, not entries. */
const UNIX_SECONDS = /^\d{9,15}$/;

const MomentSchema = s.named(
  'Moment',
  new s.ContractSchema<RequestedMoment>({
    description:
      "a point in the world's history: number of a ledger entry, instant (ISO 8601 or Unix seconds of at least 9 digits), id of a request or trace, name of a saved moment, or `now`",
    type: ['string', 'integer'],
  }),
);

/** Members of a response that name the origin of an entry. */
export const WHO = {
  entry: s.integer.about('number of the ledger entry'),
  at: InstantSchema,
  command: s.string,
  origin: s.oneOf('call', 'cause', 'clock', 'seed', 'control', 'outside', 'rule'),
  request: s.string.orNull(),
  trace: s.string.orNull(),
  args: s.any,
};

export const WhoSchema = s.named('Who', s.object(WHO));

/** Reads a requested moment. */
export const asked = reader(MomentSchema, (value, path): RequestedMoment => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  if (typeof value === 'string' && value !== '') return value;
  throw wrongValue(
    path,
    'must be the number of a ledger entry, an instant, the id of a request or trace, the name of a saved moment, or now',
  );
});

/** Reads the name of a moment to save; it must not look like a number or an instant. */
export const momentName = reader(s.string.with({ minLength: 1, maxLength: 200 }), (value, path) => {
  if (typeof value !== 'string' || value === '' || value.length > 200)
    throw wrongValue(path, 'must be text of 1 to 200 characters');
  if (/^\d+$/.test(value) || value === NOW || parseInstant(value) !== undefined)
    throw wrongValue(path, `must not look like a number or an instant, and not be ${NOW}`);
  return value;
});

/**
 * The number of the entry before a moment.
 * @throws ControlRejection (404) for an unknown moment, (422) for one that is older than the ledger
 */
export function momentNamed(engine: Engine, at: RequestedMoment): number {
  const text = String(at);
  const { world } = engine;
  const saved = world.moments.get(text);
  if (saved !== undefined) return saved;
  if (text === NOW) return world.ledger.count;
  if (/^\d{1,8}$/.test(text)) return inReach(engine, Number(text));
  const ms = parseInstant(UNIX_SECONDS.test(text) ? Number(text) : text);
  if (ms !== undefined) return momentOfInstant(engine, ms, text);
  const { ledger, traces } = world;
  const entry = ledger.since(0).findLast(({ request, trace }) => request === text || trace === text);
  const number =
    entry?.n ?? (traces.get(text) ?? traces.newest(Infinity).find(({ request }) => request.id === text))?.entry;
  if (number !== undefined) return inReach(engine, number);
  throw unknown('moment', text, suggest(text, world.moments.keys()), {
    hint: 'the number of a ledger entry, an instant, the id of a request or trace, the name of a saved moment, or now',
  });
}

/** The world at a moment, like `pastOf`; read-only. @throws ControlRejection */
export function worldAt(engine: Engine, at: RequestedMoment): World {
  return pastOf(engine, momentNamed(engine, at));
}

/** A view of the world at a moment; undefined: now. @throws ControlRejection */
export function viewAt(engine: Engine, at: RequestedMoment | undefined): SeenWorld {
  if (at === undefined) return engine;
  const { model, pack, runtime } = engine;
  return { world: worldAt(engine, at), model, pack, runtime };
}

/**
 * The world after an entry, for a call that hasn't changed anything yet.
 * @throws FarMoment if that state isn't loaded; `inTurns` loads it and repeats the call
 */
export function pastOf(engine: Engine, n: number): World {
  const found = engine.past.atHand(n);
  if (!found) throw new FarMoment(engine, n);
  return found;
}

/**
 * Returns the world after an entry; rebuilds it immediately if it isn't loaded.
 * @throws ControlRejection (422) if the ledger doesn't contain the moment
 * @throws MemoryShort since a past world takes as much memory as the current one
 */
export function foldedPast(engine: Engine, n: number): World {
  return engine.past.atHand(n) ?? inLedger(engine, () => endOf(guardedSteps(engine, n)));
}

function guardedSteps(engine: Engine, n: number): Generator<void, World> {
  requireMemoryOf(engine);
  return whileMemoryLasts(engine.past.steps(n), () => isMemoryShortFor(engine));
}

/** Thrown by a call that reads a moment which isn't loaded. */
class FarMoment extends Error {
  constructor(
    readonly engine: Engine,
    readonly n: number,
  ) {
    super(`entry ${n} isn't at hand`);
  }
}

/**
 * Runs a control call while no seed is in progress. If it reads a past moment that isn't loaded, rebuilds the world of that
 * moment in slices, between which other calls run, then starts the call again, so that it reads everything at one time.
 * @throws ControlRejection (422), MemoryShort like `foldedPast`
 */
export async function inTurns<T>(engine: Engine, run: () => T): Promise<Awaited<T>> {
  const found: { readonly of: Engine; readonly n: number; readonly world: World }[] = [];
  for (;;) {
    while (engine.seeding !== null) await engine.seeding;
    // Other calls may have replaced the moments that were loaded for this one.
    for (const { of, n, world } of found) of.past.hold(n, world);
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof FarMoment)) throw error;
      const { engine: of, n } = error;
      try {
        found.push({ of, n, world: await runSteps(guardedSteps(of, n)) });
      } catch (failed) {
        throw inReachOr(of, failed);
      }
    }
  }
}

/** Checks that a past world fits into memory. @throws MemoryShort */
export function requireMemoryOf(engine: Engine): void {
  requireMemory(() => isMemoryShortFor(engine));
}

/** Whether memory is too short for a past world, even after dropping the ones that are loaded. */
function isMemoryShortFor({ past }: Engine): boolean {
  return isMemoryShort() && (!past.forget() || isMemoryShort(undefined, true));
}

/** Runs a function that reads an earlier moment. @throws ControlRejection (422) if the ledger doesn't reach back to it */
export function inLedger<T>(engine: Engine, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw inReachOr(engine, error);
  }
}

/** Converts the error for a moment before the ledger's start to a rejection (422); returns other errors unchanged. */
function inReachOr(engine: Engine, error: unknown): unknown {
  return error instanceof BeyondLedger ? beyond(engine, error.message) : error;
}

/** A moment in a response. */
export function momentView(engine: Engine, { ledger, nowMs }: World): { readonly entry: number; readonly now: Json } {
  return { entry: ledger.count, now: packInstant(engine, nowMs) };
}

/** The origin of an entry, in a response. */
export function whoDid(engine: Engine, entry: StoredEntry): s.Shown<typeof WhoSchema> {
  const { n, at, command, origin, request, trace } = entry;
  return { entry: n, at: packInstant(engine, at), command, origin, request, trace, args: publicArgs(engine, entry) };
}

function momentOfInstant(engine: Engine, ms: number, text: string): number {
  const { ledger, nowMs, t0 } = engine.world;
  if (ms > nowMs) throw unknown('moment', text, undefined, { now: packInstant(engine, nowMs) });
  const found = ledger.since(0).findLast(({ at }) => at <= ms);
  if (found) return inReach(engine, found.n);
  if (ledger.oldest <= engine.firstMoment && ms >= t0) return engine.firstMoment;
  if (ledger.oldest <= engine.firstMoment) throw unknown('moment', text, undefined, { t0: packInstant(engine, t0) });
  throw beyond(engine, `${text} is older than what the ledger holds`);
}

function inReach(engine: Engine, n: number): number {
  const { count } = engine.world.ledger;
  if (n > count || n < engine.firstMoment)
    throw unknown('moment', String(n), undefined, { first: engine.firstMoment, last: count });
  return n;
}

/** The rejection (422) for a moment before the oldest entry in the ledger. */
export function beyond(engine: Engine, message: string): ControlRejection {
  const { ledger, config } = engine.world;
  const limit: Json = Number.isFinite(config.ledgerLimit) ? config.ledgerLimit : null;
  return new ControlRejection(422, 'beyond_ledger', message, { oldest: ledger.oldest, last: ledger.count, limit });
}
