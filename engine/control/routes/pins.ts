import type { JsonObject } from '../../expression/index.js';
import { bindPin, type UnitOfWork } from '../../runtime/index.js';
import type { Pin } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { unknownEntry } from '../names.js';
import { pinTarget, type PinRequest, type PinTarget } from '../pin-target.js';
import { Refusal } from '../refusal.js';
import { anything, maybe, optional, type Read, text, wrongValue } from '../shape.js';

const PIN = {
  resource: optional(text),
  id: optional(text),
  path: optional(text),
  value: maybe(anything),
  branch: optional(text),
};

/** Moments whose values are there from the start, so that a pin changes objects at once. */
const AT_ONCE = ['always', 'seed'];

/** Pins: values from outside that a test decides. */
export function pinRoutes({ engine }: ControlContext): ControlRoute[] {
  const { world } = engine;
  return [
    route('POST /exogenous/pins', { body: PIN }, ({ body, why }) => {
      const request = requestOf(body);
      const target = pinTarget(engine, request);
      return { status: 201, body: view(arm(target, request, why)) };
    }),
    route('GET /exogenous/pins', {}, () => {
      const pins = [...world.pins.values()].sort((a, b) => a.seq - b.seq);
      return { body: { data: pins.map(view) } };
    }),
    route('DELETE /exogenous/pins/:id', {}, ({ id, why }) => {
      if (!world.pins.get(id))
        throw unknownEntry(
          'pin',
          id,
          [...world.pins.entries()].map(([key]) => key),
        );
      engine.command('clear pin', 'control', ({ transaction }) => transaction.write(world.pins, id, undefined), why);
      return { body: { id, deleted: true } };
    }),
  ];

  function arm({ program, object, owner, path, pin }: PinTarget, { value }: PinRequest, why: JsonObject): Pin {
    let made: Pin | undefined;
    const write = (command: UnitOfWork): void => {
      const id = `pin_${command.randomString(16)}`;
      command.armPin({ id, resource: program.index, object: object?.id ?? null, owner, path, value, once: false });
      made = world.pins.get(id);
      if (!pin.isField || !AT_ONCE.some((moment) => pin.moments.has(moment))) return;
      const rows = object ? [object] : [...world.tenants.rows(program.index)];
      for (const row of rows) bindPin(command, program, row, path);
    };
    engine.command('arm pin', 'control', write, why);
    if (!made) throw new Error('the command made no pin');
    return made;
  }

  /** A pin as tests see it; `object` null: every object of the collection. */
  function view({ id, collection, object, owner, path, value, once }: Pin): JsonObject {
    return { id, resource: collection, object, ...(owner ? { of: owner.id } : {}), path, value, once };
  }
}

function requestOf({ resource, id, path, value, branch }: Read<typeof PIN>): PinRequest {
  if (branch !== undefined) {
    if (path !== undefined && path !== 'branch') throw wrongValue('path', "cannot stand beside 'branch'");
    if (value !== undefined) throw wrongValue('value', "cannot stand beside 'branch'");
    return { resource, id, path: 'branch', value: branch };
  }
  const missing = path === undefined ? 'path' : 'value';
  if (path === undefined || value === undefined)
    throw new Refusal(400, 'missing_key', `'${missing}' is missing`, { path: missing });
  return { resource, id, path, value };
}
