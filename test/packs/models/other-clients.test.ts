import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { generateText, jsonSchema, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai';
import { script, startModels } from './served-models.js';

/** Other clients, unmodified: the AI SDK with both vendors, and LangChain. */

const sandbox = startModels();
const MODELS: readonly [string, () => LanguageModel][] = [
  ['OpenAI, responses', () => createOpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: sandbox.key ?? '' })('gpt-5-mini')],
  ['OpenAI, chat', () => createOpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: sandbox.key ?? '' }).chat('gpt-4o-mini')],
  ['Anthropic', () => createAnthropic({ baseURL: `${sandbox.url}/v1`, apiKey: sandbox.key ?? '' })('claude-haiku-4-5')],
];
const WEATHER = {
  get_weather: tool({
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }),
    execute: ({ city }) => Promise.resolve({ city, degrees: 7 }),
  }),
};
const SCRIPTS = [
  { match: { user: 'weather', turn: 1 }, reply: { calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] } },
  { match: { after: 'get_weather' }, reply: { text: 'It is {{ result.value.degrees }} degrees in {{ result.value.city }}.' } },
];

describe.each(MODELS)('the AI SDK with %s', (_, model) => {
  test('runs a loop of tools', async () => {
    await script(sandbox, ...SCRIPTS);
    const { text, steps, totalUsage } = await generateText({ model: model(), prompt: 'How is the weather?', tools: WEATHER, stopWhen: stepCountIs(3) });
    expect([text, steps.length]).toEqual(['It is 7 degrees in Oslo.', 2]);
    expect(totalUsage.outputTokens).toBeGreaterThan(0);
  });

  test('streams text and tools', async () => {
    await script(sandbox, ...SCRIPTS);
    const { fullStream } = streamText({ model: model(), prompt: 'How is the weather?', tools: WEATHER, stopWhen: stepCountIs(3) });
    const types = new Set<string>();
    let text = '';
    for await (const part of fullStream) {
      types.add(part.type);
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'error') throw part.error;
    }
    expect(text).toBe('It is 7 degrees in Oslo.');
    expect([...types]).toEqual(expect.arrayContaining(['tool-call', 'tool-result', 'text-delta', 'finish']));
  });

  test('reads structured output', async () => {
    const schema = jsonSchema<{ total: number }>({ type: 'object', properties: { total: { type: 'integer' } }, required: ['total'], additionalProperties: false });
    const { output } = await generateText({ model: model(), prompt: 'Sum', output: Output.object({ schema }) });
    expect(output).toEqual({ total: expect.any(Number) });
  });

  test('retries what fails for a moment', async () => {
    await script(sandbox, { replies: [{ error: { status: 429, retry_after: 0 } }, { text: 'Fine.' }] });
    expect((await generateText({ model: model(), prompt: 'a', maxRetries: 1 })).text).toBe('Fine.');
  });
});

describe('LangChain', () => {
  const configuration = () => ({ configuration: { baseURL: `${sandbox.url}/v1` }, apiKey: sandbox.key ?? '' });

  test('calls tools, and streams', async () => {
    await script(sandbox, ...SCRIPTS);
    const model = new ChatOpenAI({ model: 'gpt-4o-mini', ...configuration() });
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } }];
    const asked = new HumanMessage('How is the weather?');
    const first = await model.bindTools(tools).invoke([asked]);
    expect(first).toBeInstanceOf(AIMessage);
    const [call] = first.tool_calls ?? [];
    expect(call).toMatchObject({ name: 'get_weather', args: { city: 'Oslo' } });
    const result = new ToolMessage({ tool_call_id: call.id ?? '', content: '{"city":"Oslo","degrees":7}' });
    let text = '';
    for await (const chunk of await model.stream([asked, first, result])) text += chunk.text;
    expect(text).toBe('It is 7 degrees in Oslo.');
  });

  test('computes vectors', async () => {
    const vectors = await new OpenAIEmbeddings({ model: 'text-embedding-3-small', dimensions: 16, ...configuration() }).embedDocuments(['a', 'b']);
    expect(vectors.map((each) => each.length)).toEqual([16, 16]);
  });
});
