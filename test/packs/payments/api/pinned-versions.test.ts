import { servePayments, type Body } from '../served-payments.js';


const payments = servePayments();
const errorOf = (body: Body): Body => (body['error'] as Body | undefined) ?? {};

describe('versions of calls and of endpoints', () => {
  it.each([
    '2024-02-31',
    '2023-02-29',
    '2099-01-01',
    '2024-12-17.acacia',
    '2024-12-18.foo',
    '2024-12-18',
    '2025-03-31.acacia',
    'abc',
    '',
    '2024-12-18.acacia; beta',
  ])('%j is none', async (version) => {
    const answer = await payments.get('/v1/customers', { 'Vendor-Version': version });
    expect(answer.status).toBe(400);
    expect(Object.keys(errorOf(answer.body))).not.toContain('code');
  });

  it.each([
    '2020-08-27',
    '2016-02-29',
    '2024-06-20',
    '2024-12-18.acacia',
    '2025-01-27.acacia; custom_checkout_beta=v1',
    '2025-03-31.basil;one_beta=v1;other_beta=v2',
    '2026-10-28.endive',
  ])('%j is one', async (version) => {
    const answer = await payments.get('/v1/customers', { 'Vendor-Version': version });
    expect(answer.status).toBe(200);
  });
});

it('endpoints name events that there are', async () => {
  await expect(
    payments.control.endpoint({ url: 'http://127.0.0.1:9/', events: ['custmer.created'] }),
  ).rejects.toThrow(/there is no event/);
});
