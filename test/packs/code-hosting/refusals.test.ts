import type { Octokit } from 'octokit';
import { base64, branchWith, hello, rejection, serveHosting } from './served.js';

/** What the vendor rejects, with its statuses and words. */

const sandbox = serveHosting();
const NOWHERE = '1'.repeat(40);
const AWAY = 'https://example.com/hooks';
const entry = (path: string) => ({ path, mode: '100644' as const, type: 'blob' as const, content: 'x' });
const put = (octokit: Octokit, sha?: string) =>
  octokit.rest.repos.createOrUpdateFileContents({
    ...hello,
    path: 'README.md',
    message: 'Edit',
    content: base64('x'),
    sha,
  });

test.each<[name: string, call: (octokit: Octokit) => Promise<unknown>, status: number, words: string]>([
  ['a file without its sha', (octokit) => put(octokit), 422, 'sha'],
  ['a file with another sha', (octokit) => put(octokit, NOWHERE), 409, 'does not match'],
  ['a tree of nothing', ({ rest }) => rest.git.createTree({ ...hello, tree: [] }), 422, 'Invalid tree info'],
  ['a commit of an unknown tree', ({ rest }) => rest.git.createCommit({ ...hello, message: 'x', tree: NOWHERE }), 422, ''],
  ['a ref of an unknown commit', ({ rest }) => rest.git.createRef({ ...hello, ref: 'refs/heads/x', sha: NOWHERE }), 422, ''],
  ['a ref that is not there', ({ rest }) => rest.git.deleteRef({ ...hello, ref: 'heads/x' }), 422, 'Reference does not exist'],
  ['a colour with a sign', ({ rest }) => rest.issues.createLabel({ ...hello, name: 'x', color: '#ff0000' }), 422, ''],
  ['a milestone that is not there', ({ rest }) => rest.issues.create({ ...hello, title: 'x', milestone: 9 }), 422, ''],
  ['an issue for somebody unknown', ({ rest }) => rest.issues.create({ ...hello, title: 'x', assignees: ['nobody-here'] }), 422, 'nobody-here'],
  [
    'an issue that goes to somebody unknown',
    async ({ rest }) => {
      const { data } = await rest.issues.create({ ...hello, title: 'x' });
      return rest.issues.update({ ...hello, issue_number: data.number, assignees: ['nobody-here'] });
    },
    422,
    'nobody-here',
  ],
  ['a path that begins with a slash', ({ rest }) => rest.git.createTree({ ...hello, tree: [entry('/a')] }), 422, 'cannot start with a slash'],
  ['a path that leads out', ({ rest }) => rest.git.createTree({ ...hello, tree: [entry('../a')] }), 422, 'malformed path component'],
  ['a path into git itself', ({ rest }) => rest.git.createTree({ ...hello, tree: [entry('.git/config')] }), 422, 'malformed path component'],
  [
    'a file in git itself',
    ({ rest }) => rest.repos.createOrUpdateFileContents({ ...hello, path: 'a/.git/b', message: 'x', content: base64('x') }),
    422,
    'malformed path component',
  ],
  ['a hook in another form', ({ rest }) => rest.repos.createWebhook({ ...hello, config: { url: AWAY, content_type: 'xml' } }), 422, ''],
  ['a key that is none', ({ rest }) => rest.repos.createDeployKey({ ...hello, title: 'x', key: 'nope' }), 422, 'OpenSSH public key'],
  ['a variable that begins with a digit', ({ rest }) => rest.actions.createRepoVariable({ ...hello, name: '1st', value: 'x' }), 422, 'start with'],
  ['a variable of the vendor', ({ rest }) => rest.actions.createRepoVariable({ ...hello, name: 'GITHUB_X', value: 'x' }), 422, 'GITHUB_'],
  [
    'nine approvals',
    ({ rest }) =>
      rest.repos.updateBranchProtection({
        ...hello,
        branch: 'main',
        required_status_checks: null,
        enforce_admins: null,
        restrictions: null,
        required_pull_request_reviews: { required_approving_review_count: 9 },
      }),
    422,
    'between 0 and 6',
  ],
  ['a hook of another kind', ({ rest }) => rest.repos.createWebhook({ ...hello, name: 'slack', config: { url: AWAY } }), 422, ''],
  ['a hook for no event', ({ rest }) => rest.repos.createWebhook({ ...hello, config: { url: AWAY }, events: ['nope'] }), 422, ''],
  ['a hook that is no web address', ({ rest }) => rest.repos.createWebhook({ ...hello, config: { url: 'ftp://a.b' } }), 422, ''],
  ['a main branch that is not there', ({ rest }) => rest.repos.update({ ...hello, default_branch: 'x' }), 422, 'was not found'],
  [
    'no way to merge',
    ({ rest }) =>
      rest.repos.update({ ...hello, allow_merge_commit: false, allow_squash_merge: false, allow_rebase_merge: false }),
    422,
    'at least one merge strategy',
  ],
  [
    'the owner as a collaborator',
    ({ rest }) => rest.repos.addCollaborator({ ...hello, username: hello.owner }),
    422,
    'cannot be a collaborator',
  ],
  [
    'a status that leads to no web address',
    async ({ rest }) => {
      const { data } = await rest.git.getRef({ ...hello, ref: 'heads/main' });
      await rest.repos.createCommitStatus({ ...hello, sha: data.object.sha, state: 'success', target_url: 'there' });
    },
    422,
    'http(s) scheme',
  ],
  ['a hook without an address', ({ rest }) => rest.repos.createWebhook({ ...hello, config: {} }), 422, ''],
])('%s is rejected', async (_, call, status, words) => {
  // The client's message has those of all errors.
  await expect(call(sandbox.client)).rejects.toMatchObject({ status, message: expect.stringContaining(words) as string });
});

test('two milestones of a repository have different titles', async () => {
  const { issues } = sandbox.client.rest;
  await issues.createMilestone({ ...hello, title: 'One' });
  const { data: two } = await issues.createMilestone({ ...hello, title: 'Two' });
  expect((await rejection(issues.createMilestone({ ...hello, title: 'One' })))[0]).toBe(422);
  const renamed = issues.updateMilestone({ ...hello, milestone_number: two.number, title: 'One' });
  expect((await rejection(renamed))[0]).toBe(422);
  await issues.updateMilestone({ ...hello, milestone_number: two.number, title: 'Two', state: 'closed' });
});

test('a pull request is merged once, as its author saw it, and by others', async () => {
  const { pulls } = sandbox.client.rest;
  await branchWith(sandbox.client, 'dev', 'a.txt', 'A');
  const { data } = await pulls.create({ ...hello, title: 'A', head: 'dev', base: 'main' });
  const at = { ...hello, pull_number: data.number };
  expect(await rejection(pulls.createReview({ ...at, event: 'APPROVE' }))).toMatchObject([422, expect.anything()]);
  expect((await rejection(pulls.merge({ ...at, sha: NOWHERE })))[0]).toBe(409);
  await pulls.merge(at);
  expect((await rejection(pulls.merge(at)))[0]).toBe(405);
  expect((await rejection(pulls.update({ ...at, state: 'open' })))[0]).toBe(422);
});

// Recordings of the vendor have these calls, which its document forbids.
test.each([
  ['GET', '/repos/octo/hello/actions/runs?exclude_pull_requests=1', undefined],
  ['GET', '/repos/octo/hello/milestones?sort=due-on&direction=asc', undefined],
  [
    'PUT',
    '/repos/octo/hello/branches/main/protection',
    {
      required_status_checks: { strict: false, checks: [{ context: 'build' }] },
      enforce_admins: false,
      required_pull_request_reviews: null,
      restrictions: null,
    },
  ],
] as const)('%s %s is accepted, as recorded', async (method, path, body) => {
  expect((await sandbox.client.request(`${method} ${path}`, body)).status).toBe(200);
});
