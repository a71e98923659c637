/** Runs the part of a dependency bot that calls the vendor, as in a run of the bot. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callJson as api, control, equal, key, step, url } from './kit.mjs';

const require = createRequire(import.meta.url);
const inside = (path) => require(`./node_modules/renovate/dist/${path}`);
const { GlobalConfig } = inside('config/global');
const hostRules = inside('util/host-rules');
const github = inside('modules/platform/github');
const memory = inside('util/cache/memory');
const repositoryCache = inside('util/cache/repository');
const tide = '/repos/octo/tide';
GlobalConfig.set({ localDir: process.cwd(), cacheDir: '/tmp' });
memory.init();

// The bot also reads branches by git: a bare repository replaces the vendor's.
const folder = mkdtempSync(join(tmpdir(), 'renovate-'));
process.env.GIT_CONFIG_GLOBAL = join(folder, 'gitconfig');
const { host } = new URL(url);
writeFileSync(
  process.env.GIT_CONFIG_GLOBAL,
  `[user]\n\tname = Octo\n\temail = octo@example.com\n[url "file://${folder}/"]\n\tinsteadOf = http://${key}@${host}/\n`,
);
const work = join(folder, 'work');
mkdirSync(work);
execFileSync('git', ['init', '-q', '--bare', '-b', 'main', join(folder, 'octo', 'tide.git')]);
const git = (...args) => execFileSync('git', args, { cwd: work });
git('init', '-q', '-b', 'main');
git('commit', '-q', '--allow-empty', '-m', 'Start');
git('push', '-q', join(folder, 'octo', 'tide.git'), 'main', 'main:renovate/left-pad-1.x');

const branch = 'renovate/left-pad-1.x';
async function fresh() {
  memory.reset();
  memory.init();
  await github.initRepo({ repository: 'octo/tide', renovateUsername: 'octo' });
}
await step("initPlatform: who it is, and the token's scopes", async () => {
  const config = await github.initPlatform({ endpoint: `${url}/`, token: key });
  equal([config.gitAuthor.includes('octo'), config.renovateUsername], [true, 'octo'], 'configuration');
  hostRules.add({ hostType: 'github', matchHost: new URL(url).origin, token: key });
});
await step('getRepos and initRepo: the default branch and merge methods by GraphQL', async () => {
  await api('POST', '/user/repos', { name: 'tide', auto_init: true });
  equal(await github.getRepos(), ['octo/tide'], 'repositories');
  const { defaultBranch, isFork } = await github.initRepo({ repository: 'octo/tide', renovateUsername: 'octo' });
  equal([defaultBranch, isFork], ['main', false], 'repository');
});
await step('ensureIssue creates the dashboard, edits it, and finds it by GraphQL', async () => {
  equal(await github.ensureIssue({ title: 'Dashboard', body: 'One', labels: ['bot'] }), 'created');
  await fresh();
  equal(await github.ensureIssue({ title: 'Dashboard', body: 'Two' }), 'updated');
  equal((await github.findIssue('Dashboard')).body, 'Two', 'body');
  equal(
    (await github.getIssueList()).map(({ title, state }) => [title, state]),
    [['Dashboard', 'open']],
    'issues',
  );
  await github.ensureIssueClosing('Dashboard');
  equal((await api('GET', `${tide}/issues?state=closed`)).length, 1, 'closed issues');
});
let pull;
await step('createPr with labels; findPr, getPr, getBranchPr', async () => {
  const { object } = await api('GET', `${tide}/git/ref/heads/main`);
  await api('POST', `${tide}/git/refs`, { ref: `refs/heads/${branch}`, sha: object.sha });
  await api('PUT', `${tide}/contents/package.json`, {
    message: 'Update left-pad',
    branch,
    content: Buffer.from('{}').toString('base64'),
  });
  pull = await github.createPr({
    sourceBranch: branch,
    targetBranch: 'main',
    prTitle: 'Update left-pad',
    prBody: 'Text',
    labels: ['deps'],
    draftPR: false,
  });
  equal(pull.title, 'Update left-pad', 'title');
  await fresh();
  equal((await github.findPr({ branchName: branch, state: 'open' })).number, pull.number, 'found');
  equal((await github.getBranchPr(branch)).number, pull.number, 'of the branch');
  equal((await github.getPr(pull.number)).labels, ['deps'], 'labels');
});
await step('addReviewers, addAssignees, updatePr, tryReuse of a closed one', async () => {
  await control('POST', '/seed', { resources: { users: [{ id: 'reviewer', login: 'reviewer' }] } });
  await api('PUT', `${tide}/collaborators/reviewer`, { permission: 'push' });
  await github.addAssignees(pull.number, ['octo']);
  await github.addReviewers(pull.number, ['reviewer']).catch(() => undefined);
  await github.updatePr({ number: pull.number, prTitle: 'Update left-pad to 1.1', prBody: 'More' });
  const now = await api('GET', `${tide}/pulls/${pull.number}`);
  equal([now.title, now.assignees.map(({ login }) => login)], ['Update left-pad to 1.1', ['octo']], 'pull request');
});
await step('ensureComment edits its own, ensureCommentRemoval deletes it', async () => {
  const own = { number: pull.number, topic: 'Edited' };
  await github.ensureComment({ ...own, content: 'One' });
  memory.reset();
  memory.init();
  await github.ensureComment({ ...own, content: 'Two' });
  const all = await api('GET', `${tide}/issues/${pull.number}/comments`);
  equal([all.length, all[0].body.includes('Two')], [1, true], 'comments');
  await github.ensureCommentRemoval({ type: 'by-topic', ...own });
  equal((await api('GET', `${tide}/issues/${pull.number}/comments`)).length, 0, 'comments');
});
await step('getJsonFile and getRawFile read the branch; getBranchForceRebase asks the protection', async () => {
  equal(await github.getJsonFile('package.json', 'octo/tide', branch), {});
  equal(await github.getBranchForceRebase('main'), false);
  equal(await github.getVulnerabilityAlerts(), []);
});
await step('mergePr merges, and says so afterwards', async () => {
  await control('POST', '/clock/advance', { duration: '2s' });
  await fresh();
  equal(await github.mergePr({ branchName: branch, id: pull.number }), true);
  await fresh();
  equal((await github.getPr(pull.number)).state, 'merged', 'state');
});
void repositoryCache;
process.exit(0);
