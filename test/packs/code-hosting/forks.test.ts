import { base64, clientOf, hello, rejection, serveHosting } from './served.js';

/** Forks, and pull requests from them. */

const sandbox = serveHosting();
const { receiver } = sandbox;
const fork = { owner: 'mona', repo: 'hello' };

async function forked() {
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'mona' }, { id: 'kim' }],
      access_tokens: [{ id: 'one', token: 'ghp_monas', user_login: 'mona', scope: ['repo', 'delete_repo'] }],
    },
  });
  const mona = clientOf(sandbox, 'ghp_monas');
  return { mona, made: await mona.rest.repos.createFork(hello) };
}

test('a fork has the commits of its source, belongs to who asked, and is told to webhooks', async () => {
  const { rest } = sandbox.client;
  await rest.repos.createWebhook({ ...hello, events: ['fork'], config: { url: receiver.url, content_type: 'json' } });
  const { mona, made } = await forked();
  expect([made.status, made.data.full_name, made.data.fork]).toEqual([202, 'mona/hello', true]);
  expect((await rest.repos.get(fork)).data).toMatchObject({ parent: { full_name: 'octo/hello' }, source: { full_name: 'octo/hello' } });
  const tips = [hello, fork].map(async (at) => (await rest.repos.getCommit({ ...at, ref: 'main' })).data.sha);
  const [ours, theirs] = await Promise.all(tips);
  expect(theirs).toBe(ours);
  expect((await mona.rest.repos.getContent({ ...fork, path: 'README.md' })).data).toMatchObject({ path: 'README.md' });
  expect((await rest.repos.listForks(hello)).data.map((each) => each.full_name)).toEqual(['mona/hello']);
  expect((await rest.repos.get(hello)).data.forks_count).toBe(1);
  expect((await mona.rest.repos.createFork(hello)).data.full_name).toBe('mona/hello');
  expect(await rejection(rest.repos.createFork(hello))).toEqual([422, 'Repository creation failed.']);
  await sandbox.control.flush();
  const told = receiver.received.map(({ headers, body }) => [headers['x-github-event'], JSON.parse(body) as object] as const);
  expect(told[1]).toMatchObject(['fork', { forkee: { full_name: 'mona/hello' }, repository: { full_name: 'octo/hello' } }]);
  await mona.rest.repos.delete(fork);
  expect((await rest.repos.get(hello)).data.forks_count).toBe(0);
});

test('a pull request from a fork follows its branch, is brought up to date there, and merges', async () => {
  const { rest } = sandbox.client;
  const { mona } = await forked();
  const file = { ...fork, message: 'Low', path: 'low.txt', content: base64('low') };
  const { data: first } = await mona.rest.repos.createOrUpdateFileContents(file);
  const ask = { ...hello, title: 'Low water', base: 'main' };
  const { data: pull } = await mona.rest.pulls.create({ ...ask, head: 'mona:main' });
  expect(pull).toMatchObject({ commits: 1, changed_files: 1, head: { label: 'mona:main', sha: first.commit.sha, repo: { full_name: 'mona/hello' } } });
  expect(await rejection(mona.rest.pulls.create({ ...ask, head: 'mona:main' }))).toEqual([422, 'Validation Failed']);
  expect(await rejection(mona.rest.pulls.create({ ...ask, head: 'kim:main' }))).toEqual([422, 'Validation Failed']);
  const { data: second } = await mona.rest.repos.createOrUpdateFileContents({ ...file, path: 'lower.txt' });
  const its = { ...hello, pull_number: pull.number };
  expect((await rest.pulls.get(its)).data.head.sha).toBe(second.commit.sha);
  expect((await rest.pulls.listFiles(its)).data.map(({ filename }) => filename)).toEqual(['low.txt', 'lower.txt']);
  await rest.repos.createOrUpdateFileContents({ ...hello, path: 'high.txt', message: 'High', content: base64('high') });
  expect((await rest.pulls.get(its)).data.state).toBe('open');
  await rest.pulls.updateBranch(its);
  await sandbox.control.advance('10s');
  expect((await mona.rest.repos.getContent({ ...fork, path: 'high.txt' })).data).toMatchObject({ path: 'high.txt' });
  expect(await rejection(mona.rest.pulls.merge(its))).toEqual([403, 'Must have push access to repository']);
  await rest.pulls.merge(its);
  const { data: merged } = await rest.repos.getCommit({ ...hello, ref: 'main' });
  expect(merged.commit.message).toMatch(/^Merge pull request #1 from mona\/main/);
  expect((await rest.repos.getContent({ ...hello, path: 'lower.txt' })).data).toMatchObject({ path: 'lower.txt' });
  await mona.rest.repos.delete(fork);
  expect((await rest.pulls.get(its)).data).toMatchObject({ merged: true, head: { repo: null } });
});
