import { execFileSync } from 'node:child_process';

/** Heap objects that may stay of a payment that is made and confirmed in one call, in the ledger, the trace and the exchange too. */
const MOST = 78;

const PROGRAM = `
  import { survivorsOfConfirm } from './dist/tools/develop/bench/confirms.js';
  console.log(JSON.stringify(await survivorsOfConfirm(300)));
`;

test('few objects stay in memory of a confirmed payment', () => {
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const { objects, kinds }: { objects: number; kinds: readonly { kind: string; objects: number }[] } = JSON.parse(text);
  // The kinds say what it is where there are too many.
  expect(objects <= MOST ? [] : kinds.filter((each) => each.objects >= 0.5)).toEqual([]);
  expect(objects).toBeGreaterThan(20);
}, 120_000);
