import type { Json } from '../../expression/index.js';
import { type UnitOfWork, SeedRefused } from '../../runtime/index.js';
import type { Row } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { unknownResource } from '../names.js';
import { Refusal } from '../refusal.js';
import { instant, list, listOf, map, oneOf, optional, text } from '../shape.js';

/** Seeding and resetting a world. */
export function worldRoutes(context: ControlContext): ControlRoute[] {
  const { engine, clock } = context;
  return [
    route(
      'POST /seed',
      {
        body: { resource: optional(text), objects: optional(list), resources: optional(map), t0: optional(instant) },
        large: true,
      },
      ({ body, why }) => {
        const resources = seedsOf(body);
        const { t0, nowMs } = engine.world;
        const info = { command: 'clock', origin: 'seed', args: why } as const;
        try {
          if (body.t0 !== undefined) engine.world.startAt(body.t0, body.t0, info);
          return { body: { seeded: engine.seed(resources, why) } };
        } catch (error) {
          if (body.t0 !== undefined) engine.world.startAt(t0, nowMs, info);
          throw error instanceof SeedRefused ? refusalOf(context, error) : error;
        }
      },
    ),
    route(
      'POST /reset',
      { body: { t0: optional(instant), keep: optional(listOf(oneOf('endpoints', 'durations'))) } },
      ({ body: { t0, keep = [] }, why }) => {
        const endpoints = keep.includes('endpoints') ? endpointsOf(context) : [];
        clock.reset(t0, keep.includes('durations') ? ['durations'] : [], putBack(context, endpoints), why);
        return { body: { now: engine.world.now } };
      },
    ),
  ];
}

function seedsOf(body: {
  readonly resource?: string;
  readonly objects?: readonly Json[];
  readonly resources?: { readonly [collection: string]: Json };
}): Record<string, readonly Json[]> {
  const { resource, objects, resources } = body;
  if (resources !== undefined) {
    if (resource === undefined && objects === undefined) {
      return Object.fromEntries(
        Object.entries(resources).map(([name, each]) => [name, list(each, `resources.${name}`)]),
      );
    }
    throw new Refusal(400, 'invalid_value', "either 'resource' with 'objects', or 'resources'", { path: 'resources' });
  }
  const missing = resource === undefined ? 'resource' : 'objects';
  if (resource === undefined || objects === undefined) {
    throw new Refusal(400, 'missing_key', `'${missing}' is missing`, { path: missing });
  }
  return { [resource]: objects };
}

function refusalOf({ engine }: ControlContext, { code, message, path }: SeedRefused): Refusal {
  if (code === 'unknown_resource') return unknownResource(engine, path);
  return new Refusal(code === 'malformed' ? 400 : 422, code, message, { path });
}

function endpointsOf({ engine }: ControlContext): readonly Row[] {
  const { endpoints } = engine.runtime;
  return endpoints ? [...engine.world.collections[endpoints.resource.index].ordered().all()] : [];
}

function putBack({ engine }: ControlContext, rows: readonly Row[]): (command: UnitOfWork) => void {
  return (command) => {
    for (const { resource, value } of rows) {
      const program = engine.pack.resources[resource];
      command.waits.armSilently(program, command.insert(program, value), command.nowMs);
    }
  };
}
