/** The vendor's command-line tool as scripts use it: commands that call REST, and issues and pull requests by GraphQL. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { control, equal, key, step, url } from './kit.mjs';

const env = {
  ...process.env,
  GH_HOST: 'github.localhost',
  GH_TOKEN: key,
  GH_ENTERPRISE_TOKEN: key,
  GH_CONFIG_DIR: mkdtempSync(join(tmpdir(), 'gh-')),
  HTTP_PROXY: url,
  http_proxy: url,
  NO_COLOR: '1',
};
const run = promisify(execFile);
const gh = async (...args) => (await run('gh', args, { env })).stdout.trim();

await step('gh api: the caller', async () => equal(await gh('api', '/user', '--jq', '.login'), 'octo'));
await step('gh api: a repository with a first commit', async () => {
  equal(await gh('api', '/user/repos', '-f', 'name=tide', '-F', 'auto_init=true', '--jq', '.full_name'), 'octo/tide');
});
await step('gh api --paginate follows the links', async () => {
  for (let at = 0; at < 5; at++) await gh('api', '/repos/octo/tide/issues', '-f', `title=No ${at}`);
  const numbers = await gh('api', '--paginate', '/repos/octo/tide/issues?per_page=2', '--jq', '.[].number');
  equal(numbers.split('\n').length, 5, 'issues');
});
await step('gh workflow run and gh run list', async () => {
  const text = 'name: CI\non: [workflow_dispatch]\njobs: {}\n';
  const content = Buffer.from(text).toString('base64');
  await gh(
    'api',
    '-X',
    'PUT',
    '/repos/octo/tide/contents/.github/workflows/ci.yml',
    '-f',
    'message=Add',
    '-f',
    `content=${content}`,
  );
  await gh('workflow', 'run', 'ci.yml', '--ref', 'main', '-R', 'github.localhost/octo/tide');
  await control('POST', '/clock/advance', { duration: '2m' });
  const runs = await gh('run', 'list', '-R', 'github.localhost/octo/tide');
  equal(runs.includes('completed') && runs.includes('success'), true, `a run that succeeded in ${runs}`);
});
await step('gh secret set seals a secret, gh secret list names it', async () => {
  await gh('secret', 'set', 'TOKEN', '--body', 'of the tide', '-R', 'github.localhost/octo/tide');
  equal((await gh('secret', 'list', '-R', 'github.localhost/octo/tide')).split(/\s/)[0], 'TOKEN');
});
await step('gh search issues', async () => {
  const found = await gh('search', 'issues', '--repo', 'octo/tide', '--json', 'title', '--jq', 'length');
  equal(found, '5', 'found');
});
await step('what is missing ends with 1', async () => {
  const code = await gh('api', '/repos/octo/none').then(
    () => 0,
    ({ code: ended }) => ended,
  );
  equal(code, 1, 'exit code');
});

const tide = ['-R', 'github.localhost/octo/tide'];
await step('gh issue create, view, comment, close and list', async () => {
  const made = await gh('issue', 'create', ...tide, '-t', 'Gate stuck', '-b', 'It is');
  const number = made.split('/').at(-1);
  await gh('issue', 'comment', number, ...tide, '-b', 'Oiled');
  equal(
    await gh('issue', 'view', number, ...tide, '--json', 'title,comments', '--jq', '.title + " " + .comments[0].body'),
    'Gate stuck Oiled',
  );
  await gh('issue', 'close', number, ...tide);
  equal(await gh('issue', 'list', ...tide, '--state', 'closed', '--json', 'number', '--jq', '.[0].number'), number);
});
await step('gh label list and gh repo view', async () => {
  equal((await gh('label', 'list', ...tide)).includes('good first issue'), true, 'a label');
  equal((await gh('repo', 'view', 'github.localhost/octo/tide')).includes('octo/tide'), true, 'the name');
});
await step('gh repo list, gh release list, gh issue list with a label', async () => {
  equal((await gh('repo', 'list', 'octo', '--json', 'name', '--jq', '.[].name')).split('\n')[0], 'tide');
  equal(
    (await gh('repo', 'list', '--json', 'nameWithOwner', '--jq', '.[0].nameWithOwner')).split('\n')[0],
    'octo/tide',
  );
  equal(await gh('repo', 'list', 'octo', '--no-archived', '--json', 'name', '--jq', '.[0].name'), 'tide');
  await gh('api', '/repos/octo/tide/releases', '-f', 'tag_name=v1', '-f', 'name=First');
  equal((await gh('release', 'list', ...tide)).split('\t').slice(0, 2).join(' '), 'First Latest');
  await gh('api', '/repos/octo/tide/issues', '-f', 'title=Leak', '-f', 'labels[]=bug');
  equal(await gh('issue', 'list', ...tide, '-l', 'bug', '--json', 'title', '--jq', '.[].title'), 'Leak');
});
const head = (number) => gh('api', `/repos/octo/tide/pulls/${number}`, '--jq', '.head.sha');
await step('gh pr create, list, view, checks, review and merge', async () => {
  const sha = await gh('api', '/repos/octo/tide/git/ref/heads/main', '--jq', '.object.sha');
  await gh('api', '/repos/octo/tide/git/refs', '-f', 'ref=refs/heads/topic', '-f', `sha=${sha}`);
  const content = Buffer.from('low').toString('base64');
  await gh(
    'api',
    '-X',
    'PUT',
    '/repos/octo/tide/contents/low.txt',
    '-f',
    'message=Low',
    '-f',
    'branch=topic',
    '-f',
    `content=${content}`,
  );
  const number = (await gh('pr', 'create', ...tide, '-t', 'Tides', '-b', 'Low', '-H', 'topic', '-B', 'main'))
    .split('/')
    .at(-1);
  equal(await gh('pr', 'list', ...tide, '--json', 'number,headRefName', '--jq', '.[0].headRefName'), 'topic');
  await gh('pr', 'review', number, ...tide, '--comment', '-b', 'Fine');
  await gh('api', `/repos/octo/tide/statuses/${await head(number)}`, '-f', 'state=success', '-f', 'context=tides');
  equal((await gh('pr', 'checks', number, ...tide)).split('\t').slice(0, 2).join(' '), 'tides pass');
  equal(await gh('pr', 'list', ...tide, '--search', 'Tides', '--json', 'number', '--jq', '.[0].number'), number);
  await control('POST', '/clock/advance', { duration: '2s' });
  equal(await gh('pr', 'view', number, ...tide, '--json', 'mergeable', '--jq', '.mergeable'), 'MERGEABLE');
  await gh('pr', 'merge', number, ...tide, '--squash');
  equal(await gh('pr', 'view', number, ...tide, '--json', 'state', '--jq', '.state'), 'MERGED');
});
await step('gh issue create and edit with labels, people and a milestone; lock, unlock, delete', async () => {
  await gh('api', '/repos/octo/tide/milestones', '-f', 'title=Spring');
  const made = await gh(
    'issue',
    'create',
    ...tide,
    '-t',
    'Marked',
    '-b',
    'x',
    '-l',
    'bug',
    '-a',
    '@me',
    '-m',
    'Spring',
  );
  const number = made.split('/').at(-1);
  const shown = '[.labels[0].name, .assignees[0].login, .milestone.title] | join(" ")';
  const view = () => gh('issue', 'view', number, ...tide, '--json', 'labels,assignees,milestone', '--jq', shown);
  equal(await view(), 'bug octo Spring');
  await gh(
    'issue',
    'edit',
    number,
    ...tide,
    '--add-label',
    'question',
    '--remove-label',
    'bug',
    '--remove-assignee',
    '@me',
  );
  equal(await view(), 'question  Spring');
  await gh('issue', 'lock', number, ...tide, '-r', 'spam');
  await gh('issue', 'unlock', number, ...tide);
  equal((await gh('issue', 'status', ...tide)).includes('Marked'), true, 'an issue of mine');
  await gh('issue', 'delete', number, ...tide, '--yes');
  equal(await gh('issue', 'list', ...tide, '-l', 'question', '--json', 'title', '--jq', 'length'), '0', 'issues');
});
await step('gh pr create with labels, edit, status, comment, diff, draft, merge and delete the branch', async () => {
  const sha = await gh('api', '/repos/octo/tide/git/ref/heads/main', '--jq', '.object.sha');
  await gh('api', '/repos/octo/tide/git/refs', '-f', 'ref=refs/heads/ebb', '-f', `sha=${sha}`);
  const file = ['-f', 'message=Ebb', '-f', 'branch=ebb', '-f', `content=${Buffer.from('ebb').toString('base64')}`];
  await gh('api', '-X', 'PUT', '/repos/octo/tide/contents/ebb.txt', ...file);
  const marks = ['-l', 'bug', '-a', '@me', '-m', 'Spring'];
  const made = await gh(
    'pr',
    'create',
    ...tide,
    '-t',
    'Ebb',
    '-b',
    'Out',
    '-H',
    'ebb',
    '-B',
    'main',
    '--draft',
    ...marks,
  );
  const number = made.split('/').at(-1);
  await gh('pr', 'edit', number, ...tide, '--add-label', 'question', '--remove-label', 'bug', '--title', 'Ebbs');
  equal((await gh('pr', 'status', ...tide)).includes('Ebbs'), true, 'a pull request of mine');
  await gh('pr', 'comment', number, ...tide, '-b', 'Low');
  await gh('pr', 'comment', number, ...tide, '--edit-last', '-b', 'Lower');
  equal((await gh('pr', 'diff', number, ...tide)).includes('+ebb'), true, 'the line');
  await gh('pr', 'ready', number, ...tide);
  const members =
    'title,labels,assignees,milestone,comments,commits,files,reviewDecision,latestReviews,mergeCommit,statusCheckRollup';
  const shown = '[.title, .labels[0].name, .comments[0].body, .commits[0].messageHeadline, .files[0].path] | join(" ")';
  equal(await gh('pr', 'view', number, ...tide, '--json', members, '--jq', shown), 'Ebbs question Lower Ebb ebb.txt');
  await gh('pr', 'close', number, ...tide);
  await gh('pr', 'reopen', number, ...tide);
  await gh('pr', 'merge', number, ...tide, '--rebase', '--delete-branch');
  equal(await gh('pr', 'view', number, ...tide, '--json', 'state,mergeCommit', '--jq', '.state'), 'MERGED');
  equal(await gh('api', '/repos/octo/tide/branches', '--jq', '[.[].name] | contains(["ebb"])'), 'false', 'a branch');
});
await step('gh release create with a file, view, upload, download, edit, delete', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  writeFileSync(join(folder, 'tide.txt'), 'high');
  await gh('release', 'create', 'v2', join(folder, 'tide.txt'), ...tide, '-t', 'Second', '-n', 'Notes');
  equal((await gh('release', 'view', 'v2', ...tide)).includes('tide.txt'), true, 'the file');
  equal(await gh('release', 'view', ...tide, '--json', 'tagName', '--jq', '.tagName'), 'v2');
  await gh('release', 'upload', 'v2', join(folder, 'tide.txt'), '--clobber', ...tide);
  await gh('release', 'download', 'v2', ...tide, '-D', join(folder, 'back'));
  equal(readFileSync(join(folder, 'back', 'tide.txt'), 'utf8'), 'high');
  await gh('release', 'edit', 'v2', ...tide, '-t', 'Third');
  await gh('release', 'delete-asset', 'v2', 'tide.txt', '--yes', ...tide);
  await gh('release', 'delete', 'v2', '--yes', '--cleanup-tag', ...tide);
  equal((await gh('release', 'list', ...tide)).includes('Third'), false, 'a release');
});
await step('gh run view, rerun, cancel and watch; gh workflow list, view, disable and enable', async () => {
  const id = await gh('run', 'list', ...tide, '--json', 'databaseId', '--jq', '.[0].databaseId');
  equal((await gh('run', 'view', id, ...tide)).includes('build'), true, 'the job');
  equal(await gh('run', 'view', id, ...tide, '--json', 'conclusion', '--jq', '.conclusion'), 'success');
  await gh('run', 'rerun', id, ...tide);
  await gh('run', 'cancel', id, ...tide);
  await control('POST', '/clock/advance', { duration: '2m' });
  equal((await gh('run', 'watch', id, ...tide)).includes('cancelled'), true, 'the conclusion');
  await gh('workflow', 'disable', 'ci.yml', ...tide);
  equal((await gh('workflow', 'list', '--all', ...tide)).includes('disabled'), true, 'disabled');
  await gh('workflow', 'enable', 'ci.yml', ...tide);
  equal((await gh('workflow', 'view', 'ci.yml', ...tide)).includes('Total runs 1'), true, 'its runs');
});
await step('gh repo create, edit, view, archive; gh label create, edit, delete; gh auth status', async () => {
  await gh('repo', 'create', 'reef', '--public', '--add-readme', '-d', 'Two');
  await gh('repo', 'edit', 'github.localhost/octo/reef', '--description', 'Three', '--add-topic', 'sea');
  const reef = ['-R', 'github.localhost/octo/reef'];
  await gh('label', 'create', 'tidal', ...reef, '-c', 'ff0000');
  await gh('label', 'edit', 'tidal', ...reef, '-n', 'of the tide');
  await gh('label', 'delete', 'of the tide', '--yes', ...reef);
  const members =
    'description,repositoryTopics,languages,latestRelease,defaultBranchRef,watchers,issues,milestones,assignableUsers';
  const shown =
    '[.description, .repositoryTopics[0].name, .defaultBranchRef.name, .assignableUsers[0].login] | join(" ")';
  equal(
    await gh('repo', 'view', 'github.localhost/octo/reef', '--json', members, '--jq', shown),
    'Three sea main octo',
  );
  await gh('repo', 'archive', 'github.localhost/octo/reef', '--yes');
  equal(await gh('repo', 'list', 'octo', '--no-archived', '--json', 'name', '--jq', '[.[].name] | join(" ")'), 'tide');
  const status = await gh('auth', 'status', '-h', 'github.localhost');
  equal(status.includes('missing required scope'), false, 'a scope');
});
await step('gh search: pull requests and repositories; gh api graphql with pages', async () => {
  equal((await gh('search', 'prs', '--repo', 'octo/tide', 'Ebbs')).includes('merged'), true, 'the pull request');
  equal((await gh('search', 'repos', 'tide', '--owner', 'octo')).includes('octo/tide'), true, 'the repository');
  const query = `query($endCursor: String) { repository(owner: "octo", name: "tide") {
    issues(first: 2, after: $endCursor) { nodes { number } pageInfo { hasNextPage endCursor } } } }`;
  const numbers = await gh(
    'api',
    'graphql',
    '--paginate',
    '-f',
    `query=${query}`,
    '--jq',
    '.data.repository.issues.nodes[].number',
  );
  equal(numbers.split('\n').length, 7, 'issues');
});
await step('gh pr merge --auto waits for a check, --disable-auto takes it back', async () => {
  await gh('api', '-X', 'PATCH', '/repos/octo/tide', '-F', 'allow_auto_merge=true');
  const sha = await gh('api', '/repos/octo/tide/git/ref/heads/main', '--jq', '.object.sha');
  await gh('api', '/repos/octo/tide/git/refs', '-f', 'ref=refs/heads/slack', '-f', `sha=${sha}`);
  const file = [
    '-f',
    'message=Slack',
    '-f',
    'branch=slack',
    '-f',
    `content=${Buffer.from('slack').toString('base64')}`,
  ];
  await gh('api', '-X', 'PUT', '/repos/octo/tide/contents/slack.txt', ...file);
  const rules = { required_status_checks: { strict: false, contexts: ['ci'] }, enforce_admins: false };
  const body = join(mkdtempSync(join(tmpdir(), 'gh-')), 'rules.json');
  writeFileSync(body, JSON.stringify({ ...rules, required_pull_request_reviews: null, restrictions: null }));
  await gh('api', '-X', 'PUT', '/repos/octo/tide/branches/main/protection', '--input', body);
  const number = (await gh('pr', 'create', ...tide, '-t', 'Slack', '-b', 'x', '-H', 'slack', '-B', 'main'))
    .split('/')
    .at(-1);
  await control('POST', '/clock/advance', { duration: '2s' });
  const view = (what) => gh('pr', 'view', number, ...tide, '--json', 'state,mergeStateStatus', '--jq', what);
  equal(await view('.mergeStateStatus'), 'BLOCKED');
  await gh('pr', 'merge', number, ...tide, '--auto', '--squash');
  await gh('pr', 'merge', number, ...tide, '--disable-auto');
  await gh('pr', 'merge', number, ...tide, '--auto', '--squash');
  await gh('api', `/repos/octo/tide/statuses/${await head(number)}`, '-f', 'state=success', '-f', 'context=ci');
  await control('POST', '/clock/advance', { duration: '2s' });
  equal(await view('.state'), 'MERGED');
});
