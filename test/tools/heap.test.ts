import { heapOfContainer } from '../../tools/command/heap.js';

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
