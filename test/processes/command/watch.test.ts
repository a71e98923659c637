import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplePack } from '../../support/sample-pack.js';
import { signature } from '../../../tools/command/watch.js';
import { type Running, startCommand } from '../../support/processes.js';
import { form } from '../../support/http.js';
import { type TestSandbox, useSandboxes } from '../../support/start-sandbox.js';
import { until } from '../../support/waiting.js';

const full = samplePack('full');

test('files in folders of flows are looked at, too', () => {
  const text = 'flow: wrap\ndo: []\n';
  const folder = full.write({ 'flows/packing/wrap.yaml': text });
  const before = signature(folder);
  expect(signature(folder)).toBe(before);
  writeFileSync(join(folder, 'flows/packing/wrap.yaml'), `${text}# more\n`);
  expect(signature(folder)).not.toBe(before);
});

describe('a pack that is read again', () => {
  const { serve } = useSandboxes({ key: 'sk_watch', t0: '2025-01-01T00:00:00Z' });
  let sandbox: TestSandbox;
  let folder: string;

  beforeEach(async () => {
    folder = full.write();
    sandbox = await serve({ pack: folder });
  });

  async function call(
    method: string,
    path: string,
    fields: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const { status, body } = await sandbox.call(`${method} ${path}`, method === 'GET' ? undefined : form(fields));
    return { http: status, ...body };
  }

  function edit(file: string, from: string, to: string): void {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
  }

  test('keeps objects, timers, clock and ids; new behaviour is live', async () => {
    const { id } = await call('POST', '/v1/orders', { amount: '500' });
    await sandbox.control.advance('1h');
    edit('resources/order.yaml', 'thanks for ${self.amount}', 'many thanks');
    const { migrated } = await sandbox.reload();
    expect(migrated).toMatchObject({ objects: 2, timers: 1, dropped: [] });
    expect(await call('GET', `/v1/orders/${String(id)}`)).toMatchObject({ status: 'open', amount: 500 });
    const { id: second } = await call('POST', '/v1/orders', { amount: '7' });
    expect(second).not.toBe(id);
    expect(await call('POST', `/v1/orders/${String(second)}/pay`)).toMatchObject({ note: 'many thanks' });
    await sandbox.control.advance('1h');
    expect(await call('GET', `/v1/orders/${String(id)}`)).toMatchObject({ status: 'lost' });
  });

  test('new fields take defaults, fields that are gone are told, objects that do not fit are dropped', async () => {
    const { id } = await call('POST', '/v1/orders', { amount: '500' });
    edit(
      'resources/customer.yaml',
      '  email: string?',
      '  email: string?\n  tier: { enum: [gold, silver], default: silver }',
    );
    const { id: customer } = await call('POST', '/v1/customers', { email: 'a@b.c' });
    expect((await sandbox.reload()).migrated?.dropped).toEqual([]);
    expect(await call('GET', `/v1/customers/${String(customer)}`)).toMatchObject({ tier: 'silver', email: 'a@b.c' });
    edit('resources/order.yaml', '  amount: integer', '  amount: { enum: [small] }');
    edit('resources/order.yaml', '  is_small: "self.amount < 1000"', `  is_small: "self.amount == 'small'"`);
    edit(
      'resources/order.yaml',
      'amount: { type: integer, required: true, min: 1 }',
      'amount: { enum: [small], required: true }',
    );
    edit('resources/order.yaml', '"params.amount > 100000"', '"1 == 2"');
    edit('resources/order.yaml', 'amount: "${params.amount}"', 'amount: 1');
    const { migrated, problems } = await sandbox.reload();
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(migrated?.dropped).toEqual([
      `orders: ${String(id)}, whose amount must be one of small`,
      `the timer xstate.after.pack_time.order.open of ${String(id)}`,
    ]);
    expect(await call('GET', `/v1/orders/${String(id)}`)).toMatchObject({ http: 404 });
  });

  test('a pack with mistakes changes nothing', async () => {
    const { id } = await call('POST', '/v1/orders', { amount: '500' });
    edit('resources/order.yaml', 'thanks for ${self.amount}', 'thanks for ${self.amont}');
    const { migrated, problems } = await sandbox.reload();
    expect(migrated).toBeNull();
    expect(problems).toEqual([expect.objectContaining({ code: 'expression', suggestion: 'amount' })]);
    expect(await call('POST', `/v1/orders/${String(id)}/pay`)).toMatchObject({ note: 'thanks for 500' });
  });

  test('faults, pins and durations stay', async () => {
    await sandbox.control.fault({ resource: 'orders', operation: 'create', status: 503, count: 1 });
    await sandbox.control.durations({ pack_time: '5m' });
    await sandbox.control.pin({ resource: 'orders', path: 'risk', value: 'high' });
    await sandbox.reload();
    expect(await call('POST', '/v1/orders', { amount: '5' })).toMatchObject({ http: 503 });
    const { id } = await call('POST', '/v1/orders', { amount: '5' });
    await sandbox.control.advance('5m');
    expect(await call('GET', `/v1/orders/${String(id)}`)).toMatchObject({ status: 'lost', risk: 'high' });
  });
});

describe('--watch', () => {
  let running: Running;

  afterEach(() => running.stop('SIGKILL'));

  test('serve: a saved file is live soon, a mistake is told and does not stop it', async () => {
    const folder = full.write();
    running = startCommand(['serve', folder, '--port', '0', '--key', 'sk_w', '--watch', '--json']);
    const [line] = await running.lines(1);
    const { url } = JSON.parse(line) as { url: string };
    let stderr = '';
    running.child.stderr?.on('data', (text: string) => (stderr += text));
    const message = async (): Promise<string> =>
      (await fetch(`${url}/v1/nowhere`, { headers: { Authorization: 'Bearer sk_w' } })).text();
    expect(await message()).toContain('no GET /v1/nowhere');
    const file = join(folder, 'errors.yaml');
    writeFileSync(file, full.files['errors.yaml'].replace('no ${method}', 'never ${method}'));
    await until(async () => (await message()).includes('never GET'));
    writeFileSync(file, full.files['errors.yaml'].replace('no ${method}', 'no ${metod}'));
    await until(() => stderr.includes('not reloaded: 1 error'));
    expect(stderr).toContain("did you mean 'method'?");
    expect(await message()).toContain('never GET');
  });

  test('validate-pack: checks again after each save', async () => {
    const folder = full.write();
    running = startCommand(['validate-pack', folder, '--watch']);
    expect(await running.lines(2)).toEqual([
      expect.stringMatching(/ {2}ok {2}shop /),
      expect.stringMatching(/^ {2}\d/),
    ]);
    writeFileSync(join(folder, 'types.yaml'), full.files['types.yaml'].replace('values: string', 'values: strng'));
    expect((await running.lines(4)).slice(2)).toEqual(['', expect.stringContaining('types.yaml:1:')]);
    expect(await running.stop('SIGINT')).toMatchObject({ code: 1 });
  });
});
