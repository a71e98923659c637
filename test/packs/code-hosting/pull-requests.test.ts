import { base64, branchWith, hello, rejection, serveHosting } from './served.js';

/** The life of a pull request: mergeability, reviews, checks, merges, and what webhooks say of it. */

const sandbox = serveHosting();

async function opened(branch = 'topic', path = 'new.txt'): Promise<number> {
  await branchWith(sandbox.client, branch, path, `of ${branch}\n`);
  const { data } = await sandbox.client.rest.pulls.create({ ...hello, title: 'Add it', head: branch, base: 'main' });
  return data.number;
}

test('whether it can be merged is known a moment later', async () => {
  const pull_number = await opened();
  expect((await sandbox.client.rest.pulls.get({ ...hello, pull_number })).data).toMatchObject({
    mergeable: null,
    mergeable_state: 'unknown',
    commits: 1,
    additions: 1,
    changed_files: 1,
  });
  await sandbox.control.advance({ duration: '2s' });
  expect((await sandbox.client.rest.pulls.get({ ...hello, pull_number })).data).toMatchObject({
    mergeable: true,
    mergeable_state: 'clean',
  });
});

test('two branches that change one file conflict once the first is merged', async () => {
  const first = await opened('one', 'same.txt');
  const second = await opened('two', 'same.txt');
  const { data } = await sandbox.client.rest.pulls.merge({ ...hello, pull_number: first });
  expect(data).toMatchObject({ merged: true });
  await sandbox.control.advance({ duration: '2s' });
  const { data: after } = await sandbox.client.rest.pulls.get({ ...hello, pull_number: second });
  expect([after.mergeable, after.mergeable_state]).toEqual([false, 'dirty']);
  expect(await rejection(sandbox.client.rest.pulls.merge({ ...hello, pull_number: second }))).toEqual([
    405,
    'Pull Request is not mergeable',
  ]);
});

test.each(['merge', 'squash', 'rebase'] as const)('a merge by %s moves the base and closes what it fixes', async (merge_method) => {
  const { data: issue } = await sandbox.client.rest.issues.create({ ...hello, title: 'Broken' });
  await branchWith(sandbox.client, 'topic', 'new.txt', 'new\n');
  const { data: pull } = await sandbox.client.rest.pulls.create({
    ...hello,
    title: 'Mend',
    body: `Fixes #${issue.number}`,
    head: 'topic',
    base: 'main',
  });
  const { data: merged } = await sandbox.client.rest.pulls.merge({ ...hello, pull_number: pull.number, merge_method });
  const { data: main } = await sandbox.client.rest.git.getRef({ ...hello, ref: 'heads/main' });
  expect(main.object.sha).toBe(merged.sha);
  const { data: tip } = await sandbox.client.rest.git.getCommit({ ...hello, commit_sha: merged.sha });
  expect(tip.parents).toHaveLength(merge_method === 'merge' ? 2 : 1);
  expect((await sandbox.client.rest.issues.get({ ...hello, issue_number: issue.number })).data.state).toBe('closed');
  expect((await sandbox.client.rest.repos.getContent({ ...hello, path: 'new.txt' })).data).toMatchObject({ type: 'file' });
  expect((await sandbox.client.rest.pulls.get({ ...hello, pull_number: pull.number })).data).toMatchObject({
    state: 'closed',
    merged: true,
    merged_by: { login: 'octo' },
  });
});

test('a protected branch wants an approval and a green check', async () => {
  const pull_number = await opened();
  const { data: pull } = await sandbox.client.rest.pulls.get({ ...hello, pull_number });
  await sandbox.client.rest.repos.updateBranchProtection({
    ...hello,
    branch: 'main',
    required_status_checks: { strict: false, contexts: ['ci'] },
    enforce_admins: true,
    required_pull_request_reviews: { required_approving_review_count: 1 },
    restrictions: null,
  });
  const merge = { ...hello, pull_number };
  expect(await rejection(sandbox.client.rest.pulls.merge(merge))).toEqual([
    405,
    'At least 1 approving review is required by reviewers with write access.',
  ]);
  expect(await rejection(sandbox.client.rest.pulls.createReview({ ...merge, event: 'APPROVE' }))).toEqual([
    422,
    'Unprocessable Entity',
  ]);
  await sandbox.control.event('review.submitted', { pull: `octo/hello/${pull_number}`, login: 'mona' });
  expect(await rejection(sandbox.client.rest.pulls.merge(merge))).toEqual([405, 'Required status check "ci" is expected.']);
  const { data: check } = await sandbox.client.rest.checks.create({ ...hello, name: 'ci', head_sha: pull.head.sha });
  await sandbox.control.event('check_run.completed', { check_run: String(check.id) });
  expect((await sandbox.client.rest.pulls.merge(merge)).data.merged).toBe(true);
});

test('a workflow runs on a push, with its job and its check', async () => {
  const workflow = 'name: CI\non: [push, workflow_dispatch]\njobs:\n  test:\n    runs-on: ubuntu-latest\n';
  await sandbox.client.rest.repos.createOrUpdateFileContents({
    ...hello,
    path: '.github/workflows/ci.yml',
    message: 'CI',
    content: base64(workflow),
  });
  const { data: queued } = await sandbox.client.rest.actions.listWorkflowRunsForRepo(hello);
  expect(queued.workflow_runs).toMatchObject([{ name: 'CI', event: 'push', status: 'queued', conclusion: null }]);
  await sandbox.control.advance({ duration: '5s' });
  const run_id = queued.workflow_runs[0].id;
  expect((await sandbox.client.rest.actions.getWorkflowRun({ ...hello, run_id })).data.status).toBe('in_progress');
  await sandbox.control.advance({ duration: '60s' });
  expect((await sandbox.client.rest.actions.getWorkflowRun({ ...hello, run_id })).data.conclusion).toBe('success');
  const { data: jobs } = await sandbox.client.rest.actions.listJobsForWorkflowRun({ ...hello, run_id });
  expect(jobs.jobs).toMatchObject([{ name: 'test', status: 'completed', conclusion: 'success' }]);
  const { data: checks } = await sandbox.client.rest.checks.listForRef({ ...hello, ref: 'main' });
  expect(checks.check_runs).toMatchObject([{ name: 'test', conclusion: 'success' }]);
  expect(await rejection(sandbox.client.rest.actions.cancelWorkflowRun({ ...hello, run_id }))).toEqual([
    409,
    'Cannot cancel a workflow run that is completed.',
  ]);
});
