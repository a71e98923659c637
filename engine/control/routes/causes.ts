import type { JsonObject } from '../../values/index.js';
import { CauseRejected } from '../../runtime/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { objectWith } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import { count, map, optional, text, wrongValue } from '../shape.js';

const MOST = 1_000;

/** World events: what happens outside of the vendor. */
export function causeRoutes({ engine }: ControlContext): ControlRoute[] {
  const { causes } = engine.pack;
  return [
    route('POST /world/events', { anyKeys: true }, ({ given, why }) => {
      const { cause, params } = orderOf(given);
      try {
        const { events, changed } = engine.cause(cause, params, false, why);
        return { body: { cause, events: events.map((event) => engine.answerOf(event)), changed } };
      } catch (error) {
        if (error instanceof CauseRejected)
          throw new ControlRejection(error.status, error.code, error.message, {
            cause,
            ...(error.suggestion === undefined ? {} : { suggestion: error.suggestion }),
            ...(error.path === undefined ? {} : { path: error.path }),
          });
        throw error;
      }
    }),
    route(
      'GET /world/next',
      { query: { cause: optional(text), id: optional(text), limit: optional(count(1, MOST)) } },
      ({ query: { cause, id, limit = MOST } }) => {
        if (cause !== undefined && !causes.has(cause)) {
          throw unknown('cause', cause, engine.model.env.suggest(cause, causes.keys()));
        }
        if (id !== undefined && !objectWith(engine, id)) throw unknown('object', id);
        return { body: { causes: engine.possible({ cause, id, limit }) } };
      },
    ),
  ];
}

/** The cause and its parameters, which may stand in `params` or beside `cause`. */
function orderOf(given: JsonObject): { readonly cause: string; readonly params: JsonObject } {
  const { cause, params, ...beside } = given;
  if (cause === undefined) throw new ControlRejection(400, 'missing_key', "'cause' is missing", { path: 'cause' });
  const inside = params === undefined || params === null ? {} : map(params, 'params');
  const twice = Object.keys(beside).find((name) => Object.hasOwn(inside, name));
  if (twice !== undefined) throw wrongValue(twice, "stands in 'params' and beside it");
  return { cause: text(cause, 'cause'), params: { ...beside, ...inside } };
}
