import type { Sandbox } from '../../../engine/index.js';
import type { JsonObject } from '../../../engine/values/index.js';
import { type Hints, MinimalWorld } from './minimal-world.js';
import { call, form } from '../../support/http.js';
import { sampleOf } from '../../support/sample.js';

/**
 * A minimal seed of each resource in each status: refused with 422 and a path, or every later operation and 40 days of clock work on
 * it as on an object that calls made.
 */

const nameOf = ({ def, status }: MinimalWorld['rows'][number]): string => `${def.collection} ${status ?? ''}`.trim();

/** What each resource and status comes to. */
async function livesOf(world: MinimalWorld): Promise<{ readonly found: string[]; readonly refused: string[] }> {
  const found: string[] = [];
  const refused: string[] = [];
  for (const row of sampleOf(world.rows, 3)) {
    const { def, status } = row;
    const what = nameOf(row);
    world.begin();
    const { given, answer } = await world.seed(def, status);
    const id = String(given['id']);
    if (answer.status === 422 && typeof (answer.body['error'] as JsonObject)['path'] === 'string') {
      refused.push(what);
      continue;
    }
    if (answer.status !== 200) {
      found.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)} <- ${JSON.stringify(given)}`);
      continue;
    }
    const tell = (when: string, problem: string): void =>
      void found.push(`${what}: ${when}: ${problem} <- ${JSON.stringify(given)}`);
    const seeded = world.sandbox.engine.world.ledger.count;
    for (const operation of [null, ...world.operationsOn(def)]) {
      if (world.sandbox.engine.world.ledger.count > seeded) world.sandbox.engine.rewind(seeded);
      world.defects.length = 0;
      const name = operation?.name ?? 'nothing';
      if (operation) {
        const { status: code, body } = await world.operate(operation, id, given);
        if (code >= 500) tell(name, `${code} ${JSON.stringify(body)}`);
      }
      await world.call('POST', '/__admin__/clock/advance', { duration: '40d' });
      for (const defect of world.defects) tell(`40 days after ${name}`, defect);
    }
  }
  return { found, refused };
}

async function automation(sandbox: Sandbox): Promise<void> {
  const post = async (path: string, body: unknown): Promise<{ id: string }> =>
    (await call<{ id: string }>(sandbox, `POST ${path}`, body)).body;
  const agent = await post('/agents', { name: 'Clerk' });
  const source = await post('/sources', { type: 'website', website: { url: 'https://shop.example' } });
  await post('/credentials', { source_id: source.id });
  const task = await post('/tasks', { name: 'Look', agent_id: agent.id });
  await post('/task-runs', { task_id: task.id });
  await sandbox.control.advance('1h');
}

async function payments(sandbox: Sandbox): Promise<void> {
  const post = async (path: string, fields: string): Promise<{ id: string }> =>
    (await call<{ id: string }>(sandbox, `POST /v1/${path}`, form(fields))).body;
  const customer = await post(
    'customers',
    'payment_method=pm_card_visa&invoice_settings[default_payment_method]=pm_card_visa&email=a@example.com',
  );
  const product = await post('products', 'name=Gold');
  const price = await post('prices', `product=${product.id}&currency=usd&unit_amount=1500&recurring[interval]=month`);
  const invoice = await post('invoices', `customer=${customer.id}`);
  await post('invoiceitems', `customer=${customer.id}&amount=700&currency=usd&invoice=${invoice.id}`);
  await post(`invoices/${invoice.id}/pay`, '');
  await post('subscriptions', `customer=${customer.id}&items[0][price]=${price.id}`);
  await post('payment_intents', 'amount=3000&currency=usd&confirm=true&payment_method=pm_card_visa');
  await post('coupons', 'percent_off=25&duration=once');
  await post('transfers', 'amount=100&currency=usd&destination=acct_x');
  await post('billing/meters', 'display_name=Calls&event_name=calls&default_aggregation[formula]=sum');
  const monetary = 'amount[type]=monetary&amount[monetary][currency]=usd&amount[monetary][value]=100';
  await post(
    'billing/credit_grants',
    `customer=${customer.id}&${monetary}&applicability_config[scope][price_type]=metered`,
  );
  await post('entitlements/features', 'name=Speed&lookup_key=speed');
  await post('payment_links', `line_items[0][price]=${price.id}&line_items[0][quantity]=1`);
  await post('invoices', `customer=${customer.id}`);
  await post('billing_portal/configurations', 'features[invoice_history][enabled]=true');
  await post('setup_intents', 'payment_method=pm_card_visa&confirm=true');
  await post('quotes', `customer=${customer.id}&line_items[0][price]=${price.id}`);
}

/** The first object of a resource that meets a condition. */
const one =
  (resource: string, meets: (object: JsonObject) => boolean = () => true) =>
  ({ engine }: Sandbox): string => {
    const def = engine.model.byName.get(resource);
    return String(def && engine.world.objects(def.index).find(meets)?.['id']);
  };
const isDraft = ({ status }: JsonObject): boolean => status === 'draft';
const isPlain = ({ amount_refunded, status, disputed }: JsonObject): boolean =>
  amount_refunded === 0 && status === 'succeeded' && disputed === false;

const HINTS: Hints = {
  interval: 'month',
  'disputes.amount': 100,
  'disputes.charge': one('charge', isPlain),
  'invoices.status': 'x',
  'line_items.invoice': one('invoice', isDraft),
  'credit_notes.amount': 100,
  'credit_notes.invoice': one('invoice', ({ status, total }) => status === 'paid' && Number(total) >= 100),
  'payouts.amount': 100,
  'refunds.amount': 100,
  'refunds.charge': one('charge', isPlain),
  'subscriptions.items': (sandbox) => ({
    data: [{ price: one('price', ({ type }) => type === 'recurring')(sandbox) }],
  }),
  'subscription_schedules.phases': (sandbox) => [
    {
      start_date: sandbox.engine.world.now,
      end_date: Number(sandbox.engine.world.now) + 30 * 86_400,
      items: [{ price: one('price', ({ type }) => type === 'recurring')(sandbox), quantity: 1 }],
    },
  ],
  'subscription_schedules.subscription': one('subscription'),
  'subscription_items.subscription': one('subscription'),
  'subscription_items.price': one('price', ({ type }) => type === 'recurring'),
};

test('task automation', async () => {
  const world = await MinimalWorld.start('task-automation', automation, {
    'event_destinations.events': ['*'],
    'event_destinations.type_config.url': 'https://example.com/hook',
  });
  const { found, refused } = await livesOf(world);
  await world.sandbox.close();
  expect(found).toEqual([]);
  expect(refused).toEqual([]);
}, 600_000);

test('payments', async () => {
  const world = await MinimalWorld.start('payments', payments, HINTS);
  const { found, refused } = await livesOf(world);
  await world.sandbox.close();
  expect(found).toEqual([]);
  // What belongs to nothing here (a connected account among others), and invoices that would wait for money that nobody owes.
  const tried = new Set(sampleOf(world.rows, 3).map(nameOf));
  const refusable = [
    'account_links',
    'account_sessions',
    ...['inactive', 'pending', 'active', 'disabled', 'unrequested'].map((status) => `capabilities ${status}`),
    'credit_note_line_items',
    'fee_refunds',
    'file_links',
    'invoices open',
    'invoices uncollectible',
    'persons',
    'transfer_reversals',
  ];
  expect(refused).toEqual(refusable.filter((each) => tried.has(each)));
}, 600_000);
