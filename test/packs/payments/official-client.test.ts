import Stripe from 'stripe';
import Newest from 'stripe-newest';
import { startSandbox } from '../../support/start-sandbox.js';

/** What the pack says of the vendor's own client holds: each function is there, and makes the call that it stands for. */

interface Call {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly client: string | null;
}

const sandbox = startSandbox('packs/payments');
let calls: readonly Call[];
const sent: string[] = [];

function note(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  sent.push(`${init?.method} ${decodeURIComponent(new URL(url instanceof Request ? url.url : url).pathname)}`);
  return Promise.resolve(
    new Response('{"object": "thing", "data": []}', { headers: { 'Content-Type': 'application/json' } }),
  );
}

/** Clients that note what they would send: the one of the pack's version, and for what newer versions add the newest. */
const clients = [
  new Stripe('sk_test_none', { httpClient: Stripe.createFetchHttpClient(note) }),
  new Newest('sk_test_none', { httpClient: Newest.createFetchHttpClient(note) }),
];

/** What the client wants before it sends a call. */
const OPTIONS: Readonly<Record<string, readonly unknown[]>> = {
  'ephemeralKeys.create': [{}, { apiVersion: '2024-12-18.acacia' }],
  'files.create': [{ purpose: 'dispute_evidence', file: { name: 'a.txt', type: 'text/plain', data: 'a' } }],
};

beforeAll(async () => {
  const { resources } = (await sandbox.control.call('GET', '/pack')) as {
    resources: readonly { readonly operations: readonly Call[] }[];
  };
  calls = resources.flatMap(({ operations }) => operations);
});

/** Calls the function of these names; what needs more than ids and parameters is refused by the client before it sends. */
async function made(names: string, ids: readonly string[]): Promise<string> {
  const path = names.split('.');
  const name = path.pop() ?? '';
  const [found] = clients.flatMap((client) => {
    const owner = path.reduce<unknown>((at, each) => Reflect.get(Object(at) as object, each), client);
    const call: unknown = Reflect.get(Object(owner) as object, name);
    return typeof call === 'function' ? [{ owner, call }] : [];
  });
  if (found === undefined) return 'no function';
  sent.length = 0;
  const options = OPTIONS[names] ?? [{}];
  await Reflect.apply(found.call, found.owner, [...ids, ...options]);
  return sent.join(' and ');
}

test('every function makes the call that it stands for', async () => {
  const wrong: string[] = [];
  for (const { operation, method, path, client } of calls) {
    if (client === null) continue;
    const ids: string[] = [];
    const expected = path.replace(/\{([^}]+)\}/g, () => ids[ids.push(`id_${ids.length}`) - 1]);
    const found = await made(client, ids);
    if (found !== `${method} ${expected}`)
      wrong.push(`${operation}: ${client} makes ${found}, not ${method} ${expected}`);
  }
  expect(wrong).toEqual([]);
  expect(calls.filter(({ client }) => client !== null).length).toBeGreaterThan(200);
});

test('operations that the client has no function for are said to have none', () => {
  expect(
    calls
      .filter(({ client }) => client === null)
      .map(({ operation }) => operation)
      .sort(),
  ).toEqual([
    'checkout_sessions.change_elements',
    'checkout_sessions.confirm_payment_page',
    'checkout_sessions.pay_elements',
    'checkout_sessions.payment_page',
    'checkout_sessions.view_elements',
    'disputes.of_charge',
    'file_links.open',
    'files.contents',
    'listeners.create',
    'refunds.list_of_charge',
  ]);
});
