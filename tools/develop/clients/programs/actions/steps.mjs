/** Workflow actions, run as a runner does: the bundle under Node, with inputs and the event in the environment. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callJson as api, control, equal, key, step, url } from './kit.mjs';

const tide = '/repos/octo/tide';
const folder = mkdtempSync(join(tmpdir(), 'actions-'));
let runs = 0;

/** Runs an action and returns its outputs. @param event name and payload of the event that triggers the workflow */
async function action(file, inputs, event = ['push', {}], more = {}) {
  const base = join(folder, String(runs++));
  for (const end of ['event', 'output', 'state', 'env', 'path', 'summary']) writeFileSync(`${base}.${end}`, '');
  const repository = await api('GET', tide);
  writeFileSync(`${base}.event`, JSON.stringify({ repository, sender: { login: 'octo' }, ...event[1] }));
  const { object } = await api('GET', `${tide}/git/ref/heads/main`);
  const env = {
    PATH: process.env.PATH,
    SANDBOX_URL: url,
    SANDBOX_KEY: key,
    HOME: folder,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: url,
    GITHUB_GRAPHQL_URL: `${url}/graphql`,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'octo/tide',
    GITHUB_REPOSITORY_OWNER: 'octo',
    GITHUB_EVENT_NAME: event[0],
    GITHUB_EVENT_PATH: `${base}.event`,
    GITHUB_OUTPUT: `${base}.output`,
    GITHUB_STATE: `${base}.state`,
    GITHUB_ENV: `${base}.env`,
    GITHUB_PATH: `${base}.path`,
    GITHUB_STEP_SUMMARY: `${base}.summary`,
    GITHUB_WORKSPACE: folder,
    GITHUB_REF: 'refs/heads/main',
    GITHUB_SHA: object.sha,
    GITHUB_ACTOR: 'octo',
    GITHUB_RUN_ID: '1',
    GITHUB_RUN_NUMBER: '1',
    GITHUB_WORKFLOW: 'ci',
    GITHUB_TOKEN: key,
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, String(value)]),
    ),
    ...more,
  };
  const printed = await new Promise((resolve, reject) =>
    execFile(process.execPath, [...process.execArgv, file], { env, timeout: 60_000 }, (error, stdout, stderr) => {
      const problem = stdout.split('\n').find((line) => line.startsWith('::error'));
      if (error || problem) reject(new Error(`${problem ?? ''} ${stderr.slice(0, 300)} ${stdout.slice(-300)}`));
      else resolve(stdout);
    }),
  );
  const set = [...readFileSync(`${base}.output`, 'utf8').matchAll(/^(.+?)<<(.+)\n([\s\S]*?)\n\2$/gm)];
  return { printed, outputs: Object.fromEntries(set.map(([, name, , value]) => [name, value])) };
}

const encoded = (text) => Buffer.from(text).toString('base64');
const put = (path, text, branch = 'main', message = `Add ${path}`) =>
  api('PUT', `${tide}/contents/${path}`, { message, branch, content: encoded(text) });

/** Creates a pull request with one file. */
async function pull(branch, title, path = `src/${branch.replaceAll('/', '-')}.js`, message = title) {
  const { object } = await api('GET', `${tide}/git/ref/heads/main`);
  await api('POST', `${tide}/git/refs`, { ref: `refs/heads/${branch}`, sha: object.sha });
  await put(path, branch, branch, message);
  const made = await api('POST', `${tide}/pulls`, { title, head: branch, base: 'main', body: 'Changes' });
  await control('POST', '/clock/advance', { duration: '2s' });
  return api('GET', `${tide}/pulls/${made.number}`);
}
const comments = async (number) => (await api('GET', `${tide}/issues/${number}/comments`)).map(({ body }) => body);
const labels = async (number) => (await api('GET', `${tide}/issues/${number}/labels`)).map(({ name }) => name).sort();

await step('a repository', async () => {
  await api('POST', '/user/repos', { name: 'tide', auto_init: true });
  await put('.github/labeler.yml', 'source:\n  - changed-files:\n      - any-glob-to-any-file: "src/**"\n');
  await put('.github/release-drafter.yml', 'template: |\n  # Changes\n  $CHANGES\n');
  await api('POST', `${tide}/releases`, { tag_name: 'v0.1.0' });
});
const topic = await pull('topic', 'feat: a topic');
await step('labeler: labels by changed files', async () => {
  const inputs = { 'repo-token': key, 'configuration-path': '.github/labeler.yml', 'sync-labels': false, dot: true };
  await action('labeler/dist/index.js', inputs, ['pull_request', { pull_request: topic }]);
  equal(await labels(topic.number), ['source'], 'labels');
});
await step('auto-approve: a review that approves, and no second one', async () => {
  // Authors can't approve their own pull requests, so another user does.
  const login = {
    resources: {
      users: [{ id: 'bot', login: 'bot' }],
      access_tokens: [{ id: 'bot', token: 'ghp_botbotbotbotbotbotbotbot', user_login: 'bot' }],
    },
  };
  await control('POST', '/seed', login);
  await api('PUT', `${tide}/collaborators/bot`, { permission: 'push' });
  const [{ id }] = await api('GET', `${tide}/invitations`);
  const accepted = await fetch(`${url}/user/repository_invitations/${id}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer ghp_botbotbotbotbotbotbotbot' },
  });
  equal(accepted.status, 204, 'accepting the invitation');
  const inputs = { 'github-token': 'ghp_botbotbotbotbotbotbotbot' };
  await action('auto-approve/dist/index.js', inputs, ['pull_request', { pull_request: topic }]);
  await action('auto-approve/dist/index.js', inputs, ['pull_request', { pull_request: topic }]);
  const reviews = await api('GET', `${tide}/pulls/${topic.number}/reviews`);
  equal(
    reviews.map(({ state, user }) => `${user.login} ${state}`),
    ['bot APPROVED'],
    'reviews',
  );
});
await step('semantic pull request: a title in its form passes, another fails', async () => {
  const inputs = { githubBaseUrl: url };
  await action('semantic-pull-request/dist/index.js', inputs, ['pull_request', { pull_request: topic }]);
  await api('PATCH', `${tide}/pulls/${topic.number}`, { title: 'A topic' });
  const failed = await action('semantic-pull-request/dist/index.js', inputs, [
    'pull_request',
    { pull_request: topic },
  ]).catch(String);
  equal(String(failed).includes('No release type found'), true, 'failure');
  await api('PATCH', `${tide}/pulls/${topic.number}`, { title: 'feat: a topic' });
});
await step('paths-filter: which parts a pull request changes', async () => {
  const inputs = {
    token: key,
    filters: 'source:\n  - "src/**"\ndocs:\n  - "docs/**"\n',
    'initial-fetch-depth': 100,
    'list-files': 'none',
    'predicate-quantifier': 'some',
  };
  const { outputs } = await action('paths-filter/dist/index.js', inputs, ['pull_request', { pull_request: topic }]);
  equal([outputs.source, outputs.docs], ['true', 'false'], 'parts');
});
await step('create-or-update-comment: creates, then replaces, with a reaction', async () => {
  const inputs = {
    token: key,
    repository: 'octo/tide',
    'edit-mode': 'replace',
    'append-separator': 'newline',
    'reactions-edit-mode': 'append',
  };
  const { outputs } = await action('comment/dist/index.js', { ...inputs, 'issue-number': topic.number, body: 'One' });
  await action('comment/dist/index.js', {
    ...inputs,
    'comment-id': outputs['comment-id'],
    body: 'Two',
    reactions: 'heart',
  });
  equal(await comments(topic.number), ['Two'], 'comments');
  equal((await api('GET', `${tide}/issues/comments/${outputs['comment-id']}/reactions`)).length, 1, 'reactions');
});
await step('sticky comment: finds its own by GraphQL and edits it, hides and recreates it', async () => {
  const inputs = {
    GITHUB_TOKEN: key,
    header: '',
    append: false,
    recreate: false,
    delete: false,
    only_create: false,
    only_update: false,
    hide_details: false,
    hide: false,
    hide_and_recreate: false,
    hide_classify: 'OUTDATED',
    ignore_empty: false,
    skip_unchanged: false,
    follow_symbolic_links: false,
    number_force: '',
    number: topic.number,
  };
  await action('sticky/dist/index.js', { ...inputs, message: 'High' });
  await action('sticky/dist/index.js', { ...inputs, message: 'Low' });
  equal((await comments(topic.number)).filter((body) => /High|Low/.test(body)).length, 1, 'comments');
  await action('sticky/dist/index.js', { ...inputs, hide_and_recreate: true, message: 'Slack' });
  equal((await comments(topic.number)).length, 3, 'comments after hiding');
  await action('sticky/dist/index.js', { ...inputs, delete: true });
  equal(
    (await comments(topic.number)).some((body) => body.includes('Slack')),
    false,
    'deleted',
  );
});
await step('comment-pull-request: one comment by its tag', async () => {
  const inputs = {
    'github-token': key,
    'comment-tag': 'tide',
    mode: 'upsert',
    'create-if-not-exists': true,
    'pr-number': topic.number,
  };
  for (const message of ['Ebb', 'Flow'])
    await action('comment-pull/lib/index.js', { ...inputs, message }, ['pull_request', { pull_request: topic }]);
  equal((await comments(topic.number)).filter((body) => /Ebb|Flow/.test(body)).length, 1, 'comments');
});
await step('automerge: merges what has its label, and deletes the branch', async () => {
  await api('POST', `${tide}/issues/${topic.number}/labels`, { labels: ['automerge'] });
  const now = await api('GET', `${tide}/pulls/${topic.number}`);
  const more = {
    MERGE_METHOD: 'squash',
    MERGE_DELETE_BRANCH: 'true',
    MERGE_RETRIES: '1',
    MERGE_RETRY_SLEEP: '10',
    UPDATE_RETRIES: '1',
    UPDATE_RETRY_SLEEP: '10',
  };
  await action(
    'automerge/dist/index.js',
    {},
    ['pull_request', { action: 'labeled', number: topic.number, pull_request: now }],
    more,
  );
  equal((await api('GET', `${tide}/pulls/${topic.number}`)).merged, true, 'merged');
  equal(
    (await api('GET', `${tide}/branches`)).some(({ name }) => name === 'topic'),
    false,
    'the branch is there',
  );
});
await step('release-drafter: drafts a release of what was merged, then updates it', async () => {
  const inputs = { 'config-name': 'release-drafter.yml', token: key };
  await action('release-drafter/dist/actions/drafter/run.js', inputs, ['push', { ref: 'refs/heads/main' }]);
  await action('release-drafter/dist/actions/drafter/run.js', inputs, ['push', { ref: 'refs/heads/main' }]);
  const releases = await api('GET', `${tide}/releases`);
  equal(
    releases.map(({ draft, tag_name }) => draft || tag_name),
    [true, 'v0.1.0'],
    'releases',
  );
  equal(releases[0].body.includes('a topic'), true, releases[0].body);
});
await step('action-gh-release: a release with generated notes', async () => {
  const inputs = {
    token: key,
    tag_name: 'v2.0.0',
    name: 'Second',
    files: '',
    generate_release_notes: true,
    overwrite_files: true,
    working_directory: folder,
  };
  const { outputs } = await action('gh-release/dist/index.js', inputs, ['push', {}], {
    GITHUB_REF: 'refs/tags/v2.0.0',
  });
  const { name, body } = await api('GET', `${tide}/releases/${outputs.id}`);
  equal([name, body.includes("What's Changed")], ['Second', true], body);
});
await step('repository-dispatch: an event for workflows', async () => {
  await action('dispatch/dist/index.js', {
    token: key,
    repository: 'octo/tide',
    'event-type': 'tide',
    'client-payload': '{"height": 3}',
  });
});
await step("first-interaction: greets somebody's first issue", async () => {
  const issue = await api('POST', `${tide}/issues`, { title: 'First' });
  const inputs = { repo_token: key, issue_message: 'Hello', pr_message: 'Hi' };
  await action('first-interaction/dist/index.js', inputs, ['issues', { action: 'opened', issue }]);
  equal(await comments(issue.number), ['Hello'], 'comments');
});
await step('lock-threads: locks what has been closed for long', async () => {
  const issue = await api('POST', `${tide}/issues`, { title: 'Old' });
  await api('PATCH', `${tide}/issues/${issue.number}`, { state: 'closed' });
  const kinds = ['issue', 'pr', 'discussion'].flatMap((kind) => [
    [`${kind}-inactive-days`, 365],
    [`${kind}-comment`, ''],
    ['log-output', false],
  ]);
  const inputs = {
    'github-token': key,
    'process-only': 'issues',
    'issue-lock-reason': 'resolved',
    'pr-lock-reason': 'resolved',
    ...Object.fromEntries(kinds),
  };
  await action('lock-threads/dist/index.js', inputs, ['schedule', {}]);
  equal((await api('GET', `${tide}/issues/${issue.number}`)).locked, true, 'locked');
});

const bump = {
  login: 'dependabot[bot]',
  message: [
    'Bump left-pad from 1.0.0 to 1.1.0',
    '',
    'Bumps left-pad from 1.0.0 to 1.1.0.',
    '',
    '---',
    'updated-dependencies:',
    '- dependency-name: left-pad',
    '  dependency-version: 1.1.0',
    '  dependency-type: direct:production',
    '  update-type: version-update:semver-minor',
    '...',
    '',
    'Signed-off-by: dependabot[bot] <support@github.com>',
  ].join('\n'),
};
await step('fetch-metadata and merge-dependabot: read what Dependabot bumps, approve and merge it', async () => {
  await control('POST', '/seed', {
    resources: {
      users: [{ id: bump.login, login: bump.login, type: 'Bot' }],
      access_tokens: [{ id: 'dependabot', token: 'ghp_dependabotdependabot1234', user_login: bump.login }],
    },
  });
  const made = await pull(
    'dependabot/npm_and_yarn/left-pad-1.1.0',
    'Bump left-pad from 1.0.0 to 1.1.0',
    'package.json',
    bump.message,
  );
  const event = { ...made, user: { ...made.user, login: bump.login } };
  const inputs = { 'github-token': key, 'skip-commit-verification': true, 'skip-verification': true };
  const { outputs } = await action('fetch-metadata/dist/index.js', inputs, ['pull_request', { pull_request: event }], {
    GITHUB_ACTOR: bump.login,
  });
  equal(
    [outputs['dependency-names'], outputs['update-type'], outputs['previous-version'], outputs['new-version']],
    ['left-pad', 'version-update:semver-minor', '1.0.0', '1.1.0'],
    'metadata',
  );
});
process.exit(0);
