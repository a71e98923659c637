import { KEY, refused, said, servePayments } from '../served-payments.js';

const payments = servePayments();

const keyed = (key: string) => ({ 'Idempotency-Key': key });

it('a replay gives the identical body, says so, and does nothing', async () => {
  const first = await payments.post('/v1/customers', { name: 'Jenny' }, keyed('k1'));
  const commits = payments.commits;
  const second = await payments.post('/v1/customers', { name: 'Jenny' }, keyed('k1'));
  expect([second.status, second.text]).toEqual([200, first.text]);
  expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  expect(second.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
  expect(payments.commits).toBe(commits);
  expect((await payments.stripe.customers.list()).data).toHaveLength(1);
});

it('the order of parameters does not matter', async () => {
  const first = await payments.call('POST /v1/customers', 'name=Jenny&email=j%40example.com', keyed('k1'));
  const second = await payments.call('POST /v1/customers', 'email=j%40example.com&name=Jenny', keyed('k1'));
  expect(second.text).toBe(first.text);
});

it('the replay shows the first answer, whatever happened since', async () => {
  const first = await payments.post('/v1/customers', { name: 'Jenny' }, keyed('k1'));
  await payments.stripe.customers.update(String(first.body['id']), { name: 'Rosen' });
  expect((await payments.post('/v1/customers', { name: 'Jenny' }, keyed('k1'))).text).toBe(first.text);
});

it('other parameters under the same key are refused', async () => {
  await payments.post('/v1/customers', { name: 'Jenny' }, keyed('k1'));
  const answer = await payments.post('/v1/customers', { name: 'Omar' }, keyed('k1'));
  expect(said(answer)).toEqual({ status: 400, type: 'idempotency_error', code: undefined, param: undefined });
  expect(answer.text).toContain('only be used with the same parameters');
});

it('another endpoint under the same key is refused', async () => {
  await payments.post('/v1/customers', {}, keyed('k1'));
  const answer = await payments.post('/v1/payment_intents', { amount: '2000', currency: 'usd' }, keyed('k1'));
  expect(said(answer)).toMatchObject({ status: 400, type: 'idempotency_error' });
});

it('a declined payment is replayed, not tried again', async () => {
  const params = { amount: '2000', currency: 'usd', confirm: 'true', payment_method: 'pm_card_chargeDeclined' };
  const first = await payments.post('/v1/payment_intents', params, keyed('k1'));
  const second = await payments.post('/v1/payment_intents', params, keyed('k1'));
  expect([first.status, second.status]).toEqual([402, 402]);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await payments.stripe.charges.list()).data).toHaveLength(1);
});

it('a call that was refused for its parameters may be repaired under the same key', async () => {
  expect((await payments.post('/v1/payment_intents', { currency: 'usd' }, keyed('k1'))).status).toBe(400);
  const answer = await payments.post('/v1/payment_intents', { amount: '2000', currency: 'usd' }, keyed('k1'));
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
});

it('a fault before the call leaves the key free', async () => {
  await payments.control.fault({
    resource: 'customers',
    operation: 'create',
    status: 429,
    error: { type: 'rate_limit_error' },
    count: 1,
  });
  expect((await payments.post('/v1/customers', {}, keyed('k1'))).status).toBe(429);
  expect((await payments.post('/v1/customers', {}, keyed('k1'))).status).toBe(200);
});

it('a lost answer is repeated by the client with the same key, and nothing happens twice', async () => {
  await payments.control.fault({ resource: 'customers', operation: 'create', kind: 'lost_response', count: 1 });
  const retrying = payments.clientOf(KEY, { maxNetworkRetries: 2 });
  const customer = await retrying.customers.create({ name: 'Jenny' });
  const { data } = await payments.stripe.customers.list();
  expect(data.map(({ id }) => id)).toEqual([customer.id]);
});

it('GET and DELETE take no notice of a key', async () => {
  const { id } = await payments.stripe.customers.create();
  const reads = [
    await payments.get(`/v1/customers/${id}`, keyed('k1')),
    await payments.get('/v1/customers', keyed('k1')),
  ];
  expect(reads.map(({ status }) => status)).toEqual([200, 200]);
  expect(
    (await payments.call(`DELETE /v1/customers/${id}`, undefined, keyed('k1'))).headers.get('idempotent-replayed'),
  ).toBeNull();
});

it('a key is forgotten after a day', async () => {
  const first = await payments.post('/v1/customers', {}, keyed('k1'));
  await payments.control.advance('25h');
  const second = await payments.post('/v1/customers', {}, keyed('k1'));
  expect(second.body['id']).not.toBe(first.body['id']);
});

it('a key that is too long is refused', async () => {
  expect(said(await payments.post('/v1/customers', {}, keyed('k'.repeat(256))))).toMatchObject({ status: 400 });
  expect((await payments.post('/v1/customers', {}, keyed('k'.repeat(255)))).status).toBe(200);
});

it('events carry the key of their request', async () => {
  await payments.stripe.customers.create({}, { idempotencyKey: 'my-key' });
  const [event] = await payments.events();
  expect(event.request).toEqual({
    id: expect.stringMatching(/^req_[0-9A-Za-z]{14}$/) as unknown,
    idempotency_key: 'my-key',
  });
});

it('the client names the error', async () => {
  await payments.stripe.customers.create({ name: 'a' }, { idempotencyKey: 'k1' });
  const error = await refused(payments.stripe.customers.create({ name: 'b' }, { idempotencyKey: 'k1' }));
  expect(error.type).toBe('StripeIdempotencyError');
});

it('two calls with one key at the same time take effect once', async () => {
  await payments.control.fault({ resource: 'customers', operation: 'create', kind: 'delay', delay_ms: 50, count: 1 });
  const answers = await Promise.all([
    payments.post('/v1/customers', {}, keyed('k1')),
    payments.post('/v1/customers', {}, keyed('k1')),
  ]);
  const statuses = answers.map(({ status }) => status).sort();
  expect([
    [200, 200],
    [200, 409],
  ]).toContainEqual(statuses);
  expect((await payments.stripe.customers.list()).data).toHaveLength(1);
});

it('answers to a key repeat it and tell which request came first', async () => {
  const first = await payments.post('/v1/customers', { name: 'Jenny' }, keyed('k1'));
  const again = await payments.post('/v1/customers', { name: 'Jenny' }, keyed('k1'));
  const other = await payments.post('/v1/customers', { name: 'Omar' }, keyed('k1'));
  const id = first.headers.get('request-id');
  expect(first.headers.get('original-request')).toBe(id);
  expect(again.headers.get('original-request')).toBe(id);
  expect([first, again, other].map(({ headers }) => headers.get('idempotency-key'))).toEqual(['k1', 'k1', 'k1']);
  const plain = await payments.post('/v1/customers', { name: 'Jenny' });
  expect([plain.headers.get('idempotency-key'), plain.headers.get('original-request')]).toEqual([null, null]);
  const read = await payments.get('/v1/customers', keyed('k1'));
  expect(read.headers.get('idempotency-key')).toBeNull();
});
