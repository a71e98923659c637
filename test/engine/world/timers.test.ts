import * as fc from 'fast-check';
import { Row, Timer } from '../../../engine/world/index.js';
import { TimerQueue } from '../../../engine/world/timers.js';
import { OWNER } from '../../support/world-rows.js';

const rowOf = (n: number): Row => new Row(OWNER, `row_${n}`, n, 0, {});
const timerAt = (row: Row, due: number, seq: number, trigger = `t${seq}`): Timer =>
  new Timer(row, trigger, due, seq, null);

/** Fires everything that is due until a time; gives what fired. */
function fire(queue: TimerQueue, until: number): Timer[] {
  const fired: Timer[] = [];
  for (let timer = queue.next(until); timer !== undefined; timer = queue.next(until)) {
    fired.push(timer);
    queue.remove(timer);
  }
  return fired;
}

type Step =
  | { readonly kind: 'arm'; readonly row: number; readonly due: number }
  | { readonly kind: 'cancel'; readonly which: number }
  | { readonly kind: 'rearm'; readonly which: number }
  | { readonly kind: 'fire'; readonly until: number };

const dues = fc.nat(50);
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('arm' as const), row: fc.nat(4), due: dues }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rearm' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('fire' as const), until: dues }) },
  ),
  { maxLength: 400, size: 'max' },
);

test('timers fire by time and then by age, whatever was armed, cancelled and armed again', () => {
  fc.assert(
    fc.property(steps, (script: readonly Step[]) => {
      const queue = new TimerQueue();
      const rows = Array.from({ length: 5 }, (_, n) => rowOf(n));
      const known: Timer[] = [];
      let armed: Timer[] = [];
      const inOrder = (): Timer[] => armed.toSorted((a, b) => a.due - b.due || a.seq - b.seq);
      for (const step of script) {
        if (step.kind === 'arm') {
          const timer = timerAt(rows[step.row], step.due, known.length);
          known.push(timer);
          armed.push(timer);
          queue.add(timer);
        } else if (step.kind === 'fire') {
          const wanted = inOrder().filter(({ due }) => due <= step.until);
          expect(fire(queue, step.until)).toEqual(wanted);
          armed = armed.filter((timer) => !wanted.includes(timer));
        } else if (known.length > 0) {
          const timer = known[step.which % known.length];
          if (step.kind === 'cancel') {
            queue.remove(timer);
            armed = armed.filter((each) => each !== timer);
          } else if (!armed.includes(timer)) {
            queue.add(timer);
            armed.push(timer);
          }
        }
        expect(queue.size).toBe(armed.length);
      }
      expect(queue.list()).toEqual(inOrder());
      for (const row of rows) expect(new Set(row.timers)).toEqual(new Set(armed.filter((timer) => timer.row === row)));
      expect(fire(queue, Infinity)).toEqual(inOrder());
    }),
    { numRuns: 60 },
  );
});

test('what is due later stays, and what is asked for stays until it is removed', () => {
  const queue = new TimerQueue();
  const row = rowOf(1);
  const late = timerAt(row, 20, 1);
  const soon = timerAt(row, 10, 2);
  queue.add(late);
  queue.add(soon);
  expect(queue.next(9)).toBeUndefined();
  expect([queue.next(10), queue.next(10)]).toEqual([soon, soon]);
  queue.remove(soon);
  expect(queue.next(19)).toBeUndefined();
  expect(queue.next(20)).toBe(late);
});

test('cancelling twice is cancelling once', () => {
  const queue = new TimerQueue();
  const row = rowOf(1);
  const [one, two] = [timerAt(row, 1, 1), timerAt(row, 2, 2)];
  queue.add(one);
  queue.add(two);
  queue.remove(one);
  queue.remove(one);
  expect(queue.size).toBe(1);
  expect(queue.list()).toEqual([two]);
});

test('many cancelled timers do not slow down or hide those that are left', () => {
  const queue = new TimerQueue();
  const row = rowOf(1);
  const kept = timerAt(row, 5000, 0);
  queue.add(kept);
  for (let n = 1; n <= 10_000; n++) {
    const timer = timerAt(rowOf(n), n % 977, n);
    queue.add(timer);
    queue.remove(timer);
  }
  expect(queue.size).toBe(1);
  expect(queue.list()).toEqual([kept]);
  expect(queue.next(4999)).toBeUndefined();
  expect(queue.next(5000)).toBe(kept);
});

test('an object knows its timers by their trigger', () => {
  const queue = new TimerQueue();
  const row = rowOf(1);
  const timer = timerAt(row, 1, 1, 'expire');
  queue.add(timer);
  queue.add(timerAt(rowOf(2), 1, 2, 'remind'));
  expect([row.timerOf('expire'), row.timerOf('remind')]).toEqual([timer, undefined]);
  queue.remove(timer);
  expect(row.timerOf('expire')).toBeUndefined();
});
