import { generateKeyPairSync } from 'node:crypto';
import { App, Octokit } from 'octokit';
import { Visitor } from '../../support/visitor.js';
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

/** People sign in to an application with their account of the vendor. */
describe('signing in with an account', () => {
  const CLIENT = { client_id: 'Ov23liSandbox0000001', client_secret: 'sandbox-client-secret' };
  const BACK = 'http://localhost:3000/callback';
  const ask = (more: Record<string, string> = {}, visitor = new Visitor(sandbox.url)) =>
    visitor
      .open(`/login/oauth/authorize?${new URLSearchParams({ ...CLIENT, client_secret: '', redirect_uri: BACK, scope: 'repo user:email', state: 's 1', ...more })}`)
      .then(() => visitor);
  const answer = (visitor: Visitor) => new URL(visitor.seen.url).searchParams;
  const exchange = async (form: Record<string, string>, accept = 'application/json') => {
    const response = await fetch(`${sandbox.url}/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({ ...CLIENT, ...form }),
      headers: { accept },
    });
    const text = await response.text();
    return { status: response.status, body: accept.includes('json') ? (JSON.parse(text) as Record<string, string>) : Object.fromEntries(new URLSearchParams(text)) };
  };

  beforeEach(() => sandbox.control.seed({ resources: { users: [{ id: 'mona', emails: [{ email: 'mona@example.com', primary: true, verified: true }] }] } }));

  test('the page asks, lists the people, and the code becomes a token of who agreed, with the scopes', async () => {
    const visitor = await ask();
    expect(visitor.seen.html).toContain('Authorize Application');
    await visitor.press('Authorize', { login: 'mona' });
    const code = String(answer(visitor).get('code'));
    expect(answer(visitor).get('state')).toBe('s 1');
    const { body } = await exchange({ code, redirect_uri: BACK }, '*/*');
    expect(body).toMatchObject({ token_type: 'bearer', scope: 'repo,user:email' });
    const { data, headers } = await clientOf(sandbox, body['access_token']).rest.users.getAuthenticated();
    expect([data.login, headers['x-oauth-scopes']]).toEqual(['mona', 'repo, user:email']);
    expect(await exchange({ code })).toMatchObject({ status: 200, body: { error: 'bad_verification_code' } });
  });

  test('who is signed in at a provider of the company is chosen, a hint too, and a test names somebody', async () => {
    const visitor = new Visitor(sandbox.url);
    visitor.cookies.set('sandbox_person', 'mona@example.com');
    expect((await ask({}, visitor)).seen.html).toContain('<option value="mona" selected');
    expect((await ask({ login: 'mona' })).seen.html).toContain('<option value="mona" selected');
    const code = String(answer(await ask({ sandbox_user: 'mona@example.com' })).get('code'));
    const token = (await exchange({ code })).body['access_token'];
    expect((await clientOf(sandbox, token).rest.users.getAuthenticated()).data.login).toBe('mona');
  });

  test('no is an error for the application; a wrong address leads to the registered one, an unknown application nowhere', async () => {
    const visitor = await ask();
    await visitor.press('Cancel');
    expect([answer(visitor).get('error'), answer(visitor).get('state')]).toEqual(['access_denied', 's 1']);
    for (const wrong of ['https://evil.example/', 'http://localhost.evil.example/', 'http://localhost:3000@evil.example/']) {
      const query = new URLSearchParams({ client_id: CLIENT.client_id, redirect_uri: wrong, sandbox_user: 'mona' });
      const { headers } = await fetch(`${sandbox.url}/login/oauth/authorize?${query}`, { redirect: 'manual' });
      expect(String(headers.get('location'))).toMatch(/^http:\/\/localhost\?error=redirect_uri_mismatch/);
    }
    expect((await ask({ client_id: 'nobody' })).seen.status).toBe(404);
  });

  test.each([
    ['a wrong secret', { client_secret: 'x' }, 'incorrect_client_credentials'],
    ['a wrong code', { code: 'x' }, 'bad_verification_code'],
    ['another address', { redirect_uri: 'http://localhost:3000/other' }, 'redirect_uri_mismatch'],
    ['no verifier', {}, 'bad_verification_code'],
    ['a code that is too old', { late: '11m' }, 'bad_verification_code'],
  ])('%s is the vendor\'s error, with status 200', async (_, { late, ...wrong }: Record<string, string>, error) => {
    const challenge = error === 'bad_verification_code' && late === undefined ? { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' } : {};
    const code = String(answer(await ask({ ...challenge, sandbox_user: 'mona' } as Record<string, string>)).get('code'));
    if (late !== undefined) await sandbox.control.advance(late);
    expect(await exchange({ code, ...wrong })).toMatchObject({ status: 200, body: { error } });
  });
});
