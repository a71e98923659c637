import * as fc from 'fast-check';
import { formatDuration, parseDuration, parseInstant, readInstant, writeInstant } from '../../../engine/world/index.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Instants that both formats can write. */
const instants = fc.integer({ min: Date.UTC(1970), max: Date.UTC(9999) });

test('an instant that is written reads back: to the second as Unix seconds, to the millisecond as ISO 8601', () => {
  fc.assert(
    fc.property(instants, (ms) => {
      expect(readInstant(writeInstant('unix', ms))).toBe(Math.floor(ms / 1000) * 1000);
      expect(readInstant(writeInstant('iso8601', ms))).toBe(ms);
      expect(parseInstant(writeInstant('iso8601', ms))).toBe(ms);
      expect(parseInstant(String(Math.floor(ms / 1000)))).toBe(Math.floor(ms / 1000) * 1000);
    }),
  );
});

test('what is no instant reads as none', () => {
  for (const value of ['yesterday', null, true, [], {}]) expect(readInstant(value)).toBeNaN();
});

test.each<[unknown, number]>([
  ['2025-03', Date.UTC(2025, 2, 1)],
  ['2025-03-01', Date.UTC(2025, 2, 1)],
  ['2025-03-01T08:00Z', Date.UTC(2025, 2, 1, 8)],
  ['2025-03-01T08:00:07Z', Date.UTC(2025, 2, 1, 8, 0, 7)],
  ['2025-03-01T08:00:07.5Z', Date.UTC(2025, 2, 1, 8, 0, 7, 500)],
  ['2025-03-01T08:00:00+02:00', Date.UTC(2025, 2, 1, 6)],
  ['1736942400', 1_736_942_400_000],
  [1_736_942_400, 1_736_942_400_000],
  [1.5, 1500],
  [-1, -1000],
])('%j is an instant as people write it', (text, ms) => {
  expect(parseInstant(text)).toBe(ms);
});

test.each<[unknown]>([
  ['2025-03-01T08:00:00'],
  ['2025-13-01'],
  ['2025-13'],
  ['March 1, 2025'],
  [''],
  [' 1736942400'],
  ['1736942400000000'],
  [NaN],
  [Infinity],
  [8.64e12],
  [null],
  [undefined],
  [true],
  [{}],
])('%j is none', (value) => {
  expect(parseInstant(value)).toBeUndefined();
});

test.each<[string, number]>([
  ['0s', 0],
  ['250ms', 250],
  ['60s', MINUTE],
  ['1d12h', DAY + 12 * HOUR],
  ['2w', 14 * DAY],
  ['1.5h', 90 * MINUTE],
  ['12h1d', DAY + 12 * HOUR],
  ['1m1ms', MINUTE + 1],
])('%s is a duration', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '5', 's', '-1s', '1 h', '1h ', '1y', '1H', '1.h', '1h,2m', 'none', `${'9'.repeat(400)}s`])(
  '%j is no duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test('a duration that is written reads back', () => {
  fc.assert(
    fc.property(fc.nat(1000 * DAY), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
  expect([0, 1, 90 * MINUTE, 36 * HOUR, 14 * DAY].map(formatDuration)).toEqual(['0s', '1ms', '1h30m', '1d12h', '14d']);
});
