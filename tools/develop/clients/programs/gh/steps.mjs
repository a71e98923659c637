/** The vendor's command line as scripts use it: its REST commands, and issues and pull requests, which it asks by GraphQL. */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
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
