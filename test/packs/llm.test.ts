import OpenAI, { APIError, toFile } from 'openai';
import { startSandbox, useSandboxes } from '../support/start-sandbox.js';
import { type Served } from '../support/http.js';

/** The vendor's own client against `test/packs/llm`, which is YAML alone: only where its calls go is changed. */

const options = { seed: 'llm', t0: '2026-01-01T00:00:00Z' };
const clientOf = ({ url, key }: Served): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey: key ?? '', maxRetries: 0 });
const sandbox = startSandbox('test/packs/llm', { ...options, client: clientOf });
const { serve } = useSandboxes({ pack: 'test/packs/llm', ...options });
let client: OpenAI;
beforeAll(() => {
  client = sandbox.client;
});

const ASKED = { model: 'echo-1', messages: [{ role: 'user', content: 'four words come back' }] } as const;
const asked = { ...ASKED, messages: [...ASKED.messages] };

test('a completion comes whole, and can be retrieved', async () => {
  const made = await client.chat.completions.create(asked);
  expect([made.choices[0].message.content, made.usage?.completion_tokens]).toEqual(['four words come back ', 4]);
  expect(await client.chat.completions.retrieve(made.id)).toEqual(made);
});

test('a completion comes in chunks', async () => {
  const deltas: (string | null | undefined)[] = [];
  for await (const chunk of await client.chat.completions.create({ ...asked, stream: true }))
    deltas.push(chunk.choices[0].finish_reason ?? chunk.choices[0].delta.content);
  expect(deltas).toEqual(['', 'four ', 'words ', 'come ', 'back ', 'stop']);
});

test("the client's helper puts the chunks together", async () => {
  const helper = client.chat.completions.stream(asked);
  const contents: string[] = [];
  helper.on('content', (delta) => contents.push(delta));
  const { choices } = await helper.finalChatCompletion();
  expect([choices[0].message.content, contents.filter((each) => each !== '')]).toEqual([
    'four words come back ',
    ['four ', 'words ', 'come ', 'back '],
  ]);
});

test('a caller who aborts leaves what had gone out', async () => {
  const did = new Promise<void>((resolve) => {
    const end = sandbox.engine.subscribe(({ transitions: _ }) => {
      const { ledger } = sandbox.engine.world;
      if (ledger.entry(ledger.count)?.origin !== 'outside') return;
      end();
      resolve();
    });
  });
  const long = { ...asked, messages: [{ role: 'user' as const, content: 'word '.repeat(2000) }] };
  const stream = await client.chat.completions.create({ ...long, stream: true });
  for await (const chunk of stream) {
    expect(chunk.object).toBe('chat.completion.chunk');
    break;
  }
  stream.controller.abort();
  await did;
  const { ledger } = sandbox.engine.world;
  expect(ledger.entry(ledger.count)).toMatchObject({ command: 'stream closed chat_completions.create' });
});

test('a fault in the middle is the error of the client', async () => {
  const fault = { resource: 'chat_completions', operation: 'create', count: 1, after_events: 2 };
  const read = async (): Promise<[number, unknown]> => {
    let chunks = 0;
    try {
      for await (const _ of await client.chat.completions.create({ ...asked, stream: true })) chunks++;
      return [chunks, null];
    } catch (error) {
      return [chunks, error];
    }
  };
  await sandbox.control.call('POST', '/faults', { ...fault, error_event: { message: 'overloaded' } });
  const [told, failure] = await read();
  expect([told, failure instanceof APIError && failure.message]).toEqual([2, 'overloaded']);
  await sandbox.control.call('POST', '/faults', fault);
  const [cut, reason] = await read();
  expect([cut, reason === null]).toEqual([2, false]);
});

test('errors are those of the client', async () => {
  await expect(client.chat.completions.create({ ...asked, model: 'mute' })).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
  const other = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-wrong', maxRetries: 0 });
  await expect(other.chat.completions.create(asked)).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
});

test('files are uploaded, listed and read again', async () => {
  const text = '{"custom_id":"1"}\n';
  const made = await client.files.create({ purpose: 'batch', file: await toFile(Buffer.from(text), 'in.jsonl') });
  expect(made).toMatchObject({ object: 'file', filename: 'in.jsonl', bytes: 18, purpose: 'batch' });
  expect((await client.files.list()).data.map(({ id }) => id)).toEqual([made.id]);
  expect(await (await client.files.content(made.id)).text()).toBe(text);
});

test('the same story in another world of the seed is the same bytes', async () => {
  const texts = await Promise.all(
    [await serve(), await serve()].map(async (each) => {
      const response = await clientOf(each).chat.completions.create({ ...asked, stream: true }).asResponse();
      return response.text();
    }),
  );
  expect(texts[0]).toContain('data: [DONE]');
  expect(texts[1]).toBe(texts[0]);
});

const line = (custom_id: string, model: string, content: string): string =>
  JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body: { model, messages: [{ role: 'user', content }] } });

test('a batch is worked off while the clock advances, and its answers are files', async () => {
  const own = await serve();
  const vendor = clientOf(own);
  const text = [line('a', 'echo-1', 'one two'), line('b', 'mute', 'three'), line('c', 'echo-1', 'four'), ''].join('\n');
  const input = await vendor.files.create({ purpose: 'batch', file: await toFile(Buffer.from(text), 'in.jsonl') });
  const batch = await vendor.batches.create({
    input_file_id: input.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });
  expect(batch).toMatchObject({ status: 'validating', output_file_id: null, request_counts: { total: 3, completed: 0 } });
  await own.control.advance('10s');
  expect((await vendor.batches.retrieve(batch.id)).status).toBe('in_progress');
  await own.control.advance('1200s');
  const done = await vendor.batches.retrieve(batch.id);
  expect(done).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 2, failed: 1 } });
  const read = async (id: string | undefined): Promise<Record<string, unknown>[]> => {
    const content = await (await vendor.files.content(id ?? '')).text();
    return content.trimEnd().split('\n').map((each) => JSON.parse(each) as Record<string, unknown>);
  };
  const completion = (content: string): object => ({ object: 'chat.completion', choices: [{ message: { content } }] });
  expect(await read(done.output_file_id)).toMatchObject([
    { custom_id: 'a', response: { status_code: 200, body: completion('one two ') }, error: null },
    { custom_id: 'c', response: { status_code: 200, body: completion('four ') }, error: null },
  ]);
  expect(await read(done.error_file_id)).toMatchObject([
    { custom_id: 'b', response: { status_code: 404, body: { error: { code: 'model_not_found' } } } },
  ]);
});

test('a batch that is cancelled does no work', async () => {
  const own = await serve();
  const vendor = clientOf(own);
  const file = await toFile(Buffer.from(`${line('a', 'echo-1', 'one')}\n`), 'in.jsonl');
  const { id } = await vendor.files.create({ purpose: 'batch', file });
  const asked = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  const batch = await vendor.batches.create(asked);
  await own.control.advance('30s');
  expect((await vendor.batches.cancel(batch.id)).status).toBe('cancelled');
  await own.control.advance('3600s');
  expect(await vendor.batches.retrieve(batch.id)).toMatchObject({ status: 'cancelled', output_file_id: null });
});

test('tokens per minute are counted by what a call asks for and then by what it used', async () => {
  const own = await serve();
  const vendor = clientOf(own);
  const create = (max_tokens: number) => vendor.chat.completions.create({ ...asked, max_tokens }).asResponse();
  const first = await create(1000);
  expect(Object.fromEntries([...first.headers].filter(([name]) => name.endsWith('-tokens')))).toEqual({
    'x-ratelimit-limit-tokens': '20000',
    'x-ratelimit-remaining-tokens': '19992',
    'x-ratelimit-reset-tokens': '60s',
  });
  expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('49');
  const failure: unknown = await create(19_993).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OpenAI.RateLimitError);
  expect(failure).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'tokens' });
  expect((failure as APIError).headers?.get('retry-after')).toBe('60');
  await own.control.advance('60s');
  expect((await create(19_993)).status).toBe(200);
});
