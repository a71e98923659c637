import { type Bug, loadPack, replayBug } from '../../engine/index.js';
import { packIn } from '../support/sample-pack.js';
import { startSandbox } from '../support/start-sandbox.js';
import { type Body, type Called, type CallHeaders } from '../support/http.js';

/** What a vendor may do with HTTP beyond JSON in and out, in a pack of an archive. */

const T0 = '2025-03-01T00:00:00Z';
const PACK = 'test/packs/archive';
const pack = packIn(PACK);
const sandbox = startSandbox(PACK, { t0: T0, seed: 'archive', reset: { t0: T0 } });

const call = (method: string, path: string, body?: unknown, headers: CallHeaders = {}): Promise<Called> =>
  sandbox.call(`${method} /v1${path}`, body, { 'content-type': 'application/json', ...headers });
async function json(method: string, path: string, body?: unknown, headers?: CallHeaders): Promise<Body> {
  return JSON.parse((await call(method, path, body, headers)).text) as Body;
}
const deed = async (): Promise<string> =>
  String((await json('POST', '/documents', { title: 'Deed', text: 'We, the' }))['id']);

describe('content by condition and Accept', () => {
  const JSON_TYPE = 'application/json';
  it.each([
    ['*/*', JSON_TYPE],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/*', 'text/plain; charset=utf-8'],
    ['application/json, text/plain', JSON_TYPE],
    ['application/json;q=0.1, text/plain', 'text/plain; charset=utf-8'],
    ['text/plain;q=0.5, application/vnd.arc.cite', 'text/x-citation'],
    ['application/vnd.arc+json, text/plain;q=0.9', JSON_TYPE],
    ['image/*, */*;q=0.1', 'image/gif'],
    ['video/mp4', JSON_TYPE],
  ])('%s is %s', async (accept, type) => {
    const response = await call('GET', `/documents/${await deed()}`, undefined, { accept });
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('vary')).toBe('Accept');
    if (type.startsWith('text/plain')) expect(response.text).toBe('We, the');
  });

  it('goes by a parameter, without Vary', async () => {
    const id = await deed();
    const csv = await call('GET', `/documents/${id}/table?format=csv`);
    expect([csv.headers.get('content-type'), csv.text]).toEqual(['text/csv', 'title\nDeed\n']);
    expect(csv.headers.get('vary')).toBeNull();
    expect((await call('GET', `/documents/${id}/table`)).headers.get('content-type')).toBe(JSON_TYPE);
  });

  it('may be no body at all, with a status of its own; the replay of a key is the same', async () => {
    const headers = { prefer: 'return=minimal', 'idempotency-key': 'k' };
    for (const replayed of [null, 'true']) {
      const { status, text, headers: given } = await call('POST', '/documents', { title: 'a', text: 'b' }, headers);
      expect([status, text, given.get('replayed')]).toEqual([204, '', replayed]);
    }
    expect((await json('GET', '/documents'))['items']).toHaveLength(1);
  });

  it('keeps with an idempotency key what kind of body it was', async () => {
    const id = await deed();
    for (const replayed of [null, 'true']) {
      const headers = { 'idempotency-key': 'c', accept: 'text/plain' };
      const given = await call('POST', `/documents/${id}/copy`, {}, headers);
      expect([given.text, given.headers.get('content-type')]).toEqual(['Deed', 'text/plain']);
      expect(given.headers.get('replayed')).toBe(replayed);
    }
  });
});

it('the status of a response may be an expression, which sees what `let` found before the steps', async () => {
  const first = await call('PUT', '/shelves/a', { title: 'One' });
  const second = await call('PUT', '/shelves/a', { title: 'Two' });
  expect([first.status, second.status]).toEqual([201, 200]);
  expect([first.headers.get('x-was'), second.headers.get('x-was')]).toEqual(['new', 'there']);
  expect(JSON.parse(second.text)).toMatchObject({ title: 'Two', shelf: 'a' });
});

describe('bodies of requests that are one parameter', () => {
  it('bytes come as they are, with their type and size', async () => {
    const bytes = new Uint8Array([0, 255, 13, 10, 123]);
    const sent = { type: 'image/gif', size: 5, base64: Buffer.from(bytes).toString('base64') };
    const path = `/documents/${await deed()}/scan`;
    expect(await json('PUT', `${path}?page=3`, bytes, { 'content-type': 'image/gif' })).toEqual({ scan: sent, page: 3 });
    expect((await call('PUT', path, bytes, { 'content-type': 'audio/ogg' })).status).toBe(415);
    expect((await call('PUT', path)).status).toBe(400);
  });

  it('text is text', async () => {
    const path = `/documents/${await deed()}/text`;
    const [type, text] = ['text/markdown; charset=utf-8', '# é {"a": 1}\n'];
    expect(await json('PUT', path, text, { 'content-type': type })).toMatchObject({ text });
    const broken = await call('PUT', path, new Uint8Array([255]), { 'content-type': type });
    expect([broken.status, JSON.parse(broken.text)]).toEqual([400, { reason: 'the body is not valid UTF-8' }]);
  });

  const lines = (body: string) => call('POST', '/documents/import', body, { 'content-type': 'application/x-ndjson' });
  it('lines are JSON values; what is wrong is named with its line, and nothing is made', async () => {
    expect(JSON.parse((await lines('{"title":"a"}\n\n{"title":"b","pages":2}\n')).text)).toEqual({ imported: 2 });
    expect(JSON.parse((await lines('{"title":"c"}\n{"title":')).text)).toEqual({
      reason: expect.stringMatching(/^line 2: it is not valid JSON: /) as unknown,
    });
    const wrong = await lines('{"title":"c"}\n{"pages":2}');
    expect([wrong.status, JSON.parse(wrong.text)]).toEqual([400, { error: 'missing', param: 'lines.1.title' }]);
    expect((await json('GET', '/documents'))['items']).toHaveLength(2);
  });

  it('a JSON list is the parameter, and a map still is a map of parameters', async () => {
    const path = `/documents/${await deed()}/labels`;
    expect(await json('POST', path, ['a', 'b'])).toEqual({ labels: ['a', 'b'], replace: false });
    expect(await json('POST', path, { labels: ['a'], replace: true })).toEqual({ labels: ['a'], replace: true });
    expect((await call('POST', path, ['a', 1])).status).toBe(400);
    expect((await call('POST', path, '"a"')).status).toBe(400);
  });

  it('are part of the ledger, so that a copy of the calls makes the same bytes', async () => {
    const id = await deed();
    await call('PUT', `/documents/${id}/text`, 'new\ntext', { 'content-type': 'text/plain' });
    await lines('{"title":"a"}\n{"title":"b"}');
    await call('PUT', `/documents/${id}/scan?page=2`, new Uint8Array([0, 200]), { 'content-type': 'image/gif' });
    await call('POST', `/documents/${id}/labels`, ['x']);
    const bug = (await sandbox.control.export()) as unknown as Bug;
    const { unlike, sandbox: copy } = await replayBug(bug, { pack: PACK });
    const entries = [sandbox, copy].map(({ engine }) => engine.world.ledger.since(0).map(({ changes }) => changes));
    await copy.close();
    expect(unlike).toBeNull();
    expect(entries[1]).toEqual(entries[0]);
  });
});

it('what `delete` and `list` return is what they say', async () => {
  const [first, second] = [await deed(), await deed()];
  expect(await json('GET', '/titles?size=1')).toEqual({ titles: [expect.objectContaining({ id: second })], last: false });
  expect(await json('DELETE', `/documents/${first}`)).toEqual({ id: first, was: 'Deed', gone: true });
  expect(await json('POST', `/documents/${second}/drop`)).toEqual({ id: second, title: 'Deed', text: 'We, the', shelf: null });
  expect(await json('GET', '/titles')).toEqual({ titles: [], last: true });
  expect((await call('DELETE', `/documents/${first}`)).status).toBe(404);
});

describe('lists sorted by parameters', () => {
  const titles = async (query: string): Promise<string> => {
    const { items } = (await json('GET', `/documents?${query}`)) as { items: { title: string }[] };
    return items.map(({ title }) => title).join('');
  };
  beforeEach(async () => {
    for (const title of ['b', 'c', 'a']) await json('POST', '/documents', { title, text: title === 'c' ? 'x' : 'y' });
  });

  it.each([
    ['', 'acb'],
    ['order=asc', 'bca'],
    ['order=desc', 'acb'],
    ['sort=name', 'cba'],
    ['sort=name&order=asc', 'abc'],
    ['sort=text&order=asc', 'cba'],
  ])('%s gives %s', async (query, all) => {
    expect(await titles(query)).toBe(all);
    // Page by page it is the same order, forwards and back.
    const ids = ((await json('GET', `/documents?${query}`)) as { items: { id: string }[] }).items.map(({ id }) => id);
    expect(await titles(`${query}&size=1&after=${ids[0]}`)).toBe(all[1]);
    expect(await titles(`${query}&size=1&after=${ids[1]}`)).toBe(all[2]);
    expect(await titles(`${query}&size=1&before=${ids[2]}`)).toBe(all[1]);
  });

  it.each(['order=up', 'sort=shelf', 'size=0', 'size=21'])('%s is an error', async (query) => {
    expect((await call('GET', `/documents?${query}`)).status).toBe(400);
  });

  it('a value of the field may say the direction', async () => {
    const by = async (value: string): Promise<string> =>
      ((await json('GET', `/titles?by=${value}`))['titles'] as { title: string }[]).map(({ title }) => title).join('');
    expect([await by('name'), await by('-name'), await by('text')]).toEqual(['abc', 'cba', 'cba']);
    expect((await call('GET', '/titles?by=+name')).status).toBe(400);
  });

  it('where the pack does not say so, a size out of bounds is the nearest', async () => {
    expect((await json('GET', '/titles?size=0'))['titles']).toHaveLength(1);
  });
});

it('an error may come with a status of success, and still changes nothing', async () => {
  const response = await call('POST', `/documents/${await deed()}/lend`);
  expect([response.status, JSON.parse(response.text)]).toEqual([200, { ok: false, error: 'not_lent', title: 'Deed' }]);
  const trace = await sandbox.control.trace(response.headers.get('x-mock-resolution-trace') ?? '');
  expect(trace).toMatchObject({ status: 200, error: 'not_lent' });
});

/** What is said about the pack with a text of it replaced. */
function problemsOf(file: string, from: string, to: string): string[] {
  const { problems } = loadPack(pack.write(pack.patched(file, [from, to])));
  return problems.map(({ code, message }) => `${code}: ${message}`);
}

const DOCUMENT = 'resources/document.yaml';
it.each([
  ['an entry behind one that always fits', DOCUMENT, "accept: '*.cite', ", '', /^unreachable-content: .* entry 2 /],
  ['two entries for one type', DOCUMENT, "accept: '*.cite'", 'accept: text/plain', /^unreachable-content: .* entry 1 /],
  ['text and base64 in one', DOCUMENT, 'base64: R0l', "text: '', base64: R0l", /^two-parts: /],
  ['a text without a type', DOCUMENT, 'type: text/x-citation, ', '', /^missing-key: .*type/],
  ['a status that is text', DOCUMENT, "'${old == null ? 201", "'about ${old == null ? 201", /^wrong-type: the status/],
  ['a sort by a field that is not there', DOCUMENT, 'name: title', 'name: titel', /^unknown-field: .*titel/],
  ['an order that is none of its values', DOCUMENT, 'default: desc', 'default: down', /^invalid-value: .* one of asc, desc, not 'down'/],
  ['a map for a body that is a list', DOCUMENT, 'labels: { type: array, items: string, required: true }', 'labels: { type: map, required: true }', /^wrong-type: the body is list/],
  ['a body that is a part of the route', DOCUMENT, '{ as: labels,', '{ as: id,', /^duplicate-parameter: 'id'/],
  ['a status that no response to an error has', 'errors.yaml', 'not_lent: { status: 200', 'not_lent: { status: 199', /^(?:invalid-value|wrong-type|out-of-range)/],
  ['an order by a parameter of the list', DOCUMENT, 'param: order', 'param: size', /^duplicate-parameter: 'size'/],
  [
    'a name that the response cannot see',
    DOCUMENT,
    "'${old == null ? 201",
    "'${odl == null ? 201",
    /^unknown-name|^expression/,
  ],
])('%s is reported when the pack loads', (_name, file, from, to, told) => {
  expect(problemsOf(file, from, to)).toEqual([expect.stringMatching(told)]);
});
