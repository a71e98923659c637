import { SeedRejected, type Seeds, type UnitOfWork } from '../../runtime/index.js';
import type { Row } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { unknownResource } from '../lookup.js';
import { ControlRejection } from '../rejection.js';
import { flag, instant, list, listOf, map, oneOf, optional, type ReadValue, readShape, text } from '../shape.js';

/** What `POST /seed` takes; what `GET /state` answers is such a body (`now` is the `t0` that it would have). */
const SEED = {
  resource: optional(text),
  objects: optional(list),
  resources: optional(map),
  deleted: optional(map),
  tenants: optional(map),
  timers: optional(list),
  t0: optional(instant),
  now: optional(instant),
};

/** Seeding and resetting a world. */
export function worldRoutes(context: ControlContext): ControlRoute[] {
  const { engine, clock } = context;
  return [
    route('POST /seed', { body: SEED, large: true }, async ({ body, why }) => {
      const { resources, ...more } = seedsOf(body);
      const { t0, nowMs } = engine.world;
      const begins = beginningOf(body);
      const info = { command: 'clock', origin: 'seed', args: why } as const;
      try {
        if (begins !== undefined) engine.world.startAt(begins, begins, info);
        return { body: { seeded: await engine.seedInSlices(resources, why, more) } };
      } catch (error) {
        if (begins !== undefined) engine.world.startAt(t0, nowMs, info);
        throw error instanceof SeedRejected ? refusalOf(context, error) : error;
      }
    }),
    route(
      'POST /reset',
      {
        body: {
          t0: optional(instant),
          keep: optional(listOf(oneOf('endpoints', 'durations'))),
          empty: optional(flag),
        },
      },
      async ({ body: { t0, keep = [], empty = false }, why }) => {
        const seeds = empty ? null : (context.beginning?.seeds ?? null);
        const given = seeds && readShape(SEED, seeds);
        const endpoints = keep.includes('endpoints') ? endpointsOf(context) : [];
        const kept = keep.includes('durations') ? (['durations'] as const) : [];
        const refill = putBack(context, endpoints);
        if (given === null) clock.reset(t0, kept, refill, why);
        else {
          const begins = t0 ?? beginningOf(given);
          await clock.resetInSlices(begins, kept, refill, seedsOf(given), why).catch((error: unknown) => {
            if (!(error instanceof SeedRejected)) throw error;
            const { status, code, message, details } = refusalOf(context, error);
            const told = `the seed file is rejected now, so that the world is empty: ${message}`;
            throw new ControlRejection(status, code, told, details);
          });
        }
        return { body: { now: engine.world.now } };
      },
    ),
  ];
}

/** When the world begins that a seed brings. */
function beginningOf({ t0, now }: ReadValue<typeof SEED>): number | undefined {
  if (t0 !== undefined && now !== undefined && t0 !== now)
    throw new ControlRejection(400, 'invalid_value', "either 't0' or 'now'", { path: 'now' });
  return t0 ?? now;
}

function seedsOf(body: ReadValue<typeof SEED>): Seeds {
  const { resource, objects, resources, deleted, tenants, timers } = body;
  if (resources !== undefined) {
    if (resource === undefined && objects === undefined) {
      const lists = Object.entries(resources).map(([name, each]) => [name, list(each, `resources.${name}`)] as const);
      return { resources: Object.fromEntries(lists), deleted, tenants, timers };
    }
    throw new ControlRejection(400, 'invalid_value', "either 'resource' with 'objects', or 'resources'", {
      path: 'resources',
    });
  }
  const missing = resource === undefined ? 'resource' : 'objects';
  if (resource === undefined || objects === undefined) {
    throw new ControlRejection(400, 'missing_key', `'${missing}' is missing`, { path: missing });
  }
  return { resources: { [resource]: objects }, deleted, tenants, timers };
}

function refusalOf({ engine }: ControlContext, { code, message, path, shape }: SeedRejected): ControlRejection {
  if (code === 'unknown_resource') return unknownResource(engine, path);
  return new ControlRejection(shape ? 400 : 422, code, message, { path });
}

function endpointsOf({ engine }: ControlContext): readonly Row[] {
  const { endpoints } = engine.runtime;
  return endpoints?.own() ?? [];
}

function putBack({ engine }: ControlContext, rows: readonly Row[]): (command: UnitOfWork) => void {
  return (command) => {
    for (const { resource, value } of rows) {
      const program = engine.pack.resources[resource];
      command.waits.armSilently(program, command.insert(program, value), command.nowMs);
    }
  };
}
