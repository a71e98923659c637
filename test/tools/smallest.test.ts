import fc from 'fast-check';
import { curlOf } from '../../tools/command/curl.js';
import { smallest } from '../../tools/chaos/smallest.js';

test('of what is left nothing can be left out, in its order, and only what is smaller is told', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40), fc.array(fc.nat(39), { maxLength: 5 }), async (length, wanted) => {
      const all = Array.from({ length }, (_, n) => n);
      const needed = new Set(wanted.filter((n) => n < length));
      const fails = (part: readonly number[]): Promise<boolean> =>
        Promise.resolve([...needed].every((n) => part.includes(n)));
      const sizes: number[] = [];
      const left = await smallest(all, fails, (part) => sizes.push(part.length));
      expect(left).toEqual([...needed].sort((a, b) => a - b));
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    }),
  );
});

test('a check that needs one of two, or an odd number, still ends with something that fails', async () => {
  const all = Array.from({ length: 17 }, (_, n) => n);
  const odd = (part: readonly number[]): Promise<boolean> => Promise.resolve(part.length % 2 === 1);
  expect(await smallest(all, odd)).toHaveLength(1);
  const either = (part: readonly number[]): Promise<boolean> => Promise.resolve(part.includes(3) || part.includes(12));
  expect(await smallest(all, either)).toHaveLength(1);
});

test('calls as lines for a shell', () => {
  const post = { method: 'POST', path: '/v1/a?b[c]=1', headers: { 'Idempotency-Key': "it's" }, body: 'name=A%20B&x=y' };
  expect(curlOf(post)).toBe(
    `curl -sS "$SANDBOX_URL"'/v1/a?b[c]=1' -H "Authorization: Bearer $SANDBOX_KEY" -H 'Idempotency-Key: it'\\''s' -d 'name=A%20B&x=y'`,
  );
  const own = { method: 'DELETE', path: '/v1/a', headers: {}, key: { prefix: 'sk_', instead: 'pk_' } };
  expect(curlOf(own)).toBe('curl -sS -X DELETE "$SANDBOX_URL"/v1/a -H "Authorization: Bearer pk_${SANDBOX_KEY#sk_}"');
});
