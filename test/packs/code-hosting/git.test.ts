import { get } from 'node:http';
import { createHash } from 'node:crypto';
import { base64, branchWith, hello, rejection, serveHosting } from './served.js';

/** Files, trees, commits and references, through the vendor's own client. */

const sandbox = serveHosting();

test('blobs, also of bytes that are no text, have the sha that git computes', async () => {
  for (const bytes of [Buffer.from('hello\n'), Buffer.from('é'), Buffer.from([0, 255, 254, 10])]) {
    const { data } = await sandbox.client.rest.git.createBlob({
      ...hello,
      content: bytes.toString('base64'),
      encoding: 'base64',
    });
    const sha = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    expect(data.sha).toBe(sha);
    const { data: read } = await sandbox.client.rest.git.getBlob({ ...hello, file_sha: sha });
    expect(Buffer.from(read.content, 'base64')).toEqual(bytes);
    expect(read.size).toBe(bytes.length);
  }
});

test('what is no base64 is rejected, a reference to bytes of others too', async () => {
  const sha = createHash('sha256').update('hello').digest('hex');
  for (const content of ['no base64!', `sha256:${sha}:100`, `sha256:${sha}:100:0123456789abcdef`]) {
    const blob = sandbox.client.rest.git.createBlob({ ...hello, content, encoding: 'base64' });
    expect((await rejection(blob))[0]).toBe(422);
    const file = sandbox.client.rest.repos.createOrUpdateFileContents({ ...hello, path: 'x', message: 'm', content });
    expect((await rejection(file))[0]).toBe(422);
  }
});

test('trees of nested folders and commits have the sha that git computes', async () => {
  const tree = await sandbox.client.rest.git.createTree({
    ...hello,
    tree: [
      { path: 'b.txt', mode: '100644', type: 'blob', content: 'hello\n' },
      { path: 'a/x.txt', mode: '100644', type: 'blob', content: 'hello\n' },
    ],
  });
  const blob = Buffer.from('ce013625030ba8dba906f756967f9e9ca394464a', 'hex');
  const shaOf = (kind: string, content: Buffer): string =>
    createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex');
  const inner = shaOf('tree', Buffer.concat([Buffer.from('100644 x.txt\0'), blob]));
  const root = Buffer.concat([
    Buffer.from('40000 a\0'),
    Buffer.from(inner, 'hex'),
    Buffer.from('100644 b.txt\0'),
    blob,
  ]);
  expect(tree.data.sha).toBe(shaOf('tree', root));
  const author = { name: 'Mona', email: 'mona@example.com', date: '2025-01-01T00:00:00Z' };
  const commit = await sandbox.client.rest.git.createCommit({ ...hello, message: 'First', tree: tree.data.sha, author });
  const who = 'Mona <mona@example.com> 1735689600 +0000';
  const text = `tree ${tree.data.sha}\nauthor ${who}\ncommitter ${who}\n\nFirst`;
  expect(commit.data.sha).toBe(shaOf('commit', Buffer.from(text)));
  const whole = await sandbox.client.rest.git.getTree({ ...hello, tree_sha: commit.data.sha, recursive: '1' });
  expect(whole.data.tree.map((each) => each.path)).toEqual(['a', 'a/x.txt', 'b.txt']);
  const [folder] = whole.data.tree;
  const inside = await sandbox.client.rest.git.getTree({ ...hello, tree_sha: String(folder.sha) });
  expect(inside.data.tree.map((each) => each.path)).toEqual(['x.txt']);
  expect(folder.url).toBe(inside.data.url);
  const nameless = sandbox.client.rest.git.createTree({ ...hello, tree: [{}, { content: 'a' }] });
  expect((await rejection(nameless))[0]).toBe(422);
});

test('files are written, read, listed, changed with their sha, and removed', async () => {
  const made = await sandbox.client.rest.repos.createOrUpdateFileContents({
    ...hello,
    path: 'docs/a.md',
    message: 'Add',
    content: base64('one\n'),
  });
  expect(made.status).toBe(201);
  const sha = String(made.data.content?.sha);
  const again = { ...hello, path: 'docs/a.md', message: 'Change', content: base64('two\n') };
  expect(await rejection(sandbox.client.rest.repos.createOrUpdateFileContents({ ...again, sha: 'f'.repeat(40) }))).toEqual([
    409,
    `docs/a.md does not match ${'f'.repeat(40)}`,
  ]);
  const changed = await sandbox.client.rest.repos.createOrUpdateFileContents({ ...again, sha });
  expect(changed.status).toBe(200);
  const { data } = await sandbox.client.rest.repos.getContent({ ...hello, path: 'docs/a.md' });
  expect(data).toMatchObject({ type: 'file', encoding: 'base64', content: `${base64('two\n')}\n` });
  const { data: folder } = await sandbox.client.rest.repos.getContent({ ...hello, path: 'docs' });
  expect(folder).toMatchObject([{ name: 'a.md', type: 'file' }]);
  const { data: commits } = await sandbox.client.rest.repos.listCommits(hello);
  expect(commits.map((each) => each.commit.message).sort()).toEqual(['Add', 'Change', 'Initial commit']);
  await sandbox.client.rest.repos.deleteFile({ ...again, sha: String(changed.data.content?.sha) });
  expect((await rejection(sandbox.client.rest.repos.getContent({ ...hello, path: 'docs/a.md' })))[0]).toBe(404);
});

test('references move forward only, unless forced', async () => {
  const sha = await branchWith(sandbox.client, 'topic', 'new.txt', 'new\n');
  const { data: main } = await sandbox.client.rest.git.getRef({ ...hello, ref: 'heads/main' });
  const move = { ...hello, ref: 'heads/topic', sha: main.object.sha };
  expect(await rejection(sandbox.client.rest.git.updateRef(move))).toEqual([422, 'Update is not a fast forward']);
  expect((await sandbox.client.rest.git.updateRef({ ...move, force: true })).data.object.sha).toBe(main.object.sha);
  await sandbox.client.rest.git.updateRef({ ...hello, ref: 'heads/main', sha });
  const { data } = await sandbox.client.rest.repos.compareCommitsWithBasehead({ ...hello, basehead: 'topic...main' });
  expect(data).toMatchObject({ status: 'ahead', ahead_by: 1, behind_by: 0, files: [{ filename: 'new.txt' }] });
  await sandbox.client.rest.git.deleteRef({ ...hello, ref: 'heads/topic' });
  expect((await rejection(sandbox.client.rest.git.getRef({ ...hello, ref: 'heads/topic' })))[0]).toBe(404);
});

test('a call through a proxy, which names the whole address, gets links that lead back', async () => {
  for (const title of ['First', 'Second']) await sandbox.client.rest.issues.create({ ...hello, title });
  const link = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(String(sandbox.url));
    const path = 'http://api.github.localhost/repos/octo/hello/issues?per_page=1';
    const headers = { authorization: `Bearer ${sandbox.key}`, host: 'api.github.localhost' };
    get({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve(String(response.headers.link));
    }).on('error', reject);
  });
  expect(link).toContain('/repos/octo/hello/issues?per_page=1&page=2>; rel="next"');
  expect(link).not.toContain('http//');
});

test('code is searched on default branches, and things are found by the number that they show', async () => {
  const { rest, request } = sandbox.client;
  await branchWith(sandbox.client, 'draft', 'hidden.md', 'Low tide\n');
  const write = (path: string, text: string) =>
    rest.repos.createOrUpdateFileContents({ ...hello, path, message: path, content: base64(text) });
  await write('docs/tide.md', 'High Tide at noon\n');
  await write('src/tide.js', 'export const at = 12;\n');
  const search = async (q: string, more = {}) => (await rest.search.code({ q, ...more })).data;
  const paths = async (q: string) => (await search(q)).items.map((each) => each.path);
  expect(await paths('tide')).toEqual(['docs/tide.md', 'src/tide.js']);
  expect(await paths('high tide repo:octo/hello')).toEqual(['docs/tide.md']);
  expect(await paths('tide path:src')).toEqual(['src/tide.js']);
  expect(await paths('extension:md user:octo')).toEqual(['README.md', 'docs/tide.md']);
  expect((await rejection(rest.search.code({ q: 'tide repo:octo/other' })))[0]).toBe(422);
  expect(await search('tide', { per_page: 1, page: 2 })).toMatchObject({
    total_count: 2,
    items: [{ name: 'tide.js', repository: { full_name: 'octo/hello' } }],
  });
  const { data: home } = await rest.repos.get(hello);
  expect((await request('GET /repositories/{id}', { id: home.id })).data).toMatchObject({ full_name: 'octo/hello' });
  expect((await rest.users.getById({ account_id: home.owner.id })).data.login).toBe('octo');
  expect(await rejection(request('GET /repositories/{id}', { id: 1 }))).toEqual([404, 'Not Found']);
  expect(await rejection(request('GET /organizations/{id}', { id: home.owner.id }))).toEqual([404, 'Not Found']);
});

test('an empty repository, and names that lead to no commit', async () => {
  const { rest } = sandbox.client;
  await rest.repos.createForAuthenticatedUser({ name: 'empty' });
  const empty = { owner: 'octo', repo: 'empty' };
  expect(await rejection(rest.repos.listCommits(empty))).toEqual([409, 'Git Repository is empty.']);
  expect(await rejection(rest.repos.getContent({ ...empty, path: 'a' }))).toEqual([404, 'This repository is empty.']);
  expect((await rejection(rest.repos.listCommits({ ...hello, sha: 'nowhere' })))[0]).toBe(404);
  expect(await rejection(rest.repos.getContent({ ...hello, path: 'README.md', ref: 'nowhere' }))).toEqual([404, 'No commit found for the ref nowhere']);
});
