import { servePayments, type Body } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;
const errorOf = (body: Body): Body => (body['error'] as Body | undefined) ?? {};

describe('idempotency keys', () => {
  const keyed = { 'Idempotency-Key': 'once' };

  it('a call that a fault delays holds its key', async () => {
    await payments.control.fault({
      resource: 'customers',
      operation: 'create',
      kind: 'delay',
      delay_ms: 1500,
    });
    const both = await Promise.all([1, 2].map(() => payments.post('/v1/customers', {}, keyed)));
    const [refused, made] = both.sort((one, other) => other.status - one.status);
    expect([refused.status, errorOf(refused.body)['code']]).toEqual([409, 'idempotency_key_in_use']);
    expect(made.status).toBe(200);
    expect((await stripe().customers.list()).data).toHaveLength(1);
  });

  it('the message names both endpoints', async () => {
    await payments.post('/v1/customers', {}, keyed);
    const { body } = await payments.post('/v1/products', { name: 'x' }, keyed);
    expect(errorOf(body)['message']).toContain("('/v1/customers' vs '/v1/products')");
  });
});

test.each([
  ['code', 123],
  ['type', 5],
  ['message', {}],
])('a fault whose %s is %j is rejected when it is added', async (key, value) => {
  await expect(
    payments.control.fault({ resource: 'customers', operation: 'list', status: 429, error: { [key]: value } }),
  ).rejects.toMatchObject({ status: 400 });
});
