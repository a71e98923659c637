/** Starts the server of each sample and runs its own browser specs; the browser resolves the vendor's hosts to the sandbox. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { environment, graded, served } from './graders.mjs';
import { call, control, url } from './kit.mjs';

const folder = process.cwd();
const recurring = { 'recurring[interval]': 'month', 'product_data[name]': 'Sample' };
const price = async (more) => (await call('POST', '/v1/prices', { currency: 'usd', unit_amount: '500', ...more })).id;
const photo = (unit_amount) => price({ unit_amount, 'product_data[name]': 'Photo' });
// Both samples expect a total of 2000: for one photo, and for two.
const PRICES = { 'prebuilt-checkout-page': await photo('2000'), 'checkout-one-time-payments': await photo('1000') };
for (const plan of ['basic', 'premium']) await price({ ...recurring, lookup_key: `sample_${plan}` });

// Pages load the vendor's script by HTTPS; the browser maps its host to this server.
const [keyFile, certFile] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=sandbox'];
execFileSync('openssl', [...made, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' });
const front = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (incoming, outgoing) => {
  const { method, headers } = incoming;
  const passed = request(new URL(incoming.url, url), { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode, response.headers);
    response.pipe(outgoing);
  });
  passed.on('error', () => outgoing.destroy());
  incoming.pipe(passed);
});
await new Promise((resolve) => front.listen(0, '127.0.0.1', resolve));

// The specs configure the browser in the file of their screenshot library, which this stub replaces.
mkdirSync(join(folder, 'stubs', 'capybara-screenshot'), { recursive: true });
writeFileSync(
  join(folder, 'stubs', 'capybara-screenshot', 'rspec.rb'),
  `module Capybara::Screenshot
  def self.register_driver(*) = nil
end
class Addrinfo
  def ipv4_private? = ipv4? # whatever network this machine is in
end
Selenium::WebDriver::Chrome::Options.prepend(Module.new do
  def initialize(**options)
    super
    %w[--headless=new --no-sandbox --disable-dev-shm-usage
       --ignore-certificate-errors --window-size=1360,1020].each { |each| add_argument(each) }
    add_argument('--host-resolver-rules=MAP *.stripe.com 127.0.0.1:${front.address().port}')
  end
end)
`,
);
const DRIVER_PORT = 9517;
const driver = spawn('chromedriver', [`--port=${DRIVER_PORT}`], { stdio: 'ignore' });

// Shortens debit settlement to seconds, so that it happens while a page waits.
await control('POST', '/clock/durations', { durations: { debit_settlement: '4s' } });
const clock = setInterval(() => void control('POST', '/clock/advance', { duration: '1s' }), 1_000);

const SAMPLES = [
  ['accept-a-payment', 'custom-payment-flow', 'custom_payment_flow_e2e_spec.rb', '../../client/html'],
  ['accept-a-payment', 'payment-element', 'payment_element_e2e_spec.rb', '../../client/html'],
  ['accept-a-payment', 'prebuilt-checkout-page', 'prebuilt_checkout_page_e2e_spec.rb', '../../client/html'],
  [
    'accept-a-payment',
    'elements-with-checkout-sessions',
    'elements_with_checkout_sessions_e2e_spec.rb',
    '../../client/html',
  ],
  ['checkout-one-time-payments', '', 'e2e_spec.rb', '../../client/html'],
  ['subscription-use-cases', 'fixed-price-subscriptions', 'fixed_price_e2e_spec.rb', '../../client/vanillajs'],
];
try {
  for (const [repository, part, spec, STATIC_DIR] of SAMPLES) {
    const root = join(folder, repository);
    const env = environment('15.2.1', {
      DOMAIN: 'http://localhost:4242',
      SERVER_URL: 'http://localhost:4242',
      PAYMENT_METHOD_TYPES: 'card',
      SELENIUM_URL: `http://127.0.0.1:${DRIVER_PORT}`,
      PRICE: PRICES[part || repository] ?? '',
      STATIC_DIR,
    });
    const server = join(root, part, 'server', 'node');
    writeFileSync(join(server, '.env'), ''); // The server requires a `.env` file; the process environment already contains its variables.
    await served(server, [process.execPath, ...process.execArgv, 'server.js'], env, () =>
      graded(part || repository, root, ['-I', 'spec', join('spec', spec)], env),
    );
  }
} finally {
  clearInterval(clock);
  driver.kill();
  front.close();
}
