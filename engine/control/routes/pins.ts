import type { JsonObject } from '../../values/index.js';
import { bindPin, type Engine, type CommandExecution } from '../../runtime/index.js';
import type { Pin } from '../../world/index.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { DeletedSchema, unknownEntry } from '../lookup.js';
import { pinTarget, type PinRequest, type PinTarget } from '../pin-target.js';
import { ControlRejection } from '../rejection.js';
import { anything, maybe, optional, type ReadValue, shapeSchema, text, wrongValue } from '../shape.js';

const PIN = {
  resource: optional(
    text,
    'a collection, the name of a resource, or the id of one object; optional if `path` begins with the name of a resource',
  ),
  id: optional(text, 'id of one object (default: every object of the collection)'),
  tenant: optional(text, 'only objects of this tenant; `none`: objects without a tenant (default: all objects)'),
  path: optional(text, 'path of the external value; may begin with the name of a resource'),
  value: maybe(anything, 'the value; required with `path`'),
  branch: optional(text, "branch of the object's lifecycle to take; instead of `path` and `value`"),
};

const PinSchema = s.named(
  'Pin',
  s.object({
    id: s.string,
    resource: s.string.about('name of the collection'),
    object: s.string.orNull().about('id of the object; null: every object of the collection'),
    tenant: s.string
      .about('tenant whose objects are affected; `none`: objects without a tenant; absent: all objects')
      .optional(),
    of: s.string.about('id of an object: only objects that refer to it are affected').optional(),
    path: s.string,
    value: s.any,
    once: s.boolean,
  }),
);

/** Moments at which values are set when an object is created, so that a pin has to change existing objects at once. */
const AT_ONCE = ['always', 'seed'];

/** Routes of pins, by which a test overrides values from outside. */
export const PIN_ROUTES: readonly ControlRoute[] = [
  route(
    'POST /exogenous/pins',
    {
      id: 'pin',
      tag: 'pins',
      about: 'Override ("pin") an external value',
      body: PIN,
      bodySchema: s.named('PinOrder', shapeSchema(PIN)),
      status: 201,
      response: PinSchema,
      errors: [404, 422],
    },
    ({ engine }, { body, why }) => {
      const request = requestOf(body);
      const target = pinTarget(engine, request);
      return { body: view(arm(engine, target, request, why)) };
    },
  ),
  route(
    'GET /exogenous/pins',
    {
      id: 'pins',
      tag: 'pins',
      about: 'Active overrides ("pins") of external values',
      response: s.object({ data: s.list(PinSchema) }),
    },
    ({ engine: { world } }) => {
      const pins = [...world.pins.values()].sort((a, b) => a.seq - b.seq);
      return { body: { data: pins.map(view) } };
    },
  ),
  route(
    'DELETE /exogenous/pins/:id',
    {
      id: 'unpin',
      tag: 'pins',
      about: 'Clear an override',
      names: 'id of the pin',
      response: DeletedSchema,
      errors: [404],
    },
    ({ engine }, { id, why }) => {
      const { pins } = engine.world;
      if (!pins.get(id))
        throw unknownEntry(
          'pin',
          id,
          [...pins.entries()].map(([key]) => key),
        );
      engine.command('clear pin', 'control', ({ transaction }) => transaction.write(pins, id, undefined), why);
      return { body: { id, deleted: true } };
    },
  ),
];

function arm(
  engine: Engine,
  { program, object, owner, tenant, path, pin }: PinTarget,
  { value }: PinRequest,
  why: JsonObject,
): Pin {
  const { world } = engine;
  let made: Pin | undefined;
  const write = (command: CommandExecution): void => {
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

/** A pin in responses; `object` null: every object of the collection. */
function view({ id, collection, object, owner, tenant, path, value, once }: Pin): s.Shown<typeof PinSchema> {
  const of = owner ? { of: owner.id } : {};
  const whose = tenant === undefined ? {} : { tenant: tenant ?? 'none' };
  return { id, resource: collection, object, ...of, ...whose, path, value, once };
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
