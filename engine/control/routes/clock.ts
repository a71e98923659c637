import { withOrigin } from '../../expression/index.js';
import type { Json, JsonObject } from '../../values/index.js';
import { formatDuration, ownerOf, type Row } from '../../world/index.js';
import { LIMITS } from '../../limits.js';
import {
  type Advance,
  type AdvanceLimit,
  type AdvanceOptions,
  type Engine,
  type Pace,
  shownFailure,
  type CommandExecution,
} from '../../runtime/index.js';
import type { ControlContext } from '../context.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { allEventTypes, packInstant, OWNER } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import { DueTimerSchema, timerView } from '../timer-view.js';
import {
  count,
  duration,
  InstantSchema,
  instant,
  mapOf,
  optional,
  reader,
  type ReadValue,
  required,
  shapeSchema,
  shaped,
  text,
  wrongValue,
} from '../shape.js';

/** The value that makes a wait never end by itself. */
const NEVER = 'none';
/** Limit of an advance until an event, by default. */
const YEAR_MS = 365 * 24 * 3_600_000;

/** Maximum number of timers in one response. */
const MOST_TIMERS = 1_000;

const PACE = { quiet: optional(duration, undefined, { examples: ['50ms'] }) };

/** Reads `pace`: whether an advance waits for the application, and until no call was made for how long (real time). */
const pace = reader<Pace | null>(
  s
    .named('Pace', s.union(s.boolean, shapeSchema(PACE)))
    .about(
      'give the application time to react: after each moment with events, the clock waits until their deliveries have been responded to; with `quiet`, also until no request has arrived for this long in real time',
    ),
  (value, path) => {
    if (typeof value === 'boolean') return value ? { quietMs: 0 } : null;
    const { quiet = 0 } = shaped(PACE)(value, path);
    if (quiet > LIMITS.flush.value)
      throw wrongValue(`${path}.quiet`, `must be at most ${formatDuration(LIMITS.flush.value)}`);
    return { quietMs: quiet };
  },
);

const ADVANCE = {
  duration: optional(duration, 'how far to advance, in simulated time; units ms, s, m, h, d, w can be combined', {
    examples: ['60s', '32d', '1d12h'],
  }),
  to: optional(instant),
  until: optional(
    shaped({ event: required(text), object: optional(text, 'id of an object that the event must concern') }),
    'advance until this event is emitted, then stop',
  ),
  at_most: optional(duration, 'limit of an advance with `until` (default: 365d)', { examples: ['60d'] }),
  pace: optional(pace),
  of: optional(text, 'id of an object with its own clock; only that clock advances'),
};

/** The event at which an advance stops. */
type UntilEvent = NonNullable<ReadValue<typeof ADVANCE>['until']>;

const TimerFailureSchema = s.named(
  'TimerFailure',
  s
    .object({
      object: s.string.about('id of the object that has the timer'),
      tenant: OWNER,
      collection: s.string,
      timer: s.string,
      at: InstantSchema,
      error: s.object({ code: s.string, message: s.string }),
    })
    .about(
      'a timer whose steps failed or were rejected; their changes were rolled back, and the timer does not fire again',
    ),
);

const ClockSchema = s.named(
  'Clock',
  s.object({
    now: InstantSchema,
    t0: InstantSchema,
    mode: s.oneOf('frozen', 'realtime'),
    timers: s.integer,
    failed: s
      .list(TimerFailureSchema)
      .about('timers that failed since the last reset or rewind, newest last; at most 1,000'),
    next_due: InstantSchema.orNull(),
    clocks: s
      .list(s.object({ id: s.string, tenant: OWNER, now: InstantSchema }))
      .about('objects with their own clock and its time; absent if there are none')
      .optional(),
    advancing: s.object({ from: InstantSchema, to: InstantSchema, now: InstantSchema, fired: s.integer }).orNull(),
  }),
);

const AdvancedSchema = s.object({
  now: InstantSchema,
  fired: s.integer.about('number of timers that fired'),
  events: s.list(s.map).about('vendor events that were emitted, in order; at most 10,000'),
  events_total: s.integer,
  failed: s.list(TimerFailureSchema).about('timers that failed, at most 1,000; absent if there are none').optional(),
  failed_total: s.integer.optional(),
});

const DurationSchema = s.object({
  default: s.string,
  value: s.string,
  overridden: s.boolean,
  description: s.string,
});

const DurationsSchema = s.named('Durations', s.object({ durations: s.mapOf(DurationSchema) }));

/** Routes of the world's clock and its named waits. */
export const CLOCK_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /clock',
    {
      id: 'clock',
      tag: 'clock',
      about: 'Simulated time, mode, timers, and an advance in progress',
      response: ClockSchema,
    },
    ({ engine, clock }) => {
      const { world } = engine;
      const { progress } = clock;
      const next = world.timers.next(Number.MAX_SAFE_INTEGER);
      return {
        body: {
          now: world.now,
          t0: packInstant(engine, world.t0),
          mode: clock.mode,
          timers: world.timers.size,
          next_due: next ? packInstant(engine, next.due) : null,
          failed: engine.failures.map(shownFailure),
          advancing: progress && {
            from: packInstant(engine, progress.from),
            to: packInstant(engine, progress.to),
            now: world.now,
            fired: progress.fired,
          },
          ...(world.clocks.size === 0 ? {} : { clocks: ownClocks(engine) }),
        },
      };
    },
  ),
  route(
    'POST /clock/advance',
    {
      id: 'advance',
      tag: 'clock',
      about: 'Advance the clock; timers fire in the order in which they are due',
      body: ADVANCE,
      bodySchema: s.union(
        shapeSchema({ duration: ADVANCE.duration, pace: ADVANCE.pace, of: ADVANCE.of }, ['duration']),
        shapeSchema({ to: ADVANCE.to, pace: ADVANCE.pace, of: ADVANCE.of }, ['to']),
        shapeSchema({ until: ADVANCE.until, at_most: ADVANCE.at_most, pace: ADVANCE.pace, of: ADVANCE.of }, ['until']),
      ),
      response: AdvancedSchema,
      errors: [404, 409, 422],
    },
    async (context, { body, why }) => {
      const { engine, clock } = context;
      const { duration: by, to, until, at_most, pace = null, of } = body;
      const line = of === undefined ? null : clockNamed(engine, of);
      const lines = line === null ? 'all' : [line];
      const options: AdvanceOptions = { why: { args: why }, pace, lines };
      if (until !== undefined) {
        if (by !== undefined || to !== undefined)
          throw wrongValue('until', "cannot stand beside 'duration' or 'to'; 'at_most' bounds it");
        const most = at_most ?? YEAR_MS;
        if (most <= 0) throw wrongValue('at_most', 'must be longer than nothing');
        const advance = await clock.advanceBy(most, { ...options, until: isMeant(engine, until) });
        if (advance.stopped === 'beyond') throw wrongValue('at_most', 'leads beyond the year 9999');
        return { body: untilEvent(context, until, most, advance) };
      }
      if (at_most !== undefined) throw wrongValue('at_most', "stands beside 'until' only");
      if (by === undefined && to === undefined) {
        throw new ControlRejection(400, 'missing_key', "'duration' (such as 32d) or 'to' (an instant) is missing", {
          path: 'duration',
        });
      }
      if (by !== undefined && to !== undefined) throw wrongValue('to', "cannot stand beside 'duration'");
      if (by !== undefined && by <= 0) throw wrongValue('duration', 'must be longer than nothing');
      if (to !== undefined && to <= engine.runtime.times.msOf(line))
        throw wrongValue('to', 'must be later than now: the clock never moves back');
      const advance = by === undefined ? await clock.advance(to ?? 0, options) : await clock.advanceBy(by, options);
      if (advance.stopped === 'beyond')
        throw wrongValue(by === undefined ? 'to' : 'duration', 'leads beyond the year 9999');
      return { body: advanced(context, advance) };
    },
  ),
  route(
    'GET /clock/timers',
    {
      id: 'timers',
      tag: 'clock',
      about: 'Running timers, the next due first',
      query: { limit: optional(count(1, MOST_TIMERS), 'maximum number of timers (default: 100)') },
      response: s.object({ now: InstantSchema, data: s.list(DueTimerSchema), total: s.integer }),
    },
    ({ engine }, { query: { limit = 100 } }) => {
      const { world } = engine;
      const due = world.timers.list();
      return {
        body: { now: world.now, data: due.slice(0, limit).map((each) => timerView(engine, each)), total: due.length },
      };
    },
  ),
  route(
    'GET /clock/durations',
    { id: 'durations', tag: 'clock', about: "The pack's named durations", response: DurationsSchema },
    ({ engine }) => ({ body: table(engine) }),
  ),
  route(
    'POST /clock/durations',
    {
      id: 'overrideDurations',
      tag: 'clock',
      about: 'Override named durations; running timers keep their due time',
      body: {
        durations: required(
          mapOf(
            s.string
              .orNull()
              .about("a duration such as `32d`; `none`: the timer never fires; null: restore the pack's default"),
          ),
        ),
      },
      response: DurationsSchema,
      errors: [404],
    },
    ({ engine }, { body, why }) => {
      const changes = Object.entries(body.durations).map(
        ([name, value]) => [name, override(engine, name, value)] as const,
      );
      const write = ({ transaction }: CommandExecution): void => {
        for (const [name, ms] of changes) transaction.write(engine.world.durations, name, ms);
      };
      engine.command('durations', 'control', write, why);
      return { body: table(engine) };
    },
  ),
];

function ownClocks(engine: Engine) {
  return [...engine.world.clocks.entries()].map(([line, ms]) => ({ ...ownerOf(line), now: packInstant(engine, ms) }));
}

/** Finds the clock of an object: of one without a tenant, `TENANT ID`, or the only object with the id. */
function clockNamed({ world }: Engine, of: string): string {
  if (world.clocks.get(of) !== undefined) return of;
  const found = [...world.clocks.entries()].map(([line]) => line).filter((line) => ownerOf(line).id === of);
  if (found.length === 0) throw unknown('object', of);
  if (found.length > 1) throw wrongValue('of', `names clocks of several tenants: ${found.join(', ')}`);
  return found[0];
}

/** Returns a test whether an event has a name and, if an object is given, mentions the object's id. */
function isMeant(engine: Engine, { event, object }: UntilEvent): AdvanceLimit {
  const { pack, model } = engine;
  const known = allEventTypes(pack);
  if (!known.includes(event)) throw unknown('event', event, model.env.suggest(event, known));
  const typeField = pack.delivery()?.typeField ?? 'type';
  return ({ value }, emitter) =>
    emitter === engine && value[typeField] === event && (object === undefined || mentions(value, object));
}

function untilEvent(
  context: ControlContext,
  { event, object }: UntilEvent,
  most: number,
  made: Advance,
): s.Shown<typeof AdvancedSchema> {
  const view = advanced(context, made);
  if (made.untilEvent) return view;
  const of = object === undefined ? '' : ` of ${object}`;
  throw new ControlRejection(
    422,
    'event_did_not_come',
    `no ${event}${of} within ${formatDuration(most)}; the clock has moved on`,
    {
      now: context.engine.world.now,
      fired: made.fired,
      events_total: made.total,
      ...failuresOf(made),
    },
  );
}

function failuresOf({ failed, failedTotal }: Advance): {
  readonly failed?: readonly s.Shown<typeof TimerFailureSchema>[];
  readonly failed_total?: number;
} {
  return failedTotal === 0 ? {} : { failed: failed.map(shownFailure), failed_total: failedTotal };
}

/** The response of an advance. @throws ControlRejection if it stopped early */
function advanced({ engine, clock, vendors }: ControlContext, made: Advance): s.Shown<typeof AdvancedSchema> {
  const { events, total, fired, stopped, exceeded } = made;
  const { now } = engine.world;
  const failures = failuresOf(made);
  if (stopped === 'budget') {
    const message = `${surplus(clock, exceeded)}; what was due before ${String(now)} has happened: advance again from there`;
    const details = { limit: exceeded, now, fired, events_total: total, ...failures };
    throw new ControlRejection(422, 'too_much_due', message, details);
  }
  if (stopped === 'reset')
    throw new ControlRejection(409, 'world_reset', 'the world was reset while its clock moved', { now });
  const shown = vendors
    ? events.map(({ row, engine: of }) => ({ vendor: vendors.get(of) ?? '', ...placed(of, row) }))
    : events.filter((each) => each.engine === engine).map(({ row }) => engine.responseOf(row));
  return { now, fired, events: shown, events_total: total, ...failures };
}

function surplus(clock: ControlContext['clock'], exceeded: Advance['exceeded']): string {
  switch (exceeded) {
    case 'events':
      return `more than ${clock.eventBudget} events would happen`;
    case 'memory':
      return 'the memory of the process would not hold what would happen';
    default:
      return `more than ${clock.timerBudget} timers become due`;
  }
}

/** Reads an override of a duration in milliseconds; undefined restores the pack's own. */
function override({ model }: Engine, name: string, value: Json): number | undefined {
  if (!model.settings.durations.has(name)) {
    throw unknown('duration', name, model.env.suggest(name, model.settings.durations.keys()));
  }
  if (value === null) return undefined;
  return value === NEVER ? Infinity : duration(text(value, `durations.${name}`), `durations.${name}`);
}

function table({ model, world }: Engine): s.Shown<typeof DurationsSchema> {
  const rows: Record<string, s.Shown<typeof DurationSchema>> = {};
  for (const [name, { defaultMs, description }] of model.settings.durations) {
    const overridden = world.durations.get(name);
    rows[name] = {
      default: shown(defaultMs ?? Infinity),
      value: shown(overridden ?? defaultMs ?? Infinity),
      overridden: overridden !== undefined,
      description,
    };
  }
  return { durations: rows };
}

function mentions(value: Json, id: string): boolean {
  if (value === id) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some((each: Json) => mentions(each, id));
}

function shown(ms: number): string {
  return Number.isFinite(ms) ? formatDuration(ms) : NEVER;
}

/** Returns an event of any pack of a company, with the address of that pack in its links. */
function placed(of: Engine, row: Row): JsonObject {
  return JSON.parse(withOrigin(JSON.stringify(of.responseOf(row)), of.runtime.reader.baseUrl)) as JsonObject;
}
