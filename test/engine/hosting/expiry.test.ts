import { Expiry } from '../../../engine/hosting/index.js';

const DAY_MS = 86_400_000;

test('what ends in forty days ends then, although no timer of Node waits that long', () => {
  let nowMs = 0;
  const timers: { readonly isOver: () => void; readonly due: number }[] = [];
  const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((isOver: () => void, ms: number) => {
    // Node would take a longer wait for none.
    expect(ms).toBeLessThan(2 ** 31);
    timers.push({ isOver, due: nowMs + ms });
    return { unref: () => undefined };
  }) as unknown as typeof setTimeout);
  try {
    const ended: [string, number][] = [];
    const expiry = new Expiry(
      (id) => Promise.resolve(ended.push([id, nowMs / DAY_MS])),
      () => nowMs,
    );
    expiry.set('far', 40 * DAY_MS);
    expiry.set('near', DAY_MS);
    for (let next = timers.shift(); next !== undefined; next = timers.shift()) {
      nowMs = Math.max(nowMs, next.due);
      next.isOver();
    }
    expect(ended).toContainEqual(['far', 40]);
    expect(ended).toHaveLength(2);
  } finally {
    spy.mockRestore();
  }
});
