import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Company, createCompany, FileStore, PackInvalid } from '../../../engine/index.js';
import { checkCompany } from '../../../engine/company/index.js';
import { type Body, call, form, type Served } from '../../support/http.js';
import { ROOT } from '../../support/root.js';
import { documented } from '../../tools/blocks.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { useSandboxes } from '../../support/start-sandbox.js';

/** Company files: people, a beginning, and rules between vendors. */

const { keep, close } = useSandboxes();
const ACME = join(ROOT, 'test/companies/acme.yaml');
const HARBOUR = join(ROOT, 'test/companies/harbour.yaml');
const folder = scratchFolder();

interface About {
  readonly names: Readonly<Record<string, { readonly id: string; readonly channel: { readonly id: string } }>>;
  readonly rules: readonly {
    readonly name: string;
    readonly fired: number;
    readonly failed: number;
    readonly error: string | null;
  }[];
}

const open = async (file: string): Promise<Company> => keep(await createCompany(file));

const aboutOf = async (company: Served): Promise<About> =>
  (await call<Body>(company, 'GET /__admin__/company')).body as unknown as About;

const ledgerOf = ({ vendors }: Company): Body[] =>
  JSON.parse(JSON.stringify(Object.values(vendors)[0].engine.world.timeline.ledger.entries())) as Body[];

/** A charge that its card's issuer declines. */
async function declined(payments: Served, customer: string, amount = '1900'): Promise<void> {
  const fields = { amount, currency: 'usd', customer, confirm: 'true', payment_method: 'pm_card_chargeCustomerFail' };
  expect((await call(payments, 'POST /v1/payment_intents', form(fields))).status).toBe(402);
}

async function customerOf({ vendors }: Company): Promise<string> {
  const { body } = await call(vendors['payments'], 'GET /v1/customers');
  return String((body['data'] as Body[])[0]['id']);
}

async function messages(company: Company): Promise<string[]> {
  const { names } = await aboutOf(company);
  const { body } = await call(
    company.vendors['chat'],
    `GET /api/conversations.history?channel=${names['billing'].channel.id}`,
  );
  return (body['messages'] as Body[]).map(({ text }) => String(text));
}

/** A file in a folder of its own. */
function written(text: string): string {
  const file = join(folder, 'company.yaml');
  writeFileSync(file, text);
  return file;
}

test('people are known to each vendor, and the beginning keeps what it made', async () => {
  const company = await open(ACME);
  const { vendors } = company;
  const { names } = await aboutOf(company);
  const { body } = await call(vendors['payments'], 'GET /v1/customers');
  expect(body['data']).toEqual([expect.objectContaining({ name: 'Carl Customer', email: 'carl@shop.test' })]);
  const { body: ada } = await call(vendors['chat'], 'GET /api/users.info?user=U0ADA');
  expect(ada['user']).toMatchObject({ real_name: 'Ada Byron' });
  expect((await call(vendors['payments'], `GET /v1/prices/${names['monthly'].id}`)).status).toBe(200);
  expect(vendors['payments'].key).toBe('sk_test_acme');
  expect(vendors['chat'].engine.world.now).toBe(Date.parse('2026-01-05T10:00:00Z') / 1000);
});

test('a rule follows an event of one vendor at another, as a command of its own', async () => {
  const company = await open(ACME);
  const customer = await customerOf(company);
  await declined(company.vendors['payments'], customer);
  await declined(company.vendors['payments'], customer, '500');
  expect((await messages(company)).filter((text) => text.startsWith('no money'))).toEqual([
    `no money from ${customer}: card_declined`,
  ]);
  const [entry, ...more] = ledgerOf(company).filter(({ origin }) => origin === 'rule');
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    pack: 'chat',
    command: 'cause user.wrote',
    args: { rule: 'failed_charges_are_posted' },
  });
  expect((await aboutOf(company)).rules).toEqual([
    { name: 'failed_charges_are_posted', when: 'payments/charge.failed', fired: 1, failed: 0, error: null },
  ]);
});

test('a rule follows timers at their own time, and its events are those of the advance', async () => {
  const company = await open(HARBOUR);
  const { north, south } = company.vendors;
  await call(north, 'POST /api/parcels', { to: { street: 'Quay', town: 'Hull' }, weight: 20 });
  await company.control.advance('3h');
  const { events } = (await company.control.call('POST', '/clock/advance', {
    until: { event: 'north/parcel.delivered' },
  })) as { events: Body[] };
  expect(events.map(({ vendor, type }) => `${String(vendor)} ${String(type)}`)).toEqual(
    expect.arrayContaining(['north parcel.delivered', 'south parcel.lost']),
  );
  expect((await call(south, 'GET /api/depot')).body['free']).toBe(0);
  expect((await call(north, 'GET /api/depot')).body['free']).toBe(100);
});

test('a reset goes back to where the company began, and the same calls bring the same', async () => {
  const company = await open(ACME);
  // Of the control API: a read of the vendor's API draws ids of requests.
  const { people } = (await aboutOf(company)).names as unknown as { people: { carl: { payments: { id: string } } } };
  const customer = people.carl.payments.id;
  const run = async (): Promise<unknown[]> => {
    expect(await customerOf(company)).toBe(customer);
    expect((await messages(company)).filter((text) => text.startsWith('no money'))).toEqual([]);
    const before = ledgerOf(company).length;
    await declined(company.vendors['payments'], customer);
    await company.control.advance('3d');
    const made = ledgerOf(company).slice(before);
    return made.map(({ n: _n, args: _args, ...entry }) => entry);
  };
  const first = await run();
  await company.control.reset();
  expect(await run()).toEqual(first);
  await company.control.reset({ empty: true });
  expect((await call(company.vendors['payments'], 'GET /v1/customers')).body['data']).toEqual([]);
});

test('a fork has the names and rules of its company, and a fresh world begins as the first', async () => {
  const company = await open(ACME);
  const customer = await customerOf(company);
  const fork = keep(await company.fork());
  await declined(fork.vendors['payments'], customer);
  expect(await messages(fork)).toContain(`no money from ${customer}: card_declined`);
  expect((await messages(company)).filter((text) => text.startsWith('no money'))).toEqual([]);
  const fresh = (await company.control.createWorld({ seed: 'acme' })) as unknown as Company;
  expect((await aboutOf(fresh)).names['monthly']).toEqual((await aboutOf(company)).names['monthly']);
});

test('two runs of a company leave the same ledger, and a rewind before a rule brings it again', async () => {
  const run = async (): Promise<[Company, unknown[]]> => {
    const company = await open(HARBOUR);
    await call(company.vendors['north'], 'POST /api/parcels', { to: { street: 'Quay', town: 'Hull' }, weight: 20 });
    await company.control.saveMoment('sent');
    await company.control.advance('9d');
    return [company, ledgerOf(company)];
  };
  const [company, first] = await run();
  const [, second] = await run();
  expect(first).toEqual(second);
  expect(first.filter((each) => (each as Body)['origin'] === 'rule')).toHaveLength(2);
  const state = (): Promise<Body> =>
    company.vendors['south'].control.state().then(({ resources }) => resources as Body);
  const before = await state();
  await company.control.rewind('sent');
  expect(await state()).not.toEqual(before);
  await company.control.advance('9d');
  expect(await state()).toEqual(before);
});

const CHAT = `company: loop
t0: 2026-01-05T10:00:00Z
vendors: { chat: { pack: team-chat } }
rules:
  talk:
    when: chat/message.channels
`;

test('rules that lead to each other end, and a rule that fails takes nothing back', async () => {
  const defects: string[] = [];
  const onDefect = (_error: unknown, what: string): void => void defects.push(what);
  const loop = `    do: [{ cause: chat/user.wrote, with: { user_id: U0OWNER, channel: general, text: again } }]\n`;
  const company = keep(await createCompany({ file: written(CHAT + loop), onDefect }));
  const wrote = { cause: 'user.wrote', params: { user_id: 'U0OWNER', channel: 'general', text: 'one' } };
  await company.control.call('POST', '/world/events', wrote);
  expect((await aboutOf(company)).rules).toMatchObject([
    { fired: 16, failed: 1, error: expect.stringContaining('rule_budget') },
  ]);
  expect(defects).toEqual(['rule talk']);
  const wrong = `    do: [{ cause: chat/user.wrote, with: { user_id: U0OWNER, channel: nowhere, text: again } }]\n`;
  const other = keep(await createCompany({ file: written(CHAT + wrong), onDefect }));
  await other.control.call('POST', '/world/events', wrote);
  expect((await aboutOf(other)).rules).toMatchObject([
    { fired: 0, failed: 1, error: expect.stringContaining('channel_not_found') },
  ]);
  expect(ledgerOf(other).filter(({ command }) => command === 'cause user.wrote')).toHaveLength(1);
  const { data } = await other.vendors['chat'].control.ledger();
  expect(data.at(-1)).toMatchObject({
    command: 'rule failed',
    origin: 'rule',
    args: { rule: 'talk', error: { code: 'channel_not_found' } },
  });
});

test('a company that is kept continues at the next start, with its keys, names and rules', async () => {
  const path = join(folder, 'company.db');
  const run = async (
    serve: () => Promise<Company>,
    restart: (company: Company) => Promise<Company>,
  ): Promise<unknown[]> => {
    let company = await serve();
    const customer = await customerOf(company);
    await declined(company.vendors['payments'], customer);
    company = await restart(company);
    await declined(company.vendors['payments'], customer);
    await company.control.advance('3d');
    expect((await messages(company)).filter((text) => text.startsWith('no money'))).toHaveLength(2);
    const made = ledgerOf(company);
    await company.control.reset();
    expect((await messages(company)).filter((text) => text.startsWith('no money'))).toEqual([]);
    return made;
  };
  const stores: FileStore[] = [];
  const kept = async (): Promise<Company> => {
    const store = await FileStore.open(path);
    stores.push(store);
    return keep(await createCompany({ file: ACME, store }));
  };
  const again = async (company: Company): Promise<Company> => {
    const keys = Object.values(company.vendors).map(({ key }) => key);
    await company.close();
    await stores.pop()?.close();
    const next = await kept();
    expect([next.key, ...Object.values(next.vendors).map(({ key }) => key)]).toEqual([company.key, ...keys]);
    return next;
  };
  const alone = await run(
    () => open(ACME),
    (company) => Promise.resolve(company),
  );
  expect(await run(kept, again)).toEqual(alone);
  const [store] = stores;
  await close();
  await expect(createCompany({ file: HARBOUR, store })).rejects.toThrow(/^the world is one of company of payments/);
  await store.close();
});

const VENDORS = 'company: wrong\nvendors:\n  payments: { pack: payments }\n  chat: { pack: team-chat }\n';

test.each([
  [
    'a vendor that is not there',
    'rules: { r: { when: pay/invoice.paid, do: [{ cause: chat/user.joined }] } }',
    '5:21 unknown-name',
    undefined,
  ],
  [
    'an event',
    'rules: { r: { when: payments/invoice.payed, do: [{ cause: chat/user.joined }] } }',
    '5:21 unknown-event',
    'payments/invoice.paid',
  ],
  [
    'an operation',
    'begin: [{ call: payments/customer.create }]',
    '5:17 unknown-operation',
    'payments/customers.create',
  ],
  ['a cause', 'begin: [{ cause: chat/user.wrot }]', '5:18 unknown-cause', 'chat/user.wrote'],
  ['a parameter', 'begin: [{ cause: chat/user.wrote, with: { user_ids: x } }]', '5:43 unknown-parameter', 'user_id'],
  [
    'a name that nothing keeps',
    "begin: [{ call: payments/products.create, with: { name: '${seat.id}' } }]",
    '5:60 expression',
    undefined,
  ],
  [
    'a condition that is none',
    "rules: { r: { when: payments/invoice.paid, if: '1 + 1', do: [{ cause: chat/user.joined }] } }",
    '5:48 wrong-type',
    undefined,
  ],
  [
    'a member of events that is not there',
    "rules: { r: { when: payments/invoice.paid, if: 'event.dta == null', do: [{ cause: chat/user.joined }] } }",
    '5:55 expression',
    'data',
  ],
  [
    'somebody who is not there',
    "people: { ada: { name: Ada } }\nbegin: [{ call: payments/products.create, with: { name: '${people.ade.name}' } }]",
    '6:67 expression',
    'ada',
  ],
  [
    'what nobody knows of people',
    "people: { ada: { name: Ada } }\nbegin: [{ call: payments/products.create, with: { name: '${people.ada.nmae}' } }]",
    '6:71 expression',
    'name',
  ],
  ['a collection', 'seeds: { payments/customer: [] }', '5:10 unknown-collection', 'customers'],
  ['what a person is', 'people: { ada: { name: Ada, is: { chat: user } } }', '5:41 unknown-name', undefined],
  ['a pack that is not there', '  mail: { pack: mial }', '5:17 pack-unreadable', undefined],
  ['a key', 'rule: {}', '5:1 unknown-key', 'rules'],
  ['an instant', 't0: soon', '5:5 invalid-value', undefined],
  ['seed data', 'begin: [{ call: payments/products.create, cause: chat/user.wrote }]', '5:9', undefined],
])('%s is a problem with its place', async (_what, line, place, suggestion) => {
  const file = written(`${VENDORS}${line}\n`);
  const { problems } = await checkCompany(file);
  const [first] = problems;
  expect(`${first.line}:${first.column} ${first.code}`).toContain(place);
  expect(first.suggestion).toBe(suggestion);
  await expect(createCompany(file)).rejects.toThrow(PackInvalid);
});

test('a beginning that a vendor rejects says where it stands', async () => {
  const file = written(`${VENDORS}begin: [{ call: payments/customers.create, with: { balance: x } }]\n`);
  await expect(createCompany(file)).rejects.toThrow(/^company\.yaml:5:9: customers\.create returned 400/);
  const silent = written(`${VENDORS}begin: [{ call: chat/channels.archive, with: { channel: nowhere } }]\n`);
  await expect(createCompany(silent)).rejects.toThrow(/channel_not_found/);
});

test('a world that cannot begin at the time that its caller gives is their error, and never was', async () => {
  const company = await open(join(ROOT, 'test/companies/studio.yaml'));
  const { status, body } = await call<Body>(company, 'POST /__admin__/worlds', { t0: 8 });
  expect([status, body['error']]).toMatchObject([
    400,
    { message: expect.stringContaining('studio.yaml:15:5') as string },
  ]);
  const { body: listed } = await call<{ data: unknown[] }>(company, 'GET /__admin__/worlds');
  expect(listed.data).toHaveLength(1);
});

test('the companies of the tests are sound', async () => {
  for (const file of [ACME, HARBOUR]) expect((await checkCompany(file)).problems).toEqual([]);
});

test('the file of the page about companies is sound, and begins', async () => {
  const file = written(documented('docs/concepts/company.md', 'company.yaml'));
  expect((await checkCompany(file)).problems).toEqual([]);
  const company = await open(file);
  await declined(company.vendors['payments'], await customerOf(company));
  expect((await messages(company)).filter((text) => text.startsWith('no money'))).toHaveLength(1);
});
