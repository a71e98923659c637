import { base64, hello, rejection, serveHosting } from './served.js';

/** What `Accept` asks for: other shapes of a file or a folder, and types that nobody serves. */

const sandbox = serveHosting();

async function get(path: string, accept: string) {
  return sandbox.client.request(`GET ${path}`, { headers: { accept } });
}

test('files are served raw, as HTML or as objects, and folders as objects', async () => {
  const { rest } = sandbox.client;
  const put = (path: string, text: string) =>
    rest.repos.createOrUpdateFileContents({ ...hello, path, message: 'x', content: base64(text) });
  await put('docs/a.md', '# A & B\n');
  await put('b.txt', '<b>\n');
  const contents = '/repos/octo/hello/contents';
  for (const raw of ['application/vnd.github.raw', 'application/vnd.github.raw+json', 'application/vnd.github.v3.raw'])
    expect((await get(`${contents}/b.txt`, raw)).data).toBe('<b>\n');
  expect((await get(`${contents}/docs/a.md`, 'application/vnd.github.html+json')).data).toMatch(/<h1>A &amp; B<\/h1>/);
  expect((await get(`${contents}/b.txt`, 'application/vnd.github.html')).data).toMatch(/<pre>&lt;b&gt;\n<\/pre>/);
  expect((await get(`${contents}/docs`, 'application/vnd.github.object+json')).data).toMatchObject({
    type: 'dir',
    path: 'docs',
    entries: [{ name: 'a.md', type: 'file' }],
  });
  expect((await get(contents, 'application/vnd.github.object')).data).toMatchObject({ type: 'dir', entries: [{}, {}, {}] });
  expect((await get(`${contents}/b.txt`, 'application/vnd.github.object')).data).toMatchObject({ type: 'file', encoding: 'base64' });
});

test('a file over 1 MiB has no content as JSON, but is served raw', async () => {
  const text = 'x'.repeat(1024 * 1024 + 1);
  const { rest } = sandbox.client;
  await rest.repos.createOrUpdateFileContents({ ...hello, path: 'big.txt', message: 'x', content: base64(text) });
  expect((await rest.repos.getContent({ ...hello, path: 'big.txt' })).data).toMatchObject({ encoding: 'none', content: '', size: text.length });
  expect((await get('/repos/octo/hello/contents/big.txt', 'application/vnd.github.raw')).data).toBe(text);
});

test.each([
  ['application/vnd.github+json', 'github.v3; format=json'],
  ['application/vnd.github.v3+json', 'github.v3; format=json'],
  ['application/json', 'github.v3; format=json'],
  ['*/*', 'github.v3; format=json'],
  ['', 'github.v3; format=json'],
  ['text/html, */*;q=0.1', 'github.v3; format=json'],
  ['application/vnd.github.v3.full+json', 'github.v3; param=full; format=json'],
  ['application/vnd.github.v3.diff', 'github.v3; param=diff'],
  ['application/vnd.github.mercy-preview+json', 'github.v3; param=mercy-preview; format=json'],
])('%s is JSON', async (accept, type) => {
  const { headers } = await get('/repos/octo/hello', accept);
  expect([headers['content-type'], headers['x-github-media-type']]).toEqual(['application/json; charset=utf-8', type]);
});

test.each(['text/html', 'application/xml', 'application/octet-stream'])(
  '%s is not served where there is only JSON',
  async (accept) => {
    expect(await rejection(get('/repos/octo/hello', accept))).toEqual([
      415,
      `Unsupported 'Accept' header: '${accept}'. Must accept 'application/json'.`,
    ]);
    const created = sandbox.client.request('POST /repos/octo/hello/issues', { title: 'x', headers: { accept } });
    expect((await rejection(created))[0]).toBe(415);
    expect((await sandbox.client.rest.issues.listForRepo(hello)).data).toEqual([]);
  },
);
