import type Anthropic from '@anthropic-ai/sdk';
import { useSandbox } from '../../../tools/in-tests/jest.cjs';
import { callTool, connect, disconnectAll } from '../../support/mcp.js';
import { call, form } from '../../support/http.js';
import { clientsOf } from './served-models.js';

/** An agent whose tools come from an MCP server and whose model is scripted, in one world. */

const sandbox = useSandbox({ packs: ['models', 'payments'], t0: '2026-01-05T09:00:00Z' });
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
