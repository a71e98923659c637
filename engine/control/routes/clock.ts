import type { Json, JsonObject } from '../../expression/index.js';
import { formatDuration, parseDuration } from '../../world/index.js';
import type { Advance, Command } from '../../runtime/index.js';
import { type ControlAnswer, type ControlContext, type ControlRoute, route } from '../context.js';
import { instantOf } from '../names.js';
import { Refusal, unknown } from '../refusal.js';
import { instant, map, optional, type Reader, required, text, wrongValue } from '../shape.js';

/** A wait that never ends by itself. */
const NEVER = 'none';
const LATEST_MS = Date.UTC(9999, 0);

const duration: Reader<number> = (value, path) => {
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms === undefined) throw wrongValue(path, 'must be a duration such as 60s, 32d or 1d12h');
  return ms;
};

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
      { body: { duration: optional(duration), to: optional(instant) } },
      async ({ body, why }) => {
        const { duration: by, to } = body;
        if (by === undefined && to === undefined) {
          throw new Refusal(400, 'missing_key', "'duration' (such as 32d) or 'to' (an instant) is missing", {
            path: 'duration',
          });
        }
        if (by !== undefined && to !== undefined) throw wrongValue('to', "cannot stand beside 'duration'");
        if (by !== undefined && by <= 0) throw wrongValue('duration', 'must be longer than nothing');
        if (to !== undefined && to <= world.nowMs)
          throw wrongValue('to', 'must be later than now: the clock never moves back');
        if (world.nowMs + (by ?? 0) > LATEST_MS || (to ?? 0) > LATEST_MS)
          throw wrongValue(by === undefined ? 'to' : 'duration', 'leads beyond the year 9999');
        return advanced(
          by === undefined ? await clock.advance(to ?? 0, { args: why }) : await clock.advanceBy(by, { args: why }),
        );
      },
    ),
    route('GET /clock/durations', {}, () => ({ body: { durations: table() } })),
    route('POST /clock/durations', { body: { durations: required(map) } }, ({ body, why }) => {
      const changes = Object.entries(body.durations).map(([name, value]) => [name, override(name, value)] as const);
      const write = ({ transaction }: Command): void => {
        for (const [name, ms] of changes) transaction.write(world.durations, name, ms);
      };
      engine.command('durations', 'control', write, why);
      return { body: { durations: table() } };
    }),
  ];

  function advanced({ events, total, fired, stopped }: Advance): ControlAnswer {
    const now = world.now;
    if (stopped === 'budget') {
      const message = `more than ${clock.budget} timers fall due; those before ${String(now)} have fired: advance again from there`;
      throw new Refusal(422, 'too_much_due', message, { now, fired, events_total: total });
    }
    if (stopped === 'reset')
      throw new Refusal(409, 'world_reset', 'the world was reset while its clock moved', { now });
    return { body: { now, fired, events: events.map((event) => engine.answerOf(event)), events_total: total } };
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

function shown(ms: number): string {
  return Number.isFinite(ms) ? formatDuration(ms) : NEVER;
}
