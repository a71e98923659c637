import * as fc from 'fast-check';
import type { Trace } from '../../../engine/world/index.js';
import { Traces } from '../../../engine/world/traces.js';

function trace(n: number): Trace {
  return {
    id: `tr_${n}`,
    operation: null,
    outcome: 'normal',
    subjects: [],
    decided: [],
    request: { id: `req_${n}`, method: 'GET', path: '/', idempotency_key: null },
    status: 200,
    error: null,
    fault: null,
    scenario: null,
    magic_values: [],
    stood_back: [],
    replayed: false,
    transitions: [],
    events: [],
    at: n,
    entry: 0,
    duration_ms: 0,
  };
}

test('the newest are kept up to the limit, also after they were cleared', () => {
  const limits = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(
      limits,
      fc.array(fc.oneof({ weight: 30, arbitrary: fc.constant(1) }, fc.constant(0))),
      (limit, script) => {
        const traces = new Traces(limit);
        let kept: Trace[] = [];
        let all = 0;
        for (const adds of script) {
          if (adds) {
            const made = trace(all++);
            traces.add(made);
            kept = [...kept, made].slice(-limit);
          } else {
            traces.clear();
            kept = [];
          }
          expect(traces.newest(limit)).toEqual(kept.toReversed());
          const short = ({ id, status, at, entry, request: { method, path } }: Trace) => [
            id,
            method,
            path,
            status,
            at,
            entry,
          ];
          expect(
            traces.calls().map((each) => [each.id, each.method, each.path, each.status, each.at, each.entry]),
          ).toEqual(kept.map(short));
          expect(traces.calls().map((each) => each.trace)).toEqual(kept);
        }
        for (let n = 0; n < all; n++)
          expect(traces.get(`tr_${n}`)).toStrictEqual(kept.find(({ id }) => id === `tr_${n}`));
      },
    ),
  );
});

test('as many of the newest as are asked for', () => {
  const traces = new Traces(5);
  for (let n = 0; n < 9; n++) traces.add(trace(n));
  expect(traces.newest(2).map(({ id }) => id)).toEqual(['tr_8', 'tr_7']);
  expect(traces.newest(99)).toHaveLength(5);
  expect(traces.get('tr_3')).toBeUndefined();
});
