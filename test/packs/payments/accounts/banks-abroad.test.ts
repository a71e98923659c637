import { servePayments } from '../served-payments.js';

/** What a connected account's bank account shows, by country: number, branch and the bank's name. */

const payments = servePayments();

const opened = (country: string, bank: Readonly<Record<string, string>>) => {
  const given = { object: 'bank_account', country, currency: 'usd', ...bank };
  const asked: Record<string, string> = { type: 'custom', country, 'capabilities[transfers][requested]': 'true' };
  for (const [name, value] of Object.entries(given)) asked[`external_account[${name}]`] = value;
  return payments.post('/v1/accounts', asked);
};
const NUMBER = { account_number: '000123456789' };

test.each<[string, Record<string, string>, object]>([
  ['US', { ...NUMBER, routing_number: '110000000' }, { bank_name: 'VENDOR TEST BANK', routing_number: '110000000' }],
  ['AU', { account_number: '000123456', routing_number: '110000' }, { last4: '3456', routing_number: '11 0000' }],
  ['NZ', { account_number: '0001100000000010' }, { routing_number: '110000' }],
  ['GI', { account_number: 'GI75NWBK000000007099453' }, { last4: '9453', routing_number: '11-00-00000' }],
  ['PH', { account_number: '01567890123456789', routing_number: 'BCDEFGHI123' }, { last4: '6789', routing_number: 'BCDEFGHI123' }],
  ['KE', { ...NUMBER, routing_number: 'BARCKENXMDR' }, { bank_name: 'ABSA BANK KENYA PLC' }],
  ['CO', { ...NUMBER, routing_number: '060', account_type: 'savings' }, { account_type: 'savings', bank_name: 'Banco Pichincha' }],
])('%s with %j', async (country, bank, expected) => {
  expect(await opened(country, bank)).toMatchObject({ status: 200, body: { external_accounts: { data: [expected] } } });
});

test('other numbers are real ones, which test mode rejects', async () => {
  const bank = { account_number: '01567890123456789', routing_number: '110000000' };
  expect(await opened('US', bank)).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
});
