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

test.each([
  ['html', ['body_html']],
  ['text', ['body_text']],
  ['full', ['body', 'body_html', 'body_text']],
  ['raw', ['body']],
])('texts of issues, comments, pull requests and releases as %s', async (kind, members) => {
  const { rest } = sandbox.client;
  const body = '**Low** & wet';
  const { data: issue } = await rest.issues.create({ ...hello, title: 'One', body });
  const { data: comment } = await rest.issues.createComment({ ...hello, issue_number: issue.number, body });
  const { data: release } = await rest.repos.createRelease({ ...hello, tag_name: 'v1', body });
  const of = '/repos/octo/hello';
  const paths = [`issues/${issue.number}`, 'issues', `issues/comments/${comment.id}`, `issues/${issue.number}/comments`, `releases/${release.id}`];
  for (const path of paths) {
    const { data, headers } = await get(`${of}/${path}`, `application/vnd.github.${kind}+json`);
    const shown = (Array.isArray(data) ? data[0] : data) as Record<string, unknown>;
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.keys(shown).filter((key) => key.startsWith('body'))).toEqual(members);
    if (kind === 'full')
      expect(shown).toMatchObject({ body, body_html: expect.stringContaining('<strong>Low</strong> &amp; wet') as string, body_text: 'Low & wet' });
  }
});

test('a draft of a release needs no tag, a published one does', async () => {
  const { rest } = sandbox.client;
  for (const name of ['A', 'B']) expect((await rest.repos.createRelease({ ...hello, tag_name: '', name, draft: true })).data.draft).toBe(true);
  expect((await rejection(rest.repos.createRelease({ ...hello, tag_name: '' })))[0]).toBe(422);
});

test.each([
  'POST /repos/octo/hello/issues',
  'GET /repos/octo/hello/issues',
  'POST /repos/octo/hello/issues/1/comments',
  'GET /repos/octo/hello/issues/comments',
  'PATCH /repos/octo/hello/issues/1',
])('%s returns rendered texts', async (route) => {
  const shown = async (kind: string) => {
    const { data } = await sandbox.client.request(route, {
      title: 'Crash',
      body: 'It **fails**',
      headers: { accept: `application/vnd.github.${kind}+json` },
    });
    const [first] = (Array.isArray(data) ? data.slice(-1) : [data]) as [Record<string, unknown>];
    return [first['body'], first['body_html'], first['body_text']];
  };
  await sandbox.client.rest.issues.create({ ...hello, title: 'Crash', body: 'It **fails**' });
  await sandbox.client.rest.issues.createComment({ ...hello, issue_number: 1, body: 'It **fails**' });
  const html = '<p>It <strong>fails</strong></p>\n';
  expect(await shown('html')).toEqual([undefined, html, undefined]);
  expect(await shown('text')).toEqual([undefined, undefined, 'It fails']);
  expect(await shown('full')).toEqual(['It **fails**', html, 'It fails']);
  expect(await shown('raw')).toEqual(['It **fails**', undefined, undefined]);
});
