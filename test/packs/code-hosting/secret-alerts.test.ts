import { base64, branchWith, clientOf, hello, rejection, serveHosting } from './served.js';

/** Tokens in files: found when they are pushed, dealt with by admins, told by webhooks. */

const sandbox = serveHosting();
const { receiver } = sandbox;
const TOKEN = `ghp_${'aB3'.repeat(12)}`;

async function told(): Promise<readonly (readonly [name: string, alert: Record<string, unknown>])[]> {
  await sandbox.control.flush();
  return receiver.received.map(({ headers, body }) => {
    const { action, alert } = JSON.parse(body) as { action: string; alert: Record<string, unknown> };
    return [`${String(headers['x-github-event'])}.${action}`, alert] as const;
  });
}

test('a token in a pushed file is an alert with its place, which is resolved and opened again', async () => {
  const { rest } = sandbox.client;
  const alert = { ...hello, alert_number: 1 };
  const events = ['secret_scanning_alert', 'secret_scanning_alert_location'];
  await rest.repos.createWebhook({ ...hello, events, config: { url: receiver.url, content_type: 'json' } });
  await branchWith(sandbox.client, 'topic', 'config/keys.env', `# Keys\nTOKEN=${TOKEN}\n`);
  const { data: found } = await rest.secretScanning.listAlertsForRepo(hello);
  expect(found).toMatchObject([
    {
      number: 1,
      state: 'open',
      secret: TOKEN,
      secret_type: 'github_personal_access_token',
      resolution: null,
      publicly_leaked: true,
      validity: 'unknown',
      has_more_locations: false,
      first_location_detected: { path: 'config/keys.env', start_line: 2, end_line: 2, start_column: 7, end_column: 47 },
    },
  ]);
  const hidden = await rest.secretScanning.getAlert({ ...alert, hide_secret: true });
  expect(hidden.data).not.toHaveProperty('secret');
  expect(await rejection(rest.secretScanning.updateAlert({ ...alert, state: 'resolved' }))).toEqual([
    422,
    'A resolution is needed to resolve an alert.',
  ]);
  const done = { ...alert, state: 'resolved', resolution: 'revoked', resolution_comment: 'Rotated' } as const;
  expect((await rest.secretScanning.updateAlert(done)).data).toMatchObject({
    state: 'resolved',
    resolution: 'revoked',
    resolution_comment: 'Rotated',
    resolved_by: { login: 'octo' },
    resolved_at: expect.stringMatching(/^2025-01-01T/),
  });
  expect((await rest.secretScanning.listAlertsForRepo({ ...hello, state: 'open' })).data).toEqual([]);
  expect((await rest.secretScanning.listAlertsForRepo({ ...hello, resolution: 'revoked,wont_fix' })).data).toHaveLength(1);
  const again = await rest.secretScanning.updateAlert({ ...alert, state: 'open' });
  expect(again.data).toMatchObject({ state: 'open', resolution: null, resolved_by: null, resolved_at: null });
  const sent = await told();
  expect(sent.map(([name]) => name).filter((name) => !name.startsWith('ping'))).toEqual([
    'secret_scanning_alert.created',
    'secret_scanning_alert_location.created',
    'secret_scanning_alert.resolved',
    'secret_scanning_alert.reopened',
  ]);
  expect(sent[1][1]).toMatchObject({ number: 1, secret_type: 'github_personal_access_token' });
  expect(sent[1][1]).not.toHaveProperty('secret');
});

test('the same token in a second file is a second place of one alert, and a commit of git data is searched too', async () => {
  const { rest } = sandbox.client;
  await branchWith(sandbox.client, 'topic', 'a.env', TOKEN);
  const { data: tip } = await rest.git.getRef({ ...hello, ref: 'heads/topic' });
  const { data: tree } = await rest.git.createTree({
    ...hello,
    base_tree: tip.object.sha,
    tree: [
      { path: 'b.env', mode: '100644', type: 'blob', content: `x=${TOKEN}` },
      { path: 'c.env', mode: '100644', type: 'blob', content: `AKIA${'Q7'.repeat(8)}` },
    ],
  });
  const { data: commit } = await rest.git.createCommit({ ...hello, message: 'Keys', tree: tree.sha, parents: [tip.object.sha] });
  expect((await rest.secretScanning.listAlertsForRepo(hello)).data).toHaveLength(1);
  await rest.git.updateRef({ ...hello, ref: 'heads/topic', sha: commit.sha });
  const { data: found } = await rest.secretScanning.listAlertsForRepo({ ...hello, direction: 'asc' });
  expect(found.map((each) => each.secret_type).sort()).toEqual(['aws_access_key_id', 'github_personal_access_token']);
  const { data: places } = await rest.secretScanning.listLocationsForAlert({ ...hello, alert_number: 1 });
  expect(places).toMatchObject([
    { type: 'commit', details: { path: 'a.env', start_column: 1 } },
    { type: 'commit', details: { path: 'b.env', start_column: 3, commit_sha: commit.sha } },
  ]);
});

test('alerts are for admins, of organizations too, and gone while the search for tokens is off', async () => {
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'harbour', type: 'Organization' }, { id: 'mona' }],
      access_tokens: [{ id: 'one', token: 'ghp_monas', user_login: 'mona', scope: ['repo'] }],
    },
  });
  const { rest } = sandbox.client;
  await rest.repos.createInOrg({ org: 'harbour', name: 'ledger', auto_init: true });
  const ledger = { owner: 'harbour', repo: 'ledger' };
  await sandbox.control.event('secret_alert.found', { repository: 'harbour/ledger', secret_type: 'slack_api_token' });
  expect((await rest.secretScanning.listAlertsForOrg({ org: 'harbour' })).data).toMatchObject([
    { number: 1, secret_type: 'slack_api_token', repository: { full_name: 'harbour/ledger' } },
  ]);
  const mona = clientOf(sandbox, 'ghp_monas').rest.secretScanning;
  expect((await rejection(mona.getAlert({ ...ledger, alert_number: 1 })))[0]).toBe(404);
  expect((await mona.listAlertsForOrg({ org: 'harbour' })).data).toEqual([]);
  await rest.repos.update({ ...ledger, security_and_analysis: { secret_scanning: { status: 'disabled' } } });
  expect((await rejection(rest.secretScanning.getAlert({ ...ledger, alert_number: 1 })))[0]).toBe(404);
});

test('a token of the sandbox in a public repository ends at once', async () => {
  const leaked = `ghp_${'monaS9'.repeat(6)}`;
  await sandbox.control.seed({
    resources: { users: [{ id: 'mona' }], access_tokens: [{ id: 'one', token: leaked, user_login: 'mona', scope: ['repo'] }] },
  });
  const mona = clientOf(sandbox, leaked);
  expect((await mona.rest.users.getAuthenticated()).data.login).toBe('mona');
  const file = { ...hello, path: 'keys.env', message: 'Keys', content: base64(leaked) };
  await sandbox.client.rest.repos.createOrUpdateFileContents(file);
  expect(await rejection(mona.rest.users.getAuthenticated())).toEqual([401, 'Bad credentials']);
  const { data: found } = await sandbox.client.rest.secretScanning.listAlertsForRepo(hello);
  expect(found).toMatchObject([{ validity: 'inactive', secret_type: 'github_personal_access_token' }]);
});

test('a repository takes no name of another one; its own is accepted', async () => {
  const { rest } = sandbox.client;
  await rest.repos.createForAuthenticatedUser({ name: 'other' });
  expect(await rejection(rest.repos.update({ ...hello, name: 'other' }))).toEqual([422, 'Validation Failed']);
  expect((await rest.repos.update({ ...hello, name: 'hello', description: 'Same' })).data).toMatchObject({ name: 'hello', description: 'Same' });
});
