import type { JsonObject } from '../../values/index.js';
import { bindPin, type UnitOfWork } from '../../runtime/index.js';
import type { Pin } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { unknownEntry } from '../lookup.js';
import { pinTarget, type PinRequest, type PinTarget } from '../pin-target.js';
import { ControlRejection } from '../rejection.js';
import { anything, maybe, optional, type ReadValue, text, wrongValue } from '../shape.js';

const PIN = {
  resource: optional(text),
  id: optional(text),
  tenant: optional(text),
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

  function arm({ program, object, owner, tenant, path, pin }: PinTarget, { value }: PinRequest, why: JsonObject): Pin {
    let made: Pin | undefined;
    const write = (command: UnitOfWork): void => {
      const id = `pin_${command.randomString(16)}`;
      const whose = tenant === undefined ? {} : { tenant };
      const target = { resource: program.index, object: object?.id ?? null, owner, ...whose, path };
      command.armPin({ id, ...target, value, once: false });
      made = world.pins.get(id);
      if (!pin.isField || !AT_ONCE.some((moment) => pin.moments.has(moment))) return;
      const rows = object
        ? world.tenants.everywhere(program.index).flatMap((each) => each.get(object.id) ?? [])
        : [...world.tenants.rows(program.index)];
      for (const row of rows)
        if (tenant === undefined || row.tenant === tenant)
          command.within(row.tenant, () => bindPin(command, program, row, path));
    };
    engine.command('arm pin', 'control', write, why);
    if (!made) throw new Error('the command made no pin');
    return made;
  }

  /** A pin as tests see it; `object` null: every object of the collection. */
  function view({ id, collection, object, owner, tenant, path, value, once }: Pin): JsonObject {
    const of: JsonObject = owner ? { of: owner.id } : {};
    const whose: JsonObject = tenant === undefined ? {} : { tenant: tenant ?? 'none' };
    return { id, resource: collection, object, ...of, ...whose, path, value, once };
  }
}

function requestOf({ resource, id, tenant, path, value, branch }: ReadValue<typeof PIN>): PinRequest {
  if (branch !== undefined) {
    if (path !== undefined && path !== 'branch') throw wrongValue('path', "cannot stand beside 'branch'");
    if (value !== undefined) throw wrongValue('value', "cannot stand beside 'branch'");
    return { resource, id, tenant, path: 'branch', value: branch };
  }
  const missing = path === undefined ? 'path' : 'value';
  if (path === undefined || value === undefined)
    throw new ControlRejection(400, 'missing_key', `'${missing}' is missing`, { path: missing });
  return { resource, id, tenant, path, value };
}
