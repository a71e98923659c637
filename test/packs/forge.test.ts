import { Webhooks } from '@octokit/webhooks';
import { startSandbox } from '../support/start-sandbox.js';
import { clientOf, hello } from './code-hosting/served.js';

/** The vendor's own client against `test/packs/forge`, which is YAML alone: what it sends and reads is not touched. */

const SECRET = 'a secret of the hook';

const T0 = '2025-01-01T00:00:00Z';
const sandbox = startSandbox('test/packs/forge', { t0: T0, reset: { t0: T0 }, client: clientOf });
const { receiver } = sandbox;
const received = () =>
  receiver.received.map(({ headers, body }) => ({
    id: String(headers['x-github-delivery']),
    name: String(headers['x-github-event']),
    signature: String(headers['x-hub-signature-256']),
    body,
  }));
beforeEach(async () => {
  await sandbox.client.rest.repos.createForAuthenticatedUser({ name: 'hello' });
});

test('times are whole seconds where the pack says so', async () => {
  await sandbox.control.advance({ duration: '1500ms' });
  const { data } = await sandbox.client.rest.issues.create({ ...hello, title: 'On time' });
  expect(data.created_at).toBe('2025-01-01T00:00:01Z');
});

test('repositories are named by owner and name', async () => {
  const { data, headers, status } = await sandbox.client.rest.repos.createForAuthenticatedUser({
    name: 'tools',
    private: true,
  });
  expect([status, data.full_name, headers.location]).toEqual([201, 'octo/tools', `${sandbox.url}/repos/octo/tools`]);
  const taken = sandbox.client.rest.repos.createForAuthenticatedUser({ name: 'tools' });
  await expect(taken).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('already exists') as string,
  });
  await sandbox.client.rest.repos.delete({ owner: 'octo', repo: 'tools' });
  await expect(sandbox.client.rest.repos.get({ owner: 'octo', repo: 'tools' })).rejects.toMatchObject({ status: 404 });
});

test('the client pages through all issues by the Link header', async () => {
  for (let n = 1; n <= 5; n++) await sandbox.client.rest.issues.create({ ...hello, title: `issue ${n}`, labels: ['bug'] });
  const all = await sandbox.client.paginate(sandbox.client.rest.issues.listForRepo, { ...hello, per_page: 2, labels: 'bug' });
  expect(all.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1]);
  await sandbox.client.rest.issues.update({ ...hello, issue_number: 4, state: 'closed' });
  const open = await sandbox.client.paginate(sandbox.client.rest.issues.listForRepo, { ...hello, per_page: 3 });
  expect(open.map(({ title }) => title)).toEqual(['issue 5', 'issue 3', 'issue 2', 'issue 1']);
});

test('a run goes its way, and its lists have an envelope of their own', async () => {
  for (let n = 0; n < 3; n++)
    await sandbox.client.rest.actions.createWorkflowDispatch({ ...hello, workflow_id: 'ci.yml', ref: 'main' });
  const runs = await sandbox.client.paginate(sandbox.client.rest.actions.listWorkflowRunsForRepo, { ...hello, per_page: 2 });
  expect(runs.map(({ id, status }) => [Number(id), status])).toEqual([
    [1003, 'queued'],
    [1002, 'queued'],
    [1001, 'queued'],
  ]);
  await sandbox.client.rest.actions.cancelWorkflowRun({ ...hello, run_id: 1002 });
  await sandbox.control.advance('2m');
  const ended = await Promise.all(
    [1001, 1002].map((run_id) => sandbox.client.rest.actions.getWorkflowRun({ ...hello, run_id })),
  );
  expect(ended.map(({ data }) => data.conclusion)).toEqual(['success', 'cancelled']);
});

test('limits are counted and told, and the client reads when to come back', async () => {
  const { headers } = await sandbox.client.rest.repos.get(hello);
  expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['x-ratelimit-used']]).toEqual([
    '5000',
    '4998',
    '2',
  ]);
  for (let n = 2; n <= 80; n++) await sandbox.client.rest.issues.create({ ...hello, title: `issue ${n}` });
  const refused = sandbox.client.rest.issues.create({ ...hello, title: 'one too many' });
  await expect(refused).rejects.toMatchObject({ status: 403, response: { headers: { 'retry-after': '60' } } });
  await sandbox.control.advance('1m');
  expect((await sandbox.client.rest.issues.create({ ...hello, title: 'now' })).status).toBe(201);
});

test('an ETag saves the body, and public parts need no key', async () => {
  const { headers } = await sandbox.client.rest.repos.get(hello);
  const again = sandbox.client.rest.repos.get({ ...hello, headers: { 'if-none-match': headers.etag } });
  await expect(again).rejects.toMatchObject({ status: 304 });
  const nobody = clientOf(sandbox, null);
  expect((await nobody.rest.repos.get(hello)).data.name).toBe('hello');
  await expect(nobody.rest.issues.listForRepo(hello)).rejects.toMatchObject({ status: 401 });
});

test('a token of an installation has scopes and expires', async () => {
  const { data } = await sandbox.client.rest.apps.createInstallationAccessToken({
    installation_id: 7,
    permissions: { checks: 'read' },
  });
  const installed = clientOf(sandbox, data.token);
  expect((await installed.rest.repos.get(hello)).status).toBe(200);
  await expect(installed.rest.issues.create({ ...hello, title: 'no' })).rejects.toMatchObject({ status: 403 });
  await sandbox.control.advance('1h');
  await expect(installed.rest.issues.listForRepo(hello)).rejects.toMatchObject({ status: 401 });
});

test('an issue says who opened it, also where that is a constant of the pack', async () => {
  const { data } = await sandbox.client.rest.issues.create({ ...hello, title: 'mine' });
  expect(data.user?.login).toBe('octo');
});

test('a slash at the end of a path makes it one that does not exist', async () => {
  expect(await Promise.all(['', '/', '?a=/', '/?a=b'].map((end) => sandbox.status(`GET /repos/octo/hello${end}`)))).toEqual([
    200, 404, 200, 404,
  ]);
});

test('a hook without a secret gets its events without signatures', async () => {
  const url = `${receiver.url}/hook`;
  await sandbox.client.rest.repos.createWebhook({ ...hello, config: { url, content_type: 'json' }, events: ['issues'] });
  await sandbox.client.rest.issues.create({ ...hello, title: 'unsigned' });
  await sandbox.control.flush();
  expect(received().map(({ name, signature }) => [name, signature])).toEqual([['issues', 'undefined']]);
});

test('hooks of a repository hear of it alone, and the client verifies what they get', async () => {
  await sandbox.client.rest.repos.createForAuthenticatedUser({ name: 'other' });
  await sandbox.client.rest.repos.createWebhook({
    ...hello,
    events: ['issues'],
    config: { url: receiver.url, content_type: 'json', secret: SECRET },
  });
  await sandbox.client.rest.issues.create({ ...hello, title: 'heard' });
  await sandbox.client.rest.issues.create({ owner: 'octo', repo: 'other', title: 'not heard' });
  await sandbox.control.flush();
  const webhooks = new Webhooks({ secret: SECRET });
  const heard: string[] = [];
  webhooks.on(
    'issues.opened',
    ({ payload }) => void heard.push(`${payload.repository.full_name}: ${payload.issue.title}`),
  );
  for (const { id, name, body, signature } of received())
    await webhooks.verifyAndReceive({ id, name, payload: body, signature });
  expect(heard).toEqual(['octo/hello: heard']);
  expect(await webhooks.verify(`${received()[0].body} `, received()[0].signature)).toBe(false);
});
