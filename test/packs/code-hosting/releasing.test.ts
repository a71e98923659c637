import { branchWith, clientOf, hello, rejection, serveHosting } from './served.js';

/** Deployments, secrets, variables, releases' files, what happened to issues, and parts of the rules of a branch. */

const sandbox = serveHosting();

test('a deployment waits for checks, gets states, and a later success makes it inactive', async () => {
  const { rest } = sandbox.client;
  const { data: main } = await rest.git.getRef({ ...hello, ref: 'heads/main' });
  const status = { ...hello, sha: main.object.sha, context: 'ci' };
  await rest.repos.createCommitStatus({ ...status, state: 'failure' });
  const staging = { ...hello, ref: 'main', environment: 'staging' };
  expect(await rejection(rest.repos.createDeployment(staging))).toEqual([
    409,
    'Conflict: Commit status checks failed for main.',
  ]);
  await rest.repos.createCommitStatus({ ...status, state: 'success' });
  const deployments: number[] = [];
  for (let count = 0; count < 2; count++) {
    const { data } = await rest.repos.createDeployment(staging);
    deployments.push((data as { id: number }).id);
    await rest.repos.createDeploymentStatus({ ...hello, deployment_id: deployments[count], state: 'success' });
  }
  const states = await Promise.all(
    deployments.map(async (deployment_id) => {
      const { data } = await rest.repos.listDeploymentStatuses({ ...hello, deployment_id });
      return data.map(({ state }) => state).sort();
    }),
  );
  expect(states).toEqual([['inactive', 'success'], ['success']]);
  expect(await rejection(rest.repos.deleteDeployment({ ...hello, deployment_id: deployments[1] }))).toEqual([
    422,
    'We cannot delete an active deployment unless it is the only deployment in a given repository.',
  ]);
  await rest.repos.deleteDeployment({ ...hello, deployment_id: deployments[0] });
  expect((await rest.repos.getAllEnvironments(hello)).data.environments?.map(({ name }) => name)).toEqual(['staging']);
});

test('secrets and variables belong to a repository, an environment or an organization, and values of secrets do not read back', async () => {
  const { rest } = sandbox.client;
  const sealed = { key_id: '568250167242549743', encrypted_value: 'c2VhbGVk' };
  await rest.repos.createOrUpdateEnvironment({ ...hello, environment_name: 'prod' });
  await rest.actions.createOrUpdateRepoSecret({ ...hello, secret_name: 'token', ...sealed });
  await rest.actions.createOrUpdateEnvironmentSecret({
    ...hello,
    environment_name: 'prod',
    secret_name: 'OTHER',
    ...sealed,
  });
  const again = await rest.actions.createOrUpdateRepoSecret({ ...hello, secret_name: 'TOKEN', ...sealed });
  expect(again.status).toBe(204);
  const { data } = await rest.actions.listRepoSecrets(hello);
  expect(data).toEqual({
    total_count: 1,
    secrets: [{ name: 'TOKEN', created_at: expect.any(String), updated_at: expect.any(String) }],
  });
  const prod = await rest.actions.listEnvironmentSecrets({ ...hello, environment_name: 'prod' });
  expect(prod.data.secrets.map(({ name }) => name)).toEqual(['OTHER']);
  expect(await rejection(rest.actions.listEnvironmentSecrets({ ...hello, environment_name: 'none' }))).toEqual([
    404,
    'Not Found',
  ]);
  await rest.actions.createRepoVariable({ ...hello, name: 'level', value: 'low' });
  await rest.actions.updateRepoVariable({ ...hello, name: 'LEVEL', value: 'high' });
  expect((await rest.actions.getRepoVariable({ ...hello, name: 'LEVEL' })).data.value).toBe('high');
  expect(await rejection(rest.actions.createRepoVariable({ ...hello, name: 'LEVEL', value: 'x' }))).toEqual([
    409,
    'Already exists - Variable already exists',
  ]);
  await sandbox.control.seed({
    resources: { users: [{ id: 'mona' }], access_tokens: [{ id: 'one', token: 'ghp_monas', user_login: 'mona' }] },
  });
  const mona = clientOf(sandbox, 'ghp_monas').rest;
  expect(await rejection(mona.actions.listRepoSecrets(hello))).toEqual([403, 'Must have push access to repository']);
});

test('a file of a release is uploaded, listed and read as bytes', async () => {
  const { rest } = sandbox.client;
  const { data: release } = await rest.repos.createRelease({ ...hello, tag_name: 'v1' });
  const upload = { ...hello, release_id: release.id, name: 'notes.txt', baseUrl: String(sandbox.url) };
  const asset = (await rest.repos.uploadReleaseAsset({ ...upload, data: 'tides' })).data;
  expect(asset).toMatchObject({ state: 'uploaded', size: 5, name: 'notes.txt' });
  expect((await rejection(rest.repos.uploadReleaseAsset({ ...upload, data: 'tides' })))[0]).toBe(422);
  const bytes = await fetch(asset.url, {
    headers: { accept: 'application/octet-stream', authorization: `Bearer ${sandbox.key}` },
  });
  expect(await bytes.text()).toBe('tides');
  expect((await rest.repos.getRelease({ ...hello, release_id: release.id })).data.assets).toHaveLength(1);
});

test('what happens to an issue is written down, and its timeline has the comments too', async () => {
  const { rest } = sandbox.client;
  const { data: issue } = await rest.issues.create({ ...hello, title: 'Low water' });
  const it = { ...hello, issue_number: issue.number };
  await rest.issues.addLabels({ ...it, labels: ['bug'] });
  await rest.issues.createComment({ ...it, body: 'Seen' });
  await rest.issues.update({ ...it, title: 'High water', state: 'closed' });
  const { data: events } = await rest.issues.listEvents(it);
  expect(events.map(({ event }) => event)).toEqual(['labeled', 'renamed', 'closed']);
  const { data: timeline } = await rest.issues.listEventsForTimeline(it);
  expect(timeline.map(({ event }) => event).sort()).toEqual(['closed', 'commented', 'labeled', 'renamed']);
  expect(events[2]).toHaveProperty('state_reason', null);
  expect(events[0]).not.toHaveProperty('state_reason');
  const { data: whole } = await rest.issues.listEventsForRepo(hello);
  expect(whole[0]).toMatchObject({ issue: { number: issue.number } });
});

test('parts of the rules of a branch are read and changed alone', async () => {
  const { rest } = sandbox.client;
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'harbour', type: 'Organization', profile: { name: 'Harbour', company: '', blog: '', location: '', email: 'port@example.com' } }],
      org_members: [{ id: 'harbour/octo', org: 'harbour', login: 'octo', role: 'admin', state: 'active' }],
    },
  });
  await rest.repos.createInOrg({ org: 'harbour', name: 'hello', auto_init: true });
  const branch = { owner: 'harbour', repo: 'hello', branch: 'main' };
  expect(await rejection(rest.repos.getStatusChecksProtection(branch))).toEqual([404, 'Branch not protected']);
  await rest.repos.updateBranchProtection({
    ...branch,
    required_status_checks: { strict: true, contexts: ['ci'] },
    enforce_admins: false,
    required_pull_request_reviews: null,
    restrictions: { users: ['octo'], teams: [] },
  });
  await branchWith(sandbox.client, 'topic', 'tide.txt', 'low');
  const rules = { required_status_checks: null, enforce_admins: null, required_pull_request_reviews: null };
  const ofPerson = { ...hello, branch: 'topic', ...rules, restrictions: { users: ['octo'], teams: [] } };
  expect(await rejection(rest.repos.updateBranchProtection(ofPerson))).toEqual([
    422,
    'Validation Failed',
  ]);
  await rest.repos.addStatusCheckContexts({ ...branch, contexts: ['lint'] });
  await rest.repos.setAdminBranchProtection(branch);
  const { data } = await rest.repos.getBranchProtection(branch);
  expect(data).toMatchObject({
    required_status_checks: { strict: true, contexts: ['ci', 'lint'] },
    enforce_admins: { enabled: true },
    restrictions: { users: [{ login: 'octo' }] },
  });
  await rest.repos.updatePullRequestReviewProtection({ ...branch, required_approving_review_count: 2 });
  expect((await rest.repos.getPullRequestReviewProtection(branch)).data.required_approving_review_count).toBe(2);
  await rest.repos.deletePullRequestReviewProtection(branch);
  expect((await rejection(rest.repos.getPullRequestReviewProtection(branch)))[0]).toBe(404);
});

test('a release that is published makes its tag, a draft does not', async () => {
  const { rest } = sandbox.client;
  const sha = await branchWith(sandbox.client, 'topic', 'tide.txt', 'low');
  const { data: draft } = await rest.repos.createRelease({ ...hello, tag_name: 'v1', target_commitish: 'topic', draft: true });
  const tags = async (): Promise<unknown> => (await rest.repos.listTags(hello)).data.map(({ name, commit }) => [name, commit.sha]);
  expect(await tags()).toEqual([]);
  await rest.repos.updateRelease({ ...hello, release_id: draft.id, draft: false });
  expect(await tags()).toEqual([['v1', sha]]);
  await rest.repos.deleteRelease({ ...hello, release_id: draft.id });
  expect(await tags()).toEqual([['v1', sha]]);
});

test('a label that gets another name stays on its issues', async () => {
  const { rest } = sandbox.client;
  await rest.issues.create({ ...hello, title: 'Leak', labels: ['bug', 'tide'] });
  const { data: before } = await rest.issues.getLabel({ ...hello, name: 'bug' });
  const { data: label } = await rest.issues.updateLabel({ ...hello, name: 'bug', new_name: 'defect', color: 'ff0000' });
  expect(label).toMatchObject({ id: before.id, node_id: before.node_id, name: 'defect', color: 'ff0000', default: true });
  const { data: issue } = await rest.issues.get({ ...hello, issue_number: 1 });
  expect(issue.labels.map((each) => (each as { name: string }).name)).toEqual(['defect', 'tide']);
  expect((await rejection(rest.issues.getLabel({ ...hello, name: 'bug' })))[0]).toBe(404);
  expect((await rejection(rest.issues.updateLabel({ ...hello, name: 'tide', new_name: 'Defect' })))[0]).toBe(422);
  expect((await rest.issues.updateLabel({ ...hello, name: 'tide', new_name: 'tide' })).data.name).toBe('tide');
});
