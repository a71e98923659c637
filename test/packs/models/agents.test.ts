import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Anthropic from '@anthropic-ai/sdk';
import { Resend } from 'resend';
import Stripe from 'stripe';
import { useSandbox } from '../../../tools/in-tests/jest.cjs';
import { callTool, connect, disconnectAll } from '../../support/mcp.js';
import { call, form } from '../../support/http.js';
import { folderOfTest } from '../../support/scratch-folder.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { documented } from '../../tools/blocks.js';
import { clientsOf } from './served-models.js';

/** Agents whose model is scripted, with the other vendors of a company. */

const sandbox = useSandbox({ packs: ['models', 'payments', 'mail', 'messaging'], t0: '2026-01-05T09:00:00Z' });
afterEach(disconnectAll);

/** As long as the model calls tools, they are called over MCP. @returns what it says at last, and the tools that it called */
async function run(question: string): Promise<{ said: string; called: string[] }> {
  const { models, payments } = sandbox.vendors;
  const client = await connect(payments, "?toolsets=2025");
  const { tools } = await client.listTools();
  const { messages } = clientsOf({ url: models.url, key: models.key }).anthropic;
  const history: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
  const called: string[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const { content, stop_reason } = await messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 500,
      messages: history,
      tools: tools
        .filter(({ name }) => /customer|refund|payment_intent/.test(name))
        .map(({ name, inputSchema }) => ({ name, input_schema: inputSchema as Anthropic.Tool.InputSchema })),
    });
    const [last] = content.slice(-1);
    if (stop_reason !== 'tool_use') return { said: last.type === 'text' ? last.text : '', called };
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const each of content) {
      if (each.type !== 'tool_use') continue;
      called.push(each.name);
      const { text, isError } = await callTool(client, each.name, each.input as Record<string, unknown>);
      results.push({ type: 'tool_result', tool_use_id: each.id, content: text, is_error: isError });
    }
    history.push({ role: 'assistant', content: content as Anthropic.ContentBlockParam[] }, { role: 'user', content: results });
  }
  throw new Error('the model does not come to an end');
}

test('the model refunds over MCP, and only what the tool returned is in its last words', async () => {
  const { models, payments } = sandbox.vendors;
  const intent = { amount: '900', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' };
  const { body } = await call(payments, 'POST /v1/payment_intents', form(intent));
  const scripts = [
    { id: 'script_1', match: { pattern: '(pi_\\w+)', turn: 1, tools: ['create_refund'] }, reply: { calls: [{ name: 'create_refund', arguments: { payment_intent: '{{ match[1] }}' } }] } },
    { id: 'script_2', match: { after: 'create_refund' }, reply: { text: 'The refund is {{ result.value.status }}.' } },
  ];
  await models.control.seed({ resources: { scripts } });
  expect(await run(`Refund ${String(body['id'])}`)).toEqual({ said: 'The refund is succeeded.', called: ['create_refund'] });
  await expect(payments).toHaveChanged({ added: { refunds: { amount: 900 }, count: 1 } });
  await expect(models).toHaveBeenAsked({ type: 'tool_result', is_error: false });
});

/** The agent of docs/guides/test-an-agent.md. */
async function guideAgent(): Promise<{ answer(question: string, clients: object): Promise<string> }> {
  const file = join(folderOfTest(), 'agent.mjs');
  writeFileSync(file, documented('docs/guides/test-an-agent.md', 'agent.mjs'));
  return (await import(pathToFileURL(file).href)) as Awaited<ReturnType<typeof guideAgent>>;
}

test('a text comes in, the model decides, the payment is refunded, and a mail goes out', async () => {
  const { models, payments, mail, messaging } = sandbox.vendors;
  const { anthropic } = clientsOf({ url: models.url, key: models.key });
  const stripe = new Stripe(payments.key, payments.address);
  const clients = { anthropic, stripe, resend: new Resend(mail.key, { baseUrl: mail.url }), customer: 'ann@example.org' };
  const agent = await guideAgent();
  const intent = { amount: 900, currency: 'usd', payment_method: 'pm_card_visa', confirm: true, return_url: 'https://shop.example' };
  const { id } = await stripe.paymentIntents.create(intent);
  const read = { match: { pattern: '(pi_\\w+)', turn: 1 }, reply: { calls: [{ name: 'get_payment', arguments: { id: '{{ match[1] }}' } }] } };
  const given = { id: '{{ result.value.id }}', amount: '{{ result.value.amount }}' };
  const refund = { match: { after: 'get_payment', where: "result.value.status == 'succeeded'" }, reply: { calls: [{ name: 'refund', arguments: given }] } };
  const end = { match: { after: 'refund' }, reply: { text: 'Done: {{ result.value.amount }} cents.' } };
  const scripts = [read, refund, end].map((each, at) => ({ id: `script_${at + 1}`, ...each }));
  await models.control.seed({ resources: { scripts } });

  const said: Promise<string>[] = [];
  const application = new WebhookReceiver((response, { body }) => {
    said.push(agent.answer(new URLSearchParams(body).get('Body') ?? '', clients));
    response.writeHead(204).end();
  });
  try {
    await application.listen();
    const account = 'AC0123456789abcdef0123456789abcdef';
    const authorization = `Basic ${Buffer.from(`${account}:${messaging.key}`).toString('base64')}`;
    const number = `POST /2010-04-01/Accounts/${account}/IncomingPhoneNumbers/PN0123456789abcdef0123456789abcdef.json`;
    expect((await call(messaging, number, form({ SmsUrl: application.url }), { authorization })).status).toBe(200);
    await messaging.control.event('message.received', { From: '+14155550100', Body: `Please refund ${id}.` });
    await messaging.control.flush();
    expect(await Promise.all(said)).toEqual(['Done: 900 cents.']);
  } finally {
    await application.stop();
  }
  await expect(payments).toHaveChanged({ added: { refunds: { amount: 900 }, count: 1 } });
  await expect(models).toHaveBeenAsked({ type: 'tool_result', content: expect.stringContaining('"amount":900') });
  expect((await mail.control.mail.to('ann@example.org').last()).subject).toBe('Your refund');
});
