import OpenAI from 'openai';
import { type Frame, framesOf, responseFrames } from './documented-frames.js';
import { script, startModels } from './served-models.js';

/** The Responses API with the vendor's client. */

const sandbox = startModels();
const responses = (): OpenAI.Responses => sandbox.client.openai.responses;
const ASKED = { model: 'gpt-5-mini' };
const ADD: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'add',
  strict: true,
  parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'], additionalProperties: false },
};

test('an input is answered with output items and usage', async () => {
  const made = await responses().create({ ...ASKED, input: 'Good morning', instructions: 'Be short.' });
  expect(made).toMatchObject({
    object: 'response',
    status: 'completed',
    model: 'gpt-5-mini-2025-08-07',
    output_text: 'Good morning',
    output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Good morning', annotations: [] }] }],
    usage: { input_tokens: 14, output_tokens: 3, total_tokens: 17 },
    error: null,
    incomplete_details: null,
    store: true,
  });
  expect(await responses().retrieve(made.id)).toMatchObject({ id: made.id, output: made.output });
});

test('typed events come in order, and the helper ends with the response', async () => {
  await script(sandbox, { reply: { thinking: 'Let me see.', text: 'Two words', calls: [{ name: 'add', arguments: { a: 1, b: 2 } }] } });
  const types: string[] = [];
  const numbers: number[] = [];
  const stream = responses().stream({ ...ASKED, input: 'Go', tools: [ADD] });
  for await (const event of stream) {
    types.push(event.type);
    numbers.push(event.sequence_number);
  }
  expect(types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    ...Array<string>(3).fill('response.reasoning_summary_text.delta'),
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.content_part.added',
    ...Array<string>(2).fill('response.output_text.delta'),
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(numbers).toEqual(types.map((_, at) => at));
  const final = await stream.finalResponse();
  expect(final.output_text).toBe('Two words');
  expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
});

test('the frames of a text and of a call of a tool are those of the vendor\'s document', async () => {
  await script(sandbox, { match: { turn: 1, user: 'add' }, reply: { calls: [{ name: 'add', arguments: { a: 10, b: 200000 } }] } });
  const raw = async (params: object): Promise<Frame[]> =>
    framesOf(await (await responses().create({ ...ASKED, model: 'gpt-4.1', input: 'Hi there', stream: true, ...params }).asResponse()).text());
  const frames = await raw({});
  expect(frames).toMatchObject(responseFrames(['Hi', ' there']));
  expect(frames.map(({ data }) => (data as { sequence_number: number }).sequence_number)).toEqual(frames.map((_, at) => at));
  expect(await raw({ input: 'add', tools: [ADD] })).toMatchObject(responseFrames([], { name: 'add', pieces: ['{"a":10,"b":2000', '00}'] }));
});

test('a loop of tools ends with what the tool returned', async () => {
  await script(sandbox, { match: { turn: 1 }, reply: { calls: [{ name: 'add', arguments: { a: 1, b: 2 } }] } }, { match: { after: 'add' }, reply: { text: 'It is {{ result.text }}.' } });
  const first = await responses().create({ ...ASKED, input: 'How much is it?', tools: [ADD] });
  const [call] = first.output;
  if (call.type !== 'function_call') throw new Error(call.type);
  const { a, b } = JSON.parse(call.arguments) as { a: number; b: number };
  const output = { type: 'function_call_output' as const, call_id: call.call_id, output: String(a + b) };
  const last = await responses().create({ ...ASKED, previous_response_id: first.id, input: [output] });
  expect([last.output_text, last.previous_response_id]).toEqual(['It is 3.', first.id]);
  await expect(responses().create({ ...ASKED, previous_response_id: first.id, input: 'So?' })).rejects.toMatchObject({ status: 400, param: 'input' });
  await expect(responses().create({ ...ASKED, input: [output] })).rejects.toMatchObject({ status: 400, param: 'input' });
});

test('a conversation keeps what was said, also by a response in the background', async () => {
  const { conversations } = sandbox.client.openai;
  const talk = await conversations.create({ metadata: { of: 'tea' }, items: [{ type: 'message', role: 'user', content: 'I am Ann' }] });
  await script(sandbox, { match: { where: "contains(messages[].text, 'I am Ann')", user: 'Who' }, reply: { text: 'You are Ann.' } });
  const made = await responses().create({ ...ASKED, conversation: talk.id, input: 'Who am I?' });
  expect([made.output_text, made.conversation]).toEqual(['You are Ann.', { id: talk.id }]);
  await responses().create({ ...ASKED, conversation: { id: talk.id }, input: 'Later', background: true });
  await sandbox.control.advance('2m');
  const heard: unknown[] = [];
  for await (const item of conversations.items.list(talk.id, { order: 'asc', limit: 2 }))
    if (item.type === 'message') heard.push([item.role, item.content[0].type !== 'refusal' && 'text' in item.content[0] && item.content[0].text]);
  expect(heard).toEqual([['user', 'I am Ann'], ['user', 'Who am I?'], ['assistant', 'You are Ann.'], ['user', 'Later'], ['assistant', 'Later']]);
  await expect(responses().create({ ...ASKED, conversation: 'conv_no', input: 'a' })).rejects.toMatchObject({ status: 404, param: 'conversation' });
  await expect(responses().create({ ...ASKED, conversation: talk.id, previous_response_id: made.id, input: 'a' })).rejects.toMatchObject({ status: 400 });
  expect(await conversations.delete(talk.id)).toEqual({ id: talk.id, object: 'conversation.deleted', deleted: true });
});

test('an item is named instead of repeated; an unknown one is not there', async () => {
  const { responses: api } = sandbox.client.openai;
  await script(sandbox, { match: { turn: 1 }, reply: { calls: [{ name: 'look', arguments: {} }] } });
  const tools = [{ type: 'function' as const, name: 'look', parameters: {}, strict: false }];
  const asked = { role: 'user' as const, content: 'Look' };
  const first = await api.create({ model: 'gpt-4o', input: [asked], tools });
  const [call] = first.output;
  const output = { type: 'function_call_output' as const, call_id: call.type === 'function_call' ? call.call_id : '', output: 'Rain' };
  const named = { type: 'item_reference' as const, id: call.id ?? '' };
  expect((await api.create({ model: 'gpt-4o', input: [asked, named, output], tools })).output_text).toContain('Rain');
  const unknown = api.create({ model: 'gpt-4o', input: [asked, { ...named, id: 'fc_0' }] });
  await expect(unknown).rejects.toMatchObject({ status: 404, param: 'input' });
});

test('a background response that is streamed is worked on while it is read', async () => {
  const { responses: api } = sandbox.client.openai;
  const events = [];
  for await (const event of await api.create({ model: 'gpt-4o', input: 'Hello', background: true, stream: true })) events.push(event);
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['response.created', 'response.queued', 'response.in_progress']);
  const last = events.at(-1);
  if (last?.type !== 'response.completed') throw new Error(`the last event is ${last?.type}`);
  const later = [];
  for await (const { type } of await api.retrieve(last.response.id, { stream: true, starting_after: 2 })) later.push(type);
  expect(later).toEqual(events.slice(3).map(({ type }) => type));
});

test('structured output, refusals and cut answers', async () => {
  await script(
    sandbox,
    { match: { user: 'bomb' }, reply: { refusal: 'I cannot help with that.' } },
    { match: { user: 'long' }, reply: { text: 'word '.repeat(200) } },
    { match: { user: 'Anna' }, reply: { json: { name: '{{ user }}', age: 7 } } },
  );
  const text = { format: { type: 'json_schema' as const, name: 'person', schema: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } }, required: ['name', 'age'], additionalProperties: false }, strict: true } };
  expect(JSON.parse((await responses().create({ ...ASKED, input: 'Anna', text })).output_text)).toEqual({ name: 'Anna', age: 7 });
  expect((await responses().create({ ...ASKED, input: 'a bomb' })).output[0]).toMatchObject({ content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] });
  expect(await responses().create({ ...ASKED, input: 'long', max_output_tokens: 16 })).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage: { output_tokens: 16 } });
});

test('a background response is worked on while the clock advances, and can be cancelled', async () => {
  await script(sandbox, { match: { user: 'fail' }, reply: { error: { message: 'It broke.' } } });
  const asked = { ...ASKED, background: true };
  const made = await responses().create({ ...asked, input: 'later' });
  const other = await responses().create({ ...asked, input: 'never' });
  const bad = await responses().create({ ...asked, input: 'fail' });
  expect([made.status, made.output]).toEqual(['queued', []]);
  await sandbox.control.advance('5s');
  expect((await responses().retrieve(made.id)).status).toBe('in_progress');
  expect((await responses().cancel(other.id)).status).toBe('cancelled');
  await sandbox.control.advance('60s');
  expect(await responses().retrieve(made.id)).toMatchObject({ status: 'completed', output_text: 'later', completed_at: 1767603665 });
  expect((await responses().retrieve(other.id)).status).toBe('cancelled');
  expect(await responses().retrieve(bad.id)).toMatchObject({ status: 'failed', error: { message: 'It broke.' } });
  await expect(responses().cancel((await responses().create({ ...ASKED, input: 'a' })).id)).rejects.toMatchObject({ status: 400 });
});

test('input items are listed, tokens counted, responses deleted', async () => {
  const made = await responses().create({ ...ASKED, input: [{ role: 'user', content: 'one' }, { role: 'user', content: 'two' }] });
  const { data } = await responses().inputItems.list(made.id, { order: 'asc' });
  expect(data).toMatchObject([{ role: 'user', content: [{ type: 'input_text', text: 'one' }] }, { content: [{ text: 'two' }] }]);
  const texts = [];
  for await (const item of responses().inputItems.list(made.id, { order: 'asc', limit: 1 }))
    if (item.type === 'message') texts.push(item.content[0].type === 'input_text' && item.content[0].text);
  expect(texts).toEqual(['one', 'two']);
  const lost = { role: 'user' as const, content: [{ type: 'input_file' as const, file_id: 'file-0' }] };
  await expect(responses().create({ ...ASKED, input: [lost] })).rejects.toMatchObject({ status: 404, param: 'input' });
  const nowhere = { role: 'user' as const, content: [{ type: 'input_image' as const, image_url: 'nowhere', detail: 'auto' as const }] };
  await expect(responses().create({ ...ASKED, input: [nowhere] })).rejects.toMatchObject({ status: 400, code: 'invalid_image_url' });
  expect(await responses().inputTokens.count({ ...ASKED, input: 'Good morning' })).toEqual({ object: 'response.input_tokens', input_tokens: 7 });
  await responses().delete(made.id);
  await expect(responses().retrieve(made.id)).rejects.toMatchObject({ status: 404 });
});

test('an error in the middle of a stream ends it', async () => {
  await script(sandbox, { reply: { text: 'one two three', error: { after: 1, message: 'Gone.' } } });
  const types: string[] = [];
  for await (const event of await responses().create({ ...ASKED, input: 'a', stream: true })) types.push(event.type);
  expect(types).toEqual(['response.created', 'response.in_progress', 'response.output_item.added', 'response.content_part.added', 'response.output_text.delta', 'error']);
});

test.each([
  ['an unknown model', { model: 'gpt-9' }, { status: 404, code: 'model_not_found' }],
  ['no input', { input: undefined }, { status: 400, code: 'missing_required_parameter', param: 'input' }],
  ['an empty input', { input: '' }, { status: 400, param: 'input' }],
  ['no items', { input: [] }, { status: 400, param: 'input' }],
  ['an unknown item', { input: [{ type: 'nope' }] }, { status: 400, code: 'invalid_value', param: 'input[0].type' }],
  ['an item of nothing', { input: [{}] }, { status: 400, param: 'input[0].role' }],
  ['an unknown part', { input: [{ role: 'user', content: [{ type: 'nope' }] }] }, { status: 400, param: 'input[0].content[0].type' }],
  ['a part without its text', { input: [{ role: 'user', content: [{ type: 'input_text' }] }] }, { status: 400, param: 'input[0].content[0].text' }],
  ['a result without output', { input: [{ type: 'function_call_output', call_id: 'call_1' }] }, { status: 400, param: 'input[0].output' }],
  ['an unknown tool', { tools: [{ type: 'nope' }] }, { status: 400, code: 'invalid_value', param: 'tools[0].type' }],
  ['effort of a model that does not reason', { model: 'gpt-4o', reasoning: { effort: 'low' } }, { status: 400, code: 'unsupported_parameter', param: 'reasoning.effort' }],
  ['an unknown previous response', { previous_response_id: 'resp_0' }, { status: 400, code: 'previous_response_not_found' }],
  ['temperature of a model that reasons', { temperature: 0.5 }, { status: 400, code: 'unsupported_parameter' }],
  ['an unknown role', { input: [{ role: 'king', content: 'a' }] }, { status: 400, code: 'invalid_value', param: 'input[0].role' }],
  ['a call of no tool', { tool_choice: 'required' }, { status: 400, param: 'tool_choice' }],
  ['a schema without a name', { text: { format: { type: 'json_schema' } } }, { status: 400, code: 'missing_required_parameter', param: 'text.format.name' }],
  ['JSON without the word', { text: { format: { type: 'json_object' } } }, { status: 400, param: 'input' }],
  ['numbers as metadata', { metadata: { a: 1 } }, { status: 400, code: 'invalid_type', param: 'metadata.a' }],
  ['too short an answer', { max_output_tokens: 2 }, { status: 400, param: 'max_output_tokens' }],
  ['background without store', { background: true, store: false }, { status: 400, param: 'background' }],
  ['an open strict schema', { tools: [{ ...ADD, parameters: { type: 'object', properties: {} } }] }, { status: 400, code: 'invalid_function_parameters', param: 'tools[0].parameters' }],
])('%s is rejected as the vendor does', async (_, params, error) => {
  const asked = { ...ASKED, input: 'a', ...params } as OpenAI.Responses.ResponseCreateParamsNonStreaming;
  await expect(responses().create(asked)).rejects.toMatchObject(error);
});
