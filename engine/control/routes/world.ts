import { type Engine, SeedRejected, type SeedObjects, type CommandExecution } from '../../runtime/index.js';
import type { Row } from '../../world/index.js';
import type { ControlContext } from '../context.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { unknownResource } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import {
  flag,
  InstantSchema,
  instant,
  list,
  listOf,
  map,
  mapOf,
  oneOf,
  optional,
  reader,
  type ReadValue,
  readShape,
  shapeSchema,
  text,
} from '../shape.js';
import { ClocksSchema, WorldTimerSchema } from '../timer-view.js';

/** The keys in a body of `POST /seed`. `GET /state` returns such a body (its `now` becomes `t0`). */
const SEED = {
  resource: optional(text, 'name of the collection of `objects`'),
  objects: optional(reader(s.list(s.map.about('an object; its `id` must have the format that the pack uses')), list)),
  resources: optional(mapOf(s.list(s.map)), 'objects by collection'),
  account: optional(map, 'properties of the account to which the API key belongs; others get their defaults'),
  deleted: optional(mapOf(s.list(s.map)), 'last states of deleted objects by collection, as returned by `GET /state`'),
  tenants: optional(mapOf(s.map), 'objects of tenants by tenant id, in `resources` and optionally `deleted`'),
  timers: optional(
    reader(s.list(WorldTimerSchema), list),
    'running timers of the objects, instead of timers computed from their fields',
  ),
  clocks: optional(reader(ClocksSchema, map), 'objects with their own clock and its time, as returned by `GET /state`'),
  t0: optional(instant),
  now: optional(instant),
};

const { resource: _resource, objects: _objects, ...OF_MANY } = SEED;
const { resources: _resources, ...OF_ONE } = SEED;
const OF_PACK = { name: optional(text, 'name of seed data that comes with the pack'), t0: SEED.t0 };
const GIVEN = { ...SEED, name: OF_PACK.name };

/** Routes that seed and reset a world. */
export const WORLD_ROUTES: readonly ControlRoute[] = [
  route(
    'POST /seed',
    {
      id: 'seed',
      heavy: true,
      tag: 'world',
      about: 'Insert objects without emitting events; either all or none',
      body: GIVEN,
      bodySchema: s.named(
        'Seed',
        s.union(
          shapeSchema(OF_ONE, ['resource', 'objects']),
          shapeSchema(OF_MANY, ['resources']),
          shapeSchema({ account: SEED.account, t0: SEED.t0 }, ['account']),
          shapeSchema(OF_PACK, ['name']),
        ),
      ),
      large: true,
      response: s.object({ seeded: s.mapOf(s.integer) }),
      errors: [404, 422],
    },
    async (context, { body, why }) => {
      const { engine } = context;
      const given = written(body, engine);
      const { resources, ...more } = seedsOf(given);
      const { t0, nowMs } = engine.world;
      const begins = beginningOf(given);
      const info = { command: 'clock', origin: 'seed', args: why } as const;
      try {
        if (begins !== undefined) engine.world.startAt(begins, begins, info);
        return { body: { seeded: await engine.seedInSlices(resources, why, more) } };
      } catch (error) {
        if (begins !== undefined) engine.world.startAt(t0, nowMs, info);
        throw error instanceof SeedRejected ? rejectionOf(context, error) : error;
      }
    },
  ),
  route(
    'POST /reset',
    {
      id: 'reset',
      tag: 'world',
      about:
        'Reset the world to its initial state: delete all objects, insert the initial seed data, and rewind the clock',
      body: {
        t0: optional(instant, 'initial simulated time (default: the initial time of the world)'),
        keep: optional(
          listOf(oneOf('endpoints', 'durations')),
          'what to keep: webhook endpoints, overridden durations',
        ),
        empty: optional(flag, 'leave the world empty, even if the server was started with a seed file'),
      },
      response: s.object({ now: InstantSchema }),
      errors: [404, 422],
    },
    async (context, { body: { t0, keep = [], empty = false }, why }) => {
      const { engine, clock } = context;
      const begun = empty ? undefined : context.beginning?.entry;
      if (begun !== undefined) {
        for (const [path, isGiven] of [
          ['t0', t0 !== undefined] as const,
          ['keep', keep.includes('durations')] as const,
        ])
          if (isGiven)
            throw new ControlRejection(
              400,
              'invalid_value',
              "the company goes back to its beginning, with its own time and durations; 'empty' leaves it empty",
              { path },
            );
        const endpoints = keep.includes('endpoints') ? endpointsOf(context) : [];
        clock.rewind(begun, { ...why, entry: begun });
        if (endpoints.length > 0) engine.command('reset', 'seed', putBack(context, endpoints), why);
        return { body: { now: engine.world.now } };
      }
      const seeds = empty ? null : (context.beginning?.seeds ?? null);
      const given = seeds && written(readShape(GIVEN, seeds), context.engine);
      const endpoints = keep.includes('endpoints') ? endpointsOf(context) : [];
      const kept = keep.includes('durations') ? (['durations'] as const) : [];
      const refill = putBack(context, endpoints);
      if (given === null) clock.reset(t0, kept, refill, why);
      else {
        const begins = t0 ?? beginningOf(given);
        await clock.resetInSlices(begins, kept, refill, seedsOf(given), why).catch((error: unknown) => {
          if (!(error instanceof SeedRejected)) throw error;
          const { status, code, message, details } = rejectionOf(context, error);
          const text = `the seed file is rejected now, so that the world is empty: ${message}`;
          throw new ControlRejection(status, code, text, details);
        });
      }
      return { body: { now: engine.world.now } };
    },
  ),
];

/** Seed data with its objects: the named seed of the pack, or the given objects. */
function written({ name, ...given }: ReadValue<typeof GIVEN>, engine: Engine): ReadValue<typeof SEED> {
  const { pack, model } = engine;
  if (name === undefined) return withAccount(given, engine);
  const { t0, ...more } = given;
  for (const key of Object.keys(more))
    throw new ControlRejection(400, 'invalid_value', `either 'name' or '${key}'`, { path: key });
  const seeds = pack.seeds();
  const seed = seeds.get(name);
  if (seed === undefined)
    throw unknown('seed', name, model.env.suggest(name, seeds.keys()), { seeds: [...seeds.keys()] });
  const read = withAccount(readShape(SEED, seed.body), engine);
  return t0 === undefined ? read : { ...read, t0 };
}

/**
 * Moves `account`, a shorthand for the one object of the resource `account`, into the objects to seed.
 * @throws ControlRejection (400) if the pack has no such resource
 */
function withAccount(given: ReadValue<typeof SEED>, { model }: Engine): ReadValue<typeof SEED> {
  const { account, resource, objects, resources } = given;
  if (account === undefined) return given;
  const def = [...model.byCollection.values()].find(({ name, singleton }) => singleton && name === 'account');
  if (def === undefined)
    throw new ControlRejection(400, 'invalid_value', 'the pack has no account to seed', { path: 'account' });
  const others = resource === undefined || objects === undefined ? resources : { [resource]: objects };
  return {
    ...given,
    resource: undefined,
    objects: undefined,
    resources: { [def.collection]: [account], ...others },
    account: undefined,
  };
}

/** Reads the simulated time at which a seeded world begins, in milliseconds. */
function beginningOf({ t0, now }: ReadValue<typeof SEED>): number | undefined {
  if (t0 !== undefined && now !== undefined && t0 !== now)
    throw new ControlRejection(400, 'invalid_value', "either 't0' or 'now'", { path: 'now' });
  return t0 ?? now;
}

function seedsOf(body: ReadValue<typeof SEED>): SeedObjects {
  const { resource, objects, resources, deleted, tenants, timers, clocks } = body;
  if (resources !== undefined) {
    if (resource === undefined && objects === undefined) {
      const lists = Object.entries(resources).map(([name, each]) => [name, list(each, `resources.${name}`)] as const);
      return { resources: Object.fromEntries(lists), deleted, tenants, timers, clocks };
    }
    throw new ControlRejection(400, 'invalid_value', "either 'resource' with 'objects', or 'resources'", {
      path: 'resources',
    });
  }
  const missing = resource === undefined ? 'resource' : 'objects';
  if (resource === undefined || objects === undefined) {
    throw new ControlRejection(400, 'missing_key', `'${missing}' is missing`, { path: missing });
  }
  return { resources: { [resource]: objects }, deleted, tenants, timers, clocks };
}

function rejectionOf({ engine }: ControlContext, { code, message, path, shape }: SeedRejected): ControlRejection {
  if (code === 'unknown_resource') return unknownResource(engine, path);
  return new ControlRejection(shape ? 400 : 422, code, message, { path });
}

function endpointsOf({ engine }: ControlContext): readonly Row[] {
  const { endpoints } = engine.runtime;
  return endpoints?.own() ?? [];
}

function putBack({ engine }: ControlContext, rows: readonly Row[]): (command: CommandExecution) => void {
  return (command) => {
    for (const { resource, value } of rows) {
      const program = engine.pack.resources[resource];
      command.waits.armSilently(program, command.insert(program, value), command.nowMs);
    }
  };
}
