/** A release tool for a working copy: reads git, pushes tags, and creates releases and comments by REST and GraphQL. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callJson as api, equal, key, step, url } from './kit.mjs';

const tide = '/repos/octo/tide';
const folder = mkdtempSync(join(tmpdir(), 'semantic-release-'));
const [work, bare] = [join(folder, 'work'), join(folder, 'tide.git')];
const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
  GIT_AUTHOR_DATE: '2025-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2025-01-01T00:00:00Z',
  TZ: 'UTC',
};
for (const name of Object.keys(env)) if (/^GITHUB_|^CI$/.test(name)) delete env[name];
const git = (...args) => execFileSync('git', args, { cwd: work, env, encoding: 'utf8' }).trimEnd();

/** Copies a git commit into the sandbox; equal content has an equal hash. */
async function mirrored(sha) {
  const entries = git('ls-tree', '-r', sha).split('\n').filter(Boolean);
  const tree = [];
  for (const entry of entries) {
    const [, mode, blob, path] = /^(\d+) blob (\w+)\t(.*)$/.exec(entry);
    const content = execFileSync('git', ['cat-file', 'blob', blob], { cwd: work, env }).toString('base64');
    await api('POST', `${tide}/git/blobs`, { content, encoding: 'base64' });
    tree.push({ path, mode, type: 'blob', sha: blob });
  }
  const { sha: root } = await api('POST', `${tide}/git/trees`, { tree });
  const [parents, name, email, date] = git('log', '-1', '--format=%P|%an|%ae|%aI', sha).split('|');
  const message = execFileSync('git', ['log', '-1', '--format=%B', sha], { cwd: work, env, encoding: 'utf8' }).replace(
    /\n\n$/,
    '\n',
  );
  const who = { name, email, date };
  const made = await api('POST', `${tide}/git/commits`, {
    message,
    tree: root,
    parents: parents.split(' ').filter(Boolean),
    author: who,
    committer: who,
  });
  equal(made.sha, sha, 'commit');
}

async function commit(file, message, extra = '') {
  writeFileSync(join(work, file), message + extra);
  git('add', '.');
  git('commit', '-q', '-m', message);
  const sha = git('rev-parse', 'HEAD');
  await mirrored(sha);
  return sha;
}

async function release() {
  git('push', '-q', 'origin', 'main');
  const program = join(process.cwd(), 'node_modules', 'semantic-release', 'bin', 'semantic-release.js');
  const place = {
    GITHUB_API_URL: url,
    GITHUB_GRAPHQL_URL: `${url}/graphql`,
    GITHUB_TOKEN: key,
    GITHUB_URL: 'https://github.com',
  };
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--no-ci'], {
    cwd: work,
    env: { ...env, ...place },
    timeout: 120_000,
  });
  return stdout;
}

await step('a repository whose commits git and the sandbox both have', async () => {
  execFileSync('mkdir', ['-p', work]);
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', bare]);
  writeFileSync(
    env.GIT_CONFIG_GLOBAL,
    `[user]\n\tname = Octo\n\temail = octo@example.com\n[url "file://${bare}"]\n\tinsteadOf = https://github.com/octo/tide.git\n`,
  );
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', 'https://github.com/octo/tide.git');
  const plugins = [
    '@semantic-release/commit-analyzer',
    '@semantic-release/release-notes-generator',
    ['@semantic-release/github', { githubApiUrl: url, githubUrl: 'https://github.com', proxy: false }],
  ];
  const modules = join(process.cwd(), 'node_modules');
  const resolved = plugins.map((each) =>
    typeof each === 'string' ? join(modules, each, 'index.js') : [join(modules, each[0], 'index.js'), each[1]],
  );
  writeFileSync(
    join(work, '.releaserc.json'),
    JSON.stringify({ branches: ['main'], repositoryUrl: 'https://github.com/octo/tide.git', plugins: resolved }),
  );
  await api('POST', '/user/repos', { name: 'tide' });
  const sha = await commit('high.txt', 'feat: high tide');
  await api('POST', `${tide}/git/refs`, { ref: 'refs/heads/main', sha });
});
await step('the first release has notes, and its tag is pushed', async () => {
  await release();
  const latest = await api('GET', `${tide}/releases/latest`);
  equal([latest.tag_name, latest.body.includes('high tide')], ['v1.0.0', true], 'release');
  equal(git('ls-remote', '--tags', 'origin').includes('refs/tags/v1.0.0'), true, 'the tag');
});
await step('a fix that a pull request brings: its issue and itself are told of the release, and labelled', async () => {
  const issue = await api('POST', `${tide}/issues`, { title: 'Too low' });
  git('checkout', '-q', '-b', 'fix');
  const sha = await commit('low.txt', 'fix: low tide', `\nFixes #${issue.number}`);
  await api('POST', `${tide}/git/refs`, { ref: 'refs/heads/fix', sha });
  const pull = await api('POST', `${tide}/pulls`, {
    title: 'fix: low tide',
    head: 'fix',
    base: 'main',
    body: `Fixes #${issue.number}`,
  });
  await api('PUT', `${tide}/pulls/${pull.number}/merge`, { merge_method: 'rebase' });
  git('checkout', '-q', 'main');
  git('merge', '-q', '--ff-only', 'fix');
  await release();
  equal((await api('GET', `${tide}/releases/latest`)).tag_name, 'v1.0.1', 'release');
  for (const number of [pull.number, issue.number]) {
    const [comment] = await api('GET', `${tide}/issues/${number}/comments`);
    equal(comment?.body.includes('1.0.1'), true, `comment on ${number}`);
    equal(
      (await api('GET', `${tide}/issues/${number}/labels`)).map(({ name }) => name),
      ['released'],
      `labels of ${number}`,
    );
  }
});
await step('nothing to release: nothing happens', async () => {
  await release();
  equal((await api('GET', `${tide}/releases`)).length, 2, 'releases');
});
process.exit(0);
