import { type Company, type CompanyOptions, createCompany } from '../../../engine/index.js';
import { foldLedger } from '../../../engine/world/index.js';
import { type Body, call, form, type Served } from '../../support/http.js';
import { useReceiver, useSandboxes } from '../../support/start-sandbox.js';
import { whole, written } from '../../support/world.js';

const T0 = '2026-01-05T10:00:00Z';
/** A world of a company, as the control API returns it. */
interface MadeCompany extends Served {
  readonly vendors: Readonly<Record<string, Served>>;
}

const KEYS = { payments: 'sk_test_company', tasks: 'company-tasks-key' };
const receiver = useReceiver();
const { serve, keep } = useSandboxes({ seed: 'acme', t0: T0 });

/** Without the port that it was given. */
const placeless = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/http:..127\.0\.0\.1:\d+/g, 'URL'));

const BOTH = [
  { pack: 'payments', key: KEYS.payments },
  { pack: 'task-automation', name: 'tasks', key: KEYS.tasks },
];

async function companyOf(more: Partial<CompanyOptions> = {}): Promise<Company> {
  return keep(await createCompany({ packs: BOTH, seed: 'acme', t0: T0, ...more }));
}

/** What a shop does: a customer, and a subscription that is paid each month. */
async function shop(payments: Served): Promise<string[]> {
  const texts: string[] = [];
  const made = async (line: string, fields?: Readonly<Record<string, string>>): Promise<string> => {
    const { text, body, headers } = await call(payments, line, fields && form(fields));
    texts.push(`${headers.get('request-id')} ${text.replaceAll(String(payments.url), 'URL')}`);
    return String(body['id']);
  };
  const product = await made('POST /v1/products', { name: 'Seat' });
  const price = await made('POST /v1/prices', {
    product,
    currency: 'usd',
    unit_amount: '1900',
    'recurring[interval]': 'month',
  });
  const customer = await made('POST /v1/customers', {
    email: 'ada@acme.test',
    payment_method: 'pm_card_visa',
    'invoice_settings[default_payment_method]': 'pm_card_visa',
  });
  await made('POST /v1/subscriptions', { customer, 'items[0][price]': price });
  await made('GET /v1/events?limit=100');
  return texts;
}

const customersIn = (world: Company['vendors'][string]['engine']['world']): unknown[] =>
  world.collections.flatMap(({ config }, at) => (config.name === 'customers' ? world.objects(at) : []));

const ledgerOf = ({ vendors }: Company): unknown[] =>
  JSON.parse(JSON.stringify(Object.values(vendors)[0].engine.world.timeline.ledger.entries())) as unknown[];

test('calls of a pack give the bytes that they give without the other packs', async () => {
  const { vendors } = await companyOf();
  const neighbour = await call(vendors['tasks'], 'GET /v1/tasks');
  expect(neighbour.status).toBeLessThan(500);
  await call(vendors['tasks'], 'POST /v1/agents', { name: 'first' });
  expect(await shop(vendors['payments'])).toEqual(await shop(await serve({ key: KEYS.payments })));
});

test('one advance fires the timers of all packs, each as it would alone', async () => {
  const { vendors, control } = await companyOf();
  const single = await serve({ key: KEYS.payments });
  await shop(vendors['payments']);
  await shop(single);
  const made = (await control.call('POST', '/clock/advance', { duration: '70d' })) as { events: Body[]; fired: number };
  const reference = (await single.control.call('POST', '/clock/advance', { duration: '70d' })) as { events: Body[] };
  const own = made.events.flatMap(({ vendor, ...event }) => (vendor === 'payments' ? [event] : []));
  expect(own.length).toBeGreaterThan(5);
  expect(placeless(own)).toEqual(placeless(reference.events));
  const { payments, tasks } = vendors;
  expect(tasks.engine.world.nowMs).toBe(payments.engine.world.nowMs);
  expect(payments.engine.world.positions).toEqual(single.engine.world.positions);
});

test('the same calls of two companies leave the same ledger', async () => {
  const run = async (): Promise<unknown[]> => {
    const company = await companyOf();
    await shop(company.vendors['payments']);
    await call(company.vendors['tasks'], 'POST /v1/agents', { name: 'first' });
    await company.control.advance('40d');
    return ledgerOf(company);
  };
  expect(await run()).toEqual(await run());
});

test('a reset empties all packs, and the same calls give the same bytes again', async () => {
  const { vendors, control } = await companyOf();
  const first = await shop(vendors['payments']);
  await control.call('POST', '/reset');
  const { world } = vendors['payments'].engine;
  expect(customersIn(world)).toEqual([]);
  expect(await shop(vendors['payments'])).toEqual(first);
  expect(customersIn(world)).not.toEqual([]);
});

test('a rewind at one pack takes all back, and the same advance brings the same', async () => {
  const company = await companyOf();
  const { vendors, control } = company;
  await shop(vendors['payments']);
  await control.call('POST', '/moments', { name: 'paid' });
  const first = await control.advance('40d');
  const then = vendors['payments'].engine.world.positions;
  await vendors['tasks'].control.call('POST', '/rewind', { to: 'paid' });
  expect(vendors['payments'].engine.world.positions).not.toEqual(then);
  expect(await control.advance('40d')).toEqual(first);
  expect(vendors['payments'].engine.world.positions).toEqual(then);
});

test('each earlier moment is what the entries up to there add up to, also in forks, and after going back', async () => {
  const origin = await companyOf();
  await shop(origin.vendors['payments']);
  await call(origin.vendors['tasks'], 'POST /v1/agents', { name: 'first' });
  const fork = keep(await origin.fork());
  for (const { vendors, control } of [origin, fork]) {
    const { payments, tasks } = vendors;
    await control.advance('40d');
    const [first] = (await call(payments, 'GET /v1/subscriptions')).body['data'] as { readonly id: string }[];
    await call(payments, `DELETE /v1/subscriptions/${first.id}`);
    await call(tasks, 'POST /v1/agents', { name: 'second' });
    const { world, past } = payments.engine;
    const { ledger, worlds } = world.timeline;
    const addedUp = (n: number): unknown =>
      foldLedger(written(ledger.upTo(n)), worlds[0].config).timeline.worlds.map(whole);
    const lookBack = (entries: number): void => {
      for (let n = ledger.count - 1; n > ledger.count - entries; n--)
        expect(past.at(n).timeline.worlds.map(whole)).toEqual(addedUp(n));
    };
    lookBack(12);
    const back = ledger.count - 2;
    const there = addedUp(back);
    await control.rewind(back);
    expect(worlds.map(whole)).toEqual(there);
    await call(tasks, 'POST /v1/agents', { name: 'third' });
    await control.advance('40d');
    lookBack(4);
  }
});

test('a fork has all packs, and goes on alike without moving its source', async () => {
  const company = await companyOf();
  await shop(company.vendors['payments']);
  const fork = keep(await company.fork(undefined, true));
  const count = ledgerOf(company).length;
  const there = await fork.control.advance('40d');
  expect(ledgerOf(company)).toHaveLength(count);
  expect(placeless(await company.control.advance('40d'))).toEqual(placeless(there));
});

test('worlds of a company have all packs, each with an address and a key of its own', async () => {
  const company = await companyOf();
  const { control, vendors } = company;
  await shop(vendors['payments']);
  const fresh = (await control.createWorld({ name: 'fresh', seed: 'acme' })) as unknown as MadeCompany;
  expect(Object.keys(fresh.vendors)).toEqual(['payments', 'tasks']);
  expect(fresh.vendors['payments'].key).not.toBe(vendors['payments'].key);
  const customers = async (of: Served): Promise<Body[]> => (await call(of, 'GET /v1/customers')).body['data'] as Body[];
  expect(await customers(fresh.vendors['payments'])).toEqual([]);
  const fork = (await control.createWorld({ from: {} })) as unknown as MadeCompany;
  expect(await customers(fork.vendors['payments'])).toEqual(await customers(vendors['payments']));
  await call(fork, 'POST /__admin__/clock/advance', { duration: '40d' });
  expect(vendors['tasks'].engine.world.now).toBe(T0.replace('Z', '.000Z'));
  const { data } = await control.call('GET', '/worlds');
  expect((data as Body[]).map(({ name }) => name)).toEqual(['main', 'fresh', 'world-3']);
  expect((await call(company, 'DELETE /__admin__/worlds/fresh')).status).toBe(200);
  await expect(call(fresh.vendors['payments'], 'GET /v1/customers')).rejects.toThrow();
  expect((await call(company, 'DELETE /__admin__/worlds/w1')).status).toBe(409);
  expect((await call(company, 'POST /__admin__/worlds', { from: { world: 'frehs' } })).status).toBe(404);
});

test.each([
  [{ name: 'fresh' }, 409, 'name_taken'],
  [{ name: 'w7' }, 400, 'invalid_value'],
  [{ pack: 'payments' }, 400, 'invalid_value'],
  [{ name: 'two', count: 2 }, 400, 'invalid_value'],
  [{ from: {}, seed: 'other' }, 400, 'invalid_value'],
  [{ from: { at: 99 } }, 404, 'unknown_moment'],
  [{ count: 2 }, 409, 'too_many_worlds'],
])('a world of a company cannot be made with %j', async (options, status, code) => {
  const company = await companyOf({ maxWorlds: 3 });
  await company.control.createWorld({ name: 'fresh' });
  const { body, status: was } = await call(company, 'POST /__admin__/worlds', options);
  expect([was, (body['error'] as Body)['code']]).toEqual([status, code]);
  expect(await company.worlds.list()).toHaveLength(2);
});

test('an advance of a company waits for the application', async () => {
  const { vendors, control } = await companyOf({ packs: [...BOTH, { pack: 'payments', name: 'eu' }] });
  const { payments, eu } = vendors;
  receiver.reply = (response) => {
    void call(eu, 'POST /v1/customers', form({ name: 'told' })).then(() => response.end());
  };
  await payments.control.endpoint({ url: receiver.url, events: ['invoice.paid'] });
  await shop(payments);
  await control.advance('70d');
  const { body } = await call(eu, 'GET /v1/customers');
  const days = (body['data'] as { created: number }[]).map(({ created }) => new Date(created * 1000).toISOString());
  expect(days.map((day) => day.slice(0, 10))).toEqual(['2026-03-05', '2026-02-05', '2026-01-05']);
});

test('a kept ledger, read as JSON, is the company again', async () => {
  const entries: string[] = [];
  const journal: string[] = [];
  const keeper = {
    begin: () => undefined,
    entry: (entry: unknown) => void entries.push(JSON.stringify(entry)),
    record: (record: object, after?: number) => void journal.push(JSON.stringify({ ...record, after })),
  };
  const company = await companyOf({ keeper });
  await shop(company.vendors['payments']);
  await company.control.advance('40d');
  const kept = JSON.parse(`{"entries":[${entries.join()}],"journal":[${journal.join()}]}`) as CompanyOptions['kept'];
  const again = await companyOf({ kept });
  expect(ledgerOf(again)).toEqual(ledgerOf(company));
  const next = await company.control.advance('40d');
  expect(placeless(await again.control.advance('40d'))).toEqual(placeless(next));
});

test('a name of one pack may stand alone, and one of several is rejected with all of them', async () => {
  const company = await companyOf({ packs: [...BOTH, { pack: 'payments', name: 'eu' }] });
  await shop(company.vendors['payments']);
  const customers = await call(company, 'GET /__admin__/objects?resource=payments/customers');
  expect(customers.body['total']).toBe(1);
  expect((await call(company, 'GET /__admin__/vendors/eu/objects?resource=customers')).body['total']).toBe(0);
  const ambiguous = await call(company, 'GET /__admin__/objects?resource=customers');
  expect(ambiguous.status).toBe(400);
  expect(ambiguous.body['error']).toMatchObject({ code: 'ambiguous_name', suggestion: 'payments/customers' });
});

test('further members of a pack have ids of their own', async () => {
  const { vendors } = await companyOf({ packs: [...BOTH, { pack: 'payments', name: 'eu' }] });
  const made = await Promise.all(
    [vendors['payments'], vendors['eu']].map((each) => call(each, 'POST /v1/customers', form({ name: 'Ada' }))),
  );
  expect(made.map(({ status }) => status)).toEqual([200, 200]);
  expect(made[0].body['id']).not.toBe(made[1].body['id']);
});

test('the diff of a company names the pack of each object', async () => {
  const company = await companyOf();
  await company.control.call('POST', '/moments', { name: 'before' });
  await shop(company.vendors['payments']);
  const { body } = await call(company, 'GET /__admin__/diff?from=before');
  const objects = body['objects'] as Body[];
  expect(new Set(objects.map(({ vendor }) => vendor))).toEqual(new Set(['payments']));
  expect(objects.length).toBeGreaterThan(5);
});

test.each(['coverage?before=0', 'diff?before=0'])(
  'the company rejects %s as its packs do, and goes on',
  async (path) => {
    const company = await companyOf();
    const { status, body } = await call<Body>(company, `GET /__admin__/${path}`);
    expect([status, body.error]).toMatchObject([400, { code: 'unknown_key' }]);
    expect((await call(company, 'GET /__admin__/clock')).status).toBe(200);
  },
);

test.each(['webhooks/flush', 'coverage', 'diff?from=0'])('HEAD of %s has a response', async (path) => {
  const { url, key } = await companyOf();
  const { status } = await fetch(`${url}/__admin__/${path}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${key}` },
  });
  expect(status).toBeLessThan(500);
});

test('the key of a pack does not open the control API of the company', async () => {
  const { url } = await companyOf();
  expect((await call({ url, key: KEYS.payments }, 'GET /__admin__/clock')).status).toBe(401);
});
