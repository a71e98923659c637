/** A release tool: reads histories and tags by GraphQL and writes pull requests, labels and releases by REST. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Octokit } from '@octokit/rest';
import { equal, key, step, url } from './kit.mjs';

const run = promisify(execFile);
const { rest } = new Octokit({ auth: key, baseUrl: url });
const tide = { owner: 'octo', repo: 'tide' };

async function put(path, text, message) {
  const content = Buffer.from(text).toString('base64');
  await rest.repos.createOrUpdateFileContents({ ...tide, path, message, content });
}

/** Runs a command of the tool; throws if it prints problems. */
async function tool(command) {
  const program = join('node_modules', 'release-please', 'build', 'src', 'bin', 'release-please.js');
  const place = ['--repo-url', 'octo/tide', '--target-branch', 'main', '--api-url', url, '--graphql-url', url];
  const { stdout, stderr } = await run(process.execPath, [program, command, '--token', key, ...place], {
    timeout: 120_000,
  });
  const problem = `${stdout}${stderr}`.split('\n').find((line) => line.startsWith('✖'));
  if (problem !== undefined) throw new Error(problem);
}

async function pulls() {
  return (await rest.pulls.list(tide)).data.map(({ title, labels }) => [title, labels.map(({ name }) => name)]);
}

await step('a repository with a release and two commits since', async () => {
  await rest.repos.createForAuthenticatedUser({ name: 'tide', auto_init: true });
  await put('package.json', `${JSON.stringify({ name: 'tide', version: '1.0.0' }, null, 2)}\n`, 'chore: start');
  await put('.release-please-manifest.json', '{ ".": "1.0.0" }\n', 'chore: manifest');
  await put('release-please-config.json', '{ "packages": { ".": { "release-type": "node" } } }\n', 'chore: settings');
  await rest.repos.createRelease({ ...tide, tag_name: 'tide-v1.0.0', name: 'tide: v1.0.0' });
  await put('high.js', '1', 'feat: high tide');
  await put('low.js', '1', 'fix: low tide');
});
await step('release-pr opens a pull request for the next minor version', async () => {
  await tool('release-pr');
  equal(await pulls(), [['chore(main): release tide 1.1.0', ['autorelease: pending']]], 'pull requests');
});
await step('release-pr again changes nothing', async () => {
  await tool('release-pr');
  equal((await pulls()).length, 1, 'pull requests');
});
await step('a breaking commit makes it the next major version', async () => {
  await put('spring.js', '1', 'feat!: spring tide');
  await tool('release-pr');
  equal((await pulls())[0][0], 'chore(main): release tide 2.0.0', 'title');
});
await step('github-release makes the release once it is merged, and labels and comments say so', async () => {
  const [pull] = (await rest.pulls.list(tide)).data;
  await rest.pulls.merge({ ...tide, pull_number: pull.number, merge_method: 'squash' });
  await tool('github-release');
  equal((await rest.repos.getLatestRelease(tide)).data.tag_name, 'tide-v2.0.0', 'tag');
  const { data: issue } = await rest.issues.get({ ...tide, issue_number: pull.number });
  equal(
    issue.labels.map(({ name }) => name),
    ['autorelease: tagged'],
    'labels',
  );
  equal((await rest.issues.listComments({ ...tide, issue_number: pull.number })).data.length, 1, 'comments');
});
