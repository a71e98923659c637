import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Bug, type Company, createCompany, FileStore, replayCompany } from '../../../engine/index.js';
import { foldLedger } from '../../../engine/world/index.js';
import { runCommand } from '../../support/command.js';
import { type Body, call, form, type Served } from '../../support/http.js';
import { ROOT } from '../../support/root.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { useReceiver, useSandboxes } from '../../support/start-sandbox.js';

/** Three packs with rules between them: what happened is a file that another process repeats, and the ledger is all there is. */

const STREET = join(ROOT, 'test/companies/street.yaml');
const { keep } = useSandboxes();
const receiver = useReceiver();
const folder = scratchFolder();

/** One rule fails each time, which the ledger says. */
const onDefect = (): void => undefined;

const street = async (options: { readonly store?: FileStore } = {}): Promise<Company> =>
  keep(await createCompany({ file: STREET, onDefect, ...options }));

const ledgerOf = ({ vendors }: Company): unknown[] =>
  JSON.parse(JSON.stringify(vendors['shop'].engine.world.timeline.ledger.entries())) as unknown[];

const exportOf = async (company: Served): Promise<Bug> =>
  (await call<Body>(company, 'GET /__admin__/export')).body as unknown as Bug;

async function made(vendor: Served, line: string, fields: Readonly<Record<string, string>>): Promise<string> {
  return String((await call(vendor, line, form(fields))).body['id']);
}

const CUSTOMER = {
  email: 'ada@acme.test',
  payment_method: 'pm_card_visa',
  'invoice_settings[default_payment_method]': 'pm_card_visa',
};

/** Something that an application or a user does. */
type Action = (company: Company) => Promise<unknown>;
const ACTIONS: Readonly<Record<string, Action>> = {
  subscribe: async ({ vendors: { shop } }) => {
    const product = await made(shop, 'POST /v1/products', { name: 'Seat' });
    const monthly = { product, currency: 'usd', unit_amount: '1900', 'recurring[interval]': 'month' };
    const price = await made(shop, 'POST /v1/prices', monthly);
    const customer = await made(shop, 'POST /v1/customers', CUSTOMER);
    await made(shop, 'POST /v1/subscriptions', { customer, 'items[0][price]': price });
  },
  decline: async ({ vendors: { shop } }) => {
    const fields = { amount: '500', currency: 'usd', confirm: 'true', payment_method: 'pm_card_chargeCustomerFail' };
    await made(shop, 'POST /v1/payment_intents', fields);
  },
  send: ({ vendors: { courier } }) =>
    call(courier, 'POST /api/parcels', { to: { street: 'Quay', town: 'Hull' }, weight: 3 }),
  look: ({ vendors: { chat } }) => call(chat, 'GET /api/conversations.list'),
  hour: ({ control }) => control.advance('1h'),
  month: ({ control }) => control.advance('32d'),
  flood: ({ vendors: { courier } }) => call(courier, 'POST /__admin__/world/events', { cause: 'depot.flooded' }),
  break: ({ vendors: { courier } }) =>
    courier.control.fault({ resource: 'parcels', operation: 'create', status: 503, count: 1 }),
  save: ({ control }) => control.saveMoment('here'),
  back: ({ control }) => control.rewind('begin'),
  reset: ({ control }) => control.reset(),
};

async function live(company: Company, names: readonly string[]): Promise<void> {
  for (const name of names) await ACTIONS[name](company);
}

const DAY = ['subscribe', 'send', 'decline', 'look', 'hour', 'break', 'send', 'send', 'month', 'flood', 'decline'];

test('what happened to a company is a file that makes the same bytes in another one', async () => {
  const company = await street();
  const { shop, courier } = company.vendors;
  receiver.reply = (response, { body }) => {
    response.statusCode = body.includes('charge.failed') ? 500 : 200;
    response.end();
  };
  await made(shop, 'POST /v1/webhook_endpoints', { url: receiver.url, 'enabled_events[0]': '*' });
  await courier.control.call('POST', '/webhooks/endpoints', { url: receiver.url });
  await live(company, [...DAY, 'back', ...DAY, 'month', 'reset', 'send', 'hour']);
  const entries = ledgerOf(company);
  expect(entries.filter((each) => (each as Body)['command'] === 'rule failed').length).toBeGreaterThan(0);
  const bug = await exportOf(company);
  expect(bug).toMatchObject({ format: 2, header: { company: { packs: { courier: { pack: 'parcels' } } } } });
  const packs = { courier: join(ROOT, 'test/packs/parcels') };
  const replayed = await replayCompany(JSON.parse(JSON.stringify(bug)) as Bug, { packs });
  keep(replayed.company);
  expect(replayed.unlike).toBeNull();
  expect(ledgerOf(replayed.company)).toEqual(entries);
  // A file of what was repeated repeats the same.
  expect((await exportOf(replayed.company)).steps).toEqual(bug.steps);
  const [before] = bug.steps.slice(-4);
  const part = await replayCompany(bug, { packs, until: before.last });
  keep(part.company);
  expect(part.company.vendors['shop'].engine.world.ledger.count).toBe(before.last);
  const other = { ...bug, header: { ...bug.header, pack: { ...bug.header.pack, hash: 'another' } } };
  await expect(replayCompany(other, { packs })).rejects.toThrow(/^the file was written with other packs/);
});

test('a fork of a company, and its file, go on as the company does', async () => {
  const company = await street();
  await live(company, DAY);
  const fork = keep(await company.fork(undefined, true));
  const head = ledgerOf(company).length;
  for (const each of [company, fork]) await live(each, ['send', 'month', 'decline', 'send']);
  expect(ledgerOf(fork).slice(head)).toEqual(ledgerOf(company).slice(head));
  const bug = await exportOf(fork);
  expect(bug.begins?.entry.n).toBe(head);
  const { company: replayed, unlike } = await replayCompany(bug, {
    packs: { courier: join(ROOT, 'test/packs/parcels') },
  });
  keep(replayed);
  expect(unlike).toBeNull();
});

test('a company whose store was closed between any two actions has the ledger of one that ran on', async () => {
  const alone = await street();
  await live(alone, DAY);
  const path = join(folder, 'street.db');
  for (const [at, name] of DAY.entries()) {
    const store = await FileStore.open(path);
    const company = await createCompany({ file: STREET, store, onDefect });
    await live(company, [name]);
    if (at === DAY.length - 1) expect(ledgerOf(company)).toEqual(ledgerOf(alone));
    await company.close();
    await store.close();
  }
});

test('the ledger of a company with rules adds up, and leads back, to each of its moments', async () => {
  const actions = fc.array(fc.constantFrom(...Object.keys(ACTIONS)), { minLength: 2, maxLength: 7 });
  const property = fc.asyncProperty(actions, fc.nat(), async (names, chosen) => {
    const company = await createCompany({ file: STREET, onDefect });
    const { shop } = company.vendors;
    const { timeline } = shop.engine.world;
    const state = (): unknown =>
      JSON.parse(
        JSON.stringify(
          timeline.worlds.map((world) => [
            world.now,
            world.positions,
            world.config.collections.map((_, at) => world.objects(at)),
          ]),
        ),
      );
    const moments = new Map<number, unknown>();
    for (const name of names) {
      await live(company, [name]);
      moments.set(timeline.ledger.count, state());
    }
    const entries = JSON.parse(
      JSON.stringify(timeline.ledger.entries()),
    ) as typeof timeline.ledger.entries extends () => infer E ? E : never;
    for (const [n, then] of moments) {
      const folded = foldLedger(entries.slice(0, n), { ...timeline.worlds[0].config, keeper: undefined });
      const shown = folded.timeline.worlds.map((world) => [
        world.now,
        { ...world.positions, requests: 0 },
        world.config.collections.map((_, at) => world.objects(at)),
      ]);
      const known = (then as [unknown, object, unknown][]).map(([now, at, objects]) => [
        now,
        { ...at, requests: 0 },
        objects,
      ]);
      expect(JSON.parse(JSON.stringify(shown))).toEqual(known);
    }
    const [n, then] = [...moments][chosen % moments.size];
    await company.control.rewind(n);
    const objects = (of: unknown): unknown[] => (of as unknown[][]).map(([now, , values]) => [now, values]);
    expect(objects(state())).toEqual(objects(then));
    await company.close();
  });
  await fc.assert(property, { numRuns: 6, seed: 33 });
});

test('what a company has met of its packs is counted with their names, here and in its file', async () => {
  const company = await street();
  await made(company.vendors['shop'], 'POST /v1/customers', CUSTOMER);
  const { events } = await company.control.coverage();
  expect(events.met).toContain('shop/customer.created');
  expect(events.met.every((name) => /^(?:shop|courier|chat)\//.test(name))).toBe(true);
  const file = join(folder, 'met.sandbox');
  writeFileSync(file, JSON.stringify(await exportOf(company)));
  const { code, stdout } = await runCommand(['coverage', file, '--pack', STREET, '--json']);
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as { events: unknown }).events).toEqual(events);
});

test('the smallest steps of a company with which a check fails call one pack each', async () => {
  const company = await street();
  const { shop, courier } = company.vendors;
  for (const name of ['a', 'b', 'c']) await made(shop, 'POST /v1/customers', { ...CUSTOMER, name });
  await call(courier, 'POST /parcels', { to: 'Ada' });
  await company.control.advance('2d');
  const file = join(folder, 'long.sandbox');
  writeFileSync(file, JSON.stringify(await exportOf(company)));
  const check = `! curl -s -H "Authorization: Bearer $SANDBOX_SHOP_KEY" "$SANDBOX_SHOP_URL/v1/customers?limit=1" | grep -q cus_`;
  const { code, stdout } = await runCommand(['shrink', file, '--pack', STREET, '--check', check, '--quiet']);
  expect(code).toBe(0);
  const calls = stdout.split('\n').filter((line) => line.startsWith('curl'));
  expect(calls).toHaveLength(1);
  expect(calls[0]).toContain('"$SANDBOX_SHOP_URL"/v1/customers');
});
