import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guideInVitest } from '../../support/guide.js';
import { call, form, type Served } from '../../support/http.js';
import { runSandbox, startCommand } from '../../support/processes.js';
import { IS_WHOLE } from '../../support/sample.js';
import { documented } from '../../tools/blocks.js';
import { ROOT } from '../../support/root.js';
import { scratchFolder } from '../../support/scratch-folder.js';

/** Companies in processes of their own, and the guide to several vendors: its application and its test, run by Vitest. */

const folder = scratchFolder();
/** What a whole run alone tries: the test in Python goes the same way. */
const wholeTest = IS_WHOLE ? test : test.skip;

/** A company of a process of its own. */
async function served(...more: string[]): Promise<{
  readonly running: ReturnType<typeof startCommand>;
  readonly at: Served;
  readonly vendors: Record<string, Served>;
}> {
  const running = startCommand(['serve', join(ROOT, 'test/companies/acme.yaml'), '--json', '--port', '0', ...more]);
  const [line] = await running.lines(1);
  const { url, key, vendors } = JSON.parse(line) as Served & { vendors: Record<string, Served> };
  return { running, at: { url, key }, vendors };
}

/** A charge that fails, and what its rule leads to. */
async function declined(payments: Served): Promise<void> {
  const { body } = await call<{ data: { id: string }[] }>(payments, 'GET /v1/customers');
  const fields = { amount: '1900', currency: 'usd', confirm: 'true', payment_method: 'pm_card_chargeCustomerFail' };
  const made = await call(payments, 'POST /v1/payment_intents', form({ ...fields, customer: body.data[0].id }));
  expect(made.status).toBe(402);
}

test('two processes make the same file of a company, rules included, and a third one repeats it', async () => {
  const run = async (): Promise<string> => {
    const { running, at, vendors } = await served();
    await declined(vendors['payments']);
    await call(at, 'POST /__admin__/clock/advance', { duration: '40d' });
    const { text } = await call(at, 'GET /__admin__/export');
    expect(text).toContain('failed_charges_are_posted');
    await running.stop('SIGTERM');
    return text;
  };
  const [first, second] = [await run(), await run()];
  // Each world has ports of its own.
  const apart = (text: string): string => text.replace(/^"addresses": .*$/m, '');
  expect(apart(first)).toBe(apart(second));
  const file = join(folder, 'company.sandbox');
  writeFileSync(file, first);
  const { code, stdout, stderr } = await runSandbox(['replay', file, '--no-serve', '--json']);
  expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', expect.objectContaining({ same: true })]);
  const covered = await runSandbox(['coverage', file]);
  expect([covered.code, covered.stderr]).toEqual([0, '']);
});

test('calls of a company are logged as lines of JSON, and in the audit log', async () => {
  const audit = join(folder, 'audit.jsonl');
  const { running, at } = await served('--log', 'json', '--audit-log', audit);
  await call(at, 'POST /__admin__/clock/advance', { duration: '1d' });
  const { stdout, stderr } = await running.stop('SIGTERM');
  const made = { method: 'POST', path: '/__admin__/clock/advance', status: 200 };
  const lines = stdout.trim().split('\n').slice(1);
  expect([stderr, lines.map((line) => JSON.parse(line) as object)]).toEqual(['', [expect.objectContaining(made)]]);
  expect(JSON.parse(readFileSync(audit, 'utf8'))).toMatchObject({ ...made, by: 'host' });
});

test('a company in a file survives the end of its process, with what its rules did', async () => {
  const store = ['--store', join(folder, 'company.db')];
  const first = await served(...store);
  await declined(first.vendors['payments']);
  await first.running.stop('SIGKILL');
  const second = await served(...store);
  expect(second.at.key).toBe(first.at.key);
  await declined(second.vendors['payments']);
  const { names } = (await call(second.at, 'GET /__admin__/company')).body as {
    names: { billing: { channel: { id: string } } };
  };
  const history = `GET /api/conversations.history?channel=${names.billing.channel.id}`;
  const { messages } = (await call(second.vendors['chat'], history)).body as { messages: { text: string }[] };
  expect(messages.filter(({ text }) => text.startsWith('no money'))).toHaveLength(2);
  expect(await second.running.stop('SIGTERM')).toMatchObject({
    code: 0,
    stderr: expect.not.stringMatching(/defect|Error/),
  });
});

test('sandbox live keeps a history in a file that serve continues with, and one that replay repeats', async () => {
  const studio = join(ROOT, 'test/companies/studio.yaml');
  const [db, out] = [join(folder, 'studio.db'), join(folder, 'studio.sandbox')];
  const lived = await runSandbox(['live', studio, '--to', '2024-11-20', '--store', db, '--out', out, '--json']);
  expect([lived.code, lived.stderr]).toEqual([0, '']);
  const { actors } = JSON.parse(lived.stdout) as { actors: Record<string, { times: number }> };
  expect((await runSandbox(['replay', out, '--no-serve', '--quiet'])).code).toBe(0);
  const running = startCommand(['serve', studio, '--json', '--port', '0', '--store', db]);
  const { vendors } = JSON.parse((await running.lines(1))[0]) as { vendors: Record<string, Served> };
  const { body } = await call<{ data: unknown[] }>(vendors['payments'], 'GET /v1/customers?limit=100');
  expect(body.data).toHaveLength(actors['visitors'].times);
  await running.stop('SIGTERM');
  const nowhere = await runSandbox(['live', studio]);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('nothing keeps what happens')]);
});

wholeTest(
  'the test of the guide passes in Vitest',
  async () => {
    const packages = ['stripe', 'octokit', '@slack/web-api'];
    const out = await guideInVitest(folder, 'docs/guides/several-vendors.md', ['app.js', 'app.test.js'], packages);
    expect(out).toContain('1 passed');
  },
  120_000,
);

test('the test of the guide in Python passes through exec', async () => {
  for (const name of ['app.py', 'test_app.py'])
    writeFileSync(join(folder, name), documented('docs/guides/several-vendors.md', name));
  const packs = ['payments,code-hosting,team-chat', '--together'];
  const command = ['python3', '-m', 'unittest', 'test_app'];
  const { code, stderr } = await runSandbox(['exec', ...packs, '--', ...command], { cwd: folder });
  expect(stderr).toContain('Ran 1 test');
  expect(code).toBe(0);
});
