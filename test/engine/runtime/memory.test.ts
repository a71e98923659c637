import { MemoryShort, whileMemoryLasts } from '../../../engine/runtime/heap.js';

test('work in steps ends when memory is short, and not before', () => {
  let done = 0;
  function* work(): Generator<void, string> {
    for (; done < 1_000; done++) yield;
    return 'all';
  }
  expect(() => [...whileMemoryLasts(work(), () => done > 300)]).toThrow(MemoryShort);
  expect(done).toBeGreaterThan(300);
  expect(done).toBeLessThan(400);
  const steps = whileMemoryLasts(work(), () => false);
  let last = steps.next();
  while (last.done !== true) last = steps.next();
  expect([last.value, done]).toEqual(['all', 1_000]);
});
