import { refused } from '../served-payments.js';
import { useTestAccount } from '../test-account.js';

/** What an account can ask about countries, and what it says about payment methods. */

const account = useTestAccount('2025-01-01T00:00:00Z');

test('country specs tell what an account of a country needs, as its own requirements do', async () => {
  const { stripe } = account;
  const singapore = await stripe.countrySpecs.retrieve('SG');
  expect(singapore).toMatchObject({ id: 'SG', default_currency: 'sgd', supported_bank_account_currencies: { sgd: ['SG'] } });
  expect(singapore.supported_payment_methods).toEqual(expect.arrayContaining(['card', 'grabpay']));
  const { minimum } = singapore.verification_fields.individual;
  expect(minimum).toContain('individual.full_name_aliases');
  const made = await stripe.accounts.create({ type: 'custom', country: 'SG', capabilities: { transfers: { requested: true } } });
  await stripe.accounts.update(made.id, { business_type: 'individual' });
  const { requirements } = await stripe.accounts.retrieve(made.id);
  expect(minimum).toEqual(expect.arrayContaining(requirements?.currently_due?.filter((name) => name.startsWith('individual.')) ?? ['none']));
  const all = [];
  for await (const { id } of stripe.countrySpecs.list({ limit: 7 })) all.push(id);
  expect(all).toEqual(singapore.supported_transfer_countries);
  expect(await refused(stripe.countrySpecs.retrieve('QQ'))).toMatchObject({ statusCode: 400, code: 'country_unsupported' });
});

test('a set of payment methods decides which an intent and a session take', async () => {
  const { stripe } = account;
  const { data: sets } = await stripe.paymentMethodConfigurations.list();
  expect(sets).toMatchObject([{ is_default: true, card: { available: true, display_preference: { preference: 'none', value: 'on' } } }]);
  const off = { display_preference: { preference: 'off' } } as const;
  const on = { display_preference: { preference: 'on' } } as const;
  const made = await stripe.paymentMethodConfigurations.create({ name: 'Debits', card: off, link: off, us_bank_account: on });
  expect(made).toMatchObject({ is_default: false, card: { available: false }, us_bank_account: { available: true } });
  const pay = { amount: 1000, currency: 'usd', payment_method_configuration: made.id, confirm: true, return_url: 'https://example.com' };
  const error = await refused(stripe.paymentIntents.create({ ...pay, payment_method: 'pm_card_visa' }));
  expect(error).toMatchObject({ param: 'payment_method', message: expect.stringContaining('us_bank_account') as string });
  const waiting = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd', payment_method_configuration: made.id });
  expect(waiting.payment_method_types).toEqual(['us_bank_account']);
  await stripe.paymentMethodConfigurations.update(made.id, { card: on, active: true });
  expect(await stripe.paymentIntents.create({ ...pay, payment_method: 'pm_card_visa' })).toMatchObject({ status: 'succeeded' });
  const child = await stripe.paymentMethodConfigurations.create({ parent: made.id, us_bank_account: off });
  expect(child).toMatchObject({ parent: made.id, card: { available: true }, us_bank_account: { available: false } });
  expect((await stripe.setupIntents.create({ payment_method_configuration: child.id })).payment_method_types).toEqual(['card']);
  const session = await stripe.checkout.sessions.create({
    mode: 'setup',
    currency: 'usd',
    payment_method_configuration: child.id,
    success_url: 'https://example.com',
  });
  expect(session.payment_method_types).toEqual(['card']);
  expect(await stripe.paymentMethodConfigurations.retrieve(child.id)).toEqual(child);
});
