/** The vendor's command line as scripts use it: its REST commands. What it asks by GraphQL is not there. */
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
