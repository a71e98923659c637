import OpenAI, { APIError } from 'openai';
import { chatFrames, type Frame, framesOf } from './documented-frames.js';
import { clientsOf, script, startModels } from './served-models.js';

/** Chat Completions with the vendor's client. */

const sandbox = startModels();
const chat = (): OpenAI.Chat.Completions => sandbox.client.openai.chat.completions;
const said = (content: string): OpenAI.Chat.ChatCompletionMessageParam[] => [{ role: 'user', content }];
const ASKED = { model: 'gpt-4o-mini' };

const WEATHER: OpenAI.Chat.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    strict: true,
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { enum: ['c', 'f'], type: 'string' } },
      required: ['city', 'unit'],
      additionalProperties: false,
    },
  },
};

test('without a script, the answer repeats what was said, with its tokens', async () => {
  const made = await chat().create({ ...ASKED, messages: said('Is it late?') });
  expect(made).toMatchObject({
    object: 'chat.completion',
    created: 1767603600,
    model: 'gpt-4o-mini-2024-07-18',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Is it late?', refusal: null }, finish_reason: 'stop', logprobs: null },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, prompt_tokens_details: { cached_tokens: 0 } },
    service_tier: 'default',
  });
  expect(made.id).toMatch(/^chatcmpl-/);
});

test('a stream is frame by frame what the client expects, and ends with [DONE]', async () => {
  const response = await chat()
    .create({ ...ASKED, messages: said('one two'), stream: true, stream_options: { include_usage: true } })
    .asResponse();
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const frames = (await response.text()).split('\n\n').filter((each) => each !== '');
  expect(frames.at(-1)).toBe('data: [DONE]');
  const chunks = frames.slice(0, -1).map((each) => JSON.parse(each.slice('data: '.length)) as OpenAI.Chat.ChatCompletionChunk);
  expect(new Set(chunks.map(({ id, object, created, model }) => `${id} ${object} ${created} ${model}`)).size).toBe(1);
  expect(chunks.map(({ choices: [choice], usage }) => [choice?.delta, choice?.finish_reason, usage])).toEqual([
    [{ role: 'assistant', content: '', refusal: null }, null, null],
    [{ content: 'one' }, null, null],
    [{ content: ' two' }, null, null],
    [{}, 'stop', null],
    [undefined, undefined, expect.objectContaining({ completion_tokens: 2 })],
  ]);
});

test('the frames of a text and of a call of a tool are those of the vendor\'s document', async () => {
  const raw = async (params: object): Promise<Frame[]> => {
    const asked = { ...ASKED, messages: said('Hello there'), stream: true as const, ...params };
    return framesOf(await (await chat().create(asked).asResponse()).text());
  };
  const begins = { role: 'assistant', content: '' };
  expect(await raw({})).toMatchObject(chatFrames([begins, { content: 'Hello' }, { content: ' there' }], 'stop'));
  await script(sandbox, { reply: { calls: [{ name: 'get_weather', arguments: { city: 'Paris, France' } }] } });
  const called = (first: object, args: string) => ({ tool_calls: [{ index: 0, ...first, function: { ...('id' in first ? { name: 'get_weather' } : {}), arguments: args } }] });
  const deltas = [{ ...begins, content: null }, called({ id: expect.any(String), type: 'function' }, ''), called({}, '{"city":"Paris, '), called({}, 'France"}')];
  expect(await raw({ tools: [WEATHER] })).toMatchObject(chatFrames(deltas, 'tool_calls'));
});

test("the client's helpers put parallel calls of tools together and read structured output", async () => {
  await script(sandbox, {
    match: { user: 'weather' },
    reply: { calls: [{ name: 'get_weather', arguments: { city: 'Oslo', unit: 'c' } }, { name: 'get_weather', arguments: { city: '{{ model }}', unit: 'f' } }] },
  });
  const { choices } = await chat().stream({ ...ASKED, messages: said('The Weather?'), tools: [WEATHER] }).finalChatCompletion();
  expect(choices[0].finish_reason).toBe('tool_calls');
  expect(choices[0].message.content).toBeNull();
  expect(choices[0].message.tool_calls?.map(({ type, id, ...each }) => [type, id.slice(0, 5), 'function' in each && each.function.name, 'function' in each && (JSON.parse(each.function.arguments) as unknown)])).toEqual([
    ['function', 'call_', 'get_weather', { city: 'Oslo', unit: 'c' }],
    ['function', 'call_', 'get_weather', { city: 'gpt-4o-mini', unit: 'f' }],
  ]);
});

test.each(['required', { type: 'function' as const, function: { name: 'get_weather' } }] as const)('a forced tool is called with valid arguments: %j', async (tool_choice) => {
  const { choices } = await chat().create({ ...ASKED, messages: said('Hello'), tools: [WEATHER], tool_choice });
  const [call] = choices[0].message.tool_calls ?? [];
  expect(call.type === 'function' && (JSON.parse(call.function.arguments) as unknown)).toEqual({ city: expect.any(String), unit: expect.stringMatching(/^[cf]$/) });
});

test('structured output is valid by its schema, and the same each time', async () => {
  const schema = { type: 'object', properties: { total: { type: 'integer', minimum: 3 }, tags: { type: 'array', items: { type: 'string' }, minItems: 2 } }, required: ['total', 'tags'], additionalProperties: false };
  const ask = async (): Promise<unknown> => {
    const made = await chat().create({ ...ASKED, messages: said('Sum up'), response_format: { type: 'json_schema', json_schema: { name: 'sums', strict: true, schema } } });
    return JSON.parse(made.choices[0].message.content ?? '');
  };
  const first = await ask();
  expect(first).toEqual({ total: expect.any(Number), tags: expect.arrayContaining([expect.any(String)]) });
  expect(await ask()).toEqual(first);
});

test('scripts answer in turn: by the nth use, the tool whose result came, a pattern; their templates are filled', async () => {
  await script(
    sandbox,
    { match: { after: 'get_weather' }, reply: { text: 'It is {{ result.value.degrees }} degrees in {{ result.value.city }}.' } },
    { match: { pattern: 'order (\\d+)' }, replies: [{ text: 'Order {{ match[1] }} is on its way.' }, { refusal: 'I said so.' }] },
  );
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
    ...said('Weather?'),
    { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"degrees": 7, "city": "Oslo"}' },
  ];
  const text = async (of: OpenAI.Chat.ChatCompletionMessageParam[]): Promise<unknown> => {
    const { choices } = await chat().create({ ...ASKED, messages: of });
    return choices[0].message.content ?? choices[0].message.refusal;
  };
  expect(await text(messages)).toBe('It is 7 degrees in Oslo.');
  const order = said('Where is order 17?');
  expect([await text(order), await text(order)]).toEqual(['Order 17 is on its way.', 'I said so.']);
  const { headers } = await chat().create({ ...ASKED, messages: order }).asResponse();
  expect(headers.get('x-mock-unsupported')).toBe('case script for: Where is order 17?');
});

test.each([
  ['length', { max_tokens: 2 }, {}, 'one two '],
  ['stop', { stop: ['three'] }, {}, 'one two '],
  ['content_filter', {}, { stop: 'filter' }, 'one two three'],
] as const)('an answer ends for a reason: %s', async (finish_reason, params, reply, content) => {
  await script(sandbox, { reply: { text: 'one two three', ...reply } });
  const { choices } = await chat().create({ ...ASKED, messages: said('Count'), ...params, stop: 'stop' in params ? [...params.stop] : null });
  expect(choices[0]).toMatchObject({ finish_reason, message: { content } });
});

test('a script fails a call, overloads the model, or breaks a stream after some pieces', async () => {
  await script(sandbox, {
    replies: [
      { error: { status: 429, retry_after: 7 } },
      { error: { status: 503, message: 'Overloaded' } },
      { text: 'one two three', error: { after: 2, message: 'The server is gone.', code: 'server_error' } },
      { text: 'fine' },
    ],
  });
  const fails = (error: unknown): unknown => error;
  const limited = await chat().create({ ...ASKED, messages: said('a') }).catch(fails);
  expect(limited).toBeInstanceOf(OpenAI.RateLimitError);
  expect((limited as APIError).headers?.get('retry-after')).toBe('7');
  expect(await chat().create({ ...ASKED, messages: said('a') }).catch(fails)).toMatchObject({ status: 503, type: 'server_error' });
  const pieces: unknown[] = [];
  const broken = await (async () => {
    for await (const chunk of await chat().create({ ...ASKED, messages: said('a'), stream: true }))
      pieces.push(chunk.choices[0].delta.content);
  })().catch(fails);
  expect(pieces).toEqual(['', 'one', ' two']);
  expect(broken).toMatchObject({ message: 'The server is gone.', code: 'server_error' });
  expect((await chat().create({ ...ASKED, messages: said('a') })).choices[0].message.content).toBe('fine');
  // A client that retries gets over it by itself.
  const { resources } = (await sandbox.control.call('GET', '/state?resource=exchanges')) as { resources: { exchanges: object[] } };
  expect(resources.exchanges).toHaveLength(4);
});

const CALL = { id: 'call_9', type: 'function' as const, function: { name: 'get_weather', arguments: '{}' } };
test.each([
  ['an unknown model', { model: 'gpt-9' }, { status: 404, code: 'model_not_found' }],
  ['no messages', { messages: [] }, { status: 400, code: 'empty_array', param: 'messages' }],
  ['an empty list of tools', { tools: [] }, { status: 400, code: 'empty_array', param: 'tools' }],
  ['parallel calls of no tools', { parallel_tool_calls: true }, { status: 400, param: 'parallel_tool_calls' }],
  ['no parts', { messages: [{ role: 'user', content: [] }] }, { status: 400, code: 'empty_array', param: 'messages[0].content' }],
  ['effort of a model that does not reason', { reasoning_effort: 'low' }, { status: 400, code: 'unsupported_parameter', param: 'reasoning_effort' }],
  ['an unknown effort', { model: 'gpt-5', reasoning_effort: 'much' }, { status: 400, code: 'invalid_value', param: 'reasoning_effort' }],
  ['data of what is not stored', { metadata: { a: 'b' } }, { status: 400, param: 'metadata' }],
  ['numbers as metadata', { metadata: { a: 1 } }, { status: 400, code: 'invalid_type', param: 'metadata.a' }],
  ['missing messages', { messages: undefined }, { status: 400, code: 'missing_required_parameter', param: 'messages' }],
  ['a wrong role', { messages: [{ role: 'robot', content: 'a' }] }, { status: 400, code: 'invalid_value', param: 'messages[0].role' }],
  ['max_tokens of a model that reasons', { model: 'gpt-5', max_tokens: 9 }, { status: 400, code: 'unsupported_parameter', param: 'max_tokens' }],
  ['temperature of a model that reasons', { model: 'o3', temperature: 0 }, { status: 400, code: 'unsupported_value', param: 'temperature' }],
  ['too many tokens', { max_tokens: 9_999_999 }, { status: 400, code: 'invalid_value', param: 'max_tokens' }],
  ['an unknown parameter', { tempreture: 1 }, { status: 400, code: 'unknown_parameter', param: 'tempreture' }],
  ['a wrong type', { stream: 'yes' }, { status: 400, code: 'invalid_type', param: 'stream' }],
  ['a temperature out of bounds', { temperature: 3 }, { status: 400, param: 'temperature' }],
  ['the result of no call', { messages: [...said('a'), { role: 'tool', tool_call_id: 'call_9', content: 'b' }] }, { status: 400, param: 'messages.[1].role' }],
  ['a call without a result', { messages: [{ role: 'assistant', tool_calls: [CALL] }, ...said('a')] }, { status: 400, param: 'messages.[1].role' }],
  ['a tool that is not offered', { tools: [WEATHER], tool_choice: { type: 'function', function: { name: 'x' } } }, { status: 400, param: 'tool_choice' }],
  ['a choice without tools', { tool_choice: 'auto' }, { status: 400, param: 'tool_choice' }],
  ['an open strict schema', { response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: { type: 'object', properties: {} } } } }, { status: 400, param: 'response_format' }],
  ['JSON without the word', { response_format: { type: 'json_object' } }, { status: 400, param: 'messages' }],
  ['alternatives of no probabilities', { top_logprobs: 2 }, { status: 400, param: 'top_logprobs' }],
  ['a bias out of bounds', { logit_bias: { 5: 500 } }, { status: 400, param: 'logit_bias' }],
  ['a picture from nowhere', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'nowhere' } }] }] }, { status: 400, code: 'invalid_image_url' }],
  ['a picture in a system prompt', { messages: [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://a.example' } }] }] }, { status: 400, param: 'messages' }],
  ['a file that is not there', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-0' } }] }] }, { status: 404, param: 'messages' }],
  ['options of no stream', { stream_options: { include_usage: true } }, { status: 400, param: 'stream_options' }],
])('%s is rejected as the vendor does', async (_, params, error) => {
  const asked = { ...ASKED, messages: said('a'), ...params } as unknown as OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;
  await expect(chat().create(asked)).rejects.toMatchObject({ type: 'invalid_request_error', ...error });
});

test('a wrong key, a fault and a missing path have the errors of the client', async () => {
  const other = clientsOf({ ...sandbox.sandbox, url: sandbox.url, key: 'sk-wrong' }).openai;
  await expect(other.chat.completions.create({ ...ASKED, messages: said('a') })).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
  await sandbox.control.call('POST', '/faults', { resource: 'chat_completions', operation: 'create', count: 1, kind: 'error', status: 500 });
  await expect(chat().create({ ...ASKED, messages: said('a') })).rejects.toBeInstanceOf(OpenAI.InternalServerError);
});

test('a stored completion can be read, listed, changed and deleted; another one is not there', async () => {
  const kept = await chat().create({ ...ASKED, messages: said('keep'), store: true, metadata: { team: 'a' } });
  const lost = await chat().create({ ...ASKED, messages: said('lose') });
  expect((await chat().retrieve(kept.id)).choices).toEqual(kept.choices);
  await expect(chat().retrieve(lost.id)).rejects.toMatchObject({ status: 404 });
  expect((await chat().list()).data.map(({ id }) => id)).toEqual([kept.id]);
  expect(await chat().update(kept.id, { metadata: { team: 'b' } })).toMatchObject({ metadata: { team: 'b' } });
  expect((await chat().messages.list(kept.id)).data[0]).toMatchObject({ role: 'user', content: 'keep' });
  expect(await chat().delete(kept.id)).toEqual({ object: 'chat.completion.deleted', id: kept.id, deleted: true });
  expect((await chat().list()).data).toEqual([]);
});

test('limits of requests and tokens are in the headers', async () => {
  const { headers } = await chat().create({ ...ASKED, messages: said('a') }).asResponse();
  expect(Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-ratelimit')))).toEqual({
    'x-ratelimit-limit-requests': '5000',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-requests': '4999',
    'x-ratelimit-remaining-tokens': '1999994',
    'x-ratelimit-reset-requests': '60s',
    'x-ratelimit-reset-tokens': '60s',
  });
});
