import { problemsOf } from '../../support/pack-world.js';
import { packFolder } from '../../support/sample-pack.js';
import { callTool, connect, disconnectAll, toolNames } from '../../support/mcp.js';
import { useSandboxes } from '../../support/start-sandbox.js';

/** Tools of packs without mcp.yaml, scopes and other places of keys, and the mistakes that are found in mcp.yaml. */

const sandboxes = useSandboxes({ t0: '2026-01-01', seed: 'bakery' });
const serve = (pack: string) => sandboxes.serve({ pack });
afterEach(disconnectAll);

const BAKERY = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
auth:
  places: [{ header: X-Bakery-Key }]
  tokens: { resource: pass, field: id, scopes: self.scopes }
`,
  'resources/pass.yaml': `resource: pass
collection: passes
path: /passes
id: { prefix: pas_, format: short }
fields: { scopes: { type: array, items: string } }
operations: { create: {} }
`,
  'resources/order.yaml': `resource: order
collection: orders
path: /orders
id: { prefix: ord_, format: short }
fields:
  bread: string
  lines: { type: array, items: { type: object, fields: { note: string, count: integer } }, default: [] }
operations:
  create: { title: Bake, description: Order one thing., params: { bread: { type: string, required: true, description: Which bread }, lines }, scopes: [bake] }
  retrieve: {}
  list: {}
  delete: {}
`,
};

test('tools of task automation are generated from its operations alone', async () => {
  const client = await connect(await serve('packs/task-automation'));
  expect(await toolNames(client)).toEqual(expect.arrayContaining(['create_task', 'list_tasks', 'retrieve_task_run']));
  const task = await callTool(client, 'create_task', {});
  expect(task).toMatchObject({ isError: true, meta: { 'sandbox/status': 400 } });
  const { body } = await callTool(client, 'list_tasks');
  expect(body).toMatchObject({ data: [] });
});

test('titles, descriptions and hints come from the pack; schemas of results when they are asked for', async () => {
  const sandbox = await serve(packFolder(BAKERY));
  const client = await connect(sandbox, '?output=1');
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'create_order')).toMatchObject({
    title: 'Bake',
    description: 'Order one thing. (POST /orders)',
    inputSchema: { required: ['bread'], properties: { bread: { type: 'string', description: 'Which bread' } } },
    outputSchema: { type: 'object', properties: { bread: { type: 'string' } } },
  });
  expect(tools.find(({ name }) => name === 'delete_order')?.annotations).toMatchObject({
    destructiveHint: true,
    idempotentHint: true,
  });
  const lines = [
    { note: 'crisp', count: 1 },
    { note: 'soft', count: 2 },
  ];
  // Longer than any path.
  expect((await callTool(client, 'retrieve_order', { id: 'x'.repeat(20_000) })).isError).toBe(true);
  const made = await callTool(client, 'create_order', { bread: 'rye', lines });
  expect(made).toMatchObject({ isError: false, body: { bread: 'rye', lines }, structured: made.body });
  expect((await callTool(client, 'retrieve_order', { id: made.body['id'] })).body).toEqual(made.body);
});

test('the key is a bearer’s wherever the vendor wants it, and its scopes decide which tools there are', async () => {
  const sandbox = await serve(packFolder(BAKERY));
  const pass = await callTool(await connect(sandbox), 'create_pass', { scopes: ['taste'] });
  const client = await connect({ url: sandbox.url, key: String(pass.body['id']) });
  const names = await toolNames(client);
  expect(names).toContain('list_orders');
  expect(names).not.toContain('create_order');
  await expect(callTool(client, 'create_order', { bread: 'rye' })).rejects.toThrow('create_order');
});

test('a text goes to its place in the form that the operation takes', async () => {
  const tool = 'operation: orders.create, params: { bread: {}, note: { to: "lines[0][note]", encode: base64 } }';
  const file = `server: { name: bakery }\ntools:\n  - { name: order_bread, ${tool} }\n`;
  const client = await connect(await serve(packFolder({ ...BAKERY, 'mcp.yaml': file })));
  const made = await callTool(client, 'order_bread', { bread: 'rye', note: 'größer' });
  expect(made.body).toMatchObject({ bread: 'rye', lines: [{ note: Buffer.from('größer').toString('base64') }] });
});

test('operations are found and called by their ids in every pack', async () => {
  const client = await connect(await serve(packFolder(BAKERY)), '?tools=discover');
  expect(await toolNames(client)).toEqual(['search_operations', 'describe_operation', 'call_read', 'call_write']);
  const found = await callTool(client, 'search_operations', { words: 'create an order', limit: 1 });
  expect(found.body).toEqual({
    operations: [{ id: 'create_order', method: 'POST', path: '/orders', summary: 'Bake' }],
  });
  expect((await callTool(client, 'search_operations', { words: 'a bicycle' })).body).toEqual({ operations: [] });
  expect((await callTool(client, 'describe_operation', { operation: 'create_order' })).body).toMatchObject({
    parameters: {
      path: {},
      body: {
        bread: { type: 'string', description: 'Which bread', required: true },
        lines: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' } } } },
      },
    },
  });
  const write = (operation: string, parameters?: object) => callTool(client, 'call_write', { operation, parameters });
  expect(await write('create_order')).toMatchObject({ isError: true, text: 'missing body parameters: bread' });
  const made = await write('create_order', { bread: 'rye' });
  expect(made).toMatchObject({ body: { bread: 'rye' }, meta: { 'sandbox/status': 200 } });
  const read = await callTool(client, 'call_read', {
    operation: 'retrieve_order',
    parameters: { id: made.body['id'] },
  });
  expect(read.body).toEqual(made.body);
  expect(
    (await callTool(client, 'call_read', { operation: 'create_order', parameters: { bread: 'rye' } })).isError,
  ).toBe(true);
  expect(await write('none')).toMatchObject({ isError: true, text: "there is no operation 'none'" });
  expect(await callTool(client, 'call_read', {})).toMatchObject({
    isError: true,
    text: "missing argument 'operation'",
  });
  expect(
    await toolNames(await connect(await serve(packFolder(BAKERY)), '?toolsets=discover&readonly=1')),
  ).not.toContain('call_write');
});

test('mcp.yaml names operations, refuses and confirms calls, and chooses an operation by an argument', async () => {
  const file = `server: { name: bakery }
discover:
  operations:
    Bake: { operation: orders.create, permissions: [bake] }
    Look: { operation: orders.retrieve }
    Fry: { call: POST /fries, title: Fry it, rejects: "No fryer for \${what}" }
    Ice: { call: GET /ices, returns: { ices: [] } }
  failed: "Oven: \${message} (\${id})"
  message: error.message
  confirm: "true"
tools:
  - { name: do, does: write, params: { what: { to: id }, with: { to: parameters, type: object }, yes: { to: approval, optional: true } } }
  - name: order
    by: how
    cases:
      make: { operation: orders.create, to: { which: bread } }
      show: { operation: orders.retrieve, to: { which: id } }
      all: { operation: orders.list }
    params: { how: { type: string }, bread: { optional: true }, id: { optional: true }, which: { optional: true } }
    omit_empty: [bread]
`;
  const client = await connect(await serve(packFolder({ ...BAKERY, 'mcp.yaml': file })));
  const asked = await callTool(client, 'do', { what: 'Bake', with: { bread: 'rye' } });
  const { approval_token: yes } = asked.body['needs_confirmation'] as { readonly approval_token: string };
  // Another call than the one that was asked for.
  expect((await callTool(client, 'do', { what: 'Bake', with: { bread: 'oat' }, yes })).body).toHaveProperty(
    'needs_confirmation',
  );
  const made = await callTool(client, 'do', { what: 'Bake', with: { bread: 'rye' }, yes });
  expect(made.body).toMatchObject({ bread: 'rye' });
  expect((await callTool(client, 'do', { what: 'Fry', with: { what: 'eggs' } })).text).toBe(
    'Oven: No fryer for eggs (Fry)',
  );
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'order')?.inputSchema).toMatchObject({
    required: ['how'],
    properties: { how: { enum: ['make', 'show', 'all'] } },
  });
  const id = made.body['id'];
  expect((await callTool(client, 'order', { how: 'show', id, bread: 'ignored' })).body).toMatchObject({
    id,
    bread: 'rye',
  });
  expect((await callTool(client, 'order', { how: 'make', which: 'oat' })).body).toMatchObject({ bread: 'oat' });
  expect((await callTool(client, 'order', { how: 'show', which: id })).body).toMatchObject({ bread: 'rye' });
  // A member that is empty is left out.
  expect((await callTool(client, 'order', { how: 'make', bread: '' })).body).not.toHaveProperty('bread');
  expect((await callTool(client, 'order', { how: 'shwo' })).text).toBe("unknown how: shwo; did you mean 'show'?");
  expect((await callTool(client, 'order', {})).text).toBe('missing required parameter: how');
});

const MISTAKES: readonly (readonly [what: string, tool: string, problem: string])[] = [
  ['an operation', 'operation: orders.creat', "unknown-operation mcp.yaml:4 unknown operation 'orders.creat'"],
  [
    'a parameter',
    'operation: orders.create, params: { bred: {} }',
    "unknown-parameter mcp.yaml:4 unknown parameter 'bred'",
  ],
  [
    'where a value goes',
    'operation: orders.create, params: { b: { to: "bred[0]" } }',
    "unknown-parameter mcp.yaml:4 unknown parameter 'bred'",
  ],
  [
    'what every call has',
    'operation: orders.create, with: { bred: rye }',
    "unknown-parameter mcp.yaml:4 unknown parameter 'bred'",
  ],
  ['a toolset', 'operation: orders.list, toolset: saels', "unknown-toolset mcp.yaml:4 unknown toolset 'saels'"],
  [
    'a path without its id',
    'operation: orders.retrieve',
    "mcp-tool mcp.yaml:4 nothing gives 'id' of the path of orders.retrieve",
  ],
  [
    'an operation of a case',
    'by: x, cases: { a: { operation: orders.creat } }',
    "unknown-operation mcp.yaml:4 unknown operation 'orders.creat'",
  ],
  [
    'where an argument of a case goes',
    'by: x, cases: { a: { operation: orders.create, to: { y: bread } } }, params: { x: {} }',
    "unknown-parameter mcp.yaml:4 unknown parameter 'y'",
  ],
  [
    'what a search shows',
    'does: search, show: "a["',
    expect.stringContaining('mcp-tool mcp.yaml:4 not a JMESPath expression') as string,
  ],
  [
    'a variable in an answer',
    'returns: { a: "${vars.none}" }',
    expect.stringContaining("unknown-variable mcp.yaml:4 unknown variable 'none'") as string,
  ],
  [
    'a map without the value',
    'operation: orders.create, params: { b: { to: { bread: rye } } }',
    "mcp-tool mcp.yaml:4 no value is '${it}', which stands for the argument",
  ],
  [
    'the operation of a call before',
    'operation: orders.list, first: [{ as: last, operation: orders.retrive }]',
    "unknown-operation mcp.yaml:4 unknown operation 'orders.retrive'",
  ],
  [
    'a parameter of a call before',
    'operation: orders.list, first: [{ as: last, operation: orders.retrieve, with: { it: args.x } }]',
    "unknown-parameter mcp.yaml:4 unknown parameter 'it'",
  ],
  [
    'a parameter from a response',
    "operation: orders.create, from: { bread: 'last.[' }",
    expect.stringContaining('mcp-tool mcp.yaml:4 not a JMESPath expression') as string,
  ],
];

test.each(MISTAKES)('a mistake in mcp.yaml is found when the pack loads: %s', (_, tool, problem) => {
  const file = `server: { name: bakery }
toolsets: { sales: { operations: [orders.*] } }
tools:
  - { name: order_bread, ${tool} }
`;
  expect(problemsOf({ ...BAKERY, 'mcp.yaml': file })).toEqual([problem]);
});

const STEPS = `server: { name: bakery }
tools:
  - name: bake_like
    first: [{ as: last, operation: orders.retrieve, with: { id: args.like } }]
    operation: orders.create
    from: { bread: "last.bread", lines: "args.notes[].{note: @, count: \`1\`}" }
    headers: { x-bakery-note: by an agent }
    params: { like: { type: string, description: An order }, notes: { type: array, optional: true } }
    show: "{bread: bread, lines: lines[].note}"
`;

test('a tool that makes other calls first takes its parameters from their responses; the first that fails is the result', async () => {
  const client = await connect(await serve(packFolder({ ...BAKERY, 'mcp.yaml': STEPS })), '?toolsets=all');
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'bake_like')?.inputSchema).toMatchObject({
    required: ['like'],
    properties: { like: { type: 'string' } },
  });
  const { body } = await callTool(client, 'create_order', { bread: 'rye' });
  const { id } = body as { id: string };
  expect((await callTool(client, 'bake_like', { like: id, notes: ['thin', 'dark'] })).body).toEqual({
    bread: 'rye',
    lines: ['thin', 'dark'],
  });
  expect(await callTool(client, 'bake_like', { like: 'ord_none' })).toMatchObject({
    isError: true,
    meta: { 'sandbox/status': 404 },
  });
  expect(await callTool(client, 'bake_like', {})).toMatchObject({ isError: true, text: "missing argument 'id'" });
});
