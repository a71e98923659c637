import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Stripe from 'stripe';
import { vendorRoutes } from '../../../tools/in-tests/next.cjs';
import { call } from '../../support/http.js';
import { useSandboxes } from '../../support/start-sandbox.js';

/** A sandbox that doesn't listen: `fetch` and `handle` inside of the application's own process. */

const { serve } = useSandboxes({ listen: false });

const clientOf = ({ fetch, key }: { fetch: typeof globalThis.fetch; key: string }): Stripe =>
  new Stripe(key, {
    host: 'sandbox.internal',
    protocol: 'http',
    port: 80,
    httpClient: Stripe.createFetchHttpClient(fetch),
    maxNetworkRetries: 0,
  });

test('the official client works over `fetch`, and so does the control client', async () => {
  const sandbox = await serve();
  const client = clientOf({ key: sandbox.key, fetch: (input, init) => sandbox.fetch(input, init) });
  const { id } = await client.customers.create({ name: 'Ada', metadata: { plan: 'a' } });
  expect((await client.customers.retrieve(id)).id).toBe(id);
  await expect(client.customers.retrieve('cus_none')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
  const now = async (): Promise<number> => ((await sandbox.control.call('GET', '/clock')) as { now: number }).now;
  const before = await now();
  await sandbox.control.advance('3d');
  expect(await now()).toBe(before + 3 * 86_400);
});

test('forks are reached by their keys', async () => {
  const sandbox = await serve();
  const customer = (key: string, method: string, body?: string): Promise<Response> =>
    sandbox.fetch('/v1/customers', {
      method,
      body,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
    });
  await customer(sandbox.key, 'POST', 'name=Ada');
  const fork = await sandbox.worlds.create({ from: {} });
  await customer(fork.key, 'POST', 'name=Grace');
  const namesIn = async (key: string): Promise<string[]> =>
    ((await (await customer(key, 'GET')).json()) as { data: { name: string }[] }).data.map(({ name }) => name);
  expect(await namesIn(sandbox.key)).toEqual(['Ada']);
  expect(await namesIn(fork.key)).toEqual(['Grace', 'Ada']);
});

test.each([
  ['no key', '/v1/customers', {}, 401],
  ['a foreign name', 'http://evil.example/__admin__/', {}, 403],
  ['health', '/healthz', {}, 200],
  ['health without a body', '/healthz', { method: 'HEAD' }, 200],
])('%s', async (_, path, init, status) => {
  const sandbox = await serve();
  const response = await sandbox.fetch(path, init);
  expect(response.status).toBe(status);
  expect((await response.text()) === '').toBe('method' in init);
});

test('bodies of many pieces go both ways', async () => {
  const sandbox = await serve();
  const text = `%PDF-1.4\n${'x'.repeat(300_000)}`;
  const form = new FormData();
  form.append('purpose', 'dispute_evidence');
  form.append('file', new Blob([text], { type: 'application/pdf' }), 'evidence.pdf');
  const authorization = `Bearer ${sandbox.key}`;
  const made = await sandbox.fetch('/v1/files', { method: 'POST', body: form, headers: { authorization } });
  const { id } = (await made.json()) as { id: string };
  const read = await sandbox.fetch(`/v1/files/${id}/contents`, { headers: { authorization } });
  expect(await read.text()).toBe(text);
});

test('a response to a call that the server cannot read arrives whole', async () => {
  const sandbox = await serve();
  const response = await sandbox.fetch('/v1/customers', { headers: { 'X-Long': 'y'.repeat(100_000) } });
  expect(response.status).toBe(431);
  expect(await response.text()).toBe('');
});

test('a closed sandbox answers nothing', async () => {
  const sandbox = await serve();
  const server = createServer((req, res) => sandbox.handle(req, res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await sandbox.close();
  await expect(sandbox.fetch('/healthz')).rejects.toThrow('this sandbox is closed');
  const { port } = server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(503);
  server.close();
  await once(server, 'close');
});

test('an application passes calls on, below a path of its own', async () => {
  const app = express();
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const sandbox = await serve({ publicUrl: `${own}/vendors/payments` });
  app.use('/vendors/payments', (req, res) => sandbox.handle(req, res));
  try {
    const { body: session } = await call<{ url: string }>(
      { url: `${own}/vendors/payments`, key: sandbox.key },
      'POST /v1/checkout/sessions',
      new URLSearchParams(
        'mode=payment&success_url=https://shop.test/done&line_items[0][quantity]=1&line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=500&line_items[0][price_data][product_data][name]=Hat',
      ),
    );
    expect(session.url.startsWith(`${own}/vendors/payments/`)).toBe(true);
    expect(await (await fetch(session.url)).text()).toContain('Hat');
    // A route handler hands over the whole request, with the path that the application serves.
    expect(await (await sandbox.fetch(new Request(session.url))).text()).toContain('Hat');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('handlers of routes serve a vendor at the address of the application', async () => {
  const options = { pack: 'packs/payments', basePath: '/vendors/payments', key: 'sk_test_routes' };
  const { GET, POST } = vendorRoutes(options);
  const origin = 'https://preview-7.shop.test';
  const headers = { authorization: 'Bearer sk_test_routes', 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'type=account_onboarding&refresh_url=https://shop.test&return_url=https://shop.test&account=';
  const account = await POST(
    new Request(`${origin}/vendors/payments/v1/accounts`, { method: 'POST', headers, body: 'type=express' }),
  );
  const { id } = (await account.json()) as { id: string };
  // The module is loaded anew, and the world is the same.
  const link = await vendorRoutes(options).POST(
    new Request(`${origin}/vendors/payments/v1/account_links`, { method: 'POST', headers, body: body + id }),
  );
  const { url } = (await link.json()) as { url: string };
  expect(url.startsWith(`${origin}/vendors/payments/`)).toBe(true);
  expect((await GET(new Request(url))).status).toBe(200);
});
