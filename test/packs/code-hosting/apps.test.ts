import { generateKeyPairSync } from 'node:crypto';
import { App, Octokit } from 'octokit';
import { clientOf, hello, rejection, serveHosting } from './served.js';

/** Apps with the vendor's own app client, and what people are told of. */

const sandbox = serveHosting();

function app(): App {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return new App({ appId: 341000, privateKey, Octokit: Octokit.defaults({ baseUrl: String(sandbox.url) }) });
}

test('an app gets a token of its installation and acts with it until the installation is suspended', async () => {
  const octokit = await app().getInstallationOctokit(331000);
  const { data } = await octokit.rest.apps.listReposAccessibleToInstallation();
  expect(data.repositories.map(({ full_name }) => full_name)).toEqual(['octo/hello']);
  const issue = await octokit.rest.issues.create({ ...hello, title: 'From the app' });
  expect(issue.data.number).toBe(1);
  const { data: own } = await app().octokit.rest.apps.getAuthenticated();
  expect(own).toMatchObject({ slug: 'ci', installations_count: 1 });
  const { data: made } = await app().octokit.rest.apps.createInstallationAccessToken({ installation_id: 331000 });
  await sandbox.control.event('installation.suspended', { installation: '331000' });
  expect((await rejection(clientOf(sandbox, made.token).rest.issues.create({ ...hello, title: 'Again' })))[0]).toBe(401);
  const refused = rejection((await app().getInstallationOctokit(331000)).rest.issues.create({ ...hello, title: 'New' }));
  expect(await refused).toEqual([403, 'This installation has been suspended']);
});

test('a token of an installation is only for what the installation has', async () => {
  const { rest } = app().octokit;
  const wanted = { installation_id: 331000 };
  const narrow = await rest.apps.createInstallationAccessToken({
    ...wanted,
    repositories: ['hello'],
    permissions: { issues: 'read' },
  });
  expect(narrow.data).toMatchObject({
    repository_selection: 'selected',
    permissions: { issues: 'read', metadata: 'read' },
    repositories: [{ full_name: 'octo/hello' }],
  });
  expect(await rejection(rest.apps.createInstallationAccessToken({ ...wanted, repositories: ['none'] }))).toEqual([
    422,
    'There is at least one repository that does not exist or is not accessible to the parent installation.',
  ]);
  expect((await rejection(rest.apps.getInstallation({ installation_id: 339999 })))[0]).toBe(404);
  expect(await rejection(clientOf(sandbox, 'none').rest.apps.getAuthenticated())).toEqual([
    401,
    'A JSON web token could not be decoded',
  ]);
});

test('an app is told of what happens where it is installed, with its installation', async () => {
  const { rest } = app().octokit;
  // The client takes a parameter `url` for the address of the call.
  const config = { url: sandbox.receiver.url, content_type: 'json', secret: 'of the app' };
  await app().octokit.request('PATCH /app/hook/config', { data: config });
  expect((await rest.apps.getWebhookConfigForApp()).data).toMatchObject({ content_type: 'json', secret: '********' });
  await sandbox.client.rest.issues.create({ ...hello, title: 'First' });
  await sandbox.control.flush();
  const [issue] = sandbox.receiver.received;
  expect(issue.headers).toMatchObject({
    'x-github-event': 'issues',
    'x-github-hook-installation-target-type': 'integration',
    'x-github-hook-installation-target-id': '341000',
  });
  expect(JSON.parse(issue.body)).toMatchObject({ action: 'opened', installation: { id: 331000 } });
  const { data: sent } = await rest.apps.listWebhookDeliveries();
  expect(sent.map(({ event, installation_id }) => [event, installation_id])).toEqual([['issues', 331000]]);
  await rest.apps.redeliverWebhookDelivery({ delivery_id: sent[0].id });
  for (const [method, end] of [
    ['GET', ''],
    ['POST', '/attempts'],
  ])
    expect((await rejection(app().octokit.request(`${method} /app/hook/deliveries/harbour${end}`)))[0]).toBe(404);
  await sandbox.control.flush();
  expect(sandbox.receiver.received[1].body).toBe(issue.body);
});

test('people are told of mentions and assignments until they have read them', async () => {
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'mona' }],
      collaborators: [{ id: 'octo/hello/mona', repo_id: 'octo/hello', login: 'mona' }],
      access_tokens: [{ id: 'one', token: 'ghp_monas', user_login: 'mona', scope: ['repo', 'notifications'] }],
    },
  });
  const { rest } = sandbox.client;
  const { data: issue } = await rest.issues.create({ ...hello, title: 'Low water' });
  const it = { ...hello, issue_number: issue.number };
  await rest.issues.createComment({ ...it, body: 'What do you think, @mona? And @octo?' });
  const mona = clientOf(sandbox, 'ghp_monas').rest.activity;
  const { data: told } = await mona.listNotificationsForAuthenticatedUser();
  expect(told).toMatchObject([{ reason: 'mention', unread: true, subject: { title: 'Low water', type: 'Issue' } }]);
  expect((await rest.activity.listNotificationsForAuthenticatedUser()).data).toEqual([]);
  await mona.markThreadAsRead({ thread_id: Number(told[0].id) });
  expect((await mona.listNotificationsForAuthenticatedUser()).data).toEqual([]);
  await rest.issues.addAssignees({ ...it, assignees: ['mona'] });
  const { data: again } = await mona.listNotificationsForAuthenticatedUser();
  expect(again.map(({ id, reason }) => [id, reason])).toEqual([[told[0].id, 'assign']]);
  await mona.setThreadSubscription({ thread_id: Number(told[0].id), ignored: true });
  expect((await mona.getThreadSubscriptionForAuthenticatedUser({ thread_id: Number(told[0].id) })).data.ignored).toBe(true);
});
