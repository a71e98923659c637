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

test('errors, pages and limits are as the client reads them', async () => {
  for (let i = 1; i <= 5; i++) await sandbox.client.rest.issues.create({ ...hello, title: `No ${i}` });
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
