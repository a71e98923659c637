import fc from 'fast-check';
import { decodeJson, decodingJson } from '../../../engine/codecs/index.js';

/** A body that is read in pieces gives what it gives as a whole. */

function inPieces(body: Uint8Array): { readonly decoded: ReturnType<typeof decodeJson>; readonly turns: number } {
  const steps = decodingJson(body);
  for (let turns = 0; ; turns++) {
    const { done, value } = steps.next();
    if (done === true) return { decoded: value, turns };
  }
}

const bytes = (text: string): Buffer => Buffer.from(text);
/** Larger than a piece. */
const LONG = 'x"\\é'.repeat(20_000);
const wide = (value: unknown): unknown => Array.from({ length: 3000 }, () => ['0123456789012345678901234567', value]);

test.each([
  ['nothing', ''],
  ['blanks', ' \n\t '],
  ['an empty object', ' { } '],
  ['empty members', JSON.stringify({ a: [], b: {}, c: '', long: wide([]), d: [{}] })],
  ['one long list', JSON.stringify({ resource: 'a', objects: wide({ a: 1 }) })],
  ['lists in objects in objects', JSON.stringify({ resources: { as: wide({ b: [{}] }), bs: wide(null) }, t0: 1 })],
  ['long texts', JSON.stringify({ a: LONG, list: [LONG, 1, LONG], last: LONG })],
  ['long keys', JSON.stringify({ [LONG]: wide(1), [`${LONG}2`]: [] })],
  ['blanks everywhere', JSON.stringify({ a: wide({ b: [1, true, null, -1.5e3, ''] }), c: [[[wide(1)]]] }, null, 3)],
  ['a mark of the byte order', `\ufeff${JSON.stringify({ a: wide(1) })}`],
  ['keys that come twice', `{"a":${JSON.stringify(wide(1))},"b":2,"a":3}`],
  ['keys of numbers', JSON.stringify({ 2: wide(1), 1: wide(2), a: 3 })],
])('%s', (_what, text) => {
  const whole = decodeJson(bytes(text));
  const { decoded, turns } = inPieces(bytes(text));
  expect(whole.ok).toBe(true);
  expect(JSON.stringify(decoded)).toBe(JSON.stringify(whole));
  if (text.length > 200_000) expect(turns).toBeGreaterThan(1);
});

const long = JSON.stringify(wide(1));
test.each([
  ['a list', long],
  ['a comma at the end', `{"a":${long.slice(0, -1)},]}`],
  ['a comma at the end of an object', `{"a":${long},}`],
  ['a comma at the beginning', `{"a":[,${long.slice(1)}}`],
  ['only a comma', '{"a":[,]}'],
  ['two commas', `{"a":[${long},,${long}]}`],
  ['no comma', `{"a":[${long} ${long}]}`],
  ['the wrong bracket', `{"a":${long.slice(0, -1)}}}`],
  ['the wrong bracket inside', `{"a":[${long},[1},${long}]}`],
  ['no end', `{"a":${long}`],
  ['no end of a text', `{"a":${long},"b`],
  ['something behind', `{"a":${long}} 1`],
  ['no colon', `{"a" ${long}}`],
  ['no value', `{"b":1,"a":${long},"c":}`],
  ['no key', `{${long}}`],
  ['a key that is none', `{1:${long}}`],
  ['bad words', `{"a":[${long},nul]}`],
  ['too deep', `{"a":${'['.repeat(64)}${long}${']'.repeat(64)}}`],
  ['too deep inside', `{"a":[${long},${'['.repeat(63)}${']'.repeat(63)}]}`],
  ['a prototype', `{"a":1,"__proto__":${long}}`],
  ['a prototype inside', `{"a":[${long},{"__proto__":1}]}`],
  ['a number that is too large', `{"a":[${long},1e999]}`],
])('%s is refused, as by the other', (_what, text) => {
  expect(decodeJson(bytes(text)).ok).toBe(false);
  expect(inPieces(bytes(text)).decoded).toMatchObject({
    ok: false,
    reason: expect.any(String) as string,
  });
});

test('levels are counted to the same number', () => {
  const nested = (levels: number): Buffer => bytes(`{"a":${'['.repeat(levels)}${long}${']'.repeat(levels)}}`);
  for (const levels of [60, 61, 62]) expect(inPieces(nested(levels)).decoded.ok).toBe(decodeJson(nested(levels)).ok);
});

test('bytes that are not UTF-8 are refused', () => {
  expect(inPieces(Buffer.from([0x7b, 0xff, 0x7d])).decoded).toEqual(decodeJson(Buffer.from([0x7b, 0xff, 0x7d])));
});

test('whatever is cut anywhere or has a character changed is taken or refused as by the other', () => {
  const sample = JSON.stringify({
    a: wide({ b: 'c,]}' }),
    d: { e: [1, 2, { f: wide('"') }] },
    g: LONG.slice(0, 70_000),
  });
  const place = fc.nat(sample.length - 1);
  fc.assert(
    fc.property(place, fc.constantFrom('', ',', '"', '[', ']', '{', '}', ':', '\\', ' ', '1'), (at, put) => {
      const text = bytes(sample.slice(0, at) + put + sample.slice(at + 1));
      const [whole, { decoded }] = [decodeJson(text), inPieces(text)];
      expect(decoded.ok).toBe(whole.ok);
      if (whole.ok) expect(decoded).toEqual(whole);
    }),
    { numRuns: 150, seed: 13 },
  );
});
