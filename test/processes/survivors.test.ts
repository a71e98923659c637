import { execFileSync } from 'node:child_process';

/** KiB that a fork of 100 customers and 100 subscriptions may hold that made three calls. */
const MOST_OF_FORK = 200;

/** Heap objects that may stay of a payment that is made and confirmed in one call, in the ledger, the trace and the exchange too. */
const MOST = 45;

/** What a program prints as JSON, in a process of its own. */
function printed<T>(program: string): T {
  const text = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(text) as T;
}

test('few objects stay in memory of a confirmed payment', () => {
  const { objects, kinds } = printed<{ objects: number; kinds: readonly { kind: string; objects: number }[] }>(`
    import { survivorsOfConfirm } from './dist/tools/develop/bench/confirms.js';
    console.log(JSON.stringify(await survivorsOfConfirm(500)));
  `);
  // The kinds say what it is where there are too many.
  expect(objects <= MOST ? [] : kinds.filter((each) => each.objects >= 0.5)).toEqual([]);
  expect(objects).toBeGreaterThan(20);
}, 120_000);

test('a fork holds little beside what it shares with its world', () => {
  const { kib } = printed<{ kib: number }>(`
    import { kibOfFork } from './dist/tools/develop/bench/worlds.js';
    console.log(JSON.stringify({ kib: await kibOfFork() }));
  `);
  expect(kib).toBeLessThanOrEqual(MOST_OF_FORK);
  expect(kib).toBeGreaterThan(5);
}, 120_000);
