import { type ControlContext, type ControlRoute, route } from '../context.js';
import { readPlace } from '../live.js';
import { count, optional, wrongValue } from '../shape.js';

/** What happens, as it happens. */
export function streamRoutes({ live }: ControlContext): ControlRoute[] {
  return [
    route('GET /stream', { query: { from: optional(count(0, Number.MAX_SAFE_INTEGER)) } }, ({ query: { from } }) => ({
      stream: (req, res) => {
        const last = req.headers['last-event-id'];
        const place = typeof last === 'string' && last !== '' ? readPlace(last) : undefined;
        if (typeof last === 'string' && last !== '' && !place)
          throw wrongValue('Last-Event-ID', 'must be the id of an event of this stream');
        live.open(req, res, place ?? (from === undefined ? null : { entry: from, trace: null }));
      },
    })),
  ];
}
