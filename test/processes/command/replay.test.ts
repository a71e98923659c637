import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Caller } from '../../support/calls.js';
import { HAS_CURL } from '../../support/curl.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { runCommand } from '../../support/command.js';
import { startCommand } from '../../support/processes.js';
import { type TestSandbox, useSandboxes } from '../../support/start-sandbox.js';

/** `sandbox replay`, `sandbox shrink` and `sandbox coverage`: a bug as one file. */

const folder = scratchFolder();
const { serve } = useSandboxes({ seed: 'bug' });

async function start(): Promise<{ readonly sandbox: TestSandbox; readonly caller: Caller }> {
  const sandbox = await serve();
  return { sandbox, caller: new Caller(sandbox, '') };
}

async function exported(sandbox: TestSandbox, name: string): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, (await sandbox.admin('GET /export')).text);
  return file;
}

/** Ten customers; the fifth one pays, declined; time passes; another one pays. */
async function history(caller: Caller): Promise<void> {
  const pay = { amount: '500', currency: 'usd', confirm: 'true' };
  for (let n = 0; n < 10; n++) {
    const { text } = await caller.vendor('POST', '/v1/customers', { name: `C${n}`, 'metadata[n]': String(n) });
    const { id } = JSON.parse(text) as { id: string };
    if (n === 5)
      await caller.vendor('POST', '/v1/payment_intents', {
        ...pay,
        customer: id,
        payment_method: 'pm_card_chargeDeclined',
      });
  }
  await caller.control('POST', '/clock/advance', { duration: '2d' });
  await caller.vendor(
    'POST',
    '/v1/payment_intents',
    { ...pay, payment_method: 'pm_card_visa' },
    { 'Idempotency-Key': 'k' },
  );
}

test('a file is done again in another process: the same state, served', async () => {
  const { sandbox, caller } = await start();
  await history(caller);
  const file = await exported(sandbox, 'whole.sandbox');
  // With the run of a task, as `sandbox eval` leaves it.
  const run = {
    ...{ task: 'pay', agent: 'agent', run: 2, prompt: 'Pay.', since: 3, reward: 1, pass: true, calls: [] },
    checks: [{ about: 'true', kind: 'final', holds: true, weight: 1, found: 'true' }],
  };
  const whole = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...whole, run }));
  const running = startCommand(['replay', file, '--json']);
  const [line] = await running.lines(1);
  const { url, key, same, entry } = JSON.parse(line) as { url: string; key: string; same: boolean; entry: number };
  expect([same, entry]).toEqual([true, sandbox.engine.world.ledger.count]);
  const there = await caller.at({ url, key }).control('GET', '/state');
  expect(there.text).toBe((await caller.control('GET', '/state')).text);
  expect(JSON.parse((await caller.at({ url, key }).control('GET', '/run')).text)).toEqual({ run });
  expect((await running.stop()).code).toBe(0);
  // At an entry, also one inside of a call's.
  const until = await runCommand(['replay', file, '--until', '4', '--no-serve']);
  expect([until.code, until.stdout]).toEqual([0, expect.stringContaining('up to entry 4: the same bytes')]);
});

test('what comes to other bytes, or cannot be read, is told', async () => {
  const { sandbox, caller } = await start();
  await history(caller);
  const file = await exported(sandbox, 'other.sandbox');
  const other = join(folder, 'changed.sandbox');
  writeFileSync(other, readFileSync(file, 'utf8').replace('"name":"C3"', '"name":"C33"'));
  const changed = await runCommand(['replay', other, '--no-serve']);
  expect([changed.code, changed.stderr]).toEqual([
    1,
    expect.stringContaining('(customers.create) produced different bytes'),
  ]);
  writeFileSync(other, readFileSync(file, 'utf8').replace(/"hash":"[^"]+"/, '"hash":"x"'));
  expect((await runCommand(['replay', other, '--json'])).stderr).toContain('"other_pack"');
  writeFileSync(other, '{}');
  expect((await runCommand(['replay', other])).stderr).toContain('is no response of GET /__admin__/export');
  expect((await runCommand(['replay', join(folder, 'none')])).stderr).toContain('does not exist');
});

/** A check as a process: fails while a declined payment of a customer is there. */
const CHECK = `
const head = { headers: { Authorization: 'Bearer ' + process.env.SANDBOX_KEY } };
const { resources } = await (await fetch(process.env.SANDBOX_URL + '/__admin__/state', head)).json();
const { customers, payment_intents } = resources;
const bad = payment_intents.some((each) => each.status === 'requires_payment_method' && customers.some(({ id }) => id === each.customer));
process.exitCode = bad ? 1 : 0;
`;

test('the fewest calls that a check fails with are left, as curl that does it again', async () => {
  const { sandbox, caller } = await start();
  await history(caller);
  const file = await exported(sandbox, 'long.sandbox');
  const check = join(folder, 'check.mjs');
  writeFileSync(check, CHECK);
  const out = join(folder, 'small.sandbox');
  const command = `"${process.execPath}" "${check}"`;
  const shrunk = await runCommand(['shrink', file, '--check', command, '--out', out]);
  expect([shrunk.code, shrunk.stderr]).toEqual([0, expect.stringMatching(/^2 of \d+ steps left, \d+ tried$/m)]);
  const lines = shrunk.stdout.trim().split('\n');
  expect(lines).toEqual([
    '# sandbox serve payments --seed "bug" --t0 2025-01-15T12:00:00.000Z',
    expect.stringMatching(/^curl .*\/v1\/customers .*C5/),
    expect.stringMatching(/^curl .*\/v1\/payment_intents .*pm_card_chargeDeclined/),
  ]);
  // The lines do it in a fresh world, ids included.
  const { sandbox: fresh } = await start();
  const env = { ...process.env, SANDBOX_URL: fresh.url, SANDBOX_KEY: fresh.key };
  const ends = (line: string): Promise<number | null> =>
    new Promise((resolve) => spawn(line, { shell: true, env, stdio: 'ignore' }).on('close', resolve));
  expect(await ends(command)).toBe(0);
  if (HAS_CURL) {
    for (const line of lines.slice(1)) expect(await ends(line)).toBe(0);
    expect(await ends(command)).toBe(1);
  }
  const again = await runCommand(['replay', out, '--no-serve']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('2 steps')]);
  const passes = await runCommand(['shrink', file, '--check', 'true']);
  expect([passes.code, passes.stderr]).toEqual([1, expect.stringContaining('does not fail after all the steps')]);
});

test('coverage of a server and of a file', async () => {
  const { sandbox, caller } = await start();
  await history(caller);
  const file = await exported(sandbox, 'met.sandbox');
  const served = await runCommand(['coverage', sandbox.url, '--key', sandbox.key, '--json']);
  const kept = await runCommand(['coverage', file, '--json']);
  expect(JSON.parse(served.stdout)).toEqual({ ...(await sandbox.control.coverage()), unsupported: [] });
  expect(JSON.parse(kept.stdout)).toEqual(JSON.parse(served.stdout));
  const table = await runCommand(['coverage', file]);
  expect(table.stdout).toMatch(/^states +\d+ of \d+ +\d+%$/m);
  const comment = await runCommand(['coverage', file, '--format', 'markdown']);
  expect(comment.stdout).toMatch(/^\| states \| \d+ \| \d+ \| \d+% \|$/m);
  expect(comment.stdout).toContain('<details><summary>');
  const refused = await runCommand(['coverage', sandbox.url, '--key', 'x']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('returned 401')]);
});
