import type { JsonObject } from '../../values/index.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { flag, integer, listOf, map, optional, required, share, text } from '../shape.js';

/** Evaluation runs by timeline, which packs of a company share. */
const runs = new WeakMap<object, JsonObject>();

/** Routes of the evaluation run that uses the world: information shown to people. */
export const RUN_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /run',
    {
      id: 'run',
      tag: 'history',
      about: 'The run of a task that this world was, with its verdict',
      response: s.object({ run: s.map.orNull().about('as `POST /run` got it; null: it was none') }),
    },
    ({ engine }) => ({ body: { run: runs.get(engine.world.timeline) ?? null } }),
  ),
  route(
    'POST /run',
    {
      id: 'setRun',
      tag: 'history',
      about: 'Say of which run of a task this world is, for the inspector; changes nothing in the world',
      body: {
        task: required(text, 'its name'),
        agent: required(text),
        run: required(integer(1, Number.MAX_SAFE_INTEGER), 'which run of the task'),
        prompt: required(text),
        since: required(integer(0, Number.MAX_SAFE_INTEGER), 'the ledger entry after which the agent began'),
        reward: required(share),
        pass: required(flag),
        stopped: optional(text, 'what ended it before the agent did'),
        checks: required(listOf(map), '`about`, `kind`, `holds`, `weight` and `found` of each'),
        calls: required(listOf(map), '`operation`, `tool`, `status`, `trace` and `outside` of each'),
      },
      response: s.object({ run: s.map }),
    },
    ({ engine }, { body }) => {
      const run = body as unknown as JsonObject;
      runs.set(engine.world.timeline, run);
      return { body: { run } };
    },
  ),
];
