import { base64, hello, rejection, serveHosting } from './served.js';

/** Names of branches and tags: what git takes, what it does not, and what is protected. */

const sandbox = serveHosting();

async function made(ref: string): Promise<unknown> {
  const { data: main } = await sandbox.client.rest.git.getRef({ ...hello, ref: 'heads/main' });
  return sandbox.client.rest.git.createRef({ ...hello, ref, sha: main.object.sha });
}

test.each(['a-b', 'fix/#12', 'release/1.x+y', 'user/ü', 'dependabot/npm_and_yarn/@types/node-20', 'a@b', 'x{y}', 'v1.0.0', '(a)', "it's", 'a$b', 'A'])(
  'a branch can be called %s',
  async (name) => {
    await made(`refs/heads/${name}`);
    expect((await sandbox.client.rest.repos.getBranch({ ...hello, branch: name })).data.name).toBe(name);
    await sandbox.client.rest.git.deleteRef({ ...hello, ref: `heads/${name}` });
  },
);

test.each([
  'refs/heads/a b', 'refs/heads/a..b', 'refs/heads/a~1', 'refs/heads/a^', 'refs/heads/a:b', 'refs/heads/a?', 'refs/heads/a*', 'refs/heads/a[b',
  'refs/heads/a\\b', 'refs/heads/end.lock', 'refs/heads/a.lock/b', 'refs/heads//x', 'refs/heads/x/', 'refs/heads/x//y', 'refs/heads/.x',
  'refs/heads/a/.b', 'refs/heads/end.', 'refs/heads/a@{b', 'refs/heads/@', 'refs/heads/HEAD', 'refs/heads/-x', 'refs/heads/a\tb', 'refs/heads/a\u007fb',
  `refs/heads/${'0'.repeat(40)}`, `refs/heads/${'x'.repeat(300)}`, 'refs/tags/v 1', 'refs/tags/v1..2', 'refs/heads/', 'refs/heads', 'heads/x', 'x',
])('%j is no name of a ref', async (ref) => {
  expect((await rejection(made(ref)))[0]).toBe(422);
});

test('a branch is no folder of branches', async () => {
  await made('refs/heads/foo');
  await made('refs/heads/deep/er');
  for (const ref of ['refs/heads/foo/bar', 'refs/heads/foo/bar/baz', 'refs/heads/deep']) expect((await rejection(made(ref)))[0]).toBe(422);
  await made('refs/tags/foo');
});

test('the default branch and protected ones stay', async () => {
  const { rest } = sandbox.client;
  expect(await rejection(rest.git.deleteRef({ ...hello, ref: 'heads/main' }))).toEqual([422, 'Cannot delete the default branch']);
  const { data: first } = await rest.git.getRef({ ...hello, ref: 'heads/main' });
  await made('refs/heads/kept');
  await rest.repos.createOrUpdateFileContents({ ...hello, path: 'x', message: 'x', content: base64('x'), branch: 'kept' });
  const rules = { required_status_checks: null, enforce_admins: null, required_pull_request_reviews: null, restrictions: null };
  await rest.repos.updateBranchProtection({ ...hello, branch: 'kept', ...rules });
  expect((await rejection(rest.git.deleteRef({ ...hello, ref: 'heads/kept' })))[0]).toBe(422);
  const back = { ...hello, ref: 'heads/kept', sha: first.object.sha, force: true };
  expect((await rejection(rest.git.updateRef(back)))[0]).toBe(422);
  await rest.repos.updateBranchProtection({ ...hello, branch: 'kept', ...rules, allow_force_pushes: true, allow_deletions: true });
  await rest.git.updateRef(back);
  await rest.git.deleteRef({ ...hello, ref: 'heads/kept' });
});
