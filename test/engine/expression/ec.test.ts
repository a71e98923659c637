import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { ecKey, signEs256 } from '../../../engine/codecs/ec.js';

/** RFC 6979, A.2.5: the curve P-256 with SHA-256. */
test.each([
  [
    'sample',
    'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716',
    'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
  ],
  [
    'test',
    'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367',
    '019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
  ],
])('signs %j as the standard says', (content, r, s) => {
  const d = Buffer.from('c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721', 'hex');
  expect(signEs256(d, content).toString('hex')).toBe(r + s);
});

test('what it signs is right for everybody else', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (seed, content) => {
      const { d, ...known } = ecKey(seed);
      const signature = signEs256(Buffer.from(d, 'base64url'), content);
      const key = createPublicKey({ key: known, format: 'jwk' });
      expect(verify('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
