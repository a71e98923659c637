import { decodeJson } from '../../../engine/codecs/index.js';

/** Large JSON bodies: long texts are read apart from the rest, with the same outcome as `JSON.parse`. */

const LONG = 'QUJD'.repeat(400_000);
const LINES = `${LONG}\n${LONG}\r\n"quoted" and \\ and /`;
const OTHER = 'ü'.repeat(1_200_000);

test.each<[string, object]>([
  ['one', { content: LONG + LONG + LONG }],
  ['with escapes', { content: LINES, more: LONG }],
  ['inside lists and maps, beside short ones', { a: [LONG, { b: LONG, c: 'x' }, 1, null], d: LONG }],
  ['of other characters', { text: OTHER + OTHER, content: LONG }],
  ['as a key', { [LONG]: 'value', [`${LONG}2`]: 1, content: LONG }],
  ['that ends with a backslash', { content: `${LONG}${LONG}${LONG}\\`, next: '"' }],
])('a long text %s', (_, value) => {
  expect(decodeJson(Buffer.from(JSON.stringify(value)))).toEqual({ ok: true, value });
});

test('a body that is cut off is rejected', () => {
  const body = Buffer.from(JSON.stringify({ content: LONG + LONG + LONG }));
  expect(decodeJson(body.subarray(0, -2)).ok).toBe(false);
  expect(decodeJson(body.subarray(0, -1)).ok).toBe(false);
});
