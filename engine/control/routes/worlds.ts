import { LIMITS } from '../../limits.js';
import type { ControlContext } from '../context.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { asked } from '../ledger-position.js';
import { DeletedSchema } from '../lookup.js';
import { ControlRejection, unknownWorld } from '../rejection.js';
import {
  duration,
  flag,
  InstantSchema,
  instant,
  integer,
  optional,
  reader,
  shaped,
  text,
  wrongValue,
} from '../shape.js';
import type { WorldDirectory } from '../worlds.js';

const NAME = /^[A-Za-z0-9][\w.-]{0,62}$/;

const name = reader(s.string.with({ pattern: NAME.source }), (value, path) => {
  if (typeof value === 'string' && NAME.test(value)) return value;
  throw wrongValue(
    path,
    'must have 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
  );
});

/** The lifetime of a world, in milliseconds. */
const lifetime = reader(s.string, (value, path) => {
  const ms = duration(value, path);
  if (ms === 0) throw wrongValue(path, 'must be longer than nothing');
  if (Date.now() + ms > LIMITS.latest.value) throw wrongValue(path, 'leads beyond the year 9999');
  return ms;
});

const WORLD = {
  name: optional(name),
  pack: optional(text, 'name of a pack that the server serves'),
  seed: optional(text, 'random seed (default: a new one)'),
  t0: optional(instant),
  expires: optional(lifetime, 'real time after which the world is deleted, such as 30m, 24h or 7d'),
  count: optional(
    integer(1, LIMITS.worldsAtOnce.value),
    'number of worlds to create, without `name`; the response is then a list',
  ),
  from: optional(
    shaped({
      world: optional(text, "id or name of the world to fork (default: the server's first world)"),
      at: optional(asked),
      same_ids: optional(flag, 'whether the next calls generate the same ids as in the original world'),
      send_webhooks: optional(
        flag,
        "whether to deliver the fork's events, including deliveries that were pending at the moment of the fork",
      ),
    }),
    'fork a world; then without `pack`, `seed` and `t0`',
  ),
};

const WorldSchema = s.named(
  'World',
  s.object({
    id: s.string,
    name: s.string,
    url: s.string
      .orNull()
      .about('address of the world; null if it is only in the store (`GET /worlds/{id}` starts it)'),
    key: s.string.orNull().about('API key; null if only its hash is stored (it is returned when the world is created)'),
    pack: s.string,
    now: InstantSchema.orNull().about('simulated time; null while the world is not started'),
    head: s.integer.about('number of the last ledger entry'),
    expires: s.string.orNull().about('real time at which the world is deleted; null if it never is'),
    from: s
      .object({
        world: s.string.about('id of the original world'),
        entry: s.integer.about('number of the last ledger entry that both worlds share'),
      })
      .orNull()
      .about('the world that it was forked from; null if it is no fork or is not started'),
    vendors: s
      .mapOf(s.object({ url: s.string, key: s.string }))
      .about('address and key of each pack, if several share the world')
      .optional(),
  }),
);

const WorldsSchema = s.object({ data: s.list(WorldSchema) });

/** Routes of the server's worlds, which require the key of its first world. */
export const WORLDS_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /worlds',
    {
      id: 'listWorlds',
      tag: 'worlds',
      about: 'Worlds of this server, oldest first',
      response: WorldsSchema,
      errors: [403],
    },
    async (context) => ({ body: { data: await host(context).list() } }),
  ),
  route(
    'POST /worlds',
    {
      id: 'createWorld',
      tag: 'worlds',
      heavy: true,
      about: 'Create one or several worlds, each with its own address and key',
      body: WORLD,
      status: 201,
      response: s.union<s.Shown<typeof WorldSchema> | s.Shown<typeof WorldsSchema>>(WorldSchema, WorldsSchema),
      errors: [403, 404, 409],
    },
    async (context, { body: { count, ...wanted } }) => ({
      body:
        count === undefined
          ? await host(context).create(wanted)
          : { data: await host(context).createMany(count, wanted) },
    }),
  ),
  route(
    'GET /worlds/:id',
    {
      id: 'getWorld',
      tag: 'worlds',
      about: 'One world; starts it if it is only in the store',
      names: 'id or name of the world',
      response: WorldSchema,
      errors: [403, 404, 409],
    },
    async (context, { id }) => {
      const worlds = host(context);
      const world = await worlds.get(id);
      if (!world) throw await unknownWorld(worlds, id);
      return { body: world };
    },
  ),
  route(
    'DELETE /worlds/:id',
    {
      id: 'deleteWorld',
      tag: 'worlds',
      about: 'Delete a world and its stored data',
      names: 'id or name of the world',
      response: DeletedSchema,
      errors: [403, 404, 409],
    },
    async (context, { id }) => {
      const worlds = host(context);
      if (!(await worlds.delete(id))) throw await unknownWorld(worlds, id);
      return { body: { id, deleted: true } };
    },
  ),
];

function host({ worlds }: ControlContext): WorldDirectory {
  if (worlds) return worlds;
  throw new ControlRejection(
    403,
    'not_the_host',
    'worlds are made, listed and deleted with the key of the first world, at its address',
  );
}
