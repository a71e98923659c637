import { Judge, type JudgedMember } from '../judge/judge.js';
import { check } from '../judge/checks.js';
import { asked, momentNamed } from '../ledger-position.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { integer, listOf, map, optional, required } from '../shape.js';

/** Maximum number of deliveries that checks consider. */
const MOST_DELIVERIES = 100_000;

/** Routes that check what calls and control calls did since a moment. */
export const JUDGE_ROUTES: readonly ControlRoute[] = [
  route(
    'POST /judge',
    {
      id: 'judge',
      heavy: true,
      tag: 'history',
      about: 'Evaluate checks over what happened since a moment, without changing anything',
      body: {
        since: optional(asked, 'moment after which changes and calls count (default: the beginning)'),
        checks: required(listOf(check)),
        names: optional(map, 'variables for expressions: values by name'),
        outside: optional(
          listOf(integer(0, Number.MAX_SAFE_INTEGER)),
          'numbers of ledger entries that the test itself made; `unchanged` ignores them',
        ),
      },
      response: s.object({
        pass: s.boolean.about('true if all checks pass'),
        score: s.number.about('weight of the passed checks divided by the weight of all checks, 0 to 1'),
        results: s.list(
          s.object({
            kind: s.string,
            holds: s.boolean,
            weight: s.integer,
            found: s.string.about('what was found, in words'),
          }),
        ),
      }),
      errors: [404, 422],
    },
    async (
      { engine, outbox, members = [{ name: null, engine, outbox }] },
      { body: { since, checks, names = {}, outside = [] } },
    ) => {
      const n = since === undefined ? engine.firstMoment : momentNamed(engine, since);
      const judged: JudgedMember[] = [];
      for (const { name, engine: own, outbox: sends } of members) {
        if (checks.some(({ delivered }) => delivered !== undefined)) await sends?.flush();
        judged.push({ name, engine: own, deliveries: sends?.list({ limit: MOST_DELIVERIES }) ?? [] });
      }
      const judge = new Judge({ members: judged, since: n, names, outside: new Set(outside) });
      const results = judge.results(checks);
      const all = results.reduce((sum, { weight }) => sum + weight, 0);
      const held = results.reduce((sum, { weight, holds }) => sum + (holds ? weight : 0), 0);
      return { body: { pass: held === all, score: all === 0 ? 1 : held / all, results } };
    },
  ),
];
