import OpenAI, { toFile } from 'openai';
import { script, startModels } from './served-models.js';

/** Files, batches, vectors, moderation, pictures and models with the vendor's client. */

const sandbox = startModels();
const client = (): OpenAI => sandbox.client.openai;

test('models are listed and shown; a model that a test adds is there, one that it removes is gone', async () => {
  const ids = (await client().models.list()).data.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['gpt-5.1', 'gpt-4o-mini', 'text-embedding-3-small']));
  expect(ids.filter((id) => id.startsWith('claude'))).toEqual([]);
  expect(await client().models.retrieve('gpt-4o')).toEqual({ id: 'gpt-4o', object: 'model', created: 1715299200, owned_by: 'system' });
  const tuned = 'ft:gpt-4o-mini:acme::abc';
  await sandbox.control.seed({ resources: { models: [{ id: tuned, owned_by: 'acme', context: 1000, max_output: 100 }] } });
  expect((await client().chat.completions.create({ model: tuned, messages: [{ role: 'user', content: 'a' }] })).model).toBe(tuned);
  expect(await client().models.delete(tuned)).toEqual({ id: tuned, object: 'model', deleted: true });
  await expect(client().models.retrieve(tuned)).rejects.toMatchObject({ status: 404 });
  await expect(client().models.delete('gpt-4o')).rejects.toMatchObject({ status: 400 });
});

test('the same text has the same vector, and texts that share words are near', async () => {
  const asked = { model: 'text-embedding-3-small', input: ['A cat sleeps.', 'the cat sleeps', 'Taxes are due', 'A cat sleeps.'] };
  const { data, usage } = await client().embeddings.create(asked);
  const [cat, other, taxes, again] = data.map(({ embedding }) => embedding);
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, at) => sum + x * b[at], 0);
  expect([cat.length, usage.prompt_tokens]).toEqual([1536, 16]);
  expect(again).toEqual(cat);
  expect(dot(cat, cat)).toBeCloseTo(1, 5);
  expect(dot(cat, other)).toBeGreaterThan(dot(cat, taxes));
  const plain = await client().embeddings.create({ ...asked, encoding_format: 'float', dimensions: 8, input: 'A cat sleeps.' });
  expect(plain.data[0].embedding).toHaveLength(8);
});

test.each([
  ['an unknown model', { model: 'gpt-4o' }, { status: 404 }],
  ['an empty text', { input: '' }, { status: 400, param: 'input' }],
  ['too many dimensions', { dimensions: 2000 }, { status: 400, param: 'dimensions' }],
  ['too long a text', { input: 'word '.repeat(9000) }, { status: 400, code: 'context_length_exceeded' }],
])('vectors of %s are rejected', async (_, params, error) => {
  await expect(client().embeddings.create({ model: 'text-embedding-3-small', input: 'a', ...params })).rejects.toMatchObject(error);
});

test('texts are moderated by the words of the table', async () => {
  const { results, model } = await client().moderations.create({ input: ['I will kill you', 'Good morning'] });
  expect(model).toBe('omni-moderation-2024-09-26');
  expect(results.map(({ flagged, categories }) => [flagged, categories.violence, categories['self-harm/intent']])).toEqual([[true, true, false], [false, false, false]]);
});

test('pictures are PNG, behind an address or in the response', async () => {
  const { data } = await client().images.generate({ model: 'dall-e-3', prompt: 'A cat' });
  const picture = await fetch(data?.[0].url ?? '');
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect([picture.headers.get('content-type'), bytes.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG']);
  const made = await client().images.generate({ model: 'gpt-image-1', prompt: 'A cat', n: 2 });
  expect(Buffer.from(made.data?.[0].b64_json ?? '', 'base64')).toEqual(bytes);
  expect([made.data?.length, made.usage?.output_tokens]).toEqual([2, 272]);
});

test('pictures are edited and varied, one or several, as forms or by their files', async () => {
  const { images, files } = client();
  const png = async (name = 'cat.png', type = 'image/png') => toFile(Buffer.from('a picture'), name, { type });
  const edited = await images.edit({ model: 'gpt-image-1', image: [await png(), await png('dog.webp', 'image/webp')], prompt: 'A hat', n: 2 });
  expect([edited.data?.length, edited.data?.[0].b64_json]).toEqual([2, expect.any(String)]);
  const old = await images.edit({ model: 'dall-e-2', image: await png(), mask: await png(), prompt: 'A hat', size: '256x256' });
  expect((await fetch(old.data?.[0].url ?? '')).status).toBe(200);
  const varied = await images.createVariation({ image: await png(), n: 2, response_format: 'b64_json' });
  expect(varied.data?.length).toBe(2);
  const file = await files.create({ file: await png(), purpose: 'vision' });
  const edit = async (body: object) => sandbox.status('POST /v1/images/edits', { model: 'gpt-image-1', prompt: 'A hat', ...body });
  expect(await edit({ images: [{ file_id: file.id }, { image_url: 'https://shop.example/cat.png' }] })).toBe(200);
  expect(await edit({ images: [{ file_id: 'file-none' }] })).toBe(404);
  expect(await edit({ images: [{}] })).toBe(400);
  expect(await edit({})).toBe(400);
  const wrong = [
    images.edit({ model: 'gpt-image-1', image: await png('a.txt', 'text/plain'), prompt: 'A hat' }),
    images.edit({ model: 'dall-e-3', image: await png(), prompt: 'A hat' }),
    images.edit({ model: 'dall-e-2', image: [await png(), await png()], prompt: 'A hat' }),
    images.edit({ model: 'gpt-image-1', image: await png(), prompt: 'A hat', response_format: 'url' }),
    images.createVariation({ image: await png('a.jpg', 'image/jpeg') }),
    images.createVariation({ image: await png(), model: 'gpt-image-1' }),
    images.createVariation({ image: await png(), size: '1x1' as '256x256' }),
  ];
  for (const each of wrong) await expect(each).rejects.toMatchObject({ status: 400 });
});

test.each([
  ['no prompt', { prompt: '' }, { status: 400, param: 'prompt' }],
  ['a long prompt', { prompt: 'a'.repeat(1001) }, { status: 400, code: 'string_above_max_length', param: 'prompt' }],
  ['a size that the model does not make', { size: '1x1' as '256x256' }, { status: 400, code: 'invalid_value', param: 'size' }],
  ['a quality of another model', { quality: 'hd' as const }, { status: 400, param: 'quality' }],
  ['a style of another model', { style: 'vivid' as const }, { status: 400, param: 'style' }],
  ['a background of an old model', { model: 'dall-e-2', background: 'opaque' as const }, { status: 400, param: 'background' }],
])('pictures with %s are rejected', async (_, params, error) => {
  await expect(client().images.generate({ prompt: 'A cat', ...params })).rejects.toMatchObject(error);
});

test.each([
  ['nothing', []],
  ['a part of an unknown type', [{ type: 'nope' }]],
  ['a part without its text', [{ type: 'text' }]],
])('moderation of %s is rejected', async (_, input) => {
  await expect(client().moderations.create({ input } as OpenAI.ModerationCreateParams)).rejects.toMatchObject({ status: 400 });
});

test('a file comes in parts; what is missing, foreign or late is rejected', async () => {
  const { uploads, files } = client();
  const begin = () => uploads.create({ filename: 'x.jsonl', purpose: 'batch', bytes: 3, mime_type: 'text/jsonl' });
  const part = async (id: string, text: string) => (await uploads.parts.create(id, { data: await toFile(Buffer.from(text), 'part') })).id;
  const { id, status, expires_at } = await begin();
  expect([status, expires_at]).toEqual(['pending', 1767607200]);
  const [one, other] = [await part(id, '{}'), await part(id, '\n')];
  await expect(uploads.complete(id, { part_ids: [one] })).rejects.toMatchObject({ status: 400, param: 'part_ids' });
  await expect(uploads.complete((await begin()).id, { part_ids: [one] })).rejects.toMatchObject({ status: 400 });
  await expect(uploads.complete(id, { part_ids: [one, other], md5: 'no' })).rejects.toMatchObject({ status: 400, param: 'md5' });
  const { file } = await uploads.complete(id, { part_ids: [one, other] });
  expect([file?.bytes, await (await files.content(file?.id ?? '')).text()]).toEqual([3, '{}\n']);
  await expect(uploads.cancel(id)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('completed') });
  const late = await begin();
  await sandbox.control.advance('1h');
  await expect(part(late.id, '{}')).rejects.toMatchObject({ status: 400, message: expect.stringContaining('expired') });
});

test.each([
  ['in.txt', 'batch', '{}'],
  ['in.csv', 'fine-tune', '{}'],
  ['in.jsonl', 'batch', ''],
] as const)('%s for %s with %j is no file', async (name, purpose, text) => {
  await expect(client().files.create({ purpose, file: await toFile(Buffer.from(text), name) })).rejects.toMatchObject({ status: 400 });
});

test('an object of JSON is no file', async () => {
  const uploads = client().post('/files', { body: { purpose: 'batch', file: {} } });
  await expect(uploads).rejects.toMatchObject({ status: 400, param: 'file.name' });
});

const line = (custom_id: string, url: string, body: object): string => JSON.stringify({ custom_id, method: 'POST', url, body });
const upload = async (lines: readonly string[]): Promise<string> =>
  (await client().files.create({ purpose: 'batch', file: await toFile(Buffer.from(lines.join('\n')), 'in.jsonl') })).id;
const read = async (id: string | undefined): Promise<unknown[]> =>
  (await (await client().files.content(id ?? '')).text()).trimEnd().split('\n').map((each) => JSON.parse(each) as unknown);

test('files are uploaded, listed by purpose, read and deleted', async () => {
  const id = await upload(['{}']);
  const file = await client().files.retrieve(id);
  expect(file).toMatchObject({ object: 'file', bytes: 2, filename: 'in.jsonl', purpose: 'batch', status: 'processed' });
  expect((await client().files.list({ purpose: 'batch' })).data).toEqual([expect.objectContaining({ id })]);
  expect((await client().files.list({ purpose: 'vision' })).data).toEqual([]);
  expect(await read(id)).toEqual([{}]);
  expect(await client().files.delete(id)).toEqual({ id, object: 'file', deleted: true });
  await expect(client().files.retrieve(id)).rejects.toMatchObject({ status: 404 });
});

test('a batch is validated and worked on while the clock advances', async () => {
  await script(sandbox, { match: { user: 'broken' }, reply: { error: { status: 500, message: 'Gone.' } } });
  const url = '/v1/chat/completions';
  const body = (content: string, model = 'gpt-4o-mini') => ({ model, messages: [{ role: 'user', content }] });
  const id = await upload([line('a', url, body('one')), line('b', url, body('two', 'gpt-9')), line('c', url, body('broken'))]);
  const batch = await client().batches.create({ input_file_id: id, endpoint: url, completion_window: '24h', metadata: { of: 'test' } });
  expect(batch).toMatchObject({ object: 'batch', status: 'validating', metadata: { of: 'test' }, output_file_id: null });
  await sandbox.control.advance('10s');
  expect(await client().batches.retrieve(batch.id)).toMatchObject({ status: 'in_progress', request_counts: { total: 3, completed: 0 } });
  await sandbox.control.advance('20m');
  const done = await client().batches.retrieve(batch.id);
  expect(done).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 1, failed: 2 } });
  expect(await read(done.output_file_id ?? '')).toMatchObject([{ custom_id: 'a', error: null, response: { status_code: 200, body: { object: 'chat.completion', choices: [{ message: { content: 'one' } }] } } }]);
  expect(await read(done.error_file_id ?? '')).toMatchObject([
    { custom_id: 'b', response: { status_code: 404, body: { error: { code: 'model_not_found' } } } },
    { custom_id: 'c', response: { status_code: 500, body: { error: { message: 'Gone.' } } } },
  ]);
});

test.each([
  ['/v1/responses', { model: 'gpt-5-mini', input: 'one' }, { object: 'response', status: 'completed' }],
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'one', dimensions: 4 }, { object: 'list', data: [{ index: 0 }] }],
  ['/v1/moderations', { input: 'one' }, { results: [{ flagged: false }] }],
  ['/v1/images/generations', { prompt: 'one' }, { data: [{ url: expect.stringContaining('/pictures/') }] }],
] as const)('a batch calls %s too', async (url, body, answer) => {
  const batch = await client().batches.create({ input_file_id: await upload([line('a', url, body)]), endpoint: url, completion_window: '24h' });
  await sandbox.control.advance('1h');
  expect(await read((await client().batches.retrieve(batch.id)).output_file_id ?? '')).toMatchObject([{ response: { body: answer } }]);
});

test('what is wrong in a line is its answer, as of the call alone', async () => {
  const url = '/v1/responses';
  const bodies = [{}, { model: 'gpt-5', input: 5 }, { model: 'gpt-5', input: [5] }, { model: 'gpt-5', input: 'a', tools: 5 }];
  const id = await upload(bodies.map((body, at) => line(`line ${at}`, url, body)));
  const batch = await client().batches.create({ input_file_id: id, endpoint: url, completion_window: '24h' });
  await sandbox.control.advance('1h');
  const answers = await read((await client().batches.retrieve(batch.id)).error_file_id ?? '');
  const alone = await Promise.all(bodies.map(async (body) => sandbox.call(`POST ${url}`, body)));
  expect(answers).toMatchObject(alone.map(({ status, body }) => ({ response: { status_code: status, body } })));
});

test('a file that is wrong fails its batch; a batch can be cancelled', async () => {
  const begin = async (lines: readonly string[]): Promise<OpenAI.Batch> =>
    client().batches.create({ input_file_id: await upload(lines), endpoint: '/v1/responses', completion_window: '24h' });
  const [broken, other] = [await begin(['{', line('b', '/v1/other', {})]), await begin([line('a', '/v1/responses', { model: 'gpt-5', input: 'a' })])];
  await sandbox.control.advance('10s');
  expect(await client().batches.retrieve(broken.id)).toMatchObject({ status: 'failed', errors: { data: [{ line: 1, code: 'invalid_json_line' }, { line: 2, code: 'invalid_url' }] } });
  expect((await client().batches.cancel(other.id)).status).toBe('cancelling');
  await sandbox.control.advance('30m');
  expect(await client().batches.retrieve(other.id)).toMatchObject({ status: 'cancelled', output_file_id: null });
});
