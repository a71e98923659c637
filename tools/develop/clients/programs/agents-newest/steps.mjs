import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createStripeAgentToolkit } from '@stripe/agent-toolkit/ai-sdk';
import { call, equal, key, step } from './kit.mjs';

const TOOLS = 21;

const agent = new Client({ name: 'agent', version: '1' });
const args = [...process.execArgv, 'node_modules/@stripe/mcp/dist/index.js', `--api-key=${key}`];
await step('@stripe/mcp starts', () =>
  agent.connect(new StdioClientTransport({ command: process.execPath, args, env: { ...process.env } })),
);

/** What a tool returns. */
async function use(name, given = {}) {
  const { content, isError } = await agent.callTool({ name, arguments: given });
  if (isError) throw new Error(content[0].text);
  return JSON.parse(content[0].text);
}

await step('@stripe/mcp lists the tools', async () => equal((await agent.listTools()).tools.length, TOOLS, 'tools'));
const customer = await step('create_customer', () => use('create_customer', { name: 'Ann Lee' }));
await step('list_customers', async () => equal((await use('list_customers')).data[0].id, customer.id));
const product = await step('create_product', () => use('create_product', { name: 'Tea' }));
const price = await step('create_price', () =>
  use('create_price', { product: product.id, unit_amount: 500, currency: 'usd' }),
);
await step('create_payment_link', async () => {
  const { url } = await use('create_payment_link', { price: price.id, quantity: 1 });
  equal((await fetch(url)).status, 200, 'status of the page');
});
const invoice = await step('create_invoice', () =>
  use('create_invoice', { customer: customer.id, days_until_due: 30 }),
);
await step('create_invoice_item and finalize_invoice', async () => {
  await use('create_invoice_item', { customer: customer.id, price: price.id, invoice: invoice.id });
  await use('finalize_invoice', { invoice: invoice.id });
  equal((await call('GET', `/v1/invoices/${invoice.id}`)).amount_due, 500, 'amount_due');
});
await step('an error of the vendor', async () => {
  const { content, isError } = await agent.callTool({
    name: 'create_refund',
    arguments: { payment_intent: 'pi_none' },
  });
  equal([isError, content[0].text.includes('resource_missing')], [true, true], 'isError and its code');
});
await agent.close();

const toolkit = await step('@stripe/agent-toolkit connects', () =>
  createStripeAgentToolkit({ secretKey: key, configuration: {} }),
);
await step('@stripe/agent-toolkit lists the tools', () =>
  equal(Object.keys(toolkit.getTools()).length, TOOLS, 'tools'),
);
await step('@stripe/agent-toolkit calls a tool', async () => {
  await toolkit.getTools().create_customer.execute({ name: 'Bob' }, { toolCallId: '1', messages: [] });
  const { data } = await call('GET', '/v1/customers');
  equal(data[0].name, 'Bob', 'name of the newest customer');
});
process.exit(0);
