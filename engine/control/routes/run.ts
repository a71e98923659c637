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
      about: 'The task run for which the world was used, with its result',
      response: s.object({ run: s.map.orNull().about('the body of `POST /run`; null if there was none') }),
    },
    ({ engine }) => ({ body: { run: runs.get(engine.world.timeline) ?? null } }),
  ),
  route(
    'POST /run',
    {
      id: 'setRun',
      tag: 'history',
      about: 'Record the task run for which the world was used, for the inspector; does not change the world',
      body: {
        task: required(text, 'name of the task'),
        agent: required(text),
        run: required(integer(1, Number.MAX_SAFE_INTEGER), 'number of the run of the task'),
        prompt: required(text),
        since: required(integer(0, Number.MAX_SAFE_INTEGER), 'number of the last ledger entry before the agent began'),
        reward: required(share),
        pass: required(flag),
        stopped: optional(text, 'why the run was stopped before the agent finished'),
        checks: required(listOf(map), 'result of each check, with `about`, `kind`, `holds`, `weight` and `found`'),
        calls: required(listOf(map), 'each call, with `operation`, `tool`, `status`, `trace` and `outside`'),
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
