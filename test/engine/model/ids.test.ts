import * as fc from 'fast-check';
import { idFormat } from '../../../engine/model/ids.js';
import { RandomStream } from '../../../engine/world/index.js';

const same = (text: string): string => text;
/** Texts as packs have them in ids, with characters that mean something in patterns, and some of several bytes. */
const unit = fc.constantFrom('a', 'B', '0', '_', '-', '.', '*', '(', '[', '$', '^', '\\', 'ü', '→');
const part = fc.oneof(fc.string({ unit, minLength: 1 }), fc.record({ random: fc.integer({ min: 1, max: 24 }) }));

test('every id that is made matches the pattern of its format, and its prefix', () => {
  fc.assert(
    fc.property(
      fc.string({ unit }),
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      (prefix, parts, seed) => {
        const format = idFormat(prefix, { parts }, same);
        const random = new RandomStream(seed);
        for (let n = 0; n < 5; n++) {
          const id = format.make(random);
          expect(format.pattern.test(id)).toBe(true);
          expect(id.startsWith(format.prefix)).toBe(true);
          expect(id).toHaveLength(
            prefix.length +
              parts.reduce((sum, each) => sum + (typeof each === 'string' ? each.length : each.random), 0),
          );
          expect(format.pattern.test(`${id}x`)).toBe(false);
          expect(format.pattern.test(`x${id}`)).toBe(false);
          expect(format.pattern.test(id.slice(0, -1))).toBe(false);
        }
      },
    ),
  );
});

test('the same position of the stream makes the same id, the next one another', () => {
  const format = idFormat('or_', { parts: [{ random: 14 }] }, same);
  const random = new RandomStream(7);
  const [first, second] = [format.make(random), format.make(random)];
  expect(first).not.toBe(second);
  expect(format.make(new RandomStream(7))).toBe(first);
  expect(first).toMatch(/^or_[0-9A-Za-z]{14}$/);
});

test('an id that was made stays as it is when the next one is made', () => {
  const format = idFormat('a', { parts: [{ random: 4 }, '-', { random: 4 }] }, same);
  const random = new RandomStream(1);
  const ids = Array.from({ length: 50 }, () => format.make(random));
  expect(new Set(ids).size).toBe(50);
});

test('variables are filled into the literal parts, in what is made and in the pattern', () => {
  const fill = (text: string): string => text.replace('${vars.account}', 'ac.me');
  const format = idFormat('pm_', { parts: ['${vars.account}', { random: 3 }] }, fill);
  expect(format.make(new RandomStream(1))).toMatch(/^pm_ac\.me[0-9A-Za-z]{3}$/);
  expect(format.pattern.test('pm_ac.me1aZ')).toBe(true);
  expect(format.pattern.test('pm_acxme1aZ')).toBe(false);
});

test('a pattern of the format, or of the resource, says which other ids are taken', () => {
  const loose = idFormat('pm_', { parts: [{ random: 3 }], pattern: '[a-z_]+' }, same);
  expect(['pm_card_visa', 'pm_1', 'card_visa'].map((id) => loose.pattern.test(id))).toEqual([true, false, false]);
  const whole = idFormat('pm_', { parts: [{ random: 3 }], pattern: '[a-z_]+' }, same, '^\\d+$');
  expect(['42', 'pm_card'].map((id) => whole.pattern.test(id))).toEqual([true, false]);
});
