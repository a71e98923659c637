import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { signer } from '../../../engine/delivery/render.js';

const text = signer({ key: 'utf8', digest: 'hex' });
const standard = signer({ key: 'base64', key_prefix: 'whsec_', digest: 'base64' });

/** RFC 4231, test cases 1, 2 and 6 (keys as text where they are text). */
test.each<[string, string, string]>([
  ['\x0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  ['Jefe', 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
])('HMAC-SHA256 with a key of text: %j', (key, content, digest) => {
  expect(text(key, content)).toBe(digest);
});

test('HMAC-SHA256 with a key of bytes (RFC 4231, case 6)', () => {
  const secret = Buffer.alloc(131, 0xaa).toString('base64');
  const content = 'Test Using Larger Than Block-Size Key - Hash Key First';
  const digest = '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54';
  expect(signer({ key: 'base64', digest: 'hex' })(secret, content)).toBe(digest);
  expect(signer({ key: 'base64', key_prefix: 'k_', digest: 'base64' })(`k_${secret}`, content)).toBe(
    Buffer.from(digest, 'hex').toString('base64'),
  );
});

test("the example of the standard's own documentation", () => {
  const content = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
  expect(standard('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', content)).toBe(
    'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('the official client of a vendor with hex signatures accepts them', () => {
  const client = new Stripe('sk_test_x');
  fc.assert(
    fc.property(
      fc.stringMatching(/^whsec_[A-Za-z0-9]{16,32}$/),
      fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
      (secret, data) => {
        const body = JSON.stringify({ id: 'evt_1', object: 'event', data });
        const timestamp = Math.floor(Date.now() / 1000);
        const header = `t=${timestamp},v1=${text(secret, `${timestamp}.${body}`)}`;
        expect(client.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })).toBe(header);
        expect(client.webhooks.constructEvent(body, header, secret)).toEqual(JSON.parse(body));
        expect(() => client.webhooks.constructEvent(`${body} `, header, secret)).toThrow(/signature/);
      },
    ),
  );
});

test('the verifier of standard webhooks accepts signatures in base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.string({ unit: 'grapheme' }), (key, note) => {
      const secret = `whsec_${Buffer.from(key).toString('base64')}`;
      const body = JSON.stringify({ note });
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = `v1,${standard(secret, `msg_1.${timestamp}.${body}`)}`;
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
      expect(new Webhook(secret).verify(body, headers)).toEqual({ note });
      expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    }),
  );
});
