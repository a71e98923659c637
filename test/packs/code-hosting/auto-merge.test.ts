import { branchWith, hello, rejection, serveHosting } from './served.js';

/** Pull requests that merge by themselves, requests for reviews by GraphQL, and webhooks of labels and deleted issues. */

const sandbox = serveHosting();
const { receiver } = sandbox;

const ENABLE = `mutation($input: EnablePullRequestAutoMergeInput!) {
  enablePullRequestAutoMerge(input: $input) { pullRequest { autoMergeRequest { mergeMethod enabledBy { login } } } }
}`;
const DISABLE = `mutation($id: ID!) {
  disablePullRequestAutoMerge(input: { pullRequestId: $id }) { pullRequest { autoMergeRequest { mergeMethod } } }
}`;
const REQUEST = 'mutation($input: RequestReviewsInput!) { requestReviews(input: $input) { pullRequest { number } } }';

/** A pull request to a branch that asks for a review and a check. */
async function guarded(): Promise<Readonly<{ id: string; number: number; sha: string }>> {
  const { rest } = sandbox.client;
  await rest.repos.update({ ...hello, allow_auto_merge: true });
  await rest.repos.updateBranchProtection({
    ...hello,
    branch: 'main',
    required_status_checks: { strict: false, contexts: ['ci'] },
    enforce_admins: false,
    required_pull_request_reviews: { required_approving_review_count: 1 },
    restrictions: null,
  });
  const sha = await branchWith(sandbox.client, 'topic', 'a.txt', 'a');
  const { data } = await rest.pulls.create({ ...hello, title: 'Topic', head: 'topic', base: 'main' });
  await sandbox.control.advance('5s');
  return { id: data.node_id, number: data.number, sha };
}

async function told(): Promise<string[]> {
  await sandbox.control.flush();
  return receiver.received.map(({ headers, body }) => {
    const { action } = JSON.parse(body) as { action?: string };
    return [headers['x-github-event'], action].filter((each) => each !== undefined).join('.');
  });
}

test('a pull request merges by itself when the last of review and check is there, for the person who asked', async () => {
  const { rest, graphql } = sandbox.client;
  await rest.repos.createWebhook({ ...hello, events: ['pull_request'], config: { url: receiver.url, content_type: 'json' } });
  const { id, number, sha } = await guarded();
  const input = { pullRequestId: id, mergeMethod: 'SQUASH', commitHeadline: 'Topic, whole' };
  expect(await graphql(ENABLE, { input })).toEqual({
    enablePullRequestAutoMerge: { pullRequest: { autoMergeRequest: { mergeMethod: 'SQUASH', enabledBy: { login: 'octo' } } } },
  });
  const its = { ...hello, pull_number: number };
  expect((await rest.pulls.get(its)).data.auto_merge).toMatchObject({
    enabled_by: { login: 'octo' },
    merge_method: 'squash',
    commit_title: 'Topic, whole',
  });
  await rest.repos.createCommitStatus({ ...hello, sha, state: 'success', context: 'ci' });
  await sandbox.control.advance('5s');
  expect((await rest.pulls.get(its)).data).toMatchObject({ state: 'open', merged: false, mergeable_state: 'blocked' });
  await sandbox.control.event('review.submitted', { pull: `octo/hello/${String(number)}`, login: 'mona' });
  await sandbox.control.advance('5s');
  expect((await rest.pulls.get(its)).data).toMatchObject({ state: 'closed', merged: true, merged_by: { login: 'octo' } });
  const { data: tip } = await rest.repos.getCommit({ ...hello, ref: 'main' });
  expect(tip.commit.message.split('\n')[0]).toBe('Topic, whole');
  expect(await told()).toEqual(expect.arrayContaining(['pull_request.auto_merge_enabled', 'pull_request.closed']));
  expect(await told()).not.toContain('pull_request.auto_merge_disabled');
});

test('a check that completes merges too; a pull request that asks no more stays open', async () => {
  const { rest, graphql } = sandbox.client;
  const { id, number, sha } = await guarded();
  const its = { ...hello, pull_number: number };
  await sandbox.control.event('review.submitted', { pull: `octo/hello/${String(number)}`, login: 'mona' });
  await graphql(ENABLE, { input: { pullRequestId: id } });
  expect(await graphql(DISABLE, { id })).toEqual({ disablePullRequestAutoMerge: { pullRequest: { autoMergeRequest: null } } });
  const { data: check } = await rest.checks.create({ ...hello, name: 'ci', head_sha: sha, status: 'in_progress' });
  const done = { ...hello, check_run_id: check.id, conclusion: 'success' } as const;
  await rest.checks.update(done);
  await sandbox.control.advance('5s');
  expect((await rest.pulls.get(its)).data).toMatchObject({ state: 'open', auto_merge: null, mergeable_state: 'clean' });
  await expect(graphql(ENABLE, { input: { pullRequestId: id } })).rejects.toThrow('Pull request is in clean status');
  await rest.checks.update({ ...hello, check_run_id: check.id, status: 'in_progress' });
  await graphql(ENABLE, { input: { pullRequestId: id } });
  await rest.checks.update(done);
  await sandbox.control.advance('5s');
  expect((await rest.pulls.get(its)).data).toMatchObject({ merged: true, auto_merge: { merge_method: 'merge' } });
});

test('auto-merge is for repositories that allow it, and closing ends it', async () => {
  const { rest, graphql } = sandbox.client;
  const { id, number } = await guarded();
  await rest.repos.createWebhook({ ...hello, events: ['pull_request'], config: { url: receiver.url, content_type: 'json' } });
  await rest.repos.update({ ...hello, allow_auto_merge: false });
  const enable = graphql(ENABLE, { input: { pullRequestId: id } });
  await expect(enable).rejects.toThrow('Auto merge is not allowed for this repository');
  await rest.repos.update({ ...hello, allow_auto_merge: true });
  await graphql(ENABLE, { input: { pullRequestId: id } });
  const { data } = await rest.pulls.update({ ...hello, pull_number: number, state: 'closed' });
  expect(data).toMatchObject({ state: 'closed', auto_merge: null });
  expect(await told()).toEqual(['ping', 'pull_request.auto_merge_enabled', 'pull_request.auto_merge_disabled', 'pull_request.closed']);
});

test('requests for reviews by GraphQL replace those there are, unless they are added', async () => {
  await sandbox.control.seed({ resources: { users: [{ id: 'mona' }, { id: 'kim' }] } });
  const { rest, graphql } = sandbox.client;
  const { id, number } = await guarded();
  await rest.repos.createWebhook({ ...hello, events: ['pull_request'], config: { url: receiver.url, content_type: 'json' } });
  const ids: Record<string, string> = {};
  for (const username of ['mona', 'kim']) ids[username] = (await rest.users.getByUsername({ username })).data.node_id;
  const asked = async () => {
    const { data } = await rest.pulls.listRequestedReviewers({ ...hello, pull_number: number });
    return data.users.map(({ login }) => login);
  };
  await graphql(REQUEST, { input: { pullRequestId: id, userIds: [ids.mona], union: true } });
  await graphql(REQUEST, { input: { pullRequestId: id, userIds: [ids.kim], union: true } });
  expect(await asked()).toEqual(['mona', 'kim']);
  await graphql(REQUEST, { input: { pullRequestId: id, userIds: [ids.kim] } });
  expect(await asked()).toEqual(['kim']);
  await rest.pulls.removeRequestedReviewers({ ...hello, pull_number: number, reviewers: ['kim'] });
  expect(await asked()).toEqual([]);
  const [one, two, three, four] = (await told()).slice(1);
  expect([one, two, three, four]).toEqual([
    'pull_request.review_requested',
    'pull_request.review_requested',
    'pull_request.review_request_removed',
    'pull_request.review_request_removed',
  ]);
});

test('labels that are made, changed and deleted, and deleted issues, are told to webhooks', async () => {
  const { rest, graphql } = sandbox.client;
  const events = ['label', 'issues', 'pull_request'];
  await rest.repos.createWebhook({ ...hello, events, config: { url: receiver.url, content_type: 'json' } });
  await rest.issues.createLabel({ ...hello, name: 'tide', color: 'ff0000' });
  await rest.issues.updateLabel({ ...hello, name: 'tide', new_name: 'water', color: '00ff00' });
  const { data: issue } = await rest.issues.create({ ...hello, title: 'Low', labels: ['water', 'new'] });
  await rest.issues.deleteLabel({ ...hello, name: 'water' });
  expect((await rest.issues.get({ ...hello, issue_number: 1 })).data.labels).toMatchObject([{ name: 'new' }]);
  await graphql('mutation($id: ID!) { deleteIssue(input: { issueId: $id }) { clientMutationId } }', { id: issue.node_id });
  expect(await rejection(rest.issues.get({ ...hello, issue_number: 1 }))).toEqual([404, 'Not Found']);
  expect((await told()).slice(1)).toEqual([
    'label.created',
    'label.edited',
    'issues.opened',
    'issues.labeled',
    'label.created',
    'issues.labeled',
    'label.deleted',
    'issues.deleted',
  ]);
  const edited = JSON.parse(receiver.received[2].body) as unknown;
  expect(edited).toMatchObject({ label: { name: 'water', color: '00ff00' }, changes: { name: { from: 'tide' }, color: { from: 'ff0000' } } });
});
