import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Caller } from '../support/calls.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { runCommand } from '../support/command.js';
import { startSandbox } from '../support/start-sandbox.js';

/** `sandbox compare bug.sandbox --version X --version Y`: what an upgrade would change for an application. */

const OLD = '2024-12-18.acacia';
const NEW = '2026-10-28.endive';
const file = join(scratchFolder(), 'bug.sandbox');

interface Group {
  readonly what: string;
  readonly which: readonly (number | string)[];
  readonly changes: readonly { readonly path: string; readonly before: string; readonly after: string }[];
}

interface Told {
  readonly steps: number;
  readonly calls: readonly Group[];
  readonly events: readonly Group[];
  readonly objects: readonly Group[];
}

const sandbox = startSandbox('packs/payments', { seed: 'upgrade', t0: 1_736_942_400 });
beforeAll(async () => {
  const caller = new Caller(sandbox, '');
  const made = async (path: string, params: Readonly<Record<string, string>>): Promise<string> =>
    (JSON.parse((await caller.vendor('POST', path, params)).text) as { readonly id: string }).id;
  const price = await made('/v1/prices', {
    currency: 'usd',
    unit_amount: '1500',
    'recurring[interval]': 'month',
    'product_data[name]': 'Gold',
  });
  const coupon = await made('/v1/coupons', { percent_off: '25', duration: 'once' });
  const customer = await made('/v1/customers', {
    payment_method: 'pm_card_visa',
    'invoice_settings[default_payment_method]': 'pm_card_visa',
  });
  await made('/v1/subscriptions', { customer, 'items[0][price]': price });
  await made('/v1/subscriptions', { customer, 'items[0][price]': price, coupon });
  writeFileSync(file, (await sandbox.admin('GET /export')).text);
});

async function compare(...versions: readonly string[]) {
  const options = versions.flatMap((version) => ['--version', version]);
  const { code, stdout, stderr } = await runCommand(['compare', file, ...options, '--json']);
  return { code, told: JSON.parse(stdout === '' ? stderr : stdout) as Told };
}

test.each([
  [['--gone'], 'items.data.*.current_period_end', 'current_period_end'],
  [['--fields', 'current_period_end'], 'coupon', 'items.data.*.current_period_end'],
])('%p leaves the other fields out', async (options, without, has) => {
  const versions = ['--version', OLD, '--version', NEW];
  const { code, stdout } = await runCommand(['compare', file, ...versions, ...options, '--json']);
  const { calls, events, objects } = JSON.parse(stdout) as Told;
  const paths = [...calls, ...events, ...objects].flatMap(({ changes }) => changes.map(({ path }) => path));
  expect(code).toBe(1);
  expect(paths).toContain(has);
  expect(paths).not.toContain(without);
});

test('calls, events and objects that an application would see differently are told field by field', async () => {
  const { code, told } = await compare(OLD, NEW);
  expect(code).toBe(1);
  expect(told.steps).toBe(5);
  const changes = (groups: readonly Group[], what: string) => groups.filter((group) => group.what === what);
  const [works, refused] = changes(told.calls, 'subscriptions.create');
  expect(works.which).toEqual([4]);
  expect(works.changes).toEqual(
    expect.arrayContaining([
      { path: 'current_period_end', before: '1739620800', after: 'absent' },
      { path: 'items.data.*.current_period_end', before: 'absent', after: '1739620800' },
    ]),
  );
  // What one version refuses is told as that, and not field by field.
  expect(refused).toEqual({
    what: 'subscriptions.create',
    which: [5],
    changes: [{ path: '', before: '200', after: '400 Received unknown parameter: coupon' }],
  });
  const [paid] = changes(told.events, 'invoice.paid');
  expect(paid.which).toHaveLength(2);
  expect(paid.changes.map(({ path }) => path)).toContain('data.object.subscription');
  expect(paid.changes.map(({ path }) => path)).not.toContain('api_version');
  expect(changes(told.objects, 'charge')[0].changes).toContainEqual({
    path: 'billing_details.tax_id',
    before: 'absent',
    after: 'null',
  });
});

test('a version and itself are the same, a stranger is refused, and so is one version alone', async () => {
  expect(await compare(OLD, OLD)).toMatchObject({ code: 0, told: { calls: [], events: [], objects: [] } });
  expect(await compare(OLD, '2026-01-01.fern')).toMatchObject({ code: 2, told: { error: { code: 'no_version' } } });
  expect((await compare(OLD)).code).toBe(2);
});
