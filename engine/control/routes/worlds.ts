import { LIMITS } from '../../limits.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { asked } from '../ledger-position.js';
import { ControlRejection, unknownWorld } from '../rejection.js';
import { duration, flag, instant, map, optional, type FieldReader, readShape, text, wrongValue } from '../shape.js';
import type { ForkWish, WorldDirectory } from '../worlds.js';

const NAME = /^[A-Za-z0-9][\w.-]{0,62}$/;

const name: FieldReader<string> = (value, path) => {
  if (typeof value === 'string' && NAME.test(value)) return value;
  throw wrongValue(
    path,
    'must have 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
  );
};

/** How long a world lasts, in milliseconds. */
const lifetime: FieldReader<number> = (value, path) => {
  const ms = duration(value, path);
  if (ms === 0) throw wrongValue(path, 'must be longer than nothing');
  if (Date.now() + ms > LIMITS.latest.value) throw wrongValue(path, 'leads beyond the year 9999');
  return ms;
};

const FORK = {
  world: optional(text),
  at: optional(asked),
  same_ids: optional(flag),
  send_webhooks: optional(flag),
};

const fork: FieldReader<ForkWish> = (value, path) => readShape(FORK, map(value, path));

/** The worlds of the server: for the key of its first world. */
export function worldsRoutes({ worlds }: ControlContext): ControlRoute[] {
  const host = (): WorldDirectory => {
    if (worlds) return worlds;
    throw new ControlRejection(
      403,
      'not_the_host',
      'worlds are made, listed and deleted with the key of the first world, at its address',
    );
  };
  return [
    route('GET /worlds', {}, async () => ({ body: { data: await host().list() } })),
    route(
      'POST /worlds',
      {
        body: {
          name: optional(name),
          pack: optional(text),
          seed: optional(text),
          t0: optional(instant),
          expires: optional(lifetime),
          from: optional(fork),
        },
      },
      async ({ body }) => ({ status: 201, body: await host().create(body) }),
    ),
    route('GET /worlds/:id', {}, async ({ id }) => {
      const world = await host().get(id);
      if (!world) throw await unknownWorld(host(), id);
      return { body: world };
    }),
    route('DELETE /worlds/:id', {}, async ({ id }) => {
      if (!(await host().delete(id))) throw await unknownWorld(host(), id);
      return { body: { id, deleted: true } };
    }),
  ];
}
