import Stripe from 'stripe';
import { call, form } from '../../../support/http.js';
import { press } from '../../../support/page-forms.js';
import { WebhookReceiver } from '../../../support/webhook-receiver.js';
import { useTestAccount } from '../test-account.js';

const PLATFORM = 'acct_1Pgaf0LkdIwHu7ix';
const INDIVIDUAL = {
  first_name: 'Jenny',
  last_name: 'Rosen',
  email: 'jenny@example.com',
  phone: '0000000000',
  ssn_last_4: '0000',
  dob: { day: 1, month: 1, year: 1901 },
  address: { line1: 'address_full_match', city: 'San Francisco', state: 'CA', postal_code: '94111' },
};
const BANK = {
  object: 'bank_account' as const,
  country: 'US',
  currency: 'usd',
  account_number: '000123456789',
  routing_number: '110000000',
};

describe('connected accounts', () => {
  const account = useTestAccount('2026-01-01T00:00:00Z');

  const create = (more: Stripe.AccountCreateParams = {}): Promise<Stripe.Account> =>
    account.stripe.accounts.create({
      type: 'custom',
      business_type: 'individual',
      business_profile: { url: 'https://accessible.stripe.com' },
      capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
      tos_acceptance: { date: account.now(), ip: '127.0.0.1' },
      ...more,
    });

  const stands = ({
    charges_enabled,
    payouts_enabled,
    details_submitted,
    requirements,
    capabilities,
  }: Stripe.Account) => [
    capabilities?.card_payments,
    charges_enabled,
    payouts_enabled,
    details_submitted,
    requirements?.disabled_reason,
    requirements?.currently_due,
  ];

  const happened = async (id: string): Promise<string[]> =>
    (await account.stripe.events.list({ limit: 100 }, { stripeAccount: id })).data.map(({ type }) => type).reverse();

  test('parameters of older integrations: requested_capabilities, bank_account, and settings keep their types', async () => {
    const fields = form({
      type: 'custom',
      country: 'US',
      'requested_capabilities[0]': 'card_payments',
      'requested_capabilities[1]': 'transfers',
      'bank_account[country]': 'US',
      'bank_account[currency]': 'usd',
      'bank_account[account_number]': '000123456789',
      'bank_account[routing_number]': '110000000',
      'settings[payouts][debit_negative_balances]': 'true',
      'settings[payouts][schedule][interval]': 'manual',
    });
    const { body } = await call(account.sandbox, 'POST /v1/accounts', fields);
    expect(body).toMatchObject({
      capabilities: { card_payments: 'inactive', transfers: 'inactive' },
      external_accounts: { data: [{ last4: '6789', country: 'US' }] },
      settings: { payouts: { debit_negative_balances: true, schedule: { interval: 'manual', delay_days: 1 } } },
    });
  });

  test.each<[string, Stripe.AccountCreateParams, object]>([
    [
      'abroad all that was told is verified at once',
      { country: 'CA', default_currency: 'cad', individual: INDIVIDUAL, external_account: { ...BANK, country: 'CA' } },
      { charges_enabled: true, payouts_enabled: true, capabilities: { card_payments: 'active', transfers: 'active' } },
    ],
    [
      'elsewhere no state and no last digits are asked for',
      { country: 'DE', individual: { ...INDIVIDUAL, ssn_last_4: undefined, address: { ...INDIVIDUAL.address, state: '' } } },
      { requirements: { currently_due: ['external_account'] }, external_accounts: { data: [] } },
    ],
    [
      'a recipient shows a document some day',
      { country: 'KR', tos_acceptance: { service_agreement: 'recipient' }, individual: INDIVIDUAL },
      {
        requirements: { eventually_due: expect.arrayContaining(['individual.verification.document']) as unknown },
        individual: { verification: { status: 'unverified' }, first_name_kana: null },
      },
    ],
    [
      'a person in Singapore shows that it is alive',
      {
        country: 'SG',
        individual: { ...INDIVIDUAL, address: { ...INDIVIDUAL.address, country: 'SG' }, full_name_aliases: [''] },
        external_account: { ...BANK, country: 'SG', currency: 'sgd', routing_number: '1100-000' },
      },
      {
        requirements: { past_due: ['individual.verification.proof_of_liveness'] },
        capabilities: { transfers: 'active' },
      },
    ],
    [
      'and is told of it before, while something else lacks',
      { country: 'SG', individual: INDIVIDUAL },
      {
        individual: {
          requirements: {
            past_due: ['full_name_aliases'],
            eventually_due: ['full_name_aliases', 'verification.proof_of_liveness'],
          },
        },
      },
    ],
    [
      'without a capability the form asks for the business',
      { type: 'standard', country: 'AU', business_type: 'non_profit', capabilities: {}, tos_acceptance: undefined },
      {
        requirements: {
          past_due: [
            'business_profile.product_description',
            'business_profile.support_phone',
            'external_account',
            'tos_acceptance.date',
            'tos_acceptance.ip',
          ],
        },
        settings: { payouts: { debit_negative_balances: true } },
      },
    ],
    [
      'a person is the company of an individual',
      { individual: INDIVIDUAL },
      { company: { name: null, owners_provided: true, phone: '+10000000000', address: { city: 'San Francisco' } } },
    ],
    [
      'its address names it',
      { business_profile: { url: 'https://shop.example.com/', product_description: '' } },
      {
        business_profile: { product_description: '' },
        settings: {
          dashboard: { display_name: 'shop.example' },
          card_payments: { statement_descriptor_prefix: 'SHOP.EXAMP' },
          payments: { statement_descriptor: 'SHOP.EXAMPLE.COM' },
        },
      },
    ],
    [
      'its name goes before its address',
      { business_profile: { url: 'www.example.com', name: 'Buy More, LLC' } },
      {
        settings: {
          dashboard: { display_name: 'Buy More, LLC' },
          card_payments: { statement_descriptor_prefix: 'BUY MORE,' },
        },
      },
    ],
    [
      'a bank account abroad: its number, its bank, no instant payouts',
      {
        country: 'KR',
        external_account: { ...BANK, country: 'KR', currency: 'krw', routing_number: 'SGSEKRSLXXX' },
      },
      {
        external_accounts: {
          data: [
            {
              bank_name: 'SG SECURITIES KOREA CO., LTD.',
              available_payout_methods: ['standard'],
              requirements: { currently_due: [], errors: [], past_due: [], pending_verification: [] },
            },
          ],
        },
      },
    ],
  ])('accounts by country and name: %s', async (_, params, wanted) => {
    expect(await create({ tos_acceptance: { date: account.now(), ip: '127.0.0.1' }, ...params })).toMatchObject(wanted);
  });

  test('a document ends a verification that waits; other names may be none', async () => {
    const { stripe } = account;
    const { id, individual, requirements } = await create({ individual: INDIVIDUAL, external_account: BANK });
    expect(requirements?.pending_verification).toContain('individual.address.city');
    expect(individual?.requirements?.pending_verification).toContain('address.city');
    const person = await stripe.accounts.updatePerson(id, individual?.id ?? '', {
      verification: { document: { front: 'file_identity_document_success' } },
      full_name_aliases: [''],
    });
    expect(person).toMatchObject({
      full_name_aliases: [],
      verification: { status: 'verified', document: { front: expect.stringMatching(/^file_1/) as unknown } },
    });
    expect((await stripe.accounts.retrieve(id)).charges_enabled).toBe(true);
  });

  test('what a platform is in, its accounts are in too', async () => {
    await account.sandbox.control.reset({ t0: '2026-01-01T00:00:00Z' });
    await account.sandbox.control.call('POST', '/seed', { account: { business_profile: { mcc: '5192' } } });
    expect((await create()).business_profile?.mcc).toBe('5192');
    expect((await create({ business_profile: { mcc: '5734' } })).business_profile?.mcc).toBe('5734');
  });

  test.each([['btok_us'], ['btok_us_verified']])('%s stands for a bank account of a connected account', async (token) => {
    const { id } = await create();
    expect(await account.stripe.accounts.createExternalAccount(id, { external_account: token })).toMatchObject({
      object: 'bank_account',
      last4: '6789',
    });
  });

  test('the rows of verification: identity missing, only the bank missing, all given, verified, rejected', async () => {
    const { stripe } = account;
    const { id, requirements } = await create();
    expect(requirements?.currently_due).toEqual(
      ['external_account', 'individual.address.city', 'individual.address.line1', 'individual.address.postal_code']
        .concat(['individual.address.state', 'individual.dob.day', 'individual.dob.month', 'individual.dob.year'])
        .concat(['individual.email', 'individual.first_name', 'individual.last_name', 'individual.phone'])
        .concat(['individual.ssn_last_4']),
    );
    expect(requirements?.past_due).toEqual(requirements?.currently_due);
    const told = await stripe.accounts.update(id, { individual: INDIVIDUAL });
    expect(stands(told)).toEqual(['pending', false, false, false, 'requirements.past_due', ['external_account']]);
    expect(told.individual).toMatchObject({ phone: '+10000000000', ssn_last_4_provided: true });
    const bank = await stripe.accounts.createExternalAccount(id, { external_account: BANK });
    expect(bank).toMatchObject({ object: 'bank_account', account: id, last4: '6789', default_for_currency: true });
    const all = await stripe.accounts.retrieve(id);
    expect(stands(all)).toEqual(['pending', false, false, true, 'requirements.pending_verification', []]);
    await account.advance('10s');
    expect(stands(await stripe.accounts.retrieve(id))).toEqual(['active', true, true, true, null, []]);
    expect(await happened(id)).toEqual(
      expect.arrayContaining(['capability.updated', 'account.external_account.created', 'account.updated']),
    );
    await stripe.accounts.deleteExternalAccount(id, bank.id);
    const without = await stripe.accounts.retrieve(id);
    expect(stands(without).slice(0, 3)).toEqual(['active', true, false]);
    expect(stands(without).slice(4)).toEqual(['requirements.past_due', ['external_account']]);
    const rejected = await stripe.accounts.reject(id, { reason: 'fraud' });
    expect(stands(rejected).slice(0, 3)).toEqual(['inactive', false, false]);
    expect(rejected.requirements?.disabled_reason).toBe('rejected.fraud');
  });

  test.each<[string, Stripe.AccountCreateParams, unknown]>([
    [
      'verified in the answer',
      { individual: { ...INDIVIDUAL, dob: { day: 1, month: 1, year: 1902 } } },
      ['active', null],
    ],
    [
      'a number that mismatches',
      { individual: { ...INDIVIDUAL, id_number: '111111111' } },
      ['inactive', 'requirements.past_due'],
    ],
    [
      'an address that nobody finds',
      { individual: { ...INDIVIDUAL, address: { ...INDIVIDUAL.address, line1: 'address_no_match' } } },
      ['inactive', 'requirements.past_due'],
    ],
  ])('values of test mode: %s', async (_, more, wanted) => {
    const { id } = await create({ ...more, external_account: BANK });
    await account.advance('10s');
    const { capabilities, requirements } = await account.stripe.accounts.retrieve(id);
    expect([capabilities?.card_payments, requirements?.disabled_reason]).toEqual(wanted);
  });

  test('what only the outside decides: a check fails, a capability goes, payouts stop, the access is taken back', async () => {
    const { stripe } = account;
    const { id } = await create({ individual: INDIVIDUAL, external_account: BANK });
    await account.advance('10s');
    const fire = async (cause: string, params = {}): Promise<Stripe.Account> => {
      await account.fire(cause, { account_id: id, ...params });
      return stripe.accounts.retrieve(id);
    };
    const failed = await fire('account.verification_failed');
    expect(stands(failed)).toEqual([
      'inactive',
      false,
      false,
      false,
      'requirements.past_due',
      ['individual.verification.document'],
    ]);
    expect(failed.requirements?.errors).toMatchObject([{ requirement: 'individual.verification.document' }]);
    await fire('account.document_accepted');
    await account.advance('10s');
    expect(stands(await fire('account.payouts_disabled')).slice(0, 3)).toEqual(['active', true, false]);
    expect((await fire('account.payouts_enabled')).payouts_enabled).toBe(true);
    expect((await fire('capability.disabled')).capabilities).toEqual({
      card_payments: 'inactive',
      transfers: 'active',
    });
    expect((await stripe.accounts.retrieveCapability(id, 'card_payments')).status).toBe('disabled');
    expect((await fire('capability.enabled')).capabilities?.card_payments).toBe('active');
    await account.fire('account.deauthorized', { account_id: id });
    await expect(stripe.accounts.retrieve(id)).rejects.toMatchObject({ statusCode: 403, code: 'account_invalid' });
  });

  test('an account link leads to a form with three exits', async () => {
    const { stripe } = account;
    const { id } = await stripe.accounts.create({ type: 'express' });
    await expect(stripe.accounts.createLoginLink(id)).rejects.toThrow('has not completed onboarding');
    const link = (): Promise<Stripe.AccountLink> =>
      stripe.accountLinks.create({
        account: id,
        type: 'account_onboarding',
        refresh_url: 'https://example.com/again',
        return_url: 'https://example.com/back',
      });
    const first = await link();
    expect(first.expires_at - first.created).toBe(300);
    expect((await press(first.url, 'Leave for now')).headers.get('location')).toBe('https://example.com/back');
    expect((await press(first.url, 'Get another link')).headers.get('location')).toBe('https://example.com/again');
    const old = await link();
    await account.advance('6m');
    expect((await press(old.url, 'Get another link')).status).toBe(303);
    const second = await link();
    expect((await press(second.url, 'Submit all that is due')).headers.get('location')).toBe(
      'https://example.com/back',
    );
    await account.advance('10s');
    expect(stands(await stripe.accounts.retrieve(id))).toEqual(['active', true, true, true, null, []]);
    expect((await stripe.accounts.createLoginLink(id)).url).toContain(id);
    await expect(stripe.accountLinks.create({ account: id, type: 'account_update' })).rejects.toThrow('account_update');
    await expect(stripe.accountLinks.create({ account: 'acct_x', type: 'account_onboarding' })).rejects.toThrow(
      "The provided key 'sk_test_****' does not have access to account 'acct_x'",
    );
  });

  test('objects are seen in their account alone; the header is per request or per client', async () => {
    const { stripe } = account;
    const { id } = await stripe.accounts.create({ type: 'standard' });
    const there = await stripe.customers.create({ name: 'There' }, { stripeAccount: id });
    const here = await stripe.customers.create({ name: 'Here' });
    expect((await stripe.customers.list()).data.map((each) => each.id)).toEqual([here.id]);
    expect((await stripe.customers.list({}, { stripeAccount: id })).data.map((each) => each.id)).toEqual([there.id]);
    await expect(stripe.customers.retrieve(there.id)).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    await expect(stripe.invoices.create({ customer: here.id }, { stripeAccount: id })).rejects.toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'customer',
    });
    const { hostname, port } = new URL(account.sandbox.url);
    const own = new Stripe('sk_test_lab', { host: hostname, port, protocol: 'http', stripeAccount: id });
    expect((await own.customers.list()).data).toHaveLength(1);
    expect(await own.accounts.retrieveCurrent()).toMatchObject({ id, type: 'standard' });
    expect((await stripe.accounts.retrieveCurrent()).id).toBe(PLATFORM);
    expect((await own.customers.list()).lastResponse.headers['vendor-account']).toBe(id);
    for (const other of ['acct_1AAAAAAAAAAAAAAA', 'nonsense'])
      await expect(stripe.balance.retrieve({ stripeAccount: other })).rejects.toMatchObject({
        type: 'StripePermissionError',
        code: 'account_invalid',
      });
    await stripe.accounts.del(id);
    await expect(own.customers.list()).rejects.toMatchObject({ statusCode: 403 });
    expect((await stripe.accounts.list()).data).toEqual([]);
  });

  test.each<[string, Stripe.AccountCreateParams, string]>([
    ['type and controller', { type: 'custom', controller: { fees: { payer: 'account' } } }, 'mutually exclusive'],
    ['collecting alone', { controller: { requirement_collection: 'application' } }, 'must also control losses'],
    ['terms of an express account', { type: 'express', tos_acceptance: { date: 1_735_689_600, ip: '127.0.0.1' } }, 'Terms of Service'],
    [
      'a real bank number',
      { type: 'custom', external_account: { ...BANK, account_number: '123456789' } },
      'test bank account number',
    ],
    [
      'a capability that no account has',
      { type: 'custom', capabilities: { card_payment: { requested: true } } as Stripe.AccountCreateParams.Capabilities },
      'Received unknown parameter: capabilities[card_payment]',
    ],
  ])('is refused: %s', async (_, params, message) => {
    await expect(account.stripe.accounts.create(params)).rejects.toThrow(message);
  });

  test('an account sees itself alone; links, sessions and accounts are made by the platform', async () => {
    const { stripe } = account;
    const [a, b] = [await create(), await create({ email: 'b@example.com' })];
    const asA = { stripeAccount: a.id };
    expect((await stripe.accounts.list({}, asA)).data.map(({ id }) => id)).toEqual([a.id]);
    expect((await stripe.accounts.list()).data.map(({ id }) => id)).toEqual([b.id, a.id]);
    const onlyPlatforms = { code: 'platform_account_required', statusCode: 400 };
    for (const id of [a.id, b.id]) {
      await expect(
        stripe.accountSessions.create({ account: id, components: { payments: { enabled: true } } }, asA),
      ).rejects.toMatchObject(onlyPlatforms);
      await expect(
        stripe.accountLinks.create(
          { account: id, type: 'account_onboarding', refresh_url: 'https://x.test/', return_url: 'https://x.test/' },
          asA,
        ),
      ).rejects.toMatchObject(onlyPlatforms);
    }
    await expect(stripe.accounts.create({ type: 'standard' }, asA)).rejects.toMatchObject(onlyPlatforms);
  });

  test('a company has persons', async () => {
    const { stripe } = account;
    const { id } = await create({ business_type: 'company', company: { name: 'Acme' } });
    const person = await stripe.accounts.createPerson(id, {
      first_name: 'Ann',
      relationship: { representative: true, title: 'CEO' },
    });
    const due = (await stripe.accounts.retrieve(id)).requirements?.currently_due;
    expect(due).toEqual(
      expect.arrayContaining(['company.tax_id', 'company.owners_provided', `${person.id}.last_name`]),
    );
    expect(due).not.toContain(`${person.id}.first_name`);
    expect((await stripe.accounts.listPersons(id, { relationship: { representative: true } })).data).toHaveLength(1);
    await stripe.accounts.updatePerson(id, person.id, { last_name: 'Lee' });
    await stripe.accounts.deletePerson(id, person.id);
    expect((await stripe.accounts.retrieve(id)).requirements?.currently_due).toContain('representative.first_name');
  });

  test("endpoints with `connect` get the events of accounts, with `account`; the others the platform's", async () => {
    const { stripe, sandbox } = account;
    const receiver = await WebhookReceiver.start();
    const connect = await stripe.webhookEndpoints.create({
      url: `${receiver.url}/connect`,
      enabled_events: ['*'],
      connect: true,
    });
    await stripe.webhookEndpoints.create({ url: `${receiver.url}/own`, enabled_events: ['*'] });
    const { id } = await stripe.accounts.create({ type: 'standard' });
    await stripe.customers.create({ name: 'There' }, { stripeAccount: id });
    await stripe.customers.create({ name: 'Here' });
    await sandbox.control.flush();
    const got = receiver.received.map(({ path, headers, body }) => {
      const event = JSON.parse(body) as Stripe.Event;
      return { path, event, headers, body };
    });
    expect(got.map(({ path, event }) => [path, event.type, event.account ?? null]).sort()).toEqual([
      ['/connect', 'account.updated', id],
      ['/connect', 'customer.created', id],
      ['/own', 'customer.created', null],
    ]);
    const sent = got.find(({ path, event }) => path === '/connect' && event.type === 'customer.created');
    const event = stripe.webhooks.constructEvent(
      String(sent?.body),
      String(sent?.headers['vendor-signature']),
      String(connect.secret),
    );
    expect(event.account).toBe(id);
    expect(got.every(({ path, event: each }) => path === '/connect' || !('account' in each))).toBe(true);
    await receiver.stop();
  });
});
