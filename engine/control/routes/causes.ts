import type { JsonObject } from '../../values/index.js';
import { CauseRejected } from '../../runtime/index.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { objectWith } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import { count, map, optional, text, wrongValue } from '../shape.js';

const MOST = 1_000;

/** An external event that can be fired now. */
export const PossibleSchema = s.object({
  cause: s.string,
  params: s.map.about('parameters that identify the object'),
  also_needs: s.list(s.string).about('further parameters that the event requires').optional(),
  description: s.string,
});

/** Routes of external events ("world events"). */
export const CAUSE_ROUTES: readonly ControlRoute[] = [
  route(
    'POST /world/events',
    {
      id: 'fireCause',
      tag: 'events',
      about: 'Trigger an external event',
      anyKeys: true,
      bodySchema: s.open({
        cause: s.string,
        params: s.map.about('parameters of the event; may also be given at the top level').optional(),
      }),
      response: s.object({
        cause: s.string,
        events: s.list(s.map).about('vendor events that were emitted, in order'),
        changed: s.list(s.string).about('ids of the objects that changed'),
      }),
      errors: [404, 409],
    },
    ({ engine }, { given, why }) => {
      const { cause, params } = orderOf(given);
      try {
        const { events, changed } = engine.cause(cause, params, false, why);
        return { body: { cause, events: events.map((event) => engine.responseOf(event)), changed } };
      } catch (error) {
        if (error instanceof CauseRejected)
          throw new ControlRejection(error.status, error.code, error.message, {
            cause,
            ...(error.suggestion === undefined ? {} : { suggestion: error.suggestion }),
            ...(error.path === undefined ? {} : { path: error.path }),
          });
        throw error;
      }
    },
  ),
  route(
    'GET /world/next',
    {
      id: 'possibleCauses',
      tag: 'events',
      about: 'External events that can be triggered now',
      query: {
        cause: optional(text, 'return only this external event'),
        id: optional(text, 'return only events that concern the object with this id'),
        limit: optional(count(1, MOST), 'maximum number of events (default: 1,000)'),
      },
      response: s.object({
        causes: s.list(PossibleSchema),
      }),
      errors: [404],
    },
    ({ engine }, { query: { cause, id, limit = MOST } }) => {
      const { causes } = engine.pack;
      if (cause !== undefined && !causes.has(cause)) {
        throw unknown('cause', cause, engine.model.env.suggest(cause, causes.keys()));
      }
      if (id !== undefined && !objectWith(engine, id)) throw unknown('object', id);
      return { body: { causes: engine.possible({ cause, id, limit }) } };
    },
  ),
];

/** The cause and its parameters, which are in `params` or beside `cause`. */
function orderOf(given: JsonObject): { readonly cause: string; readonly params: JsonObject } {
  const { cause, params, ...beside } = given;
  if (cause === undefined) throw new ControlRejection(400, 'missing_key', "'cause' is missing", { path: 'cause' });
  const inside = params === undefined || params === null ? {} : map(params, 'params');
  const twice = Object.keys(beside).find((name) => Object.hasOwn(inside, name));
  if (twice !== undefined) throw wrongValue(twice, "stands in 'params' and beside it");
  return { cause: text(cause, 'cause'), params: { ...beside, ...inside } };
}
