import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createStripeAgentToolkit } from '@stripe/agent-toolkit/ai-sdk';
import { call, equal, key, step } from './kit.mjs';

const TOOLS = 10;

const agent = new Client({ name: 'agent', version: '1' });
const args = [...process.execArgv, 'node_modules/@stripe/mcp/dist/index.js', `--api-key=${key}`];
await step('@stripe/mcp starts', () =>
  agent.connect(new StdioClientTransport({ command: process.execPath, args, env: { ...process.env } })),
);

/** Calls a tool and returns its result. */
async function use(name, given = {}) {
  const { content, isError } = await agent.callTool({ name, arguments: given });
  if (isError) throw new Error(content[0].text);
  return JSON.parse(content[0].text);
}

await step('@stripe/mcp lists the tools', async () => equal((await agent.listTools()).tools.length, TOOLS, 'tools'));
const { accounts } = await step('list_available_accounts_or_orgs', () => use('list_available_accounts_or_orgs'));
const { stripe_context, livemode } = accounts[0];
const context = { stripe_context, livemode };
const write = (id, parameters) => use('stripe_api_write', { stripe_api_operation_id: id, parameters, ...context });
const read = (id, parameters = {}) => use('stripe_api_read', { stripe_api_operation_id: id, parameters, ...context });

await step('stripe_api_search and stripe_api_details', async () => {
  const { data } = await use('stripe_api_search', { intent: 'create', resource: 'customer', ...context });
  const { id, parameters } = await use('stripe_api_details', { stripe_api_operation_id: data[0].id, ...context });
  equal([id, parameters.body.name.type], ['PostCustomers', 'string'], 'operation and its parameter');
});
const customer = await step('PostCustomers', () => write('PostCustomers', { name: 'Ann Lee' }));
await step('GetCustomers', async () => equal((await read('GetCustomers')).data[0].id, customer.id));
const product = await step('PostProducts', () => write('PostProducts', { name: 'Tea' }));
const price = await step('PostPrices', () =>
  write('PostPrices', { product: product.id, unit_amount: 500, currency: 'usd' }),
);
await step('PostPaymentLinks', async () => {
  const { url } = await write('PostPaymentLinks', { line_items: [{ price: price.id, quantity: 1 }] });
  equal((await fetch(url)).status, 200, 'status of the page');
});
await step('an error of the vendor', async () => {
  const given = { stripe_api_operation_id: 'PostRefunds', parameters: { payment_intent: 'pi_none' }, ...context };
  const { content, isError } = await agent.callTool({ name: 'stripe_api_write', arguments: given });
  equal(
    [isError, content[0].text.startsWith('Stripe API error: No such payment_intent')],
    [true, true],
    'isError and its text',
  );
});
await agent.close();

const toolkit = await step('@stripe/agent-toolkit connects', () =>
  createStripeAgentToolkit({ secretKey: key, configuration: {} }),
);
await step('@stripe/agent-toolkit lists the tools', () =>
  equal(Object.keys(toolkit.getTools()).length, TOOLS, 'tools'),
);
await step('@stripe/agent-toolkit calls a tool', async () => {
  await toolkit
    .getTools()
    .stripe_api_write.execute(
      { stripe_api_operation_id: 'PostCustomers', parameters: { name: 'Bob' }, ...context },
      { toolCallId: '1', messages: [] },
    );
  const { data } = await call('GET', '/v1/customers');
  equal(data[0].name, 'Bob', 'name of the newest customer');
});
process.exit(0);
