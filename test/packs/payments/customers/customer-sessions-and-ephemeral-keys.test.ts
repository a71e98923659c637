import { useTestAccount } from '../test-account.js';

const START = '2025-03-03T10:00:00Z';

describe('features, customer sessions, ephemeral keys', () => {
  const account = useTestAccount(START);

  test('features of a product', async () => {
    const { stripe } = account;
    const feature = await stripe.entitlements.features.create({ name: 'Export', lookup_key: 'export' });
    await expect(stripe.entitlements.features.create({ name: 'Other', lookup_key: 'export' })).rejects.toMatchObject({
      code: 'resource_already_exists',
    });
    const product = await stripe.products.create({ name: 'Gold' });
    const link = await stripe.products.createFeature(product.id, { entitlement_feature: feature.id });
    expect(link.entitlement_feature).toEqual(feature);
    await expect(stripe.products.createFeature(product.id, { entitlement_feature: feature.id })).rejects.toMatchObject({
      code: 'resource_already_exists',
    });
    expect((await stripe.products.listFeatures(product.id)).data).toEqual([link]);
    const other = await stripe.products.create({ name: 'Silver' });
    expect((await stripe.products.listFeatures(other.id)).data).toEqual([]);
    await expect(stripe.products.retrieveFeature(other.id, link.id)).rejects.toMatchObject({ statusCode: 404 });
    await stripe.entitlements.features.update(feature.id, { active: false, name: 'Exports', metadata: { a: 'b' } });
    expect(await stripe.products.retrieveFeature(product.id, link.id)).toMatchObject({
      entitlement_feature: { id: feature.id, name: 'Exports', active: false, metadata: { a: 'b' } },
    });
    await expect(stripe.products.createFeature(other.id, { entitlement_feature: feature.id })).rejects.toThrow(
      'archived',
    );
    expect((await stripe.entitlements.features.list({ archived: true })).data).toHaveLength(1);
    expect((await stripe.entitlements.features.list({ archived: false })).data).toHaveLength(0);
    expect((await stripe.entitlements.features.list({ lookup_key: 'export' })).data).toHaveLength(1);
    expect(await stripe.entitlements.features.retrieve(feature.id)).toMatchObject({ lookup_key: 'export' });
    expect(await stripe.products.deleteFeature(product.id, link.id)).toEqual({
      id: link.id,
      object: 'product_feature',
      deleted: true,
    });
    expect((await stripe.products.listFeatures(product.id)).data).toEqual([]);
  });

  test('a customer session', async () => {
    const { stripe } = account;
    const customer = await stripe.customers.create();
    const session = await stripe.customerSessions.create({
      customer: customer.id,
      components: {
        payment_element: {
          enabled: true,
          features: { payment_method_save: 'enabled', payment_method_save_usage: 'off_session' },
        },
      },
      expand: ['customer'],
    });
    expect(session).toEqual({
      object: 'customer_session',
      client_secret: expect.stringMatching(/^cuss_secret_\w{47}$/) as string,
      components: {
        buy_button: { enabled: false },
        payment_element: {
          enabled: true,
          features: {
            payment_method_allow_redisplay_filters: ['always'],
            payment_method_redisplay: 'disabled',
            payment_method_redisplay_limit: 3,
            payment_method_remove: 'disabled',
            payment_method_save: 'enabled',
            payment_method_save_usage: 'off_session',
          },
        },
        pricing_table: { enabled: false },
      },
      created: account.now(),
      customer,
      expires_at: account.now() + 1800,
      livemode: false,
    });
    const table = await stripe.customerSessions.create({
      customer: customer.id,
      components: { pricing_table: { enabled: true } },
    });
    expect(table.components?.payment_element).toEqual({ enabled: false, features: null });
    await expect(stripe.customerSessions.create({ customer: customer.id, components: {} })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  test('an ephemeral key tells its secret once', async () => {
    const { stripe } = account;
    const customer = await stripe.customers.create();
    const key = await stripe.ephemeralKeys.create({ customer: customer.id }, { apiVersion: '2024-12-18.acacia' });
    expect(key).toMatchObject({
      object: 'ephemeral_key',
      associated_objects: [{ id: customer.id, type: 'customer' }],
      created: account.now(),
      expires: account.now() + 3600,
      secret: expect.stringMatching(/^ek_test_\w+$/) as string,
    });
    const gone = await stripe.ephemeralKeys.del(key.id);
    expect(gone).toMatchObject({ id: key.id, expires: account.now() });
    expect(gone.secret).toBeUndefined();
    await expect(stripe.ephemeralKeys.del(key.id)).rejects.toMatchObject({ statusCode: 404 });
    const options = { apiVersion: '2024-12-18.acacia' };
    await expect(stripe.ephemeralKeys.create({ issuing_card: 'ic_1' }, options)).rejects.toThrow(
      'outside this sandbox',
    );
    await expect(stripe.ephemeralKeys.create({}, options)).rejects.toMatchObject({ code: 'parameter_missing' });
  });

  describe('a publishable key', () => {
    const browser = { apiKey: 'pk_test_lab' };

    test('pays with the client secret', async () => {
      const { stripe } = account;
      const intent = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
      const client_secret = intent.client_secret ?? '';
      const method = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } }, browser);
      const params: Record<string, string> = { payment_method: method.id, client_secret };
      await expect(stripe.paymentIntents.retrieve(intent.id, browser)).rejects.toMatchObject({
        code: 'parameter_missing',
        param: 'client_secret',
      });
      expect((await stripe.paymentIntents.retrieve(intent.id, { client_secret }, browser)).id).toBe(intent.id);
      expect((await stripe.paymentIntents.confirm(intent.id, params, browser)).status).toBe('succeeded');
      const setup = await stripe.setupIntents.create({ payment_method_types: ['card'] });
      const other: Record<string, string> = {
        payment_method: 'pm_card_visa',
        client_secret: setup.client_secret ?? '',
      };
      expect((await stripe.setupIntents.confirm(setup.id, other, browser)).status).toBe('succeeded');
    });

    test('makes tokens and sources', async () => {
      const { stripe } = account;
      const token = await stripe.tokens.create({ pii: { id_number: '000000000' } }, browser);
      expect((await stripe.tokens.retrieve(token.id, browser)).id).toBe(token.id);
      const source = await stripe.sources.create({ type: 'card', token: 'tok_visa' }, browser);
      const { client_secret } = source;
      expect((await stripe.sources.retrieve(source.id, { client_secret }, browser)).id).toBe(source.id);
    });

    test('opens nothing else', async () => {
      const { stripe } = account;
      const refused = { statusCode: 403, code: 'secret_key_required' };
      await expect(stripe.customers.list({}, browser)).rejects.toMatchObject(refused);
      await expect(stripe.paymentIntents.create({ amount: 1000, currency: 'usd' }, browser)).rejects.toMatchObject(
        refused,
      );
      await expect(stripe.customers.list({}, { apiKey: 'pk_test_other' })).rejects.toMatchObject({ statusCode: 401 });
    });
  });
});
