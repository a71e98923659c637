import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { readPlace } from '../live.js';
import { count, optional, wrongValue } from '../shape.js';

/** The route of the world's event stream. */
export const STREAM_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /stream',
    {
      id: 'stream',
      tag: 'history',
      about: 'Stream of calls, ledger entries and other changes as server-sent events',
      query: {
        from: optional(
          count(0, Number.MAX_SAFE_INTEGER),
          'number of the last ledger entry that the client has; later entries are sent first',
        ),
      },
      response: s.string,
      type: 'text/event-stream',
    },
    ({ live }, { query: { from } }) => ({
      stream: (req, res) => {
        const last = req.headers['last-event-id'];
        const place = typeof last === 'string' && last !== '' ? readPlace(last) : undefined;
        if (typeof last === 'string' && last !== '' && !place)
          throw wrongValue('Last-Event-ID', 'must be an event id of this stream');
        live.open(req, res, place ?? (from === undefined ? null : { entry: from, trace: null }));
      },
    }),
  ),
];
