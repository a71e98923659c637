/** Public applications in PHP, Ruby and Python under `sandbox up`, as for a new user: detected, started, and used once. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { equal, step, until, withCookies } from './kit.mjs';

const here = process.cwd();
const client = (...path) => join(here, 'clients', ...path);

/** The environment without the addresses of this program's own world. */
const bare = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SANDBOX_')));
const sandbox = (cwd, ...args) =>
  spawnSync(process.execPath, [process.env.SANDBOX_COMMAND, ...args], { cwd, env: bare, encoding: 'utf8' });

/** Returns functions that call a vendor's control API and vendor API. */
function vendorAt(url, key) {
  const send = async (method, path, body, type) => {
    const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) };
    const text = await (await fetch(url + path, { method, headers, body })).text();
    return text === '' ? null : JSON.parse(text);
  };
  const json = (method, path, body) => send(method, path, body && JSON.stringify(body), 'application/json');
  return {
    json,
    form: (path, form) => send('POST', path, new URLSearchParams(form).toString(), 'application/x-www-form-urlencoded'),
    state: async (resource) => (await json('GET', `/__admin__/state?resource=${resource}`)).resources[resource] ?? [],
    happens: (cause, params) => json('POST', '/__admin__/world/events', { cause, params }),
  };
}

/**
 * Starts an application with its vendors, uses it, and stops both.
 * @param pack the vendor that it uses
 * @param port undefined: the application exits by itself
 * @param company changes its sandbox.yaml
 * @param prepare writes files such as `.env` before the start; returns environment variables
 */
async function application({ name, folder, pack, port, command, company, prepare = () => ({}) }, use) {
  const cwd = join(here, folder);
  const found = await step(`${name}: its vendor is found`, () => {
    const { stdout } = sandbox(cwd, 'up', '--check', '--json');
    equal(
      JSON.parse(stdout).found.map((each) => each.pack),
      [pack],
      'vendors',
    );
    return true;
  });
  if (!found) return;
  const origin = `http://localhost:${port ?? 3000}`;
  const left = () => {
    const { status, signal, stdout, stderr } = sandbox(cwd, 'up', '--app', origin, '--port', '0', '--detach', '--json');
    if (status !== 0) throw new Error(`${name}: sandbox up ended with ${status ?? signal}: ${stderr}`);
    return JSON.parse(stdout);
  };
  let running = left();
  if (company !== undefined) {
    sandbox(cwd, 'down');
    const file = join(cwd, 'sandbox.yaml');
    writeFileSync(file, company(readFileSync(file, 'utf8')));
    running = left();
  }
  const { url, key, env } = running;
  const word = pack.replaceAll('-', '_').toUpperCase();
  const vendor = vendorAt(env[`SANDBOX_${word}_URL`], env[`SANDBOX_${word}_KEY`]);
  const advance = (duration) => vendorAt(url, key).json('POST', '/__admin__/clock/advance', { duration, pace: true });
  const variables = { ...bare, ...env, ...(await prepare({ cwd, env, vendor })) };
  const args = [process.env.SANDBOX_COMMAND, 'up', '--', ...command];
  const child = spawn(process.execPath, args, { cwd, env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const ended = new Promise((resolve) => child.on('close', resolve));
  const serves = () =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  try {
    await step(`${name}: it ${port === undefined ? 'ends well' : 'starts'}`, async () => {
      if (port === undefined) return equal(await ended, 0, printed.slice(-300));
      for (let n = 0; n < 60 && child.exitCode === null && !(await serves()); n++)
        await new Promise((resolve) => setTimeout(resolve, 500));
      if (!(await serves())) throw new Error(printed.slice(-300));
    });
    await use({ cwd, origin, vendor, advance, variables, printed: () => printed });
  } finally {
    child.kill();
    await ended;
    sandbox(cwd, 'down');
  }
}

/** Writes the autoload file that `composer install` would generate. */
function composer(cwd, namespace, folder) {
  mkdirSync(join(cwd, 'vendor'), { recursive: true });
  const autoload = `<?php
require 'Dotenv/autoload.php';
spl_autoload_register(function ($class) {
    $file = '${folder}/' . strtr(substr($class, strlen('${namespace}')), '\\\\', '/') . '.php';
    if (strpos($class, '${namespace}') === 0 && is_file($file)) require $file;
});
`;
  writeFileSync(join(cwd, 'vendor', 'autoload.php'), autoload);
}

const dotenv = (cwd, variables) =>
  writeFileSync(
    join(cwd, '.env'),
    Object.entries(variables)
      .map((pair) => `${pair.join('=')}\n`)
      .join(''),
  );
const ruby = (...names) => ({ RUBYLIB: names.map((each) => client(each, 'lib')).join(':') });
const posted = (url, form) => fetch(url, { method: 'POST', body: new URLSearchParams(form) });

/** Pays with a card in the application, and checks that its webhook receives the event. */
async function paid(name, secret, { vendor, printed }, said) {
  await step(`${name}: the payment succeeds, and its webhook takes it`, async () => {
    const { status } = await vendor.form(`/v1/payment_intents/${secret.split('_secret')[0]}/confirm`, {
      payment_method: 'pm_card_visa',
      return_url: 'https://example.com',
    });
    equal(status, 'succeeded', 'its status');
    await until(() => printed().includes(said), said);
  });
}

const payment = 'accept-a-payment/custom-payment-flow/server';
await application(
  {
    name: 'accept-a-payment in PHP',
    folder: `${payment}/php`,
    pack: 'payments',
    port: 4242,
    command: ['sh', '-c', 'cd public && exec php -S localhost:4242'],
    prepare: ({ cwd, env }) => {
      composer(cwd, 'Stripe', client('stripe-php', 'lib'));
      dotenv(cwd, env);
      return {};
    },
  },
  async (app) => {
    const secret = await step('accept-a-payment in PHP: a payment', async () => {
      const page = await (await fetch(`${app.origin}/card.php`)).text();
      return /pi_\w+_secret_\w+/.exec(page)[0];
    });
    await paid('accept-a-payment in PHP', secret, app, 'Payment received!');
  },
);

await application(
  {
    name: 'accept-a-payment in Ruby',
    folder: `${payment}/ruby`,
    pack: 'payments',
    port: 4242,
    command: ['ruby', '-W0', 'server.rb'],
    prepare: ({ cwd, env }) => {
      dotenv(cwd, { ...env, STATIC_DIR: '../../client/html' });
      return ruby('stripe-ruby', 'dotenv');
    },
  },
  async (app) => {
    const secret = await step('accept-a-payment in Ruby: a payment', async () => {
      const body = JSON.stringify({ paymentMethodType: 'card', currency: 'usd' });
      const response = await fetch(`${app.origin}/create-payment-intent`, { method: 'POST', body });
      return (await response.json()).clientSecret;
    });
    await paid('accept-a-payment in Ruby', secret, app, 'Payment received!');
  },
);

await application(
  {
    name: 'checkout-single-subscription in Ruby',
    folder: 'checkout-single-subscription/server/ruby',
    pack: 'payments',
    port: 4242,
    command: ['ruby', '-W0', 'server.rb'],
    company: (text) => text.replace('vendor: stripe\n', 'vendor: stripe\n      page_hosts: vendor\n'),
    prepare: async ({ cwd, env, vendor }) => {
      const price = {
        currency: 'usd',
        unit_amount: '500',
        'product_data[name]': 'Plan',
        'recurring[interval]': 'month',
      };
      const [{ id: BASIC_PRICE_ID }, { id: PRO_PRICE_ID }] = [
        await vendor.form('/v1/prices', price),
        await vendor.form('/v1/prices', price),
      ];
      await vendor.form('/v1/customers', { email: 'somebody@example.com' });
      const own = { BASIC_PRICE_ID, PRO_PRICE_ID, DOMAIN: 'http://localhost:4242', STATIC_DIR: '../../client' };
      dotenv(cwd, { ...env, ...own });
      return { ...own, ...ruby('stripe-ruby', 'dotenv', 'stubs') };
    },
  },
  async ({ cwd, variables }) => {
    mkdirSync(client('stubs', 'lib'), { recursive: true });
    writeFileSync(client('stubs', 'lib', 'byebug.rb'), '# The specs load a debugger and call nothing of it.\n');
    const rspec = 'cd ../.. && rspec -r ./spec/spec_helper.rb --format json spec/server_spec.rb';
    const run = [process.env.SANDBOX_COMMAND, 'up', '--', 'sh', '-c', rspec];
    const { stdout } = spawnSync(process.execPath, run, { cwd, env: variables, encoding: 'utf8' });
    const { examples } = JSON.parse(stdout.slice(stdout.indexOf('{"version"')));
    for (const { full_description: example, status, exception } of examples)
      await step(`checkout-single-subscription in Ruby: ${example}`, () =>
        equal(status, 'passed', exception?.message ?? 'the example'),
      );
  },
);

await application(
  {
    name: 'clicktocall-php',
    folder: 'clicktocall-php',
    pack: 'messaging',
    port: 8000,
    command: ['make', 'serve'],
    prepare: ({ cwd, env }) => {
      composer(cwd, 'Twilio', client('twilio-php', 'src', 'Twilio'));
      dotenv(cwd, env);
      return {};
    },
  },
  async ({ origin, vendor, advance, printed }) => {
    await step('clicktocall-php: a click is a call, which asks the application what to say', async () => {
      const form = { userPhone: '+14155550100', salesPhone: '+14155550123' };
      equal(await (await posted(`${origin}/call.php`, form)).text(), 'Call Incoming !', 'its response');
      await advance('10s');
      await until(() => printed().includes('POST /outbound.php'), 'its question');
      equal((await vendor.state('calls'))[0].status, 'in-progress', 'the call');
    });
  },
);

await application(
  {
    name: 'building-a-ci-server',
    folder: 'platform-samples/api/ruby/building-a-ci-server',
    pack: 'code-hosting',
    port: 4567,
    command: ['rackup', '-p', '4567'],
    prepare: ({ env }) => ({ MY_PERSONAL_TOKEN: env.GITHUB_TOKEN }),
  },
  async ({ vendor: { json } }) => {
    await step('building-a-ci-server: a pull request has the status of its build', async () => {
      const { full_name: repository } = await json('POST', '/user/repos', { name: 'built', auto_init: true });
      const config = { url: 'http://localhost:4567/event_handler', content_type: 'form' };
      await json('POST', `/repos/${repository}/hooks`, { name: 'web', events: ['pull_request'], config });
      const { object } = await json('GET', `/repos/${repository}/git/ref/heads/main`);
      await json('POST', `/repos/${repository}/git/refs`, { ref: 'refs/heads/new', sha: object.sha });
      const file = { message: 'a file', content: 'YQ==', branch: 'new' };
      await json('PUT', `/repos/${repository}/contents/a.txt`, file);
      const { head } = await json('POST', `/repos/${repository}/pulls`, { title: 'New', head: 'new', base: 'main' });
      const statuses = async () => await json('GET', `/repos/${repository}/commits/${head.sha}/statuses`);
      await until(async () => (await statuses()).length === 2, 'both statuses');
      equal(
        (await statuses()).map(({ state }) => state),
        ['success', 'pending'],
        'statuses',
      );
    });
  },
);

await application(
  {
    name: 'lead-alerts-rails',
    folder: 'lead-alerts-rails',
    pack: 'messaging',
    port: 3917,
    command: ['ruby', '-W0', 'bin/rails', 'server', '-p', '3917'],
    prepare: () => {
      // Uses Debian's gems and the vendor's client. Without webpacker, the page's form lacks its token, which Rails doesn't check in tests.
      const gems = ['rails', 'sqlite3', 'haml-rails', 'jquery-rails', 'turbolinks', 'listen', 'puma'];
      const lines = [...gems.map((each) => `gem '${each}'`), `gem 'twilio-ruby', path: '${client('twilio-ruby')}'`];
      writeFileSync(client('Gemfile'), `${lines.join('\n')}\n`);
      const own = "s.name = 'twilio-ruby'; s.version = '5.57.1'; s.summary = s.author = 'its author'";
      const needed = ['jwt', 'faraday', 'nokogiri'].map((each) => `s.add_dependency '${each}'`).join('; ');
      const specification = `Gem::Specification.new { |s| ${own}; ${needed} }\n`;
      writeFileSync(client('twilio-ruby', 'twilio-ruby.gemspec'), specification);
      return { BUNDLE_GEMFILE: client('Gemfile'), RAILS_ENV: 'test', AGENT_NUMBER: '+14155550123' };
    },
  },
  async ({ origin, vendor }) => {
    await step('lead-alerts-rails: a lead is a message to the agent', async () => {
      const form = { name: 'Ada', phone: '+14155550100', message: 'Is it warm?', house_title: 'Lane' };
      const body = new URLSearchParams(form);
      equal(
        (await fetch(`${origin}/notifications`, { method: 'POST', body, redirect: 'manual' })).status,
        302,
        'status',
      );
      const [{ to, from, body: text }] = await vendor.state('messages');
      equal([to, from, text.includes('Is it warm?')], ['+14155550123', '+15005550006', true], 'the message');
    });
  },
);

for (const [example, texts] of [
  ['hi_web/hi.rb', ['Hello World']],
  ['new_ticket/new_ticket.rb', ['']],
  ['files_upload_v2/files_upload_v2.rb', ['', '', '', '']],
])
  await application(
    {
      name: `slack-ruby-client, ${example}`,
      folder: join('slack-ruby-client', 'examples', dirname(example)),
      pack: 'team-chat',
      command: ['ruby', '-W0', basename(example)],
      prepare: async ({ vendor }) => {
        await vendor.form('/api/conversations.create', { name: 'random' });
        await vendor.form('/api/conversations.join', { channel: 'C0GENERAL' });
        const libraries = ['faraday', 'faraday-net_http', 'faraday-mashify', 'faraday-multipart'];
        const { RUBYLIB } = ruby(...libraries);
        return { RUBYLIB: `${join(here, 'slack-ruby-client', 'lib')}:${RUBYLIB}` };
      },
    },
    async ({ vendor }) => {
      await step(`slack-ruby-client, ${example}: what it posts`, async () => {
        const { messages } = await vendor.form('/api/conversations.history', { channel: 'C0GENERAL' });
        equal(
          messages.filter(({ subtype }) => subtype !== 'channel_join').map(({ text }) => text),
          texts,
          'texts',
        );
      });
    },
  );

const django = ['/usr/bin/python3', '-W', 'ignore', 'manage.py'];
await application(
  {
    name: 'dj-stripe',
    folder: 'dj-stripe',
    pack: 'payments',
    port: 8123,
    command: [...django, 'runserver', '8123', '--noreload'],
    // dj-stripe only accepts keys of letters and digits.
    company: (text) => text.replace(/key: .*/, 'key: sk_test_0123456789abcdefghijklmn'),
    prepare: async ({ cwd, env, vendor }) => {
      // Writes the metadata files that `pip install` would write.
      mkdirSync(client('site', 'dj_stripe-2.8.4.dist-info'), { recursive: true });
      const metadata = 'Metadata-Version: 2.1\nName: dj-stripe\nVersion: 2.8.4\n';
      writeFileSync(client('site', 'dj_stripe-2.8.4.dist-info', 'METADATA'), metadata);
      const own = {
        DJSTRIPE_TEST_DB_VENDOR: 'sqlite',
        PYTHONPATH: [client('site'), client('stripe-python')].join(':'),
      };
      await vendor.form('/v1/plans', { amount: '500', currency: 'usd', interval: 'month', 'product[name]': 'Gold' });
      const adds = `from djstripe.models import APIKey; APIKey.objects.get_or_create_by_api_key('${env.STRIPE_SECRET_KEY}')`;
      for (const args of [['migrate'], ['shell', '-c', adds], ['djstripe_sync_models', 'Plan']]) {
        const command = [process.env.SANDBOX_COMMAND, 'up', '--', ...django, ...args];
        spawnSync(process.execPath, command, { cwd, env: { ...bare, ...env, ...own } });
      }
      return own;
    },
  },
  async ({ origin, vendor }) => {
    await step('dj-stripe: somebody subscribes on its page, and the subscription is saved', async () => {
      const send = withCookies(origin, fetch);
      const page = await (await send('/example/purchase-subscription')).text();
      const [, csrfmiddlewaretoken] = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(page);
      const form = { csrfmiddlewaretoken, email: 'ada@example.com', plan: '1', stripe_source: 'tok_visa' };
      const body = new URLSearchParams(form);
      const response = await send('/example/purchase-subscription', { method: 'POST', body, redirect: 'manual' });
      const { data } = await vendor.json('GET', '/v1/subscriptions');
      equal([response.status, data.length, data[0].status], [302, 1, 'active'], 'the subscription');
      // The view has saved the payment before this redirect; the template of the next page has an error, so that page isn't loaded.
      equal(response.headers.get('location').endsWith(data[0].id), true, 'where it leads');
    });
  },
);

await step('Guzzle and Symfony, by curl and by streams', () => {
  const command = ['exec', 'payments', '--redirect', '--', 'php', 'clients.php'];
  const { stdout, stderr } = sandbox(here, ...command);
  equal(
    stdout,
    'Guzzle 200\nGuzzle async 200\nGuzzle streams 200\nSymfony 200\nSymfony streams 200\n',
    stderr || 'lines',
  );
});

for (const [language, command, paths] of [
  ['ruby', ['ruby', '-W0', 'app.rb'], ruby('plaid-ruby', 'faraday-multipart', 'dotenv')],
  ['python', ['/usr/bin/python3', 'server.py'], { PYTHONPATH: client('plaid-python') }],
]) {
  const name = `plaid/quickstart in ${language}`;
  await application(
    {
      name,
      folder: `quickstart/${language}`,
      pack: 'bank-data',
      port: 8000,
      command,
      prepare: () => ({
        ...paths,
        PLAID_ENV: 'sandbox',
        PLAID_PRODUCTS: 'auth,transactions,identity',
        PLAID_COUNTRY_CODES: 'US',
      }),
    },
    async ({ origin, vendor, advance }) => {
      const api = async (method, path, form) => {
        const body = form && new URLSearchParams(form);
        const response = await fetch(`${origin}/api/${path}`, { method, body });
        const text = await response.text();
        if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
        return JSON.parse(text);
      };
      await step(`${name}: what somebody linked is exchanged for an access token`, async () => {
        const { link_token } = await api('POST', 'create_link_token', {});
        await vendor.happens('link.finished', { link_token });
        const token = (await vendor.state('public_tokens')).at(-1).id;
        const { access_token } = await api('POST', 'set_access_token', { public_token: token });
        equal(access_token.startsWith('access-sandbox-'), true, 'the token');
      });
      for (const [path, count] of [
        ['accounts', ({ accounts }) => accounts.length],
        ['balance', ({ accounts }) => accounts.length],
        ['auth', ({ numbers }) => numbers.ach.length],
        ['identity', ({ identity }) => identity[0].owners.length],
      ])
        await step(`${name}: ${path}`, async () => equal(count(await api('GET', path)) > 0, true, path));
      await step(`${name}: transactions`, async () => {
        await advance('1m');
        equal((await api('GET', 'transactions')).latest_transactions.length, 8, 'transactions');
      });
    },
  );
}
