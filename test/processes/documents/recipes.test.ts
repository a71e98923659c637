import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { parse } from 'yaml';
import { install as installProgram, programsIn } from '../../../tools/develop/clients/program.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { skipped } from '../../support/skipped.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { blocksOf, commandsOf, nameOf } from '../../tools/blocks.js';
import { runSandbox, startProcess, startCommand } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';
import { install } from '../../tools/tour.js';
import { until } from '../../support/waiting.js';

/** The quick starts of other languages (docs/start), run as they stand there, where this machine has language and client. */

interface Language {
  /** Its quick start, in docs/start. */
  readonly page: string;
  /** What runs a file, which stands behind it. */
  readonly command: readonly [program: string, ...args: string[]];
  /** What shows that the vendor's client is there. */
  readonly client: readonly string[];
  /** What reads a file without running it, and without the client. */
  readonly check?: readonly string[];
}

/** Debian's clients belong to Debian's Python, also where another one is found first. */
const PYTHON = '/usr/bin/python3';
const LANGUAGES: readonly Language[] = [
  { page: 'python.md', command: [PYTHON], client: ['-c', 'import stripe'], check: ['-m', 'py_compile'] },
  { page: 'ruby.md', command: ['ruby'], client: ['-e', 'require "stripe"'], check: ['-c'] },
  { page: 'php.md', command: ['php'], client: ['-r', 'exit(is_dir("vendor/stripe") ? 0 : 1);'], check: ['-l'] },
  { page: 'go.md', command: ['go', 'run'], client: ['list', 'github.com/stripe/stripe-go/v81'] },
  { page: 'java.md', command: ['java'], client: ['-cp', 'lib/*', '--dry-run', 'com.stripe.StripeClient'] },
];

/** What a test has started. */
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function isThere(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.each(LANGUAGES)('$page', ({ page, command, client, check }) => {
  const folder = scratchFolder();
  const file = join('docs', 'start', page);
  const [program, ...args] = command;
  const language = isThere(program, program === 'go' ? ['version'] : ['--version']);
  const whole = language && isThere(program, client);
  const env = {
    GOCACHE: join(folder, 'go'),
    GO111MODULE: 'off',
    PATH: `${folder}/node_modules/.bin:${process.env['PATH']}`,
  };
  if (!whole) skipped(`${page}. There is no ${language ? 'client of the vendor for ' : ''}${program}.`);
  const programs = blocksOf(file).filter((block) => block.language !== 'console');

  beforeAll(() => {
    install(folder);
    for (const block of programs) writeFileSync(join(folder, nameOf(block) ?? ''), block.text);
  });

  for (const block of programs) {
    const name = String(nameOf(block));
    const own = !name.startsWith('plain.');
    (language && own && !whole && check ? test : test.skip)(`${name} can be read`, async () => {
      expect(await startProcess(program, [...(check ?? []), name], { cwd: folder, env }).ended).toMatchObject({
        code: 0,
      });
    });
    (language && !own ? test : test.skip)(
      `${name} takes a payment`,
      async () => {
        const ended = await runSandbox(['exec', 'payments', '--', program, ...args, name], { cwd: folder, env });
        expect(ended).toMatchObject({ code: 0, stdout: 'succeeded\n', stderr: '' });
      },
      120_000,
    );
  }

  (whole ? test : test.skip)(
    'the command that it shows takes a payment',
    async () => {
      for (const block of blocksOf(file).filter((each) => each.language === 'console'))
        for (const { command: shown, shown: output } of commandsOf(block)) {
          const line = shown.replace(/^npx @vendor-sandbox\//, '').replace('python3', PYTHON);
          const ended = await startProcess('sh', ['-c', line], { cwd: folder, env }).ended;
          expect(ended).toMatchObject({ code: 0, stdout: `${output.join('\n')}\n`, stderr: '' });
        }
    },
    120_000,
  );
});

describe('vendor-cli.md', () => {
  const [program] = programsIn(join(ROOT, 'tools', 'develop', 'clients', 'programs')).filter(
    ({ name }) => name === 'stripe-cli',
  );

  test("the vendor's command line does what the page shows", async () => {
    const found = await installProgram(program, join(ROOT, 'tools', 'develop', 'clients', 'programs')).catch(
      () => undefined,
    );
    if (!found || 'skipped' in found) {
      process.stderr.write(
        "\nSKIPPED: vendor-cli.md. There is no registry to install the vendor's command line from.\n\n",
      );
      return;
    }
    const commands = blocksOf('docs/start/vendor-cli.md').flatMap(commandsOf);
    const [serve, ...others] = commands.map(({ command }) => command);
    const [, , , ...args] = serve.split(' ');
    expect(serve).toMatch(/^npx @vendor-sandbox\/sandbox serve /);
    const server = startCommand(['serve', ...args, '--port', '0']);
    stops.push(() => server.stop());
    const port = /\d+$/.exec((await server.lines(3))[0])?.[0] ?? '';
    const folder = join(found.folder, 'node_modules', '.bin');
    const env = { PATH: `${folder}:${process.env['PATH']}`, XDG_CONFIG_HOME: join(found.folder, 'config') };
    const receiver = await WebhookReceiver.start();
    stops.push(() => receiver.stop());
    const asked = others.filter((each) => each !== 'npm install @stripe/cli');
    const [listen, more] = [true, false].map((listens) =>
      asked.filter((each) => each.includes(' listen ') === listens),
    );
    const lineOf = (command: string): string =>
      command
        .replace(/^npx /, 'exec ')
        .replaceAll('8801', port)
        .replaceAll('localhost:3000', new URL(receiver.url).host);
    // Its launcher would leave the program behind when it is stopped.
    const direct = lineOf(listen[0]).replace('stripe', 'node_modules/@stripe/cli-*/bin/stripe');
    const listening = startProcess('sh', ['-c', `${direct} 2>&1`], { cwd: found.folder, env });
    stops.push(() => listening.stop());
    let secret: string | undefined;
    for (let count = 1; secret === undefined; count++)
      [secret] = /whsec_\w+/.exec((await listening.lines(count)).join('\n')) ?? [];
    for (const command of more) {
      const line = lineOf(command);
      const ended = await startProcess('sh', ['-c', line], { cwd: found.folder, env }).ended;
      expect({ command, ...ended }).toMatchObject({ code: 0 });
      if (command.includes(' list ')) expect(ended.stdout.replaceAll(' ', '')).toContain('"object":"customer"');
    }
    await until(() => receiver.received.length > 0);
    const [{ body, headers }] = receiver.received;
    const signature = String(headers['stripe-signature']);
    expect(new Stripe('sk_test_tour').webhooks.constructEvent(body, signature, secret).type).toBe('customer.created');
  }, 120_000);
});

describe('installing.md', () => {
  test('files for compose and for actions are YAML, and say what they have to', () => {
    const [compose, job, service, action, ...more] = blocksOf('docs/start/installing.md')
      .filter(({ language }) => language === 'yaml')
      .map(({ text }) => parse(text) as object);
    expect(compose).toHaveProperty('services.sandbox.healthcheck.test');
    expect(job).toHaveProperty('jobs.test.steps');
    expect(service).toHaveProperty('services.sandbox.ports');
    expect(action).toMatchObject({ runs: { using: 'composite' } });
    expect(more).toEqual([]);
  });

  test('the script of the page is there, for a page that has no key', async () => {
    const [html] = blocksOf('docs/start/installing.md').filter(({ language }) => language === 'html');
    const server = startCommand(['serve', 'payments', '--port', '0', '--json']);
    stops.push(() => server.stop());
    const { url } = JSON.parse((await server.lines(1))[0]) as { url: string };
    const [, path] = /src="http:\/\/localhost:8801([^"]*)"/.exec(html.text) ?? [];
    const response = await fetch(url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('javascript'),
    ]);
  });
});
