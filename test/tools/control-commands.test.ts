import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL_COMMANDS } from '../../tools/control/commands/index.js';
import { readOperations } from '../../tools/control/contract.js';
import { type CommandResult, runCommand } from '../support/command.js';
import { form } from '../support/http.js';
import { startProcess } from '../support/processes.js';
import { startSandbox } from '../support/start-sandbox.js';
import { scratchFolder } from '../support/scratch-folder.js';

const sandbox = startSandbox('packs/payments', { t0: '2025-01-01T00:00:00Z', seed: 'commands', reset: {} });
const folder = scratchFolder();

/** A command at the server of this file. */
function at(name: string, ...args: string[]): Promise<CommandResult> {
  return runCommand([name, ...args, '--url', sandbox.url, '--key', sandbox.key]);
}

async function json(name: string, ...args: string[]): Promise<Record<string, never>> {
  const { code, stdout, stderr } = await at(name, ...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout) as Record<string, never>;
}

async function vendor(path: string, fields: string): Promise<{ readonly id: string; readonly status: number }> {
  const { status, body } = await sandbox.call<{ id: string }>(`POST ${path}`, form(fields));
  return { ...body, status };
}

const PAYMENT =
  'amount=500&currency=usd&payment_method=pm_card_visa&confirm=true&automatic_payment_methods[enabled]=true&automatic_payment_methods[allow_redirects]=never';

test('every call of the contract has a subcommand', () => {
  const called = new Set(CONTROL_COMMANDS.flatMap(({ operations }) => operations));
  // `sandbox coverage` takes files too, and prints both of its calls; the contract, the pack's and verdicts are for tools; a stream, pictures and what pages draw
  // are no tables; mails have `control.mail` and a page.
  expect([...readOperations().keys()].filter((id) => !called.has(id))).toEqual([
    'contract',
    'search',
    'glance',
    'life',
    'mailbox',
    'mail',
    'pack',
    'machine',
    'stream',
    'timeline',
    'marks',
    'judge',
    'run',
    'setRun',
    'unsupported',
    'coverage',
  ]);
});

test('--curl prints the call for a shell, which does the same, and makes none', async () => {
  const { stdout, stderr } = await at('save', "Ann's first", '--curl');
  expect(stderr).toBe('');
  expect(stdout).not.toContain(sandbox.key);
  expect(await json('moments')).toMatchObject({ data: [] });
  await startProcess('bash', ['-c', stdout], { env: { SANDBOX_API_KEY: sandbox.key } }).ended;
  expect(await json('moments')).toMatchObject({ data: [{ name: "Ann's first" }] });
});

const EXAMPLES = CONTROL_COMMANDS.flatMap(({ name, examples = [] }) => examples.map((line) => [name, line] as const));

// Those that read a file or write one have another test.
test.each(EXAMPLES.filter(([, line]) => !/\.yaml|--out|\|/.test(line)))(
  'the example of %s is a line for curl: %s',
  async (name, line) => {
    const words = line.replace(/^sandbox \S+ ?/, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    const { code, stdout, stderr } = await at(
      name,
      ...words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2')),
      '--curl',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^curl -s -u \$SANDBOX_API_KEY: (-X [A-Z]+ )?\S+\/__admin__\//);
  },
);

test.each(CONTROL_COMMANDS.map(({ name }) => name))('%s has help that says which call it makes', async (name) => {
  const { code, stdout } = await runCommand([name, '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: sandbox ${name} `));
  expect(stdout).toMatch(/It calls (GET|POST|DELETE) \/__admin__\//);
  expect(stdout).toContain('--json');
  // Each argument and option is explained.
  expect(stdout.match(/^ {2}(?:--[a-z-]+(?: <.+>)?|<?[a-z-]+>?)$(?!\n {8})/gm)).toBeNull();
});

test('seeds, lists and shows objects', async () => {
  const file = join(folder, 'customers.yaml');
  writeFileSync(file, 'resource: customers\nobjects:\n  - {id: cus_Jenny000000001, email: jenny@example.com}\n');
  expect((await at('seed', file)).stdout).toBe('seeded customers (1)\n');
  expect((await at('state', 'customers')).stdout).toMatch(
    /^collection +id +created\ncustomers +cus_Jenny000000001 +2025-/,
  );
  expect((await at('state', '--id', 'cus_Jenny000000001')).stdout).toContain('"email": "jenny@example.com"');
  expect((await at('about')).stdout).toMatch(/customers +1\n/);
  expect((await at('objects', 'customers', '--search', 'jenny')).stdout).toMatch(/cus_Jenny000000001[^]*1 in all/);
  expect((await at('object', 'cus_Jenny000000001')).stdout).toMatch(/no timer runs[^]*seed/);
  expect((await at('timers')).stdout).toBe('no timer runs\n');
});

test('a fault is armed from words, fires, and is cleared', async () => {
  const fault = await json(
    ...(['fault', 'payment_intents.create', '--status', '402', '--code', 'card_declined', '--count', '2'] as const),
    ...(['--match', 'amount=500', 'currency=usd'] as const),
  );
  expect(fault).toMatchObject({
    resource: 'payment_intents',
    operation: 'create',
    status: 402,
    error: { code: 'card_declined' },
    remaining: 2,
    match: { amount: 500, currency: 'usd' },
  });
  expect((await vendor('/v1/payment_intents', PAYMENT)).status).toBe(402);
  expect((await at('faults')).stdout).toMatch(/payment_intents\.create +error +402/);
  expect((await at('trace')).stdout).toMatch(/POST \/v1\/payment_intents +402 +fault flt_/);
  expect(await json('clear-faults', fault['id'])).toMatchObject({ deleted: true });
  expect(await json('clear-faults')).toEqual({ cleared: 0 });
});

test('what can happen is listed, and happens', async () => {
  const { id } = await vendor('/v1/payment_intents', PAYMENT);
  expect((await at('next', '--cause', 'dispute.opened')).stdout).toMatch(/dispute\.opened +charge_id=ch_/);
  const charge = (await json('state', 'charges'))['resources']['charges'][0]['id'] as string;
  const { stdout } = await at('event', 'dispute.opened', `charge_id=${charge}`);
  expect(stdout).toMatch(/charge\.dispute\.created +evt_/);
  expect((await at('why', id, 'status')).stdout).toContain(`${id}.status is "succeeded"`);
});

test('the clock advances by, to, and until', async () => {
  expect((await at('advance', '1d12h')).stdout).toBe('now 2025-01-02T12:00:00Z, 0 timers fired, 0 events\n');
  expect(await json('advance', '2025-01-05')).toMatchObject({ now: 1736035200 });
  expect((await at('clock')).stdout).toMatch(/^now +2025-01-05T00:00:00Z/);
  await vendor('/v1/payment_intents', PAYMENT);
  expect((await at('advance', '--until', 'balance.available')).stdout).toContain('balance.available');
  const never = await at('advance', '--until', 'invoice.paid', '--at-most', '1d');
  expect(never).toMatchObject({ code: 1, stderr: expect.stringContaining('Raise --at-most') as string });
});

test('moments are saved, compared and gone back to', async () => {
  await at('save', 'before');
  await vendor('/v1/customers', 'email=a@example.com');
  expect((await at('diff', 'before')).stdout).toMatch(/^created customers cus_/m);
  expect((await at('rewind', 'before')).stdout).toMatch(/^back at 2025-01-01T00:00:00Z/);
  expect((await at('diff', 'before')).stdout).toBe('nothing differs\n');
  expect((await at('moments')).stdout).toContain('before');
  expect((await at('forget', 'before')).code).toBe(0);
});

test('endpoints, deliveries, pins, durations and worlds have tables', async () => {
  await at('endpoint', 'http://127.0.0.1:9/hook', '--events', 'customer.created,invoice.*');
  expect((await at('endpoints')).stdout).toContain('customer.created, invoice.*');
  await vendor('/v1/customers', 'email=a@example.com');
  await at('flush');
  const [{ id }] = (await json('deliveries'))['data'] as readonly { readonly id: string }[];
  expect((await at('resend', id)).stdout).toContain('ECONNREFUSED');
  expect((await at('pin', 'charges', 'outcome.risk_level', 'elevated')).stdout).toContain('"elevated"');
  expect((await at('durations', 'funds_availability=1d')).stdout).toMatch(/funds_availability +1d +instead of 2d/);
  expect((await at('fork', 'one', '--same-ids')).stdout).toMatch(/^name +one$/m);
  expect((await at('world')).stdout).toMatch(/w2 +one +payments/);
  expect((await at('end-world', 'one')).code).toBe(0);
});

test.each([
  [['state', '--key', 'wrong'], 2, 'wrong API key', 'Use the key'],
  [['fault', 'payment_intents.creat', '--status', '402'], 2, "did you mean 'create'?", 'operations: create'],
  [['fault', 'payment_intents', '--status', '402'], 2, 'names no operation', 'collection.operation'],
  [['event', 'payment.declinde'], 2, "did you mean 'payment.declined'?", 'sandbox next'],
  [['event', 'payment.declined', 'id'], 2, 'is no name=value', 'amount=500'],
  [['trace', 'trc_none'], 2, "there is no trace 'trc_none'", 'sandbox trace'],
  [['fault', 'payment_intents.create'], 2, "'status' is missing", 'Give --status <number>'],
  [['delivery-fault', 'delay'], 2, "'delay' is missing", 'Give --delay <value>'],
  [['pin', 'charges'], 2, "'path' is missing", 'Usage: sandbox pin'],
  [['pin', 'charges', 'outcome.risk_levl', 'elevated'], 2, "did you mean 'outcome.risk_level'?", ''],
  [['event', 'payment.declined'], 2, 'needs payment_intent_id', 'name=value'],
  [['advance'], 2, 'the amount is missing', '--until EVENT'],
  [['advance', '3x'], 2, "'3x' is neither a duration nor a time", '8d, 1d12h'],
  [['object', 'cus_none'], 2, "there is no object 'cus_none'", 'sandbox objects'],
  [['end-world', 'main'], 1, 'the first world exists as long as the server', 'sandbox reset'],
  [['ledger', '3', '--limit', '2'], 2, 'do not go together', ''],
  [['reset', '--limit', '2'], 2, "unknown option '--limit'", '--help'],
] as const)('%j ends with %i and says what to do', async ([name, ...args], code, message, advice) => {
  const own = args.includes('--key' as never) ? ['--url', sandbox.url] : ['--url', sandbox.url, '--key', sandbox.key];
  const { code: ended, stderr } = await runCommand([name, ...args, ...own]);
  expect(ended).toBe(code);
  expect(stderr).toContain(message);
  expect(stderr).toContain(advice);
});

test.each([
  ['TLS', (url: string) => url.replace('http:', 'https:'), 'speaks plain HTTP\nBegin its address with http://'],
  ['the path of the vendor', (url: string) => `${url}/v1`, "It is at the address without the vendor's path"],
])('an address with %s is corrected', async (_, changed, message) => {
  const { code, stderr } = await runCommand(['state', '--url', changed(sandbox.url), '--key', sandbox.key]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('without a server it says how to start one; a failure is JSON with --json', async () => {
  const { code, stderr } = await runCommand(['state', '--url', 'http://127.0.0.1:9', '--key', 'k']);
  expect(code).toBe(2);
  expect(stderr).toContain("Start one with 'sandbox serve'");
  const refused = await at('event', 'nothing.such', '--json');
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'unknown_cause' } });
});

test('a shell completes subcommands, options and choices', async () => {
  expect((await runCommand(['complete', '--', 'adv'])).stdout).toBe('advance\n');
  expect((await runCommand(['complete', '--', 'fault', '--st'])).stdout).toBe('--status\n');
  expect((await runCommand(['complete', '--', 'fault', 'charges.list', '--kind', 'lo'])).stdout).toBe(
    'lost_response\n',
  );
  expect((await runCommand(['complete', '--', 'delivery-fault', 'du'])).stdout).toBe('duplicate\n');
  expect((await runCommand(['complete', '--', 'worlds', 'co'])).stdout).toBe('compact\n');
  // Names of the pack: world events and their parameters, calls, collections, paths of pins, durations, packs.
  expect((await runCommand(['complete', '--', 'event', 'payment.d'])).stdout).toBe('payment.declined\n');
  expect((await runCommand(['complete', '--', 'event', 'refund.failed', 'rea'])).stdout).toBe('reason=\n');
  expect((await runCommand(['complete', '--', 'fault', 'charges.cap'])).stdout).toBe('charges.capture\n');
  expect((await runCommand(['complete', '--', 'state', 'payo'])).stdout).toBe('payouts\n');
  expect((await runCommand(['complete', '--', 'pin', 'payouts', 'fail'])).stdout).toBe('failure_code\n');
  expect((await runCommand(['complete', '--', 'durations', 'payout_a'])).stdout).toBe('payout_arrival=\n');
  expect((await runCommand(['complete', '--', 'serve', 'task'])).stdout).toBe('task-automation\n');
  for (const shell of ['bash', 'zsh', 'fish'])
    expect((await runCommand(['completion', shell])).stdout).toContain('sandbox complete');
});

test('doctor says what is in the way', async () => {
  const fine = await at('doctor');
  expect(fine.stdout).toMatch(/fine {2}server at .*: it responds/);
  expect(fine.code).toBe(0);
  const wrong = await runCommand(['doctor', '--url', sandbox.url, '--key', 'wrong', '--json']);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain('it has another key');
  expect((await runCommand(['doctor', '--url', 'http://127.0.0.1:9'])).stdout).toContain('nothing responds');
});

test('a call that does not exist is told with the one that was meant', async () => {
  await vendor('/v1/custmers', '');
  const [{ id }] = (await json('trace'))['data'] as readonly { readonly id: string }[];
  expect((await at('trace', id)).stdout).toMatch(/meant +POST \/v1\/customers/);
  await vendor('/customers', '');
  expect((await json('trace', '--limit', '1'))['data'][0]['suggestion']).toBe('POST /v1/customers');
});
