import { request } from 'node:http';
import { callTool, connect, disconnectAll, toolNames } from '../../support/mcp.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** The tools of the vendor's own MCP server over payments, with the official client. */

const options = { worlds: 'key', key: 'sk_test_first', seed: 'tools', t0: '2025-01-01' } as const;
const sandbox = startSandbox('payments', options);
const { call } = sandbox;
afterEach(async () => {
  await disconnectAll();
  await sandbox.control.call('POST', '/reset', {});
});

test('the list has the tools of mcp.yaml with their hints, in less than 16 KiB', async () => {
  const client = await connect(sandbox);
  expect(client.getServerVersion()).toMatchObject({ name: 'stripe', title: 'Stripe' });
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(21);
  expect(JSON.stringify(tools).length).toBeLessThan(16 * 1024);
  expect(tools.find(({ name }) => name === 'create_payment_link')).toEqual({
    name: 'create_payment_link',
    title: 'Create payment link',
    description: expect.any(String) as string,
    inputSchema: {
      type: 'object',
      properties: {
        price: { type: 'string', description: expect.any(String) as string },
        quantity: { type: 'integer', description: expect.any(String) as string },
        redirect_url: { type: 'string', description: expect.any(String) as string },
      },
      required: ['price', 'quantity'],
    },
    annotations: {
      title: 'Create payment link',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
  });
});

test('a tool call is a call of the API: its trace, its ledger entry, its recorded exchange', async () => {
  const client = await connect(sandbox);
  const { body, meta } = await callTool(client, 'create_customer', { name: 'Ada', email: 'ada@example.com' });
  expect(body).toMatchObject({ object: 'customer', name: 'Ada', email: 'ada@example.com' });
  expect(meta).toMatchObject({ 'sandbox/status': 200, 'sandbox/entry': expect.any(Number) as number });
  const trace = await call(`GET /__admin__/trace/${String(meta['sandbox/trace'])}`);
  expect(trace.body).toMatchObject({
    operation: 'customers.create',
    request: { method: 'POST', path: '/v1/customers' },
  });
  const read = await call(`GET /v1/customers/${String(body['id'])}`);
  expect(read.body).toEqual(body);
});

test('arguments go where mcp.yaml says, and results show what it says', async () => {
  const client = await connect(sandbox);
  const product = await callTool(client, 'create_product', { name: 'Loaf' });
  const price = await callTool(client, 'create_price', {
    product: product.body['id'],
    unit_amount: 900,
    currency: 'usd',
  });
  const link = await callTool(client, 'create_payment_link', {
    price: price.body['id'],
    quantity: 2,
    redirect_url: 'https://shop.example/thanks',
  });
  expect(Object.keys(link.body)).toEqual(['id', 'url']);
  const read = await call(`GET /v1/payment_links/${String(link.body['id'])}?expand[]=line_items`);
  expect(read.body).toMatchObject({
    after_completion: { type: 'redirect', redirect: { url: 'https://shop.example/thanks' } },
    line_items: { data: [{ quantity: 2, price: { id: price.body['id'] } }] },
  });
  const customer = await callTool(client, 'create_customer', { name: 'Ada' });
  const invoice = await callTool(client, 'create_invoice', { customer: customer.body['id'], days_until_due: 30 });
  const item = { customer: customer.body['id'], price: price.body['id'], invoice: invoice.body['id'] };
  expect((await callTool(client, 'create_invoice_item', item)).isError).toBe(false);
  const final = await callTool(client, 'finalize_invoice', { invoice: invoice.body['id'] });
  expect(final.body).toMatchObject({ status: 'open', amount_due: 900, collection_method: 'send_invoice' });
});

test('an error of the vendor is a result with isError and its envelope', async () => {
  const client = await connect(sandbox);
  const { isError, body, meta } = await callTool(client, 'create_refund', { payment_intent: 'pi_none' });
  expect(isError).toBe(true);
  expect(body).toMatchObject({
    error: { type: 'invalid_request_error', code: 'resource_missing', param: 'payment_intent' },
  });
  expect(meta['sandbox/status']).toBe(400);
  expect(await callTool(client, 'finalize_invoice', {})).toMatchObject({
    isError: true,
    text: "missing argument 'invoice'",
  });
});

test('lists come in pages, by the vendor’s own cursors', async () => {
  for (const name of ['a', 'b', 'c']) await call('POST /v1/customers', new URLSearchParams({ name }));
  const client = await connect(sandbox, '?toolsets=customers');
  const first = await callTool(client, 'list_customers', { limit: 2 });
  expect(first.body).toMatchObject({ has_more: true, data: [{ name: 'c' }, { name: 'b' }] });
  const [, last] = first.body['data'] as { id: string }[];
  const second = await callTool(client, 'list_customers', { limit: 2, starting_after: last.id });
  expect(second.body).toMatchObject({ has_more: false, data: [{ name: 'a' }] });
});

test.each([
  ['lost_response', 1],
  ['reset', 0],
])('a connection that a fault cuts (%s) is an error of the tool', async (kind, customers) => {
  const client = await connect(sandbox);
  await sandbox.control.call('POST', '/faults', { resource: 'customers', operation: 'create', kind, count: 1 });
  expect(await callTool(client, 'create_customer', { name: 'Ada' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('connection lost') as string,
  });
  const { body } = await callTool(client, 'list_customers');
  expect(body['data']).toHaveLength(customers);
});

test('an idempotency key in the headers holds for tool calls', async () => {
  const client = await connect(sandbox, '', { 'idempotency-key': 'once' });
  const made = await callTool(client, 'create_customer', { name: 'Ada' });
  expect(await callTool(client, 'create_customer', { name: 'Ada' })).toMatchObject({ body: made.body });
  expect((await callTool(client, 'create_customer', { name: 'Bob' })).body).toMatchObject({
    error: { type: 'idempotency_error' },
  });
});

test('read-only mode lists and calls what changes nothing, by query or header', async () => {
  const byQuery = await connect(sandbox, '?readonly=1');
  const byHeader = await connect(sandbox, '', { 'x-mcp-readonly': 'true' });
  const names = await toolNames(byQuery);
  expect(names).toContain('list_customers');
  expect(names.filter((name) => !/^(?:list|retrieve)_/.test(name))).toEqual([]);
  expect(await toolNames(byHeader)).toEqual(names);
  await expect(callTool(byQuery, 'create_customer', { name: 'Ada' })).rejects.toThrow('is not among the chosen tools');
});

test('toolsets and single tools are chosen by name; an unknown name is an error with the nearest', async () => {
  expect(await toolNames(await connect(sandbox, '?toolsets=billing,customers'))).toEqual(
    expect.arrayContaining(['create_coupon', 'create_subscription', 'delete_customer']) as string[],
  );
  expect(await toolNames(await connect(sandbox, '?tools=create_refund,retrieve_charge'))).toEqual([
    'create_refund',
    'retrieve_charge',
  ]);
  expect((await toolNames(await connect(sandbox, '', { 'x-mcp-toolsets': 'all' }))).length).toBeGreaterThan(300);
  await expect(toolNames(await connect(sandbox, '?toolsets=biling'))).rejects.toThrow("did you mean 'billing'?");
});

test('two worlds at one address are apart by key', async () => {
  const other = await sandbox.worlds.create({ name: 'other' });
  const [here, there] = [await connect(sandbox), await connect({ url: sandbox.url, key: String(other.key) })];
  await callTool(there, 'create_customer', { name: 'Ada' });
  expect((await callTool(here, 'list_customers')).body['data']).toHaveLength(0);
  expect((await callTool(there, 'list_customers')).body['data']).toHaveLength(1);
});

test('a key is needed, and messages are posted', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const authorization of ['Bearer sk_test_wrong', undefined]) {
    const { status, headers } = await call('POST /mcp', message, { authorization });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await call(`${method} /mcp`);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  }
});

test('the vendor’s own address is the endpoint too', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const status = await new Promise((resolve, reject) => {
    const headers = { host: 'mcp.stripe.com', authorization: `Bearer ${sandbox.key}` };
    request(sandbox.url, { method: 'POST', path: '/', headers }, (res) => resolve(res.resume().statusCode))
      .on('error', reject)
      .end(body);
  });
  expect(status).toBe(200);
  expect((await call('POST /', { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
});
