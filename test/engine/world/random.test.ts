import * as fc from 'fast-check';
import { RandomStream, seedOf, stableText } from '../../../engine/world/index.js';

const seeds = fc.nat(2 ** 32 - 1);

/** One draw; what it gives can be compared. */
const draws = fc.oneof(
  fc.constant((stream: RandomStream) => stream.next()),
  fc.tuple(fc.integer({ min: -50, max: 50 }), fc.nat(100)).map(
    ([low, span]) =>
      (stream: RandomStream) =>
        stream.integer(low, low + span),
  ),
  fc.nat(40).map((length) => (stream: RandomStream) => stream.text(length)),
);

test('a restored position replays what was drawn from there', () => {
  fc.assert(
    fc.property(seeds, fc.array(draws), fc.array(draws), (seed, before, after) => {
      const stream = new RandomStream(seed);
      for (const draw of before) draw(stream);
      const { position } = stream;
      const first = after.map((draw) => draw(stream));
      stream.position = position;
      expect(after.map((draw) => draw(stream))).toEqual(first);
      const other = new RandomStream(seed);
      other.position = position;
      expect(after.map((draw) => draw(other))).toEqual(first);
      expect(other.position).toBe(stream.position);
    }),
  );
});

test('positions beyond 32 bits are positions of their own', () => {
  fc.assert(
    fc.property(seeds, fc.nat(1000), (seed, at) => {
      const at32 = (position: number): number => {
        const stream = new RandomStream(seed);
        stream.position = position;
        return stream.next();
      };
      expect(at32(2 ** 32 + at)).not.toBe(at32(at));
    }),
  );
});

test('integers lie between their bounds, both included', () => {
  fc.assert(
    fc.property(seeds, fc.integer(), fc.nat(1_000_000), (seed, low, span) => {
      const drawn = new RandomStream(seed).integer(low, low + span);
      expect(Number.isInteger(drawn)).toBe(true);
      expect(drawn >= low && drawn <= low + span).toBe(true);
    }),
  );
  const stream = new RandomStream(1);
  const seen = new Set(Array.from({ length: 200 }, () => stream.integer(3, 5)));
  expect([...seen].sort()).toEqual([3, 4, 5]);
});

test('an integer of one possible value draws nothing', () => {
  const stream = new RandomStream(7);
  expect([stream.integer(4, 4), stream.integer(4, 3)]).toEqual([4, 4]);
  expect(stream.position).toBe(0);
});

test('text is of base 62, of the length asked for, and the same when written into bytes', () => {
  fc.assert(
    fc.property(seeds, fc.nat(64), fc.nat(8), (seed, length, gap) => {
      const text = new RandomStream(seed).text(length);
      expect(text).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
      const bytes = Buffer.alloc(length + gap * 2, '-');
      new RandomStream(seed).fill(bytes, gap, gap + length);
      expect(bytes.toString()).toBe('-'.repeat(gap) + text + '-'.repeat(gap));
    }),
  );
});

test('every character of base 62 comes up about as often as any other', () => {
  const length = 62 * 2000;
  const counts = new Map<string, number>();
  for (const each of new RandomStream(seedOf('fair')).text(length)) counts.set(each, (counts.get(each) ?? 0) + 1);
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(300);
});

test('seeds of different texts differ, and are 32-bit numbers', () => {
  const texts = Array.from({ length: 2000 }, (_, n) => `seed ${n}`);
  const numbers = texts.map(seedOf);
  expect(new Set(numbers).size).toBe(texts.length);
  for (const number of numbers) expect(number >>> 0).toBe(number);
});

test('stable text depends on seed, text and length alone', () => {
  fc.assert(
    fc.property(seeds, fc.string(), fc.integer({ min: 12, max: 40 }), (seed, text, length) => {
      const stable = stableText(seed, text, length);
      expect(stableText(seed, text, length)).toBe(stable);
      expect(stable).toHaveLength(length);
      expect(stableText(seed ^ 1, text, length)).not.toBe(stable);
      expect(stableText(seed, `${text}.`, length)).not.toBe(stable);
    }),
  );
});
