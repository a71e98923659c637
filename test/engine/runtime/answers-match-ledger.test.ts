import fc from 'fast-check';
import type { JsonObject } from '../../../engine/values/index.js';
import { form } from '../../support/http.js';
import { startSandbox } from '../../support/start-sandbox.js';
/**
 * What is kept to be fast (texts, answers, indexes, copies that share what did not change) must never be behind the ledger:
 * after any calls, every answer is what an engine without memory would say of the state that the ledger's entries add up to.
 */

const options = { t0: '2025-01-01T00:00:00Z', seed: 's', ledgerLimit: 1_000_000 };
const sandbox = startSandbox('packs/payments', options);

type Action = readonly [name: string, pick: number, value: number];

/** Collection -> id -> state, from the entries alone. */
function fold(): Map<string, Map<string, JsonObject>> {
  const state = new Map<string, Map<string, JsonObject>>();
  for (const { changes } of sandbox.engine.world.ledger.entries()) {
    for (const change of changes) {
      if (change.op === 'reset') state.clear();
      if (change.op !== 'put' && change.op !== 'delete') continue;
      let objects = state.get(change.collection);
      if (objects === undefined) state.set(change.collection, (objects = new Map<string, JsonObject>()));
      if (change.op === 'delete') objects.delete(change.id);
      else objects.set(change.id, JSON.parse(JSON.stringify(change.value)) as JsonObject);
    }
  }
  return state;
}

const send = async (method: string, path: string, fields?: Record<string, string>): Promise<string> =>
  (await sandbox.call(`${method} ${path}`, fields && form(fields))).text;

function pickId(collection: string, pick: number): string {
  const { engine } = sandbox;
  const rows = engine.world.collections[engine.model.byCollection.get(collection)?.index ?? -1].ordered().all();
  return rows.length === 0 ? 'none' : rows[pick % rows.length].id;
}

const ACTIONS: Readonly<Record<string, (pick: number, value: number) => Promise<unknown>>> = {
  'new customer': (_pick, value) => send('POST', '/v1/customers', { email: `c${value}@example.com` }),
  'change customer': (pick, value) =>
    send('POST', `/v1/customers/${pickId('customers', pick)}`, {
      name: `N${value}`,
      [`metadata[k${value % 3}]`]: `${value}`,
    }),
  'delete customer': (pick) => send('DELETE', `/v1/customers/${pickId('customers', pick)}`),
  'new intent': (pick, value) =>
    send('POST', '/v1/payment_intents', {
      amount: `${value + 100}`,
      currency: 'usd',
      customer: pickId('customers', pick),
    }),
  'change intent': (pick, value) =>
    send('POST', `/v1/payment_intents/${pickId('payment_intents', pick)}`, { amount: `${value + 200}` }),
  'confirm intent': (pick, value) =>
    send('POST', `/v1/payment_intents/${pickId('payment_intents', pick)}/confirm`, {
      payment_method: ['pm_card_visa', 'pm_card_chargeDeclined'][value % 2],
    }),
  'cancel intent': (pick) => send('POST', `/v1/payment_intents/${pickId('payment_intents', pick)}/cancel`, {}),
  refund: (pick, value) =>
    send('POST', '/v1/refunds', { charge: pickId('charges', pick), amount: `${(value % 90) + 1}` }),
  'read lists': async () => {
    for (const path of ['customers', 'payment_intents', 'charges', 'events'])
      await send('GET', `/v1/${path}?limit=100`);
  },
  'move clock': async (_pick, value) => sandbox.control.call('POST', '/clock/advance', { duration: `${value + 1}h` }),
};

const START = ['new customer', 'new customer', 'new intent', 'new intent', 'confirm intent', 'read lists'];

const actions = fc.array(fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(50), fc.nat(500)), {
  minLength: 8,
  maxLength: 30,
});

test('answers, lists and indexes say what the ledger adds up to', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(actions, async (run: readonly Action[]) => {
      const { engine } = sandbox;
      engine.reset(undefined);
      for (const start of START) await ACTIONS[start](0, 0);
      for (const [name, pick, value] of run) await ACTIONS[name](pick, value);
      const state = fold();
      for (const resource of engine.pack.resources) {
        const { def } = resource;
        const collection = engine.world.collections[def.index];
        const rows = collection.ordered().all();
        const folded = state.get(def.collection) ?? new Map<string, JsonObject>();
        expect(rows.map((row) => row.id).sort()).toEqual([...folded.keys()].sort());
        for (const row of rows) {
          const uncached = folded.get(row.id) ?? {};
          expect(JSON.parse(JSON.stringify(row.value))).toEqual(uncached);
          expect(JSON.parse(engine.text(row))).toEqual(
            JSON.parse(JSON.stringify(resource.response().value(engine.runtime.reader, uncached))),
          );
          for (const field of collection.config.indexes)
            expect(collection.ordered(field, row.value[field] ?? null).all()).toContain(row);
          compared++;
        }
        for (const field of collection.config.indexes) {
          const buckets = new Set(rows.map((row) => row.value[field] ?? null));
          const indexed = [...buckets].flatMap((value) => [...collection.ordered(field, value).all()]);
          expect(indexed.length).toBe(rows.length);
        }
      }
    }),
    { numRuns: 15, seed: 7 },
  );
  expect(compared).toBeGreaterThan(300);
});
