import type { Json, JsonObject } from '../../values/index.js';
import { formatDuration } from '../../world/index.js';
import type { Row } from '../../world/index.js';
import { type Advance, shownFailure, type UnitOfWork } from '../../runtime/index.js';
import { type ControlAnswer, type ControlContext, type ControlRoute, route } from '../context.js';
import { allEventTypes, instantOf } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import { timerView } from '../timer-view.js';
import {
  count,
  duration,
  instant,
  map,
  optional,
  type FieldReader,
  readShape,
  required,
  text,
  wrongValue,
} from '../shape.js';

/** A wait that never ends by itself. */
const NEVER = 'none';
/** How far the clock goes at most to meet an event, unless told. */
const YEAR_MS = 365 * 24 * 3_600_000;

/** Timers on a page. */
const MOST_TIMERS = 1_000;

/** Where an advance is to stop. */
interface UntilEvent {
  readonly event: string;
  /** Id of an object that the event tells of. */
  readonly object?: string;
}

const UNTIL = { event: required(text), object: optional(text) };

const readUntil: FieldReader<UntilEvent> = (value, path) => readShape(UNTIL, map(value, path));

/** The world's clock and its named waits. */
export function clockRoutes({ engine, clock }: ControlContext): ControlRoute[] {
  const { world, model } = engine;
  return [
    route('GET /clock', {}, () => {
      const { progress } = clock;
      const next = world.timers.next(Number.MAX_SAFE_INTEGER);
      return {
        body: {
          now: world.now,
          t0: instantOf(engine, world.t0),
          mode: clock.mode,
          timers: world.timers.size,
          next_due: next ? instantOf(engine, next.due) : null,
          failed: engine.failures.map(shownFailure),
          advancing: progress && {
            from: instantOf(engine, progress.from),
            to: instantOf(engine, progress.to),
            now: world.now,
            fired: progress.fired,
          },
        },
      };
    }),
    route(
      'POST /clock/advance',
      {
        body: {
          duration: optional(duration),
          to: optional(instant),
          until: optional(readUntil),
          at_most: optional(duration),
        },
      },
      async ({ body, why }) => {
        const { duration: by, to, until, at_most } = body;
        if (until !== undefined) {
          if (by !== undefined || to !== undefined)
            throw wrongValue('until', "cannot stand beside 'duration' or 'to'; 'at_most' bounds it");
          const most = at_most ?? YEAR_MS;
          if (most <= 0) throw wrongValue('at_most', 'must be longer than nothing');
          const advance = await clock.advanceUntil(isMeant(until), most, { args: why });
          if (advance.stopped === 'beyond') throw wrongValue('at_most', 'leads beyond the year 9999');
          return untilAnswer(until, most, advance);
        }
        if (at_most !== undefined) throw wrongValue('at_most', "stands beside 'until' only");
        if (by === undefined && to === undefined) {
          throw new ControlRejection(400, 'missing_key', "'duration' (such as 32d) or 'to' (an instant) is missing", {
            path: 'duration',
          });
        }
        if (by !== undefined && to !== undefined) throw wrongValue('to', "cannot stand beside 'duration'");
        if (by !== undefined && by <= 0) throw wrongValue('duration', 'must be longer than nothing');
        if (to !== undefined && to <= world.nowMs)
          throw wrongValue('to', 'must be later than now: the clock never moves back');
        const advance =
          by === undefined ? await clock.advance(to ?? 0, { args: why }) : await clock.advanceBy(by, { args: why });
        if (advance.stopped === 'beyond')
          throw wrongValue(by === undefined ? 'to' : 'duration', 'leads beyond the year 9999');
        return advanced(advance);
      },
    ),
    route('GET /clock/timers', { query: { limit: optional(count(1, MOST_TIMERS)) } }, ({ query: { limit = 100 } }) => {
      const due = world.timers.list();
      return {
        body: { now: world.now, data: due.slice(0, limit).map((each) => timerView(engine, each)), total: due.length },
      };
    }),
    route('GET /clock/durations', {}, () => ({ body: { durations: table() } })),
    route('POST /clock/durations', { body: { durations: required(map) } }, ({ body, why }) => {
      const changes = Object.entries(body.durations).map(([name, value]) => [name, override(name, value)] as const);
      const write = ({ transaction }: UnitOfWork): void => {
        for (const [name, ms] of changes) transaction.write(world.durations, name, ms);
      };
      engine.command('durations', 'control', write, why);
      return { body: { durations: table() } };
    }),
  ];

  /** Whether an event is of the name and tells of the object, be it as what it is about or as what that belongs to. */
  function isMeant({ event, object }: UntilEvent): (row: Row) => boolean {
    const known = allEventTypes(engine.pack);
    if (!known.includes(event)) throw unknown('event', event, model.env.suggest(event, known));
    const typeField = engine.pack.delivery?.typeField ?? 'type';
    return ({ value }) => value[typeField] === event && (object === undefined || mentions(value, object));
  }

  function untilAnswer({ event, object }: UntilEvent, most: number, made: Advance): ControlAnswer {
    const answer = advanced(made);
    if (made.met) return answer;
    const of = object === undefined ? '' : ` of ${object}`;
    throw new ControlRejection(
      422,
      'event_did_not_come',
      `no ${event}${of} within ${formatDuration(most)}; the clock has moved on`,
      {
        now: world.now,
        fired: made.fired,
        events_total: made.total,
        ...failuresOf(made),
      },
    );
  }

  function failuresOf({ failed, failedTotal }: Advance): JsonObject {
    return failedTotal === 0 ? {} : { failed: failed.map(shownFailure), failed_total: failedTotal };
  }

  function advanced(made: Advance): ControlAnswer {
    const { events, total, fired, stopped, exceeded } = made;
    const now = world.now;
    const failures = failuresOf(made);
    if (stopped === 'budget') {
      const message = `${surplus(exceeded)}; what fell due before ${String(now)} has happened: advance again from there`;
      const details = { limit: exceeded, now, fired, events_total: total, ...failures };
      throw new ControlRejection(422, 'too_much_due', message, details);
    }
    if (stopped === 'reset')
      throw new ControlRejection(409, 'world_reset', 'the world was reset while its clock moved', { now });
    return {
      body: { now, fired, events: events.map((event) => engine.answerOf(event)), events_total: total, ...failures },
    };
  }

  function surplus(exceeded: Advance['exceeded']): string {
    switch (exceeded) {
      case 'events':
        return `more than ${clock.eventBudget} events would happen`;
      case 'memory':
        return 'the memory of the process would not hold what would happen';
      default:
        return `more than ${clock.budget} timers become due`;
    }
  }

  /** The override that a value asks for: milliseconds, or undefined for the pack's own. */
  function override(name: string, value: Json): number | undefined {
    if (!model.settings.durations.has(name)) {
      throw unknown('duration', name, model.env.suggest(name, model.settings.durations.keys()));
    }
    if (value === null) return undefined;
    return value === NEVER ? Infinity : duration(text(value, `durations.${name}`), `durations.${name}`);
  }

  function table(): Record<string, JsonObject> {
    const rows: Record<string, JsonObject> = {};
    for (const [name, { defaultMs, description }] of model.settings.durations) {
      const overridden = world.durations.get(name);
      rows[name] = {
        default: shown(defaultMs ?? Infinity),
        value: shown(overridden ?? defaultMs ?? Infinity),
        overridden: overridden !== undefined,
        description,
      };
    }
    return rows;
  }
}

function mentions(value: Json, id: string): boolean {
  if (value === id) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some((each: Json) => mentions(each, id));
}

function shown(ms: number): string {
  return Number.isFinite(ms) ? formatDuration(ms) : NEVER;
}
