import { MemoryStore } from '../../../support/memory-store.js';
import { form } from '../../../support/http.js';
import { type TestSandbox, useReceiver, useSandboxes } from '../../../support/start-sandbox.js';

/** Deliveries that are held until somebody lets them go. */

const T0 = '2025-01-01T00:00:00Z';
const receiver = useReceiver();
const { serve, keep, stop } = useSandboxes({ t0: T0, seed: 'hold' });
let sandbox: TestSandbox;
let store: MemoryStore;

beforeEach(async () => {
  store = keep(new MemoryStore());
  sandbox = await serve({ store });
  await sandbox.control.endpoint({ url: receiver.url });
});

async function customer(name: string): Promise<void> {
  expect((await sandbox.call('POST /v1/customers', form({ name }))).status).toBe(200);
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
  await stop();
  sandbox = await serve({ store });
  expect(await told()).toEqual([]);
  await sandbox.control.call('DELETE', '/webhooks/faults');
  expect(await told()).toEqual(['Ann']);
});
