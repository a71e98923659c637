import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { environmentFile } from '../../tools/up/environment-file.js';
import { isFree } from '../../tools/up/ports.js';
import { claimStart } from '../../tools/up/running.js';
import { applicationFiles } from '../../tools/up/used-packages.js';
import { runCommand } from '../support/command.js';
import { runSandbox } from '../support/processes.js';
import { folderOfTest } from '../support/scratch-folder.js';
import { skipped } from '../support/skipped.js';

/** `sandbox up`: what an application says about itself, and what is started for it. */

function application(files: Readonly<Record<string, string>>): string {
  const folder = folderOfTest();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const POM = `<project><dependencies><dependency>
  <groupId>com.stripe</groupId>
  <artifactId>stripe-java</artifactId>
  <version>24.1.0</version>
</dependency></dependencies></project>`;

test.each<[string, Record<string, string>, string]>([
  ['package.json', { 'package.json': '{"dependencies":{"stripe":"^17.5.0"}}' }, 'npm stripe 17.5.0'],
  [
    'package-lock.json',
    {
      'package.json': '{"devDependencies":{"stripe":"^17.0.0"}}',
      'package-lock.json': '{"packages":{"node_modules/stripe":{"version":"17.7.1"}}}',
    },
    'npm stripe 17.7.1',
  ],
  [
    'a part of a workspace',
    { 'apps/web/package.json': '{"dependencies":{"stripe":"workspace:*"}}' },
    'npm stripe workspace:*',
  ],
  [
    'the lockfile of npm in the root of a workspace',
    {
      'package-lock.json':
        '{"packages":{"node_modules/stripe":{"version":"17.1.0"},"apps/web/node_modules/stripe":{"version":"18.2.0"}}}',
      'apps/web/package.json': '{"dependencies":{"stripe":"^18.0.0"}}',
    },
    'npm stripe 18.2.0',
  ],
  [
    'the lockfile of pnpm in the root of a workspace',
    {
      'pnpm-lock.yaml':
        "lockfileVersion: '9.0'\n\nimporters:\n\n  apps/web:\n    dependencies:\n      stripe:\n        specifier: 'catalog:'\n        version: 18.2.1(react@19.1.3(x@1.0.0))\n\npackages:\n\n  stripe@18.2.1:\n    resolution: {integrity: x}\n",
      'apps/web/package.json': '{"dependencies":{"stripe":"catalog:"}}',
    },
    'npm stripe 18.2.1',
  ],
  [
    'an older lockfile of pnpm',
    {
      'pnpm-lock.yaml':
        'lockfileVersion: 5.4\n\nspecifiers:\n  stripe: ^11.0.0\n\ndependencies:\n  stripe: 11.1.0_peer@1.0.0\n',
      'package.json': '{"dependencies":{"stripe":"^11.0.0"}}',
    },
    'npm stripe 11.1.0',
  ],
  [
    'the lockfile of Yarn',
    {
      'yarn.lock': '# yarn\n\nstripe@^14.5.0, stripe@^14.6.0:\n  version "14.25.0"\n  resolved "x"\n',
      'api/package.json': '{"dependencies":{"stripe":"^14.5.0"}}',
    },
    'npm stripe 14.25.0',
  ],
  [
    'the lockfile of a later Yarn',
    {
      'yarn.lock': '__metadata:\n  version: 8\n\n"stripe@npm:^14.5.0":\n  version: 14.24.0\n',
      'package.json': '{"dependencies":{"stripe":"^14.5.0"}}',
    },
    'npm stripe 14.24.0',
  ],
  [
    'a lockfile with the line ends of Windows',
    {
      'yarn.lock': '# yarn\r\n\r\nstripe@^14.5.0:\r\n  version "14.26.0"\r\n',
      'package.json': '{"dependencies":{"stripe":"^14.5.0"}}',
    },
    'npm stripe 14.26.0',
  ],
  [
    'the lockfile of Bun',
    {
      'bun.lock': '{\n  "packages": {\n    "stripe": ["stripe@15.1.0", "", {}, "sha512-x"],\n  }\n}\n',
      'package.json': '{"dependencies":{"stripe":"^15"}}',
    },
    'npm stripe 15.1.0',
  ],
  [
    'the lockfile of Poetry or uv',
    {
      'poetry.lock': '[[package]]\nname = "Stripe"\nversion = "7.4.0"\n',
      'pyproject.toml': '[tool.poetry.dependencies]\nstripe = "^7.1"\n',
    },
    'pypi stripe 7.4.0',
  ],
  [
    'the lockfile of Pipenv',
    { 'Pipfile.lock': '{"default":{"stripe":{"version":"==7.5.0"}}}', Pipfile: '[packages]\nstripe = "*"\n' },
    'pypi stripe 7.5.0',
  ],
  ['a folder of code that is called env', { 'env/package.json': '{"dependencies":{"stripe":"17"}}' }, 'npm stripe 17'],
  ['a folder of requirements', { 'requirements/base.txt': 'stripe==7.1.0\n' }, 'pypi stripe 7.1.0'],
  [
    'a pom.xml with a property',
    {
      'pom.xml':
        '<project><properties><stripe.version>26.0.0</stripe.version></properties><dependency><groupId>com.stripe</groupId><artifactId>stripe-java</artifactId><version>${stripe.version}</version></dependency></project>',
    },
    'maven com.stripe:stripe-java 26.0.0',
  ],
  [
    'an exact version of NuGet',
    { 'a.csproj': '<PackageReference Include="Stripe.net" Version="[52.1.0]" />' },
    'nuget Stripe.net 52.1.0',
  ],
  ['requirements.txt', { 'requirements.txt': '# pay\nstripe==7.1.0\n' }, 'pypi stripe 7.1.0'],
  ['requirements of development', { 'requirements-dev.txt': 'stripe[async]>=7\n' }, 'pypi stripe 7'],
  [
    'pyproject.toml of Poetry',
    { 'pyproject.toml': '[tool.poetry.dependencies]\nstripe = "^7.1"\n' },
    'pypi stripe 7.1',
  ],
  ['pyproject.toml of PEP 621', { 'pyproject.toml': 'dependencies = [\n  "stripe>=7.1",\n]\n' }, 'pypi stripe 7.1'],
  [
    'a list in one line of pyproject.toml',
    { 'pyproject.toml': '[project]\nkeywords = ["twilio"]\ndependencies = ["requests", "stripe[async]>=7.1"]\n' },
    'pypi stripe 7.1',
  ],
  [
    'a file with a mark of its encoding',
    { 'package.json': '\uFEFF{"dependencies":{"stripe":"17.5.0"}}' },
    'npm stripe 17.5.0',
  ],
  ['an alias', { 'package.json': '{"dependencies":{"pay":"npm:stripe@^17.5.0"}}' }, 'npm stripe 17.5.0'],
  [
    'a package beside folders with more files than are read',
    {
      ...Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`assets/large/${at}`, ''])),
      'shop/package.json': '{"dependencies":{"stripe":"17.5.0"}}',
    },
    'npm stripe 17.5.0',
  ],
  ['Pipfile', { Pipfile: '[packages]\nstripe = "*"\n' }, 'pypi stripe null'],
  ['Gemfile', { Gemfile: "gem 'stripe', '~> 10.1'\n" }, 'rubygems stripe 10.1'],
  [
    'Gemfile.lock',
    { Gemfile: 'gem "stripe"\n', 'Gemfile.lock': 'GEM\n  specs:\n    stripe (10.2.0)\n' },
    'rubygems stripe 10.2.0',
  ],
  [
    'composer.json',
    { 'composer.json': '{"require":{"stripe/stripe-php":"^13.0"}}' },
    'packagist stripe/stripe-php 13.0',
  ],
  [
    'composer.lock',
    {
      'composer.json': '{"require":{"stripe/stripe-php":"^13.0"}}',
      'composer.lock': '{"packages":[{"name":"stripe/stripe-php","version":"v13.4.0"}]}',
    },
    'packagist stripe/stripe-php 13.4.0',
  ],
  [
    'go.mod',
    { 'go.mod': 'module shop\n\nrequire (\n\tgithub.com/stripe/stripe-go/v76 v76.8.0\n)\n' },
    'go github.com/stripe/stripe-go 76.8.0',
  ],
  [
    'a project of .NET',
    { 'Shop.csproj': '<PackageReference Include="Stripe.net" Version="43.2.0" />' },
    'nuget Stripe.net 43.2.0',
  ],
  [
    'a project of .NET with attributes in another order',
    { 'Shop.csproj': "<PackageReference Version='43.2.0' Include='Stripe.net' />" },
    'nuget Stripe.net 43.2.0',
  ],
  [
    'a version as an element',
    { 'Shop.csproj': '<PackageReference Include="Stripe.net">\n  <Version>43.2.0</Version>\n</PackageReference>' },
    'nuget Stripe.net 43.2.0',
  ],
  ['packages.config', { 'packages.config': '<package id="Stripe.net" version="43.2.0" />' }, 'nuget Stripe.net 43.2.0'],
  ['pom.xml', { 'pom.xml': POM }, 'maven com.stripe:stripe-java 24.1.0'],
  [
    'build.gradle',
    { 'build.gradle.kts': 'implementation("com.stripe:stripe-java:24.1.0")\n' },
    'maven com.stripe:stripe-java 24.1.0',
  ],
])('%s names a client and its version', async (_, files, expected) => {
  const folder = application(files);
  expect(
    applicationFiles(folder).packages.map(({ ecosystem, name, version }) => `${ecosystem} ${name} ${String(version)}`),
  ).toContain(expected);
  const { code, stdout } = await runCommand(['up', '--check', '--json', '--folder', folder]);
  expect(JSON.parse(stdout)).toMatchObject({
    found: [{ pack: 'payments', vars: { vendor: 'stripe' } }],
    missing: ['payments'],
  });
  expect(code).toBe(1);
});

test.each<[string, Record<string, string>]>([
  ['a virtual environment', { 'env/pyvenv.cfg': '', 'env/requirements.txt': 'stripe==1\n' }],
  ['what is installed', { 'node_modules/stripe/package.json': '{"dependencies":{"twilio":"1"}}' }],
  ['a comment', { 'requirements.txt': '# stripe==1\n' }],
  ['broken JSON', { 'package.json': '{"dependencies":' }],
])('%s names none', async (_, files) => {
  const { code, stderr } = await runCommand(['up', '--check', '--folder', application(files)]);
  expect(code).toBe(2);
  expect(stderr).toContain('no vendor was found');
});

test('manifests that are broken are told, and others are read', async () => {
  const folder = application({
    'package.json': '{"dependencies":',
    'web/package.json': '{"dependencies":{"stripe":"17.5.0"}}',
    'web/package-lock.json/file': '',
  });
  const { code, stdout, stderr } = await runCommand(['up', '--check', '--folder', folder]);
  expect([code, stdout]).toEqual([1, 'payments  stripe 17.5.0 (web/package.json)\n']);
  expect(stderr).toContain("package.json isn't valid JSON: what it names is not found\n");
});

test('an .env.sandbox of somebody else stays as it is', async () => {
  const folder = application({ 'package.json': '{"dependencies":{"stripe":"17"}}', 'kept.env': 'MINE=1\n' });
  symlinkSync('kept.env', join(folder, '.env.sandbox'));
  const { code, stderr } = await runCommand(['up', '--folder', folder, '--', 'true']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(".env.sandbox isn't from sandbox up")]);
  expect(readFileSync(join(folder, 'kept.env'), 'utf8')).toBe('MINE=1\n');
});

test.each<[string, string, string]>([
  ['broken YAML', ': [', 'sandbox.yaml:'],
  ['a vendor without a value', 'company: a\nvendors:\n  payments:\n', 'sandbox.yaml:3:'],
  ['a number for a pack', 'company: a\nvendors:\n  payments:\n    pack: 3\n', 'sandbox.yaml:4:'],
])('%s in sandbox.yaml is shown with its place', async (_, text, place) => {
  const folder = application({ 'package.json': '{"dependencies":{"stripe":"17"}}', 'sandbox.yaml': text });
  const { code, stderr } = await runCommand(['up', '--check', '--folder', folder]);
  expect(code).toBe(1);
  expect(stderr).toContain(place);
});

test('a folder that may not be written is named before anything starts', async () => {
  if (process.getuid?.() === 0)
    return skipped('a folder that may not be written. The administrator may write everywhere.');
  const folder = application({ 'package.json': '{"dependencies":{"stripe":"17"}}' });
  chmodSync(folder, 0o555);
  const { code, stderr } = await runCommand(['up', '--port', '0', '--folder', folder]);
  chmodSync(folder, 0o755);
  expect([code, stderr]).toEqual([2, expect.stringContaining('nothing can be written')]);
});

test('a port of a vendor that is taken is named', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const folder = application({
    'package.json': '{"dependencies":{"stripe":"17"}}',
    'sandbox.yaml': `company: a\nvendors:\n  payments: { pack: payments, port: ${port} }\n`,
  });
  const { code, stderr } = await runCommand(['up', '--port', '0', '--folder', folder]);
  expect(code).toBe(2);
  expect(stderr).toContain(`port ${port} of localhost is taken`);
  const another = application({ 'package.json': '{"dependencies":{"stripe":"17"}}' });
  const refused = await runCommand(['up', '--port', String(port), '--folder', another]);
  other.close();
  expect(refused.code).toBe(2);
  // What could not be started leaves no file that the next start would follow.
  expect(existsSync(join(another, 'sandbox.yaml'))).toBe(false);
});

test.each([
  [['--port', '65535'], 'no 2 ports follow 65535'],
  [['--app', 'localhost:3000'], 'An address begins with http://'],
])('%j is rejected before anything is written', async (options, message) => {
  const folder = application({ 'package.json': '{"dependencies":{"stripe":"17","twilio":"5"}}' });
  const { code, stderr } = await runCommand(['up', ...options, '--folder', folder]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(join(folder, 'sandbox.yaml'))).toBe(false);
});

test.each([
  ['sk_test_1+/=', 'A=sk_test_1+/=\n'],
  ['two words # and', "A='two words # and'\n"],
  ['$HOME', "A='$HOME'\n"],
  ['-----BEGIN\nKEY-----', "A='-----BEGIN\nKEY-----'\n"],
  [`it's "$1"`, 'A="it\'s \\"\\$1\\""\n'],
])('%j is written so that dotenv and shells read it', (value, line) => {
  expect(environmentFile({ A: value })).toBe(line);
});

test('what sandbox.yaml lacks is told, and folders that may not be read are passed over', async () => {
  const folder = application({
    'package.json': '{"dependencies":{"stripe":"17","twilio":"5"}}',
    'sandbox.yaml': 'company: a\nvendors:\n  payments: { pack: payments }\n',
    'data/base/file': '',
  });
  chmodSync(join(folder, 'data'), 0o000);
  const { code, stderr } = await runCommand(['up', '--check', '--folder', folder]);
  chmodSync(join(folder, 'data'), 0o755);
  expect([code, stderr]).toEqual([1, 'messaging is used and not in sandbox.yaml\n']);
});

test('what calls a vendor without its client is told, with its address and its functions for webhooks', async () => {
  const folder = application({
    'netlify/functions/_pay.js':
      "exports.pay = (key) => fetch('https://api.stripe.com/v1/charges', { headers: { Authorization: `Bearer ${key}` } });\n",
    'netlify/functions/stripe-webhook.js': "exports.handler = async ({ headers }) => headers['stripe-signature'];\n",
    'stars.js': "fetch('https://api.github.com/repos/a/b');\n",
    'links.js': "const token = ['https://slack.com/help', 'https://dashboard.stripe.com'];\n",
    'scripts/release.js': "fetch('https://api.github.com/repos', { headers: { Authorization } });\n",
    'tests/mail.js': "fetch('https://api.resend.com/emails', { headers: { Authorization } });\n",
  });
  const { stdout } = await runCommand(['up', '--check', '--folder', folder]);
  expect(stdout.split('\n')).toEqual([
    'payments  called by its code: api.stripe.com (netlify/functions/_pay.js)',
    'payments sends webhooks to http://localhost:8888/.netlify/functions/stripe-webhook',
    '',
  ]);
});

test('variables in .env.example name vendors, and packages of vendors without a pack are told', async () => {
  const folder = application({
    '.env.example': 'SLACK_BOT_TOKEN=\n# TWILIO_ACCOUNT_SID=AC...\n',
    'package.json': '{"dependencies":{"algoliasearch":"5.0.0"}}',
  });
  const { stdout } = await runCommand(['up', '--check', '--folder', folder]);
  expect(stdout.split('\n')).toEqual([
    'messaging  named in its environment',
    'team-chat  named in its environment',
    'no pack for Algolia  algoliasearch 5.0.0 (package.json): its calls go to the vendor',
    '',
  ]);
});

test.each([
  ['@sendgrid/mail', 'sendgrid'],
  ['postmark', 'postmark'],
  ['resend', 'resend'],
])('%s is a client of a vendor that a pack has beside others', async (name, vendor) => {
  const folder = application({ 'package.json': JSON.stringify({ dependencies: { [name]: '1' } }) });
  const { stdout } = await runCommand(['up', '--check', '--json', '--folder', folder]);
  expect(JSON.parse(stdout)).toMatchObject({ found: [{ pack: 'mail', vars: { vendor } }] });
});

test('a command runs beside the vendors of its application, redirected, and the file stays', async () => {
  const folder = application({
    'package.json': '{"name":"shop","dependencies":{"stripe":"17.5.0"}}',
    'app/api/webhooks/stripe/route.ts': '',
    'call.mjs': `
      const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret } = process.env;
      const authorization = 'Bearer ' + key;
      const { object } = await (await fetch('https://api.stripe.com/v1/balance', { headers: { authorization } })).json();
      const { data } = await (await fetch('https://api.stripe.com/v1/webhook_endpoints', { headers: { authorization } })).json();
      console.log(['ran', object, data[0].url, /^whsec_/.test(secret)].join(' '));
      process.exitCode = 3;`,
  });
  const run = (): ReturnType<typeof runSandbox> =>
    runSandbox(['up', '--port', '0', '--', process.execPath, 'call.mjs'], { cwd: folder });
  const first = await run();
  expect(first).toMatchObject({ code: 3, stderr: '' });
  expect(first.stdout).toContain('ran balance http://localhost:3000/api/webhooks/stripe true\n');
  expect(first.stdout).toMatch(/^payments responds as API version \d{4}-\d\d-\d\d\S*, unless a client names another/m);
  const written = readFileSync(join(folder, 'sandbox.yaml'), 'utf8');
  const { key } = (parse(written) as { vendors: { payments: { key: string } } }).vendors.payments;
  const variables = readFileSync(join(folder, '.env.sandbox'), 'utf8');
  expect(variables).toContain(`STRIPE_SECRET_KEY=${key}\n`);
  expect(variables).toContain(`STRIPE_PUBLISHABLE_KEY=${key.replace('sk_', 'pk_')}\n`);
  const again = await run();
  expect(again.code).toBe(3);
  expect(again.stdout).not.toContain('written sandbox.yaml');
  expect(readFileSync(join(folder, 'sandbox.yaml'), 'utf8')).toBe(written);

  writeFileSync(join(folder, 'package.json'), '{"dependencies":{"stripe":"17.5.0","twilio":"5.0.0"}}');
  const { code, stdout } = await runCommand(['up', '--check', '--json', '--folder', folder]);
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { missing: ['messaging'] }]);
});

test('starts for an application come one after the other, and one that crashed is no obstacle', async () => {
  const folder = application({});
  const release = await claimStart(folder);
  const order: string[] = [];
  const next = claimStart(folder).then((end) => (order.push('next'), end));
  await isFree(0);
  order.push('released');
  release();
  (await next)();
  expect(order).toEqual(['released', 'next']);
  writeFileSync(join(folder, '.sandbox', 'starting'), '999999999');
  (await claimStart(folder))();
  expect(existsSync(join(folder, '.sandbox', 'starting'))).toBe(false);
});

test('without arguments the command says what can be done in a folder', async () => {
  const firsts = async (cwd: string): Promise<string[]> =>
    (await runCommand([], { cwd })).stdout.split('\n').map((line) => line.split('  ', 1)[0]);
  expect(await firsts(application({}))).toContain('sandbox serve payments');
  expect(await firsts(application({ 'packs/kites/pack.yaml': '' }))).toContain('sandbox serve packs/kites --watch');
  const shop = application({ 'requirements.txt': 'stripe\n' });
  expect(await firsts(shop)).toContain('sandbox up');
  expect((await runCommand([], { cwd: shop })).stdout).toContain('what this application uses: payments');
});

describe('vendors that were left running', () => {
  const folder = application({ 'package.json': '{"dependencies":{"stripe":"17.5.0"}}' });
  const at = (...args: string[]): ReturnType<typeof runCommand> => runCommand(args, { cwd: folder });
  const left = async (): Promise<{ state: string; pid: number; url: string }> =>
    JSON.parse((await at('status', '--json')).stdout) as { state: string; pid: number; url: string };
  afterAll(() => at('down'));

  test('serve commands until they are stopped', async () => {
    expect(await at('down')).toMatchObject({ code: 0, stdout: 'nothing runs\n' });
    expect(await at('logs')).toMatchObject({ code: 2, stderr: expect.stringContaining('sandbox up --detach') });
    const started = await at('up', '--detach', '--port', '0');
    expect(started).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^STRIPE_SECRET_KEY=sk_test_/m),
    });
    const { pid, state } = await left();
    expect(state).toBe('runs');
    expect((await at('up', '--detach')).stdout).toContain(`they run already, as process ${pid}`);
    expect(await at('up')).toMatchObject({ code: 2, stderr: expect.stringContaining('sandbox down') });
    // Commands of the control API find them; a program's calls go to them.
    expect((await at('about')).stdout).toMatch(/^payments {2}http/m);
    const call = `fetch('https://api.stripe.com/v1/balance',{headers:{authorization:'Bearer '+process.env.STRIPE_SECRET_KEY}})`;
    expect((await at('up', '--', process.execPath, '-e', call)).code).toBe(0);
    expect((await at('logs')).stdout).toContain('payments  200  GET /v1/balance\n');
    // What the application changes meanwhile is told, and nothing of the world is lost.
    const told = async (text: string): Promise<void> => {
      while (!(await at('logs')).stdout.includes(text));
    };
    writeFileSync(join(folder, 'package.json'), '{"dependencies":{"stripe":"18.0.0","twilio":"5.0.0"}}');
    await told('messaging is used now and not in sandbox.yaml: add under vendors `messaging: { pack: messaging }`');
    await told('payments: stripe is 18.0.0 now, it was 17.5.0 (package.json)');
    const file = readFileSync(join(folder, 'sandbox.yaml'), 'utf8');
    writeFileSync(join(folder, 'sandbox.yaml'), `${file}vendor: {}\n`);
    await told("unknown key 'vendor'");
    writeFileSync(join(folder, 'sandbox.yaml'), `${file}\n`);
    await told('sandbox.yaml has changed: the vendors serve as before until they start again');
    writeFileSync(join(folder, 'sandbox.yaml'), file);
    writeFileSync(join(folder, 'package.json'), '{"dependencies":{"stripe":"17.5.0"}}');
    expect((await at('down')).stdout).toBe(`stopped process ${pid}\n`);
    expect(await at('status')).toMatchObject({ code: 1, stdout: 'nothing runs; start it: sandbox up\n' });
  });

  test('that ended without a word are no obstacle, nor is a process that has their number now', async () => {
    const running = join(folder, '.sandbox', 'running.json');
    const kept = { pid: process.pid, url: 'http://127.0.0.1:1', key: 'k', env: {}, vendors: [] };
    for (const text of ['{', '{"pid":-1}', JSON.stringify(kept)]) {
      writeFileSync(running, text);
      expect((await at('down')).stdout).toBe('nothing runs\n');
    }
    expect((await at('up', '--detach', '--port', '0')).code).toBe(0);
    const first = await left();
    process.kill(first.pid, 'SIGKILL');
    while ((await left()).state !== 'down');
    expect((await at('up', '--detach', '--port', '0')).code).toBe(0);
    expect((await left()).pid).not.toBe(first.pid);
  });

  test('are those of the first of two starts at once', async () => {
    await at('down');
    const both = await Promise.all([1, 2].map(() => runSandbox(['up', '--detach', '--port', '0'], { cwd: folder })));
    const { pid } = await left();
    const said = both.map(({ code, stdout, stderr }) => [code, stdout.trimEnd().split('\n').at(-1), stderr]);
    expect(said.sort()).toEqual([
      [0, `left running as process ${pid}; sandbox status, logs, down`, ''],
      [0, `they run already, as process ${pid}`, ''],
    ]);
  });

  test('a start that fails says why', async () => {
    const broken = application({
      'package.json': '{"dependencies":{"stripe":"17"}}',
      'sandbox.yaml': 'company: a\nvendors:\n  payments: { pack: payments, vars: { nothing: x } }\n',
    });
    expect(await runCommand(['up', '--detach', '--folder', broken])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown variable 'nothing'"),
    });
  });
});
