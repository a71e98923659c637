import { base64, branchWith, clientOf, hello, rejection, serveHosting } from './served.js';

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

test('a fork is brought up to date with its source, by moving forward or by a merge', async () => {
  const { rest } = sandbox.client;
  await sandbox.control.seed({ resources: { users: [{ id: 'reef', type: 'Organization' }] } });
  await rest.repos.createFork({ ...hello, organization: 'reef' });
  const fork = { owner: 'reef', repo: 'hello' };
  const put = (at: typeof hello, path: string) => rest.repos.createOrUpdateFileContents({ ...at, path, message: path, content: base64(path) });
  const sync = async () => (await rest.repos.mergeUpstream({ ...fork, branch: 'main' })).data;
  expect(await sync()).toMatchObject({ merge_type: 'none', base_branch: 'octo:main' });
  await put(hello, 'a.txt');
  expect(await sync()).toMatchObject({ merge_type: 'fast-forward', base_branch: 'octo:main' });
  await put(hello, 'b.txt');
  await put(fork, 'c.txt');
  expect(await sync()).toMatchObject({ merge_type: 'merge' });
  const { data } = await rest.repos.getContent({ ...fork, path: '' });
  expect((data as { name: string }[]).map(({ name }) => name).sort()).toEqual(['README.md', 'a.txt', 'b.txt', 'c.txt']);
  await expect(rest.repos.mergeUpstream({ ...hello, branch: 'main' })).rejects.toMatchObject({ status: 422 });
  const contributors = await rest.repos.listContributors(fork);
  expect(contributors.data.map(({ login, contributions }) => [login, contributions])).toEqual([['octo', 5]]);
});

describe('a repository with another name or owner', () => {
  const where = async (route: string, body?: object): Promise<unknown> => {
    const { status, headers } = await sandbox.call(route, body);
    return [status, headers.get('location')?.replace(/^\w+:\/\/[^/]*/, '')];
  };

  test('keeps all that is in it, and old addresses lead to it until another repository has the name', async () => {
    const { repos, issues, pulls } = sandbox.client.rest;
    const { data: before } = await repos.get(hello);
    await issues.create({ ...hello, title: 'One' });
    await branchWith(sandbox.client, 'topic', 'a.txt', 'a');
    await pulls.create({ ...hello, head: 'topic', base: 'main', title: 'Two' });
    await issues.createComment({ ...hello, issue_number: 1, body: 'Hm.' });
    const { data: renamed } = await repos.update({ ...hello, name: 'good day' });
    expect(renamed).toMatchObject({ id: before.id, node_id: before.node_id, full_name: 'octo/good-day', name: 'good-day' });
    const moved = { owner: 'octo', repo: 'good-day' };
    expect((await issues.listForRepo(moved)).data.map(({ title, url }) => [title, url.split('/').slice(-4).join('/')])).toEqual([
      ['Two', 'octo/good-day/issues/2'],
      ['One', 'octo/good-day/issues/1'],
    ]);
    expect((await pulls.get({ ...moved, pull_number: 2 })).data.head.repo?.full_name).toBe('octo/good-day');
    expect((await issues.listComments({ ...moved, issue_number: 1 })).data).toHaveLength(1);
    expect((await repos.getContent({ ...moved, path: 'a.txt', ref: 'topic' })).status).toBe(200);
    await pulls.merge({ ...moved, pull_number: 2 });
    // Clients follow, also from the name in another case.
    expect((await issues.get({ ...hello, issue_number: 1 })).data.title).toBe('One');
    expect(await where('GET /repos/octo/Hello/issues/1?x=1')).toEqual([301, '/repos/octo/good-day/issues/1']);
    expect(await where('GET /repos/OCTO/HELLO')).toEqual([301, '/repos/octo/good-day']);
    expect(await where('POST /repos/octo/hello/issues', { title: 'x' })).toEqual([307, '/repos/octo/good-day/issues']);
    await repos.createForAuthenticatedUser({ name: 'hello' });
    expect((await rejection(issues.get({ ...hello, issue_number: 1 })))[0]).toBe(404);
    expect(await rejection(repos.update({ ...hello, name: 'good-day' }))).toEqual([422, 'Validation Failed']);
  });

  test('goes to an organization, with its teams, and comes back', async () => {
    const { repos, actions } = sandbox.client.rest;
    await sandbox.control.seed({ resources: { users: [{ id: 'acme', type: 'Organization' }] } });
    await repos.createWebhook({ ...hello, events: ['repository'], config: { url: receiver.url, content_type: 'json' } });
    await actions.createRepoVariable({ ...hello, name: 'COLOUR', value: 'red' });
    const { status, data } = await repos.transfer({ ...hello, new_owner: 'acme', new_name: 'hi' });
    expect([status, data.full_name, data.owner.login]).toEqual([202, 'octo/hello', 'octo']);
    expect((await actions.getRepoVariable({ owner: 'acme', repo: 'hi', name: 'COLOUR' })).data.value).toBe('red');
    expect(await where('GET /repos/octo/hello')).toEqual([301, '/repos/acme/hi']);
    expect((await rejection(repos.transfer({ owner: 'acme', repo: 'hi', new_owner: 'nobody' })))[0]).toBe(422);
    await sandbox.control.flush();
    const told = receiver.received.map(({ headers, body }) => [headers['x-github-event'], JSON.parse(body) as object] as const);
    expect(told.at(-1)).toMatchObject([
      'repository',
      { action: 'transferred', changes: { owner: { from: { user: { login: 'octo' } } } }, repository: { full_name: 'acme/hi' } },
    ]);
    await repos.transfer({ owner: 'acme', repo: 'hi', new_owner: 'octo', new_name: 'hello' });
    expect((await repos.get(hello)).data.full_name).toBe('octo/hello');
    expect(await where('GET /repos/acme/hi')).toEqual([301, '/repos/octo/hello']);
  });
});
