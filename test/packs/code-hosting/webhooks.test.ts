import { Webhooks } from '@octokit/webhooks';
import { clientOf, hello, rejection, serveHosting } from './served.js';

/** Issues, permissions and webhooks, verified by the vendor's own library. */

const SECRET = 'a secret of the hook';

const sandbox = serveHosting();
const { receiver } = sandbox;

test('a hook is pinged, gets the events that it names, signed, and what was sent can be read and sent again', async () => {
  const { data: hook } = await sandbox.client.rest.repos.createWebhook({
    ...hello,
    events: ['issues', 'issue_comment'],
    config: { url: receiver.url, content_type: 'json', secret: SECRET },
  });
  const { data: issue } = await sandbox.client.rest.issues.create({ ...hello, title: 'First', labels: ['bug'] });
  await sandbox.client.rest.issues.createComment({ ...hello, issue_number: issue.number, body: 'Me too' });
  await sandbox.client.rest.git.createBlob({ ...hello, content: 'no event' });
  await sandbox.control.flush();
  const names = receiver.received.map(({ headers, body }) => {
    const { action } = JSON.parse(body) as { action?: string };
    return [headers['x-github-event'], action].filter((each) => each !== undefined).join('.');
  });
  expect(names).toEqual(['ping', 'issues.opened', 'issues.labeled', 'issue_comment.created']);
  const webhooks = new Webhooks({ secret: SECRET });
  for (const { headers, body } of receiver.received)
    expect(await webhooks.verify(body, String(headers['x-hub-signature-256']))).toBe(true);
  expect(JSON.parse(receiver.received[3].body)).toMatchObject({
    comment: { body: 'Me too' },
    issue: { number: issue.number, labels: [{ name: 'bug' }] },
    repository: { full_name: 'octo/hello' },
    sender: { login: 'octo' },
  });
  const { data: sent } = await sandbox.client.rest.repos.listWebhookDeliveries({ ...hello, hook_id: hook.id });
  expect(sent.map((each) => [each.event, each.status_code])).toEqual([
    ['issue_comment', 200],
    ['issues', 200],
    ['issues', 200],
    ['ping', 200],
  ]);
  await sandbox.client.rest.repos.redeliverWebhookDelivery({ ...hello, hook_id: hook.id, delivery_id: sent[0].id });
  await sandbox.control.flush();
  expect(receiver.received[4].headers['x-github-delivery']).toBe(receiver.received[3].headers['x-github-delivery']);
  expect(receiver.received[4].body).toBe(receiver.received[3].body);
});

test('a hook of an organization gets what happens to its teams and repositories, for its owners only', async () => {
  const profile = { name: 'Harbour', company: '', blog: '', location: '', email: 'port@example.com' };
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'harbour', type: 'Organization', profile }, { id: 'mona' }],
      access_tokens: [{ id: 'one', token: 'ghp_monas', user_login: 'mona', scope: ['repo', 'admin:org'] }],
    },
  });
  const { rest } = sandbox.client;
  const config = { url: receiver.url, content_type: 'json', secret: SECRET };
  const { data: hook } = await rest.orgs.createWebhook({ org: 'harbour', name: 'web', events: ['*'], config });
  expect(hook).toMatchObject({ type: 'Organization', url: expect.stringMatching(/\/orgs\/harbour\/hooks\/14\d+$/) });
  await rest.repos.createInOrg({ org: 'harbour', name: 'ledger', auto_init: true });
  await rest.issues.create({ owner: 'harbour', repo: 'ledger', title: 'First' });
  await rest.teams.create({ org: 'harbour', name: 'Backend' });
  await rest.orgs.setMembershipForUser({ org: 'harbour', username: 'mona' });
  await rest.issues.create({ ...hello, title: 'of somebody else' });
  await sandbox.control.flush();
  const got = receiver.received.map(({ headers }) => headers['x-github-event']);
  expect(got).toEqual(expect.arrayContaining(['ping', 'repository', 'issues', 'team', 'organization']));
  const [issue, ...others] = receiver.received.filter(({ headers }) => headers['x-github-event'] === 'issues');
  expect(others).toEqual([]);
  expect(issue.headers).toMatchObject({ 'x-github-hook-installation-target-type': 'organization' });
  expect(JSON.parse(issue.body)).toMatchObject({ repository: { name: 'ledger' }, organization: { login: 'harbour' } });
  const its = { org: 'harbour', hook_id: hook.id };
  await rest.orgs.updateWebhookConfigForOrg({ ...its, content_type: 'form' });
  expect((await rest.orgs.getWebhookConfigForOrg(its)).data).toMatchObject({ content_type: 'form', secret: '********' });
  const { data: sent } = await rest.orgs.listWebhookDeliveries({ ...its, per_page: 2 });
  expect(sent).toHaveLength(2);
  await rest.orgs.redeliverWebhookDelivery({ ...its, delivery_id: sent[0].id });
  expect(await rejection(rest.repos.getWebhook({ ...hello, hook_id: hook.id }))).toEqual([404, 'Not Found']);
  expect((await rejection(clientOf(sandbox, 'ghp_monas').rest.orgs.getWebhook(its)))[0]).toBe(404);
  await rest.orgs.deleteWebhook(its);
  expect((await rest.orgs.listWebhooks({ org: 'harbour' })).data).toEqual([]);
});

test('a private repository is not there for others, and a public one is read-only for them', async () => {
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'mona' }],
      access_tokens: [{ id: 'one', token: 'ghp_monas', user_login: 'mona', scope: ['repo', 'delete_repo'] }],
    },
  });
  const mona = clientOf(sandbox, 'ghp_monas');
  await sandbox.client.rest.issues.create({ ...hello, title: 'Hidden' });
  expect((await mona.rest.users.getAuthenticated()).data.login).toBe('mona');
  expect((await mona.rest.repos.get(hello)).data.permissions).toMatchObject({ admin: false, push: false, pull: true });
  expect(await rejection(mona.rest.repos.delete(hello))).toEqual([403, 'Must have admin rights to Repository.']);
  await sandbox.client.rest.repos.update({ ...hello, private: true });
  expect(await rejection(mona.rest.repos.get(hello))).toEqual([404, 'Not Found']);
  expect(await rejection(mona.rest.issues.get({ ...hello, issue_number: 1 }))).toEqual([404, 'Not Found']);
  expect(await rejection(mona.rest.issues.listForRepo(hello))).toEqual([404, 'Not Found']);
  await sandbox.client.rest.repos.addCollaborator({ ...hello, username: 'mona', permission: 'push' });
  const { data: invitations } = await mona.rest.repos.listInvitationsForAuthenticatedUser();
  await mona.rest.repos.acceptInvitationForAuthenticatedUser({ invitation_id: invitations[0].id });
  expect((await mona.rest.repos.get(hello)).data.permissions).toMatchObject({ admin: false, push: true });
  expect(await rejection(clientOf(sandbox, 'ghp_wrong').rest.users.getAuthenticated())).toEqual([401, 'Bad credentials']);
});

test('JSON is read as such whatever the content type of a call says', async () => {
  const call = { method: 'POST', headers: { authorization: `Bearer ${String(sandbox.key)}` } };
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const made = await fetch(`${String(sandbox.url)}/repos/octo/hello/issues`, {
    ...call,
    headers: { ...call.headers, ...type },
    body: JSON.stringify({ title: 'By curl' }),
  });
  expect(made.status).toBe(201);
  const labels = await fetch(`${String(sandbox.url)}/repos/octo/hello/issues/1/labels`, {
    ...call,
    headers: { ...call.headers, ...type },
    body: JSON.stringify(['bug']),
  });
  expect(await labels.json()).toMatchObject([{ name: 'bug' }]);
});

test('comments of a repository are listed by their time, and a milestone counts on after one is deleted', async () => {
  const { rest } = sandbox.client;
  for (const title of ['One', 'Two']) await rest.issues.create({ ...hello, title });
  for (const [issue_number, body] of [[1, 'first'], [2, 'second']] as const)
    await rest.issues.createComment({ ...hello, issue_number, body });
  const { data } = await rest.issues.listCommentsForRepo({ ...hello, sort: 'created', direction: 'desc' });
  expect(data.map(({ body }) => body)).toEqual(['second', 'first']);
  await rest.issues.createComment({ ...hello, issue_number: 1, body: 'third' });
  const most = { ...hello, sort: 'comments' } as const;
  expect((await rest.issues.listForRepo(most)).data.map(({ comments }) => comments)).toEqual([2, 1]);
  await rest.issues.deleteComment({ ...hello, comment_id: data[1].id });
  await rest.issues.createComment({ ...hello, issue_number: 2, body: 'fourth' });
  expect((await rest.issues.listForRepo({ ...most, direction: 'asc' })).data.map(({ title }) => title)).toEqual(['One', 'Two']);
  for (const title of ['a', 'b']) await rest.issues.createMilestone({ ...hello, title });
  await rest.issues.deleteMilestone({ ...hello, milestone_number: 1 });
  expect((await rest.issues.createMilestone({ ...hello, title: 'c' })).data.number).toBe(3);
});

test('errors, pages and limits are as the client reads them', async () => {
  for (let i = 1; i <= 5; i++) await sandbox.client.rest.issues.create({ ...hello, title: `No ${i}`, body: 'It leaks' });
  const all = await sandbox.client.paginate(sandbox.client.rest.issues.listForRepo, { ...hello, per_page: 2, direction: 'asc' });
  expect(all.map((each) => each.title)).toEqual(['No 1', 'No 2', 'No 3', 'No 4', 'No 5']);
  const taken = sandbox.client.rest.repos.createForAuthenticatedUser({ name: 'hello' });
  expect(await rejection(taken)).toEqual([422, 'Repository creation failed.']);
  const { headers } = await sandbox.client.rest.repos.get(hello);
  expect(headers['x-ratelimit-limit']).toBe('5000');
  expect(headers['x-github-media-type']).toBe('github.v3; format=json');
  const { data: found } = await sandbox.client.rest.search.issuesAndPullRequests({ q: 'repo:octo/hello is:issue No 3' });
  expect(found.items.map((each) => each.title)).toEqual(['No 3']);
});
