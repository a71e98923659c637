import fc from 'fast-check';
import { textPattern } from '../../../engine/values/pattern.js';

/** Patterns run in time that is linear in the text, whichever engine runs them. */

test.each<[string, boolean]>([
  ['^[a-z]+$', true],
  ['^cus_[A-Za-z0-9]{14}$', true],
  ['^[^@\\s]+@[^@\\s]+$', true],
  ['^\\d+\\.\\d+$', true],
  ['^x+\\$y+$', true],
  ['^[a-z]+-[a-z]+$', true],
  ['^(ch|py)_[0-3][0-9A-Za-z]{23}$', true],
  ['^(?:a[(|)]|\\(b)$', true],
  ['^pm_card(_|$)', true],
  ['^(a+|b)c$', true],
  ['[a-z]+', false],
  ['^a*a*$', false],
  ['^[\\w-]+-[a-z]+$', false],
  ['^\\d+.\\d+$', false],
  ['^a+$b+', false],
  ['^(a|b)+$', false],
  ['^(a|b){2}$', false],
  ['^(a+|b)a*$', false],
  ['^(a|(b|c))$', false],
  ['^(a)|b$', false],
  ['^(?=a)b$', false],
  ['^(a|b)-\\1$', false],
  ['^\\p{L}+@\\d+$', false],
])('%s: the usual engine takes linear time: %s', (source, isUsual) => {
  expect(textPattern(source) instanceof RegExp).toBe(isUsual);
});

test('both engines agree', () => {
  const atom = fc.constantFrom('a', 'b', '-', '\\.', '[ab]', '[^-]', '[^a\\-]', '\\w', '\\d', '.');
  const times = fc.constantFrom('', '', '+', '*', '?', '{1,3}');
  const source = fc
    .array(
      fc.tuple(atom, times).map((each) => each.join('')),
      { minLength: 1, maxLength: 5 },
    )
    .chain((atoms) =>
      fc.constantFrom(
        `^${atoms.join('')}$`,
        `^(${atoms[0]}|${atoms.slice(1).join('')})${atoms.at(-1) ?? ''}$`,
        `^a(?:${atoms.join('|')})$`,
      ),
    );
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '1'), maxLength: 12 });
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 5, maxLength: 5 }), (pattern, texts) => {
      const usual = new RegExp(pattern, 'u');
      for (const each of texts) expect(textPattern(pattern).test(each)).toBe(usual.test(each));
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('what the usual engine runs takes little work on a text that almost matches', () => {
  const hostile = 'a'.repeat(200_000);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a+', '[ab]*', '[^-]+', '-', 'b', '\\w{1,}', '@', '[^@\\s]+'), {
        minLength: 1,
        maxLength: 6,
      }),
      (atoms) => {
        const pattern = textPattern(`^${atoms.join('')}!$`);
        if (!(pattern instanceof RegExp)) return;
        const before = process.cpuUsage();
        expect(pattern.test(hostile)).toBe(false);
        // A guard against hours of work, not a measurement.
        expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
      },
    ),
    { numRuns: 200, seed: 7 },
  );
});
