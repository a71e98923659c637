import { cachedDataVersionTag } from 'node:v8';
import { collectYoung, heapGuard, MemoryShort, whileMemoryLasts } from '../../../engine/runtime/heap.js';

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

test('a heap is full by what a collection leaves, and is collected again when more came into use, time passed or something was let go', () => {
  // The clock goes on a millisecond at each look, so that a collection takes one.
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now++);
  const isFull = heapGuard(80, undefined, () => undefined);
  /** @param shares percent in use, look by look: all of them are needed, and no more */
  const outcome = (shares: number[], freed?: boolean): boolean => {
    const full = isFull(() => shares.shift() ?? NaN, freed);
    expect(shares).toEqual([]);
    return full;
  };
  try {
    expect(outcome([80])).toBe(false);
    expect(outcome([95, 75])).toBe(false);
    expect(outcome([85])).toBe(false);
    expect(outcome([86, 76])).toBe(false);
    expect(outcome([87, 82])).toBe(true);
    expect(outcome([92])).toBe(true);
    expect(outcome([85, 70], true)).toBe(false);
    expect(outcome([81, 81], true)).toBe(true);
    expect(outcome([79])).toBe(false);
    expect(outcome([83])).toBe(true);
    now += 100;
    expect(outcome([83, 78])).toBe(false);
  } finally {
    clock.mockRestore();
  }
});

test('code that was kept still fits after a collection that was asked for', () => {
  const before = cachedDataVersionTag();
  collectYoung();
  expect(cachedDataVersionTag()).toBe(before);
});
