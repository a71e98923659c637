/** Starts the server of each sample and runs the sample's own specs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, graded, served } from './graders.mjs';
import { call } from './kit.mjs';

const recurring = { 'recurring[interval]': 'month', 'product_data[name]': 'Sample' };
const price = async (more) => (await call('POST', '/v1/prices', { currency: 'usd', unit_amount: '500', ...more })).id;
const common = {
  DOMAIN: 'http://localhost:4242',
  PAYMENT_METHOD_TYPES: 'card',
  PRICE: await price({ 'product_data[name]': 'Photo' }),
  BASIC_PRICE_ID: await price(recurring),
  PRO_PRICE_ID: await price(recurring),
};
await call('POST', '/v1/customers', { email: 'somebody@example.com' });
// One sample also reads plan ids from the environment, and uses the newest price at first, so the premium price is created before the other.
common.PREMIUM = await price({ ...recurring, lookup_key: 'sample_premium' });
common.BASIC = await price({ ...recurring, lookup_key: 'sample_basic' });

const SAMPLES = [
  ['accept-a-payment', 'custom-payment-flow', 'custom_payment_flow_server_spec.rb', '../../client/html'],
  ['accept-a-payment', 'payment-element', 'payment_element_server_spec.rb', '../../client/html'],
  ['accept-a-payment', 'prebuilt-checkout-page', 'prebuilt_checkout_page_spec.rb', '../../client/html'],
  ['checkout-one-time-payments', '', 'client_and_server_spec.rb', '../../client/html'],
  ['checkout-single-subscription', '', 'server_spec.rb', '../../client'],
  ['subscription-use-cases', 'fixed-price-subscriptions', 'fixed_price_server_spec.rb', '../../client/vanillajs'],
];

for (const [repository, part, spec, STATIC_DIR] of SAMPLES) {
  const root = join(process.cwd(), repository);
  const env = environment('15.2.1', { ...common, STATIC_DIR });
  const server = join(root, part, 'server', 'node');
  writeFileSync(join(server, '.env'), ''); // The server requires a `.env` file; the process environment already contains its variables.
  await served(server, [process.execPath, ...process.execArgv, 'server.js'], env, () =>
    graded(part || repository, root, ['-I', 'spec', '-r', 'spec_helper', join('spec', spec)], env),
  );
}
