import fc from 'fast-check';
import { ExpressionFailure, type Json, toText } from '../../../engine/values/index.js';
import { TemplateError, compileTemplate } from '../../../engine/expression/index.js';
import { percentOf, roundHalfAway } from '../../../engine/expression/arithmetic.js';
import { ExpressionError } from '../../../engine/expression/parse.js';
import { addInterval, dateParts, startOfDay } from '../../../engine/expression/time.js';
import { compile, environment, scopeOf, value } from './sample-environment.js';

const instants = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });

test('percent is the exact rational, halves away from zero', () => {
  fc.assert(
    fc.property(
      fc.maxSafeInteger(),
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.nat(6),
      (n, digits, places) => {
        const p = Number(`${digits}e-${places}`);
        const top = BigInt(n) * BigInt(digits);
        const bottom = 100n * 10n ** BigInt(places);
        const size = top < 0n ? -top : top;
        const rounded = (2n * size + bottom) / (2n * bottom);
        expect(percentOf(n, p)).toBe(Number(top < 0n ? -rounded : rounded));
      },
    ),
    { numRuns: 2000 },
  );
});

test('rounding moves by at most a half, away from zero, and is odd', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e12, max: 1e12 }), (n) => {
      const rounded = roundHalfAway(n);
      expect(Number.isInteger(rounded)).toBe(true);
      expect(Math.abs(rounded - n)).toBeLessThanOrEqual(0.5);
      expect(roundHalfAway(-n)).toBe(-rounded || 0);
      expect(Object.is(rounded, -0)).toBe(false);
    }),
  );
  expect([0.5, 1.5, 2.5, -0.5, 0.49999999999999994].map(roundHalfAway)).toEqual([1, 2, 3, -1, 0]);
});

describe('add_interval', () => {
  const units = fc.constantFrom('second', 'minute', 'hour', 'day', 'week', 'month', 'year');
  const counts = fc.integer({ min: -60, max: 60 });

  test('grows with the count', () => {
    fc.assert(
      fc.property(instants, units, counts, (t, unit, n) => {
        expect(addInterval(t, unit, n + 1)).toBeGreaterThan(addInterval(t, unit, n));
        expect(addInterval(t, unit, 0)).toBe(t);
      }),
    );
  });

  test('never goes back from one day to the next', () => {
    fc.assert(
      fc.property(instants, fc.nat(40), fc.constantFrom('month', 'year'), counts, (t, days, unit, n) => {
        expect(addInterval(t + days * 86_400_000, unit, n)).toBeGreaterThanOrEqual(addInterval(t, unit, n));
      }),
    );
  });

  test('keeps the time of day, and the day unless the month is too short', () => {
    fc.assert(
      fc.property(instants, counts, instants, (t, n, anchor) => {
        const then = addInterval(t, 'month', n, anchor);
        expect(then - startOfDay(then)).toBe(t - startOfDay(t));
        const { year, month, day } = dateParts(then);
        const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
        expect(day).toBe(Math.min(dateParts(anchor).day, last));
        const from = dateParts(t);
        expect(year * 12 + month).toBe(from.year * 12 + from.month + n);
      }),
    );
  });

  test('steps along an anchor land where one leap lands', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 1, max: 36 }), (t, n) => {
        let stepped = t;
        for (let i = 0; i < n; i++) stepped = addInterval(stepped, 'month', 1, t);
        expect(stepped).toBe(addInterval(t, 'month', n));
      }),
    );
  });
});

test('a template joins its parts as text', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.integer()),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), part), { minLength: 2, maxLength: 5 }), (parts) => {
      const literal = (text: string) => text.replaceAll('$', '');
      const template = parts.map(([text, json]) => `${literal(text)}\${${JSON.stringify(json)}}`).join('');
      const expected = parts.map(([text, json]) => literal(text) + toText(json as Json)).join('');
      const { scope, run } = scopeOf();
      expect(run(compileTemplate(template, scope, environment))).toBe(expected);
    }),
  );
});

test('JSON written as an expression is itself', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
      const text = JSON.stringify(json);
      expect(JSON.stringify(value(text))).toBe(text);
    }),
  );
});

test('whatever stands in an expression or template, only its own errors come out', () => {
  const words = fc.constantFrom(
    ...[
      'self',
      'params',
      'item',
      'nothing',
      'title',
      'tags',
      '.',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '?',
      '"',
      "'",
      'r"',
      '+',
      '-',
      '*',
      '/',
      '%',
    ],
    ...[
      '<',
      '==',
      '&&',
      '||',
      '!',
      'in',
      '1',
      '0.5',
      'null',
      'true',
      'map',
      'filter',
      'has',
      'cel.bind',
      'get',
      'book',
      'find',
      'pinned',
      'default',
    ],
    ...[
      'round',
      'size',
      'matches',
      'x',
      '\\',
      '//',
      '$',
      '${',
      '$${',
      '\n',
      'é',
      '\u0000',
      '1u',
      'b"a"',
      '__proto__',
      'constructor',
      'vars',
      'duration',
    ],
  );
  const sources = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 14 }).chain((all) => fc.constantFrom(all.join(''), all.join(' '))),
  );
  fc.assert(
    fc.property(sources, fc.jsonValue(), (source, item) => {
      try {
        compile(source).run({ item: item as Json });
      } catch (error) {
        if (!(error instanceof ExpressionError) && !(error instanceof ExpressionFailure)) throw error;
        if (error instanceof ExpressionError) expect(error.start).toBeLessThanOrEqual(source.length);
      }
      try {
        const { scope, run } = scopeOf();
        run(compileTemplate(source, scope, environment));
      } catch (error) {
        if (!(error instanceof TemplateError) && !(error instanceof ExpressionFailure)) throw error;
      }
    }),
    { numRuns: 5000 },
  );
});
