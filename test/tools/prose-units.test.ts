import { namesWithoutUnit } from '../../tools/develop/prose/units.js';

test.each([
  ['const TIMEOUT = 5_000;', ['TIMEOUT']],
  ['const connectTimeoutMs = 5_000, LEASE_SECONDS = 30;', []],
  ['const pause = 60 * 1000;', ['pause']],
  [
    'interface Options { readonly idle?: number; readonly wait: number | null; readonly delay: string }',
    ['idle', 'wait'],
  ],
  ['class Session { #lease = 1; constructor(readonly maxHeapSize: number) {} }', ['#lease', 'maxHeapSize']],
  ['function of(size: number, memory: Memory, keep: (timeout: number) => void): void {}', []],
])('names of numbers in %s', (text, found) => {
  expect(namesWithoutUnit(text, 'engine/a.ts').map((each) => each.found)).toEqual(found);
});

test('names that are read elsewhere stay', () => {
  const text = '\ninterface WorldOptions { readonly expires?: number }';
  expect(namesWithoutUnit(text, 'engine/control/worlds.ts')).toEqual([]);
  expect(namesWithoutUnit(text, 'engine/a.ts')).toMatchObject([{ line: 2, found: 'expires' }]);
});
