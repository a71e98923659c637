import { request } from 'node:http';
import { callTool, connect, disconnectAll, toolNames } from '../../support/mcp.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** The tools of the vendor's own MCP server over payments, with the official client: the former ones, and those of today. */

const FORMER = '?toolsets=2025';

const options = { worlds: 'key', key: 'sk_test_first', seed: 'tools', t0: '2025-01-01' } as const;
const sandbox = startSandbox('payments', options);
const { call } = sandbox;
afterEach(async () => {
  await disconnectAll();
  await sandbox.control.call('POST', '/reset', {});
});

test('the list has the tools of mcp.yaml with their hints, in less than 16 KiB', async () => {
  const client = await connect(sandbox, FORMER);
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
  const client = await connect(sandbox, FORMER);
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
  const client = await connect(sandbox, FORMER);
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
  const client = await connect(sandbox, FORMER);
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
  const client = await connect(sandbox, FORMER);
  await sandbox.control.call('POST', '/faults', { resource: 'customers', operation: 'create', kind, count: 1 });
  expect(await callTool(client, 'create_customer', { name: 'Ada' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('connection lost') as string,
  });
  const { body } = await callTool(client, 'list_customers');
  expect(body['data']).toHaveLength(customers);
});

test('an idempotency key in the headers holds for tool calls', async () => {
  const client = await connect(sandbox, FORMER, { 'idempotency-key': 'once' });
  const made = await callTool(client, 'create_customer', { name: 'Ada' });
  expect(await callTool(client, 'create_customer', { name: 'Ada' })).toMatchObject({ body: made.body });
  expect((await callTool(client, 'create_customer', { name: 'Bob' })).body).toMatchObject({
    error: { type: 'idempotency_error' },
  });
});

test('read-only mode lists and calls what changes nothing, by query or header', async () => {
  const byQuery = await connect(sandbox, `${FORMER}&readonly=1`);
  const byHeader = await connect(sandbox, FORMER, { 'x-mcp-readonly': 'true' });
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
  const [here, there] = [
    await connect(sandbox, FORMER),
    await connect({ url: sandbox.url, key: String(other.key) }, FORMER),
  ];
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

describe('the server of today', () => {
  const ACCOUNT = { stripe_context: 'acct_1Pgaf0LkdIwHu7ix', livemode: false };
  const HINT = (id: string): string =>
    `\n\nUse stripe_api_details with stripe_api_operation_id: "${id}" to see all required and optional parameters.`;
  let client: Awaited<ReturnType<typeof connect>>;
  beforeEach(async () => {
    client = await connect(sandbox);
  });
  const use = (name: string, args: Readonly<Record<string, unknown>>) =>
    callTool(client, name, { ...args, ...ACCOUNT });
  const run = (tool: 'read' | 'write', id: string, parameters: object = {}) =>
    use(`stripe_api_${tool}`, { stripe_api_operation_id: id, parameters });
  const search = async (intent: string, resource: string, limit?: number) => {
    const { body } = await use('stripe_api_search', { intent, resource, ...(limit === undefined ? {} : { limit }) });
    expect(body['openapi_spec_version']).toBe('2026-08-26.preview');
    return (body['data'] as { readonly id: string }[]).map(({ id }) => id);
  };

  test('has the ten tools and the arguments that the vendor’s has', async () => {
    const { tools } = await client.listTools();
    const context = ['livemode', 'stripe_context'];
    expect(
      Object.fromEntries(tools.map(({ name, inputSchema }) => [name, [...(inputSchema.required ?? [])].sort()])),
    ).toEqual({
      stripe_api_search: ['intent', ...context.slice(0, 1), 'resource', 'stripe_context'],
      stripe_api_details: ['livemode', 'stripe_api_operation_id', 'stripe_context'],
      stripe_api_read: ['livemode', 'parameters', 'stripe_api_operation_id', 'stripe_context'],
      stripe_api_write: ['livemode', 'parameters', 'stripe_api_operation_id', 'stripe_context'],
      list_available_accounts_or_orgs: [],
      manage_stripe_accounts: [],
      stripe_analytics: ['intent', ...context],
      search_stripe_documentation: ['question'],
      stripe_implementation_planner: context,
      send_stripe_mcp_feedback: ['context', 'quote', 'sentiment', 'source'],
    });
    const write = tools.find(({ name }) => name === 'stripe_api_write');
    expect(write?.inputSchema.properties?.['human_confirmation']).toMatchObject({
      properties: { approval_token: { type: 'string' } },
    });
    const limit = tools.find(({ name }) => name === 'stripe_api_search')?.inputSchema.properties?.['limit'];
    expect(limit).toMatchObject({ type: 'integer', default: 5, minimum: 1, maximum: 20 });
  });

  test('the account that is listed opens the other tools; others fail as requests that are not tools’', async () => {
    const { body } = await callTool(client, 'list_available_accounts_or_orgs');
    const account = await call('GET /v1/account');
    expect(body).toEqual({ accounts: [{ stripe_context: account.body['id'], livemode: false, name: 'Sandbox' }] });
    const read = { stripe_api_operation_id: 'GetCustomers', parameters: {} };
    await expect(
      callTool(client, 'stripe_api_read', { ...read, ...ACCOUNT, stripe_context: 'acct_none' }),
    ).rejects.toThrow(
      '{"error":"No account found for the provided stripe_context and livemode. Use the list_available_accounts_or_orgs tool to see the accounts you can access."}',
    );
    await expect(callTool(client, 'stripe_api_read', { ...read, ...ACCOUNT, livemode: true })).rejects.toThrow(
      '{"error":"The provided account acct_1Pgaf0LkdIwHu7ix is a sandbox account. Retry with livemode set to false."}',
    );
    await expect(callTool(client, 'stripe_api_read', read)).rejects.toThrow('No account found');
    expect((await callTool(client, 'manage_stripe_accounts')).body).toEqual({
      reconsent_url: expect.stringMatching(
        /^https:\/\/access\.stripe\.com\/mcp\/oauth2\/authorize\/sessions\/oases_\w+$/,
      ) as string,
    });
  });

  test('search finds by intent and resource, nothing for what the vendor does not offer', async () => {
    expect((await search('create', 'customer'))[0]).toBe('PostCustomers');
    expect((await search('list', 'subscription'))[0]).toBe('GetSubscriptions');
    expect((await search('create', 'checkout session'))[0]).toBe('PostCheckoutSessions');
    expect((await search('create', 'tax calculation'))[0]).toBe('PostTaxCalculations');
    expect(await search('create', 'issuing card')).toContain('GetIssuingCards');
    expect(await search('finalize', 'invoice')).toContain('PostInvoicesInvoiceFinalize');
    expect(await search('list', 'payment intent', 1)).toEqual(['GetPaymentIntents']);
    expect(await search('refund', 'charge')).toContain('PostRefunds');
    for (const [intent, resource] of [
      ['create', 'terminal reader'],
      ['list', 'climate order'],
      ['list', 'radar rules'],
      ['xyzzy', 'nonexistent'],
    ])
      expect(await search(intent, resource)).toEqual([]);
    expect(await search('list', 'events')).not.toContain('GetEvents');
    const { body } = await use('stripe_api_search', { intent: 'search', resource: 'customers' });
    expect(body['data']).toContainEqual({
      ...{ id: 'GetCustomersSearch', method: 'GET', path: '/v1/customers/search', summary: 'Search customers' },
      llm_context: expect.stringContaining('metadata') as string,
    });
  });

  test('details have path, query and body apart, nested, with the rights that are needed', async () => {
    const { body } = await use('stripe_api_details', { stripe_api_operation_id: 'PostCustomers' });
    expect(Object.keys(body)).toEqual(
      'id method path summary description tags keywords parameters required_permissions openapi_spec_version'.split(
        ' ',
      ),
    );
    expect(body).toMatchObject({
      ...{
        id: 'PostCustomers',
        method: 'POST',
        path: '/v1/customers',
        summary: 'Create a customer',
        tags: ['customer'],
      },
      keywords: expect.arrayContaining(['v1', 'customers', 'post', 'create', 'customer']) as string[],
      parameters: {
        path: {},
        query: {},
        body: {
          name: { type: 'string', required: false },
          expand: { type: 'array', items: { type: 'string' } },
          shipping: {
            type: 'object',
            properties: { address: { type: 'object', required: true, properties: { city: { type: 'string' } } } },
          },
        },
      },
      required_permissions: ['customer_write'],
    });
    const methods = await use('stripe_api_details', { stripe_api_operation_id: 'GetCustomersCustomerPaymentMethods' });
    expect(methods.body).toMatchObject({
      path: '/v1/customers/{id}/payment_methods',
      parameters: { path: { id: { required: true } } },
    });
  });

  test('what is not offered is not available, whatever the reason', async () => {
    for (const id of [
      'GetEvents',
      'PostInvoicesInvoicePay',
      'DeleteCustomersCustomer',
      'PostPaymentIntents',
      'DeletePricesPrice',
      'GetNonexistentFooBar',
    ]) {
      const text = `Operation '${id}' is not available. Use stripe_api_search to find available operations.`;
      expect(await run('read', id)).toMatchObject({ isError: true, text });
      expect(await use('stripe_api_details', { stripe_api_operation_id: id })).toMatchObject({ isError: true, text });
    }
  });

  test('calls return bare bodies in the newest shape, and are calls of the API', async () => {
    const made = await run('write', 'PostCustomers', { name: 12345, metadata: { a: 'b' } });
    expect(made.body).toMatchObject({
      object: 'customer',
      name: '12345',
      metadata: { a: 'b' },
      customer_account: null,
    });
    expect(made.meta).toMatchObject({ 'sandbox/status': 200 });
    for (const limit of [0, -1, 1])
      expect((await run('read', 'GetCustomers', { limit })).body).toMatchObject({
        object: 'list',
        data: [{ id: made.body['id'] }],
        url: '/v1/customers',
      });
    const { body } = await run('read', 'GetCustomersCustomerPaymentMethods', { id: made.body['id'] });
    expect(body).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      url: `/v1/customers/${String(made.body['id'])}/payment_methods`,
    });
    const domains = await run('read', 'GetPaymentMethodDomains');
    expect(domains.body).toEqual({ object: 'list', data: [], has_more: false, url: '/v1/payment_method_domains' });
  });

  // What the vendor's server answered in September 2026.
  test.each<['read' | 'write', string, object, string]>([
    ['read', 'GetCustomersCustomer', { id: 'cus_nonexistent999' }, "No such customer: 'cus_nonexistent999'"],
    ['read', 'GetCustomersCustomer', { id: 'ch_nonexistent12345' }, "No such customer: 'ch_nonexistent12345'"],
    ['read', 'GetPaymentIntentsIntent', { id: 'pi_nonexistent12345' }, "No such payment_intent: 'pi_nonexistent12345'"],
    ['read', 'GetDisputesDispute', { id: 'dp_nonexistent12345' }, "No such dispute: 'dp_nonexistent12345'"],
    ['read', 'GetCustomersCustomer', { id: 'cus_x', expand: ['invalid.deep.path'] }, "No such customer: 'cus_x'"],
    ['write', 'PostRefunds', { charge: 'ch_nonexistent99999' }, "No such charge: 'ch_nonexistent99999'"],
    [
      'write',
      'PostCustomers',
      { totally_bogus_param_ec: 'test' },
      'Received unknown parameter: totally_bogus_param_ec',
    ],
    ['write', 'PostCustomers', { idempotency_key: 'x' }, 'Received unknown parameter: idempotency_key'],
    [
      'write',
      'PostCustomers',
      { name: ['wrong', 'type', 'array'] },
      'Invalid string: {"0":"wrong","1":"type","2":"array"}',
    ],
    ['write', 'PostCustomers', { expand: ['bogus_field_ec'] }, 'This property cannot be expanded (bogus_field_ec).'],
    [
      'read',
      'GetCustomers',
      { expand: ['bogus_no_data_prefix'] },
      "This property cannot be expanded (bogus_no_data_prefix). You may want to try expanding 'data.bogus_no_data_prefix' instead.",
    ],
    [
      'write',
      'PostCustomers',
      { tax_exempt: 'totally_invalid_value' },
      'Invalid tax_exempt: must be one of none, reverse, or exempt',
    ],
    [
      'write',
      'PostRefunds',
      {},
      'One of the following params should be provided for this request: payment_intent or charge.',
    ],
    [
      'read',
      'GetSubscriptions',
      { status: 'totally_invalid' },
      'Invalid status: must be one of active, past_due, unpaid, canceled, incomplete, incomplete_expired, trialing, paused, all, or ended',
    ],
    [
      'read',
      'GetCustomers',
      { starting_after: 'cus_ZZZZZZZZZZZZZ_past_end' },
      "No such customer: 'cus_ZZZZZZZZZZZZZ_past_end'",
    ],
    [
      'read',
      'GetIssuingCards',
      {},
      'Your account is not set up to use Issuing. Please visit https://dashboard.stripe.com/issuing/overview to get started.',
    ],
    ['read', 'GetIssuingCardsCard', { id: 'ic_nonexistent123' }, "No such issuing card: 'ic_nonexistent123'"],
  ])('an error is a sentence with a hint: %s %s %j', async (tool, id, parameters, message) => {
    expect(await run(tool, id, parameters)).toMatchObject({
      isError: true,
      text: `Stripe API error: ${message}${HINT(id)}`,
    });
  });

  test('what is missing is found before the call', async () => {
    expect((await run('write', 'PostProducts')).text).toBe('Missing required body parameters: name');
    expect((await run('read', 'GetCustomersCustomer', { customer: 'cus_x' })).text).toBe(
      'Missing required path parameters: id',
    );
    expect((await run('read', 'PostCustomers')).isError).toBe(true);
    expect((await run('read', 'GetCustomersSearch')).text).toBe('Missing required query parameters: query');
  });

  test('questions about many objects, texts and feedback', async () => {
    for (const name of ['a', 'b', 'b']) await run('write', 'PostCustomers', { name });
    const ask = (intent: string, params: object) => use('stripe_analytics', { intent, params });
    expect((await ask('search_query_tables', { query: 'customers' })).body).toMatchObject({
      result: { tables: expect.arrayContaining([{ name: 'customers', comment: 'customer' }]) as object[] },
    });
    expect((await ask('retrieve_query_table', { table_name: 'customers' })).body).toMatchObject({
      result: { columns: expect.arrayContaining([{ name: 'email', type: 'string' }]) as object[] },
    });
    const sql =
      "SELECT name, count(*) AS n FROM customers WHERE name IN ('a', 'b') AND balance >= 0 GROUP BY name ORDER BY n DESC LIMIT 1";
    const { body } = await ask('execute_query_run', { sql });
    expect(body).toMatchObject({
      result: { status: 'succeeded', data_table: { columns: ['name', 'n'], rows: [['b', 2]] } },
    });
    const { id } = body['result'] as { readonly id: string };
    expect((await ask('retrieve_query_run', { query_run_id: id })).body).toEqual(body);
    const counted = await ask('execute_query_run', {
      sql: "select count(distinct name) as names, max(created) from customers where name like '%' and email is null",
    });
    expect(counted.body).toMatchObject({
      result: { data_table: { columns: ['names', 'max'], rows: [[2, 1_735_689_600]] } },
    });
    expect(await ask('execute_query_run', { sql: 'DROP TABLE customers' })).toMatchObject({
      isError: true,
      text: "mismatched input 'DROP'. Expecting: 'SELECT'",
    });
    expect(await ask('execute_query_run', { sql: 'SELECT * FROM nothing' })).toMatchObject({ isError: true });
    const found = await callTool(client, 'search_stripe_documentation', { question: 'How do I refund a charge?' });
    expect(found.body['results']).toContainEqual(
      expect.objectContaining({ type: 'docs', url: expect.stringMatching(/\/api\/refunds$/) as string }),
    );
    const feedback = { sentiment: 'positive', quote: 'Good', context: 'x', source: 'agent' };
    expect((await callTool(client, 'send_stripe_mcp_feedback', feedback)).isError).toBe(false);
    expect((await callTool(client, 'send_stripe_mcp_feedback', { ...feedback, source: 'x' })).text).toBe(
      "'source' must be one of user, agent",
    );
  });
});
