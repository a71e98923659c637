import Anthropic, { toFile } from '@anthropic-ai/sdk';
import { type DocumentedBlock, type Frame, framesOf, messageFrames } from './documented-frames.js';
import { script, startModels } from './served-models.js';

/** The Messages API with the vendor's client. */

const sandbox = startModels();
const messages = (): Anthropic.Messages => sandbox.client.anthropic.messages;
const said = (content: string): Anthropic.MessageParam[] => [{ role: 'user', content }];
const ASKED = { model: 'claude-haiku-4-5', max_tokens: 1000 };
const picture = (source: object) => [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=', ...source } }] }];
const THINKS = { max_tokens: 3000, thinking: { type: 'enabled', budget_tokens: 1024 } };
const WEATHER: Anthropic.Tool = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

test.each(['agents', 'sessions'] as const)("%s of this vendor aren't answered in the other one's words", async (name) => {
  const { beta } = sandbox.client.anthropic as unknown as { beta: Record<typeof name, { list(): PromiseLike<unknown> } | undefined> };
  const headers = { 'anthropic-version': '2023-06-01' };
  const { status, headers: got } = await sandbox.call(`GET /v1/${name}?beta=true`, undefined, headers);
  expect([status, got.get('x-mock-unsupported')?.replace('GET ', '')]).toEqual([404, `path /v1/${name}`]);
  if (beta[name] !== undefined) await expect(beta[name].list()).rejects.toMatchObject({ status: 404, error: { type: 'error' } });
});

test('a message is answered whole', async () => {
  const made = await messages().create({ ...ASKED, system: 'Be kind.', messages: said('Good morning') });
  expect(made).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5-20251001',
    content: [{ type: 'text', text: 'Good morning' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 13, output_tokens: 3, cache_read_input_tokens: 0 },
  });
  expect(made.id).toMatch(/^msg_/);
});

test('the events of a stream are those of the vendor, in order', async () => {
  await script(sandbox, { reply: { thinking: 'Hm.', text: 'Two words', calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] } });
  const response = await messages().create({ ...ASKED, messages: said('a'), tools: [WEATHER], stream: true }).asResponse();
  const frames = (await response.text()).split('\n\n').filter((each) => each !== '');
  const events = frames.map((each) => {
    const [name, data] = each.split('\n');
    const event = JSON.parse(data.slice('data: '.length)) as { type: string; delta?: { type?: string } };
    expect(name).toBe(`event: ${event.type}`);
    return event.delta?.type === undefined ? event.type : `${event.type} ${event.delta.type}`;
  });
  expect(events).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'content_block_delta thinking_delta',
    'content_block_delta signature_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta text_delta',
    'content_block_delta text_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta input_json_delta',
    'content_block_delta input_json_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
});

test("the client's helper puts a stream together", async () => {
  await script(sandbox, { reply: { text: 'It rains.', calls: [{ name: 'get_weather', arguments: { city: 'Oslo', days: [1, 2] } }] } });
  const stream = messages().stream({ ...ASKED, messages: said('a'), tools: [WEATHER] });
  const texts: string[] = [];
  stream.on('text', (delta) => texts.push(delta));
  const { content, stop_reason, usage } = await stream.finalMessage();
  expect(texts).toEqual(['It', ' rains.']);
  expect(content).toMatchObject([{ type: 'text', text: 'It rains.' }, { type: 'tool_use', name: 'get_weather', input: { city: 'Oslo', days: [1, 2] } }]);
  expect([stop_reason, usage.output_tokens]).toEqual(['tool_use', 3 + 4 + 7]);
});

test('the frames of texts, calls of tools, thoughts and errors are those of the vendor\'s guide', async () => {
  await script(
    sandbox,
    { match: { user: 'weather' }, reply: { text: 'I look.', pieces: ['I look', '.'], calls: [{ name: 'get_weather', arguments: { city: 'Paris' } }] } },
    { match: { user: 'think' }, reply: { thinking: 'One two', text: 'Three' } },
    { match: { user: 'fail' }, reply: { text: 'Half', error: { after: 1, status: 529 } } },
  );
  const raw = async (content: string): Promise<Frame[]> =>
    framesOf(await (await messages().create({ ...ASKED, messages: said(content), tools: [WEATHER], stream: true }).asResponse()).text());
  const text = (...texts: string[]): DocumentedBlock => ({ begins: { type: 'text', text: '' }, deltas: texts.map((each) => ({ type: 'text_delta', text: each })) });
  const json = ['', '{"city":"Paris"}'].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  const use: DocumentedBlock = { begins: { type: 'tool_use', id: expect.any(String), name: 'get_weather', input: {} }, deltas: json };
  expect(await raw('Hello!')).toMatchObject(messageFrames([text('Hello!')], 'end_turn'));
  expect(await raw('weather')).toMatchObject(messageFrames([text('I look', '.'), use], 'tool_use'));
  const thoughts = ['One', ' two'].map((thinking) => ({ type: 'thinking_delta', thinking }));
  const signed = { type: 'signature_delta', signature: expect.any(String) };
  expect(await raw('think')).toMatchObject(messageFrames([{ begins: { type: 'thinking', thinking: '' }, deltas: [...thoughts, signed] }, text('Three')], 'end_turn'));
  const broken = (await raw('fail')).at(-1);
  expect(broken).toMatchObject({ event: 'error', data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } });
});

test('a loop of tools, forced calls and structured output', async () => {
  await script(
    sandbox,
    { match: { user: 'rain', turn: 1 }, reply: { calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] } },
    { match: { after: 'get_weather' }, reply: { text: '{{ result.value.sky }}' } },
  );
  const first = await messages().create({ ...ASKED, messages: said('Does it rain?'), tools: [WEATHER] });
  const [use] = first.content;
  if (use.type !== 'tool_use') throw new Error(use.type);
  const result: Anthropic.MessageParam = { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: '{"sky":"clear"}' }] };
  const history = [...said('Does it rain?'), { role: 'assistant' as const, content: first.content as Anthropic.ContentBlockParam[] }];
  expect((await messages().create({ ...ASKED, messages: [...history, result], tools: [WEATHER] })).content).toMatchObject([{ text: 'clear' }]);
  await expect(messages().create({ ...ASKED, messages: [...history, ...said('So?')], tools: [WEATHER] })).rejects.toMatchObject({ status: 400 });
  const forced = await messages().create({ ...ASKED, messages: said('b'), tools: [WEATHER], tool_choice: { type: 'any' } });
  expect(forced.content).toMatchObject([{ type: 'tool_use', input: { city: expect.any(String) } }]);
  const format = { type: 'json_schema' as const, schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false } };
  const made = await messages().create({ ...ASKED, messages: said('c'), output_config: { format } });
  expect(made.content[0].type === 'text' && (JSON.parse(made.content[0].text) as unknown)).toEqual({ n: expect.any(Number) });
});

test('reasons to stop, tokens, refusals', async () => {
  await script(sandbox, { match: { user: 'bad' }, reply: { refusal: 'No.' } }, { match: { user: 'count' }, reply: { text: 'one two three' } });
  const reason = async (params: object, text: string): Promise<unknown[]> => {
    const { stop_reason, stop_sequence, content } = await messages().create({ ...ASKED, messages: said(text), ...params });
    return [stop_reason, stop_sequence, content[0].type === 'text' && content[0].text];
  };
  expect(await reason({ max_tokens: 2 }, 'count')).toEqual(['max_tokens', null, 'one two ']);
  expect(await reason({ stop_sequences: ['three'] }, 'count')).toEqual(['stop_sequence', 'three', 'one two ']);
  expect(await reason({}, 'bad')).toEqual(['refusal', null, 'No.']);
  expect(await messages().countTokens({ model: ASKED.model, messages: said('Good morning') })).toEqual({ input_tokens: 7 });
});

test('overload, limits and errors in the middle of a stream are those of the client', async () => {
  await script(sandbox, { replies: [{ error: { status: 529 } }, { text: 'one two', error: { after: 1, status: 529 } }] });
  const overloaded: unknown = await messages().create({ ...ASKED, messages: said('a') }).catch((error: unknown) => error);
  expect(overloaded).toBeInstanceOf(Anthropic.InternalServerError);
  expect(overloaded).toMatchObject({ status: 529, error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } });
  await expect(messages().stream({ ...ASKED, messages: said('a') }).finalMessage()).rejects.toMatchObject({ error: { error: { type: 'overloaded_error' } } });
  await sandbox.control.call('POST', '/faults', { resource: 'messages', operation: 'create', count: 1, kind: 'error', status: 429 });
  await expect(messages().create({ ...ASKED, messages: said('a') })).rejects.toBeInstanceOf(Anthropic.RateLimitError);
  const { headers } = await messages().create({ ...ASKED, messages: said('a') }).asResponse();
  expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('3997');
  expect(headers.get('request-id')).toMatch(/^req_/);
  expect(headers.get('openai-version')).toBeNull();
});

test.each([
  ['an unknown model', { model: 'claude-9' }, 404, 'not_found_error', 'model: claude-9'],
  ['a model of another vendor', { model: 'gpt-4o' }, 404, 'not_found_error', 'model: gpt-4o'],
  ['no max_tokens', { max_tokens: undefined }, 400, 'invalid_request_error', 'max_tokens: Field required'],
  ['too many tokens', { max_tokens: 9_999_999, stream: true }, 400, 'invalid_request_error', 'max_tokens: 9999999 > 64000'],
  ['a role of the system', { messages: [{ role: 'system', content: 'a' }] }, 400, 'invalid_request_error', 'messages.0.role: Input should be'],
  ['no messages', { messages: [] }, 400, 'invalid_request_error', 'messages: at least one'],
  ['an empty text', { messages: [{ role: 'user', content: '' }] }, 400, 'invalid_request_error', 'messages.0: all messages have content'],
  ['no blocks', { messages: [{ role: 'user', content: [] }] }, 400, 'invalid_request_error', 'messages.0: all messages have content'],
  ['an empty answer in between', { messages: [{ role: 'user', content: 'a' }, { role: 'assistant', content: '' }, { role: 'user', content: 'b' }] }, 400, 'invalid_request_error', 'messages.1: all messages'],
  ['a beginning that ends with a space', { messages: [{ role: 'user', content: 'a' }, { role: 'assistant', content: 'b ' }] }, 400, 'invalid_request_error', 'white space'],
  ['a blank stop sequence', { stop_sequences: [' '] }, 400, 'invalid_request_error', 'stop_sequences'],
  ['an unknown parameter', { tempreture: 1 }, 400, 'invalid_request_error', 'tempreture: Extra inputs are not permitted'],
  ['a temperature out of bounds', { temperature: 2 }, 400, 'invalid_request_error', 'temperature: Input should be'],
  ['a tool without a schema', { tools: [{ name: 'x' }] }, 400, 'invalid_request_error', 'tools.0.input_schema'],
  ['a tool that is not offered', { tools: [WEATHER], tool_choice: { type: 'tool', name: 'x' } }, 400, 'invalid_request_error', "Tool 'x' not found"],
  ['a schema of no object', { tools: [{ name: 'x', input_schema: { type: 'string' } }] }, 400, 'invalid_request_error', "should be 'object'"],
  ['tools of one name', { tools: [WEATHER, WEATHER] }, 400, 'invalid_request_error', 'unique'],
  ['a result of no call', { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a' }] }] }, 400, 'invalid_request_error', 'unexpected `tool_use_id`'],
  ['a picture of an unknown type', { messages: picture({ media_type: 'image/tiff' }) }, 400, 'invalid_request_error', 'media_type: Input should be'],
  ['a picture that is a document', { messages: picture({ media_type: 'application/pdf' }) }, 400, 'invalid_request_error', 'application/pdf is not for'],
  ['a picture that is not base64', { messages: picture({ data: '!!!' }) }, 400, 'invalid_request_error', 'not base64'],
  ['a picture from nowhere', { messages: [{ role: 'user', content: [{ type: 'image' }] }] }, 400, 'invalid_request_error', 'source: Field required'],
  ['a picture from a text', { messages: [{ role: 'user', content: [{ type: 'image', source: 'x' }] }] }, 400, 'invalid_request_error', 'source of a block of type image'],
  ['a system prompt of pictures', { system: [{ type: 'image' }] }, 400, 'invalid_request_error', "system.0.type: Input should be 'text'"],
  ['a tool of an unknown type', { tools: [{ type: 'nope', name: 'x' }] }, 400, 'invalid_request_error', 'tools.0.type'],
  ['more tokens than the limit of a minute', { max_tokens: 500_000, stream: true }, 400, 'invalid_request_error', 'max_tokens: 500000 > 64000'],
  ['what is beta without its header', { context_management: {} }, 400, 'invalid_request_error', 'context_management: Extra inputs'],
  ['thinking with a forced tool', { ...THINKS, tools: [WEATHER], tool_choice: { type: 'any' } }, 400, 'invalid_request_error', 'tool_choice forces'],
  ['thinking with chance', { ...THINKS, temperature: 0.5 }, 400, 'invalid_request_error', '`temperature` may only'],
  ['thinking with top_k', { ...THINKS, top_k: 5 }, 400, 'invalid_request_error', '`top_k`'],
  ['thinking with top_p', { ...THINKS, top_p: 0.5 }, 400, 'invalid_request_error', '`top_p`'],
  ['five marks of a cache', { messages: [{ role: 'user', content: [1, 2, 3, 4, 5].map((n) => ({ type: 'text', text: `${n}`, cache_control: { type: 'ephemeral' } })) }] }, 400, 'invalid_request_error', 'maximum of 4'],
  ['too little thinking', { thinking: { type: 'enabled', budget_tokens: 2000 } }, 400, 'invalid_request_error', 'budget_tokens'],
])('%s is rejected as the vendor does', async (_, params, status, type, message) => {
  const asked = { ...ASKED, messages: said('a'), ...params } as unknown as Anthropic.MessageCreateParamsNonStreaming;
  await expect(messages().create(asked)).rejects.toMatchObject({ status, error: { type: 'error', error: { type, message: expect.stringContaining(message) }, request_id: expect.stringMatching(/^req_/) } });
});

test('a call without the version or with a wrong key is rejected in the vendor\'s words', async () => {
  const body = { ...ASKED, messages: said('a') };
  const { call } = sandbox;
  const [bare, wrong] = [await call('POST /v1/messages', body), await call('POST /v1/messages', body, { authorization: undefined, 'x-api-key': 'sk-no', 'anthropic-version': '2023-06-01' })];
  expect([bare.status, wrong.status]).toEqual([400, 401]);
  expect(JSON.parse(bare.text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error', message: 'anthropic-version: header is required' } });
  expect(JSON.parse(wrong.text)).toMatchObject({ type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } });
  const old = { 'anthropic-version': '1999-01-01' };
  expect([(await call('POST /v1/messages', body, old)).status, (await call('GET /v1/models', undefined, old)).status]).toEqual([400, 400]);
});

test('the beta client asks at the same paths; what is new or hosted is taken and reported', async () => {
  const { beta } = sandbox.client.anthropic;
  const asked = { ...ASKED, messages: said('a') };
  expect((await beta.messages.create(asked)).content).toMatchObject([{ text: 'a' }]);
  expect(await beta.messages.countTokens({ model: ASKED.model, messages: said('a') })).toEqual({ input_tokens: 5 });
  expect((await beta.models.list({ limit: 1 })).data).toHaveLength(1);
  const server = { type: 'url' as const, url: 'https://example.com/mcp', name: 'x' };
  const { headers } = await beta.messages.create({ ...asked, mcp_servers: [server], betas: ['mcp-client-2025-11-20'] }).asResponse();
  expect(headers.get('x-mock-unsupported')).toContain('mcp_servers');
  const found = { type: 'search_result' as const, source: 'https://example.com', title: 'A', content: [{ type: 'text' as const, text: 'b' }] };
  expect((await messages().create({ ...asked, messages: [{ role: 'user', content: [found, ...asked.messages.map(({ content }) => ({ type: 'text' as const, text: String(content) }))] }] })).content).toMatchObject([{ text: 'a' }]);
  const searching = await messages().create({ ...asked, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }).asResponse();
  expect(searching.headers.get('x-mock-unsupported')).toContain('tools.web_search_20250305');
});

test('a thread keeps what was said, so that the runner of tools sends only what is new', async () => {
  const { beta } = sandbox.client.anthropic;
  const called = { match: { user: 'How is it', turn: 1 }, reply: { calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] } };
  await script(sandbox, called, { match: { after: 'get_weather' }, reply: { text: 'It is {{ result.text }}.' } });
  const asked: (string | undefined)[] = [];
  const tool = { ...WEATHER, description: 'Weather', parse: (input: unknown) => input, run: () => 'cold' };
  const runner = beta.messages.toolRunner({ ...ASKED, messages: said('How is it?'), tools: [tool] });
  for await (const { content } of runner) asked.push(content[0].type);
  expect([asked, (await runner.done()).content]).toEqual([['tool_use', 'text'], [{ type: 'text', text: 'It is cold.' }]]);
  const betas = ['message-threads-2026-08-01'];
  const first = await beta.messages.create({ ...ASKED, betas, messages: said('I am Ann'), thread: { type: 'create' } });
  const next = { ...ASKED, betas, messages: said('Who am I?'), thread: { type: 'continue' as const, previous_message_id: first.id } };
  const { usage } = await beta.messages.create(next);
  expect(usage.input_tokens).toBeGreaterThan(first.usage.input_tokens);
  const details = (error_code: string) => ({ error: { error: { details: { error_code } } } });
  await expect(beta.messages.create(next)).rejects.toMatchObject({ status: 400, ...details('thread_already_continued') });
  const lost = { ...next, thread: { ...next.thread, previous_message_id: 'msg_0' } };
  await expect(beta.messages.create(lost)).rejects.toMatchObject({ status: 404, ...details('thread_not_found') });
});

test('files are uploaded, and messages refer to them', async () => {
  const { beta } = sandbox.client.anthropic;
  const made = await beta.files.upload({ file: await toFile(Buffer.from('%PDF'), 'a.pdf', { type: 'application/pdf' }) });
  expect(made).toMatchObject({ type: 'file', filename: 'a.pdf', mime_type: 'application/pdf', size_bytes: 4, downloadable: false });
  expect((await beta.files.list()).data).toEqual([made]);
  expect(await beta.files.retrieveMetadata(made.id)).toEqual(made);
  expect((await sandbox.client.openai.files.list()).data).toEqual([]);
  const ask = async (id: string) =>
    beta.messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 10,
      betas: ['files-api-2025-04-14'],
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: id } }, { type: 'text', text: 'Read' }] }],
    });
  expect((await ask(made.id)).stop_reason).toBe('end_turn');
  await expect(ask('file_0')).rejects.toMatchObject({ status: 404 });
  await expect(beta.files.download(made.id)).rejects.toMatchObject({ status: 400 });
  expect(await beta.files.delete(made.id)).toEqual({ id: made.id, type: 'file_deleted' });
  await expect(beta.files.retrieveMetadata(made.id)).rejects.toMatchObject({ status: 404 });
});

test('models are listed and shown as this vendor does', async () => {
  const page = await sandbox.client.anthropic.models.list({ limit: 3 });
  expect(page.data.map(({ type, display_name }) => [type, display_name])).toEqual([['model', 'Claude Haiku 5.5'], ['model', 'Claude Sonnet 5.5'], ['model', 'Claude Opus 5.5']]);
  expect(page.has_more).toBe(true);
  await expect(sandbox.client.anthropic.models.list({ limit: 5000 })).rejects.toMatchObject({ status: 400 });
  const all: string[] = [];
  for await (const { id } of sandbox.client.anthropic.models.list({ limit: 3 })) all.push(id);
  expect([all.length, new Set(all).size]).toEqual([12, 12]);
  expect(await sandbox.client.anthropic.models.retrieve('claude-haiku-4-5')).toMatchObject({ type: 'model', id: 'claude-haiku-4-5-20251001', display_name: 'Claude Haiku 4.5', created_at: '2025-10-15T00:00:00Z' });
  await expect(sandbox.client.anthropic.models.retrieve('gpt-4o')).rejects.toMatchObject({ status: 404, error: { type: 'error', error: { type: 'not_found_error' } } });
});

test('a batch is worked on while the clock advances, and its results are read line by line', async () => {
  const { batches } = messages();
  await script(sandbox, { match: { user: 'broken' }, reply: { error: { status: 529 } } });
  const params = (content: string, model = ASKED.model) => ({ ...ASKED, model, messages: said(content) });
  const requests = [{ custom_id: 'a', params: params('one') }, { custom_id: 'b', params: params('two', 'claude-9') }, { custom_id: 'c', params: params('broken') }];
  const batch = await batches.create({ requests });
  expect(batch).toMatchObject({ type: 'message_batch', processing_status: 'in_progress', request_counts: { processing: 3 }, results_url: null, created_at: '2026-01-05T09:00:00Z', expires_at: '2026-01-06T09:00:00Z' });
  await expect(batches.results(batch.id)).rejects.toThrow();
  await sandbox.control.advance('20m');
  expect(await batches.retrieve(batch.id)).toMatchObject({ processing_status: 'ended', request_counts: { processing: 0, succeeded: 1, errored: 2 }, ended_at: '2026-01-05T09:20:00Z' });
  const results: unknown[] = [];
  for await (const each of await batches.results(batch.id)) results.push(each);
  expect(results).toMatchObject([
    { custom_id: 'a', result: { type: 'succeeded', message: { content: [{ text: 'one' }] } } },
    { custom_id: 'b', result: { type: 'errored', error: { error: { type: 'not_found_error' } } } },
    { custom_id: 'c', result: { type: 'errored', error: { error: { type: 'overloaded_error' } } } },
  ]);
  const broken = [{ messages: 5 }, { messages: [5] }, { max_tokens: 'x' }, { model: 5 }, { tools: 5 }];
  for (const each of broken) {
    const { id } = await batches.create({ requests: [{ custom_id: 'd', params: Object.assign(params('a'), each) }] });
    await sandbox.control.advance('20m');
    for await (const { result } of await batches.results(id)) expect(result).toMatchObject({ type: 'errored', error: { error: { type: 'invalid_request_error' } } });
    await batches.delete(id);
  }
  const other = await batches.create({ requests });
  expect((await batches.cancel(other.id)).processing_status).toBe('canceling');
  await sandbox.control.advance('10s');
  expect(await batches.retrieve(other.id)).toMatchObject({ processing_status: 'ended', request_counts: { canceled: 3 } });
  expect((await batches.list()).data.map(({ id }) => id)).toEqual([other.id, batch.id]);
  expect(await batches.delete(other.id)).toEqual({ id: other.id, type: 'message_batch_deleted' });
});
