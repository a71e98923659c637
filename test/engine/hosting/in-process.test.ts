import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { WebClient } from '@slack/web-api';
import express from 'express';
import { Octokit } from 'octokit';
import OpenAI from 'openai';
import * as oidc from 'openid-client';
import { Configuration, PlaidApi, Products } from 'plaid';
import { ServerClient } from 'postmark';
import { Resend } from 'resend';
import Stripe from 'stripe';
import twilio from 'twilio';
import type { Sandbox } from '../../../engine/hosting/sandbox.js';
import { fetchWithin } from '../../../engine/http/index.js';
import type { FileStore } from '../../../engine/store/index.js';
import { vendorRoutes } from '../../../tools/in-tests/next.cjs';
import { openFile } from '../../support/file-store.js';
import { call } from '../../support/http.js';
import { folderOfTest } from '../../support/scratch-folder.js';
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

test.each<[string, express.RequestHandler[]]>([
  ['values', [express.json(), express.urlencoded({ extended: true })]],
  ['flat values', [express.json(), express.urlencoded({ extended: false })]],
  ['bytes', [express.raw({ type: '*/*' })]],
  ['text', [express.text({ type: '*/*' })]],
])('an application has read the bodies before, and has their %s', async (_, readers) => {
  const app = express().use(readers);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/vendors`;
  const sandbox = await serve({ publicUrl: `${own}/` });
  app.use('/vendors', (req, res) => sandbox.handle(req, res));
  const customer = 'name=Ada+%26+Co&metadata[plan]=a&preferred_locales[]=en&preferred_locales[]=de&expand[]=sources';
  try {
    const { body: made } = await call(
      { url: own, key: sandbox.key },
      'POST /v1/customers',
      new URLSearchParams(customer),
    );
    const authorization = `Bearer ${sandbox.key}`;
    const advanced = await fetch(`${own}/__admin__/clock/advance`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"duration":"1d"}',
    });
    expect([made, advanced.status]).toMatchObject([
      { name: 'Ada & Co', metadata: { plan: 'a' }, preferred_locales: ['en', 'de'] },
      200,
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a body that the application has read and not kept is a mistake of its own', async () => {
  const app = express().use((req, _res, next) => void req.resume().on('end', next));
  const failed: string[] = [];
  const sandbox = await serve();
  app.use((req, res) => sandbox.handle(req, res));
  app.use(((error: Error, _req, res, _next) => {
    failed.push(error.message);
    res.status(500).end();
  }) satisfies express.ErrorRequestHandler);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1/customers`;
  const statuses = [await fetch(at), await fetch(at, { method: 'POST', body: 'name=Ada' })].map(({ status }) => status);
  server.closeAllConnections();
  server.close();
  expect([statuses, failed]).toEqual([
    [401, 500],
    [expect.stringContaining('put the sandbox before what reads bodies')],
  ]);
});

test('what a caller aborts ends with the reason of the caller, before a response and within its body', async () => {
  const server = createServer((req, res) => {
    if (req.url === '/part') res.write('part');
  });
  const [late, part] = [new AbortController(), new AbortController()];
  const request = (path: string, { signal }: AbortController): Promise<Response> =>
    fetchWithin(server, new Request(`http://sandbox.internal${path}`, { signal }));
  const never = request('/never', late);
  late.abort(new Error('too late'));
  await expect(never).rejects.toThrow('too late');
  const { body } = await request('/part', part);
  const reader = body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('part');
  part.abort(new Error('enough'));
  await expect(reader?.read()).rejects.toThrow('enough');
});

test.each([
  [
    'no address',
    { publicUrl: '/vendors' },
    "'publicUrl' must be an address such as https://shop.example/vendors, not '/vendors'",
  ],
  ['a misspelt pack', { pack: 'paymnts' }, "there is no pack 'paymnts' (did you mean 'payments'?)"],
  ['a name of a vendor', { pack: 'slack' }, "(did you mean 'team-chat' with vars: { vendor: slack }?)"],
])('a sandbox does not start with %s', async (_, options, message) => {
  await expect(serve(options)).rejects.toThrow(message);
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
  // Frameworks wrap requests, and what is wrapped has no private members.
  const wrapped = new Proxy(new Request(url), {
    get: (request, name) => {
      const value: unknown = Reflect.get(request, name);
      return typeof value === 'function' ? (value.bind(request) as unknown) : value;
    },
  });
  expect((await GET(wrapped)).status).toBe(200);
});

describe('the real clients of the vendors work over `fetch`', () => {
  /** A client of axios, which takes `fetch` as an adapter. */
  const adapted = (fetch: typeof globalThis.fetch): object => ({ adapter: 'fetch', env: { fetch } });
  const at = 'http://sandbox.internal';

  test.each<
    [
      string,
      string,
      (sandbox: Sandbox, fetch: typeof globalThis.fetch) => Promise<unknown>,
      unknown,
      Record<string, string>?,
    ]
  >([
    [
      'GitHub',
      'code-hosting',
      async ({ key }, fetch) => {
        const { rest } = new Octokit({ auth: key, baseUrl: at, request: { fetch } });
        return (await rest.repos.createForAuthenticatedUser({ name: 'hello' })).data.full_name;
      },
      'octo/hello',
    ],
    [
      'Slack',
      'team-chat',
      async ({ key }, fetch) => {
        const client = new WebClient(key, { slackApiUrl: `${at}/api/`, fetch });
        return (await client.chat.postMessage({ channel: 'C0GENERAL', text: 'hello' })).message?.text;
      },
      'hello',
    ],
    [
      'Twilio',
      'messaging',
      async (_, fetch) => {
        const httpClient = new twilio.RequestClient();
        Object.assign(httpClient.axios.defaults, adapted(fetch));
        const client = twilio('AC0123456789abcdef0123456789abcdef', 'a token', { httpClient });
        return (await client.messages.create({ from: '+15005550006', to: '+14155552671', body: 'hello' })).body;
      },
      'hello',
      { vendor: 'twilio', auth_token: 'a token' },
    ],
    [
      'Plaid',
      'bank-data',
      async ({ key }, fetch) => {
        const headers = { 'PLAID-CLIENT-ID': 'a client', 'PLAID-SECRET': key };
        const client = new PlaidApi(new Configuration({ basePath: at, baseOptions: { headers, ...adapted(fetch) } }));
        const asked = { institution_id: 'ins_109508', initial_products: [Products.Auth] };
        return (await client.sandboxPublicTokenCreate(asked)).status;
      },
      200,
    ],
    [
      'Postmark',
      'mail',
      async ({ key }, fetch) => {
        const client = new ServerClient(key, { requestHost: 'sandbox.internal', useHttps: false, fetch });
        const message = { From: 'shop@example.com', To: 'ann@example.org', Subject: 'Hello', TextBody: 'Hello' };
        return (await client.sendEmail(message)).ErrorCode;
      },
      0,
      { vendor: 'postmark' },
    ],
    [
      'Resend',
      'mail',
      async ({ key }, fetch) => {
        const replaced = jest.spyOn(globalThis, 'fetch').mockImplementation(fetch);
        const message = { from: 'Shop <shop@example.com>', to: 'ann@example.org', subject: 'Hello', text: 'Hello' };
        const { error } = await new Resend(key, { baseUrl: at }).emails.send(message);
        replaced.mockRestore();
        return error;
      },
      null,
    ],
    [
      'OpenAI',
      'models',
      async ({ key }, fetch) => {
        const client = new OpenAI({ apiKey: key, baseURL: `${at}/v1`, fetch });
        const messages = [{ role: 'user' as const, content: 'hello' }];
        const stream = await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true });
        let text = '';
        for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
        return text.length > 0;
      },
      true,
    ],
    [
      'Anthropic',
      'models',
      async ({ key }, fetch) => {
        const client = new Anthropic({ apiKey: key, baseURL: at, fetch });
        const messages = [{ role: 'user' as const, content: 'hello' }];
        return (await client.messages.create({ model: 'claude-sonnet-5-5', max_tokens: 50, messages })).role;
      },
      'assistant',
    ],
    [
      'an identity provider',
      'identity',
      async ({ url }, fetch) => {
        const options = { execute: [oidc.allowInsecureRequests], [oidc.customFetch]: fetch };
        const config = await oidc.discovery(new URL(url), 'service', 'secret-of-service', undefined, options);
        return (await oidc.clientCredentialsGrant(config, { audience: 'https://api.example.com' })).token_type;
      },
      'bearer',
    ],
  ])('%s', async (_, pack, use, expected, vars = {}) => {
    const sandbox = await serve({ pack: `packs/${pack}`, vars });
    // Clients with a fixed address keep it: of an address only path and query count.
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      return sandbox.fetch(
        input instanceof Request ? new Request(sandbox.url + pathname + search, input) : pathname + search,
        init,
      );
    };
    expect(await use(sandbox, fetch)).toEqual(expected);
  });
});

test('a world in a file continues in the next process, and takes webhooks of the application to itself', async () => {
  const file = join(folderOfTest(), 'world.db');
  const app = express();
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const [path, key] = ['/vendors/payments', 'sk_test_kept'];
  let sandbox: Sandbox | undefined;
  app.use(path, (req, res) => sandbox?.handle(req, res));
  const taken: string[] = [];
  app.post('/webhooks', express.text({ type: '*/*' }), (req, res) => {
    const signature = String(req.headers['stripe-signature']);
    taken.push(Stripe.webhooks.constructEvent(String(req.body), signature, secret).type);
    res.end();
  });
  let secret = '';
  try {
    const store = await openFile(file);
    sandbox = await serve({ publicUrl: own + path, key, store, vars: { vendor: 'stripe' } });
    const payments = clientOf({
      key,
      fetch: (input, init) => fetch(String(input).replace('http://sandbox.internal', own + path), init),
    });
    secret = (await payments.webhookEndpoints.create({ url: `${own}/webhooks`, enabled_events: ['*'] })).secret ?? '';
    const { id } = await payments.customers.create({ name: 'Ada' });
    await sandbox.control.call('POST', '/webhooks/flush');
    expect(taken).toEqual(['customer.created']);
    await sandbox.close();
    await store.close();

    const again = await openFile(file);
    sandbox = await serve({ publicUrl: own + path, key, store: again, vars: { vendor: 'stripe' } });
    expect((await payments.customers.retrieve(id)).id).toBe(id);
    await payments.customers.del(id);
    await sandbox.control.call('POST', '/webhooks/flush');
    expect(taken).toEqual(['customer.created', 'customer.deleted']);
    await sandbox.close();
    await again.close();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('an application calls its own routes without a connection, before anybody else did, and its store is opened once', async () => {
  const file = join(folderOfTest(), 'routes.db');
  const stores: FileStore[] = [];
  const store = async (): Promise<FileStore> => {
    const made = await openFile(file);
    stores.push(made);
    return made;
  };
  const key = 'sk_test_own';
  const routes = vendorRoutes({ pack: 'packs/payments', basePath: '/vendors/own', key, store });
  const client = clientOf({ key, fetch: routes.fetch });
  const [{ id }] = await Promise.all([client.customers.create({ name: 'Ada' }), client.balance.retrieve()]);
  const authorization = `Bearer ${key}`;
  const response = await routes.GET(
    new Request(`http://localhost:3000/vendors/own/v1/customers/${id}`, { headers: { authorization } }),
  );
  expect([await response.json(), stores.length]).toMatchObject([{ id, name: 'Ada' }, 1]);
  const { url } = await client.accountLinks.create({
    account: (await client.accounts.create({ type: 'express' })).id,
    type: 'account_onboarding',
    refresh_url: 'https://shop.test',
    return_url: 'https://shop.test',
  });
  expect(url).toMatch(/^http:\/\/localhost:3000\/vendors\/own\//);
  await stores[0].close();
});
