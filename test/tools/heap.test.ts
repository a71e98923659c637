import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { beginRoomy, heapOfContainer } from '../../tools/command/heap.js';

const GIB = 2 ** 30;

test.each([
  ['a container of 1 GiB', GIB, '', 716],
  ['a container of 512 MiB', GIB / 2, '--enable-source-maps', 358],
  ['a heap that was given', GIB, '--max-old-space-size=256', undefined],
  ['the same in underscores', GIB, '--max_old_space_size=256', undefined],
  ['no limit', 2 ** 64, '', undefined],
  ['a limit that is not known', 0, '', undefined],
  ['a limit as large as the machine', 16 * GIB, '', undefined],
])('the heap follows %s', (_what, limit, given, expected) => {
  expect(heapOfContainer(limit, 16 * GIB, given)).toBe(expected);
});

test('threads begin with a large young generation where that costs no compiled code, in a heap that has room', async () => {
  const usual = await youngBytes();
  const asUsual = beginRoomy(2048, '');
  const roomy = await youngBytes();
  asUsual();
  expect(roomy > 8 * usual).toBe(Number(process.versions.node.split('.')[0]) >= 24);
  expect(await youngBytes()).toBe(usual);
  beginRoomy(512, '');
  expect(await youngBytes()).toBe(usual);
  beginRoomy(2048, '--max-semi-space-size=8');
  expect(await youngBytes()).toBe(usual);
});

/** How much a thread that starts now may make until V8 collects for the first time. */
async function youngBytes(): Promise<number> {
  const code = `const { space_available_size, space_used_size } = require('node:v8').getHeapSpaceStatistics().find((each) => each.space_name === 'new_space');
require('node:worker_threads').parentPort.postMessage(space_available_size + space_used_size);`;
  const [bytes] = (await once(new Worker(code, { eval: true }), 'message')) as [number];
  return bytes;
}
