import { createSandbox, MemoryStore, type Sandbox } from '../../../../engine/index.js';
import { WebhookReceiver } from '../../../support/webhook-receiver.js';
import { call, form } from '../../../support/http.js';

/** Deliveries that are held until somebody lets them go. */

const T0 = '2025-01-01T00:00:00Z';
let receiver: WebhookReceiver;
let sandbox: Sandbox;
let store: MemoryStore;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});

afterAll(() => receiver.stop());

beforeEach(async () => {
  receiver.received.length = 0;
  store = new MemoryStore();
  sandbox = await open();
  await sandbox.control.endpoint({ url: receiver.url });
});

afterEach(async () => {
  await sandbox.close(0);
  await store.close();
});

const open = (): Promise<Sandbox> => createSandbox({ pack: 'packs/payments', t0: T0, seed: 'hold', store });

async function customer(name: string): Promise<void> {
  expect((await call(sandbox, 'POST /v1/customers', form({ name }))).status).toBe(200);
}

/** Names of the customers that the receiver was told of. */
async function told(): Promise<string[]> {
  await sandbox.control.flush();
  return receiver.received.map(
    ({ body }) => (JSON.parse(body) as { data: { object: { name: string } } }).data.object.name,
  );
}

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly next_attempt_at: unknown;
}

const listed = async (): Promise<readonly Listed[]> =>
  ((await sandbox.control.call('GET', '/webhooks/deliveries')) as { data: Listed[] }).data;

test('neither a flush nor the clock sends what is held; clearing the fault sends it in its order', async () => {
  const { id } = await sandbox.control.deliveryFault({ kind: 'hold', event: 'customer.*' });
  await customer('Ann');
  await customer('Ben');
  expect(await told()).toEqual([]);
  await sandbox.control.advance('30d');
  expect(await told()).toEqual([]);
  expect(await listed()).toMatchObject([
    { status: 'pending', next_attempt_at: null },
    { status: 'pending', next_attempt_at: null },
  ]);
  await sandbox.control.call('DELETE', `/webhooks/faults/${String(id)}`);
  await customer('Cleo');
  expect(await told()).toEqual(['Ann', 'Ben', 'Cleo']);
  expect(await listed()).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }, { status: 'delivered' }]);
});

test('one that is sent by hand is not sent again when the others are let go', async () => {
  await sandbox.control.deliveryFault({ kind: 'hold' });
  for (const name of ['Ann', 'Ben', 'Cleo']) await customer(name);
  const [, second] = await listed();
  await sandbox.control.call('POST', `/webhooks/deliveries/${second.id}/replay`);
  await sandbox.control.call('DELETE', '/webhooks/faults');
  expect(await told()).toEqual(['Ben', 'Ann', 'Cleo']);
});

test('one that holds so many stays until it is cleared', async () => {
  await sandbox.control.deliveryFault({ kind: 'hold', count: 1 });
  await customer('Ann');
  await customer('Ben');
  expect(await told()).toEqual(['Ben']);
  expect(await sandbox.control.call('GET', '/webhooks/faults')).toMatchObject({
    data: [{ kind: 'hold', remaining: 0 }],
  });
  await sandbox.control.call('DELETE', '/webhooks/faults');
  expect(await told()).toEqual(['Ben', 'Ann']);
});

test('what is held is held by the next process too', async () => {
  await sandbox.control.deliveryFault({ kind: 'hold' });
  await customer('Ann');
  await sandbox.close(0);
  sandbox = await open();
  expect(await told()).toEqual([]);
  await sandbox.control.call('DELETE', '/webhooks/faults');
  expect(await told()).toEqual(['Ann']);
});
