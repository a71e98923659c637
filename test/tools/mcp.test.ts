import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';
import { readOperations } from '../../tools/control/contract.js';
import { forAgents, shortResponse, TOOLS } from '../../tools/mcp/tools.js';
import { ROOT } from '../support/root.js';

type Args = Readonly<Record<string, unknown>>;

let client: Client;

beforeAll(async () => {
  client = new Client({ name: 'test', version: '1' });
  const args = [join(ROOT, 'dist', 'app', 'cli.cjs'), 'mcp', 'payments', '--key', 'sk_test_agent'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: ROOT }));
});

afterAll(() => client.close());

async function said(name: string, args: Args = {}): Promise<{ readonly isError: boolean; readonly text: string }> {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content as readonly { readonly type: string; readonly text: string }[];
  return { isError: isError === true, text: first.text };
}

async function use(name: string, args: Args = {}): Promise<Record<string, never>> {
  const { isError, text } = await said(name, args);
  if (isError) throw new Error(text);
  return JSON.parse(text) as Record<string, never>;
}

/** A payment at the address that the agent was told. */
async function pay(at: Args): Promise<{ readonly id: string; readonly trace: string; readonly status: number }> {
  const body = new URLSearchParams({ amount: '500', currency: 'usd', payment_method: 'pm_card_visa', confirm: 'true' });
  body.set('automatic_payment_methods[enabled]', 'true');
  body.set('automatic_payment_methods[allow_redirects]', 'never');
  const headers = { Authorization: `Bearer ${String(at['key'])}` };
  const answer = await fetch(`${String(at['url'])}/v1/payment_intents`, { method: 'POST', headers, body });
  const { id } = (await answer.json()) as { id: string };
  return { id, trace: String(answer.headers.get('x-mock-resolution-trace')), status: answer.status };
}

test('the tools say what they are for and what they take', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  for (const { description, inputSchema } of tools) {
    expect(description?.length).toBeGreaterThan(20);
    expect(JSON.stringify(inputSchema)).not.toContain('$ref');
  }
  const [fire] = tools.filter(({ name }) => name === 'fire');
  expect(fire.inputSchema).toMatchObject({ required: ['cause'], properties: { params: { type: 'object' } } });
  expect(client.getInstructions()).toContain('about');
  const known = readOperations();
  for (const { operations } of TOOLS) for (const id of operations) expect(known.has(id)).toBe(true);
});

test('an agent arranges a world, lets things happen, and asks why', async () => {
  const about = await use('about');
  expect(about).toMatchObject({ key: 'sk_test_agent', pack: { name: 'payments' } });
  await use('seed', { resource: 'customers', objects: [{ id: 'cus_Jenny000000001', email: 'jenny@example.com' }] });
  expect(await use('state', { resource: 'customers' })).toMatchObject({
    resources: { customers: [{ email: 'jenny@example.com' }] },
  });
  await use('save', { name: 'before' });
  await use('fault', {
    resource: 'payment_intents',
    operation: 'create',
    status: 402,
    error: { code: 'card_declined' },
    count: 1,
  });
  const failed = await pay(about);
  expect(await use('explain', { id: failed.trace })).toMatchObject({ outcome: 'fault', status: 402 });
  const { id } = await pay(about);
  expect(await use('why', { object: id, field: 'status' })).toMatchObject({ value: 'succeeded' });
  const { causes } = await use('next', { cause: 'dispute.opened' });
  const [{ cause, params }] = causes as readonly { readonly cause: string; readonly params: Args }[];
  expect(await use('fire', { cause, params })).toMatchObject({ cause: 'dispute.opened' });
  expect(await use('advance', { duration: '3d' })).toMatchObject({ fired: expect.any(Number) as number });
  expect(JSON.stringify(await use('diff', { from: 'before' }))).toContain(id);
  expect((await use('explain'))['data']).toHaveLength(2);
  await use('rewind', { to: 'before' });
  expect(await use('diff', { from: 'before' })).not.toHaveProperty('objects');
});

test('a fork is a world of its own, for every tool', async () => {
  const fork = await use('fork', { name: 'try' });
  const { id } = await pay(fork);
  expect(await use('state', { id, world: 'try' })).toMatchObject({ resources: { payment_intents: [{ id }] } });
  expect(JSON.stringify(await use('state', { resource: 'payment_intents' }))).not.toContain(id);
  expect(await use('about', { world: 'try' })).toMatchObject({ url: fork['url'], key: fork['key'] });
});

test.each([
  ['fire', { cause: 'payment.declinde' }, "did you mean 'payment.declined'?", 'the tool next'],
  ['explain', { id: 'trc_none' }, 'unknown_trace', 'the tool explain'],
  ['fault', { resource: 'payment_intents', operation: 'creat', status: 500 }, "did you mean 'create'?", 'operations:'],
  ['state', { world: 'nowhere' }, 'unknown_world', ''],
])('%s %j is an error with the next step', async (name, args, message, advice) => {
  const { isError, text } = await said(name, args);
  expect(isError).toBe(true);
  expect(text).toContain(message);
  expect(text).toContain(advice);
});

test('an argument that is missing is told before anything is called', async () => {
  const { isError, text } = await said('fire', {});
  expect(isError).toBe(true);
  expect(text).toContain('cause');
});

test('answers are short: nothing that says nothing, long lists cut', () => {
  expect(shortResponse({ a: null, b: [], c: 1 })).toEqual({ c: 1 });
  expect(shortResponse({ data: [], next: null })).toEqual({ data: [] });
  expect(shortResponse(Array.from({ length: 30 }, (_, at) => at))).toHaveLength(21);
  expect(shortResponse('x'.repeat(3_000))).toContain('1000 more characters');
  expect(forAgents("Run 'sandbox explain PACK OPERATION'.")).toBe("Run 'sandbox explain'.");
  expect(forAgents("Run 'sandbox trace' to list calls.")).toBe('Run the tool explain to list calls.');
});

test('with --as vendor the tools are those of the vendor’s API', async () => {
  const cli = join(ROOT, 'dist', 'app', 'cli.cjs');
  const args = [cli, 'mcp', 'payments', '--as', 'vendor', '--read-only'];
  const vendor = new Client({ name: 'test', version: '1' });
  await vendor.connect(new StdioClientTransport({ command: process.execPath, args, cwd: ROOT }));
  const { tools } = await vendor.listTools();
  expect(tools.map(({ name }) => name)).toContain('stripe_api_read');
  expect(tools.map(({ name }) => name)).not.toContain('stripe_api_write');
  const account = { stripe_context: 'acct_1Pgaf0LkdIwHu7ix', livemode: false };
  const read = { stripe_api_operation_id: 'GetCustomers', parameters: { limit: 1 }, ...account };
  const { content } = await vendor.callTool({ name: 'stripe_api_read', arguments: read });
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining('"object":"list"') as string }]);
  await vendor.close();
});
