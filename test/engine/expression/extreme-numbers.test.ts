import { ExpressionFailure, type Json, OutOfRange } from '../../../engine/values/index.js';
import { functions, type Type } from '../../../engine/expression/index.js';
import { environment, host, value } from './sample-environment.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Numbers that a caller can send. */
const EXTREMES = [
  0,
  -1,
  1,
  0.5,
  -0.5,
  1e-300,
  2 ** 31,
  -(2 ** 31),
  1e9,
  1e15,
  -1e15,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  1e300,
  -1e300,
];
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];
const TEXTS = ['', 'a', '0', '12.5', '1e400', '9'.repeat(400), '2026-01-31T00:00:00Z'];

/** Arguments of every kind that a function takes a number among. */
function argumentsOf(types: readonly (Type | 'timestamp')[]): Json[][] {
  const choices = types.map((type): readonly Json[] => {
    if (type === 'timestamp' || type.kind === 'number' || type.kind === 'duration') return EXTREMES;
    if (type.kind === 'string') return [...UNITS.slice(3), ...TEXTS];
    if (type.kind === 'list') return [EXTREMES, []];
    return type.kind === 'any' ? [...EXTREMES.slice(0, 5), ...TEXTS] : [{}];
  });
  // Each value of each argument, with every value of the next one.
  return choices.flatMap((values, at) =>
    values.flatMap((one) =>
      (choices[at + 1] ?? [null]).map((next) =>
        choices.map((all, index) => (index === at ? one : index === at + 1 ? next : all[index % all.length])),
      ),
    ),
  );
}

const numeric = [...functions].filter(([, { args }]) =>
  args.some(
    (type) => type === 'timestamp' || type.kind === 'number' || type.kind === 'duration' || type.kind === 'any',
  ),
);

test.each(numeric)(
  '%s() has a result for every number, or says that it is out of range',
  (_name, { args, sees, run }) => {
    const call = run as unknown as (...given: unknown[]) => Json;
    const before = sees === 'values' ? [] : sees === 'host' ? [host] : [host, environment];
    for (const given of argumentsOf(args)) {
      try {
        const made = call(...before, ...given);
        expect(() => JSON.stringify(made)).not.toThrow();
      } catch (error) {
        // Of texts that are no unit, hash or time the pack is to blame.
        if (!(error instanceof ExpressionFailure)) throw new Error(`${JSON.stringify(given)}: ${String(error)}`);
      }
    }
  },
);

test.each([
  'params.count / 0',
  'params.count % 0',
  "add_interval(0, 'month', 1000000000)",
  "add_interval(0, 'day', 0.5e300)",
  "cycle_after(0, 'month', 0, 5)",
  "cycle_after(0, 'day', 0 - 3, 5)",
  'percent(1.5e300, 2.5)',
  'pad(1, 99999999)',
  'decimal(5, 0 - 1)',
  "number('x')",
  "format_time(9e300, 'YYYY')",
])('%s is out of range', (source) => {
  expect(() => value(source)).toThrow(OutOfRange);
});

const vendor = startSandbox({
  'resources/lease.yaml': `resource: lease
collection: leases
fields: { months: integer, share: integer?, ends: timestamp? }
operations:
  create:
    params: { months: integer, of: { type: integer, default: 1 } }
    do: [{ create: lease, with: { months: =params.months, share: "=100 / params.of", ends: "=add_interval(now, 'month', params.months)" } }]
  list: {}
`,
});

test.each([{ months: 1e9 }, { months: -1e9 }, { months: 9e15 }, { months: 1, of: 0 }, { months: 1, of: 3 }])(
  'a call with %j is an error of the vendor, and leaves nothing',
  async (params) => {
    const { status } = await vendor.call('POST /leases', params);
    expect(status).toBe(400);
    expect((await vendor.call('GET /leases')).text).toContain('[]');
  },
);
