/** A tool that reviews pull requests by rules: reads their parts by REST and writes a comment, line comments and a status. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { callJson as api, equal, key, step, url } from './kit.mjs';

const tide = '/repos/octo/tide';
const encoded = (text) => Buffer.from(text).toString('base64');

/** Runs the tool with rules; a violated rule is reported by the exit code. */
function danger(rules, ...more) {
  writeFileSync(
    'dangerfile.js',
    `const { danger, message, warn, fail, markdown, schedule } = require('danger');\n${rules}\n`,
  );
  writeFileSync('package.json', JSON.stringify({ ...JSON.parse(pack), type: 'commonjs' }));
  const env = {
    PATH: process.env.PATH,
    HOME: process.cwd(),
    DANGER_FAKE_CI: 'YEP',
    DANGER_TEST_REPO: 'octo/tide',
    DANGER_TEST_PR: '1',
    DANGER_GITHUB_API_TOKEN: key,
    DANGER_GITHUB_API_BASE_URL: url,
  };
  const args = ['node_modules/danger/distribution/commands/danger-ci.js', ...more];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { env, timeout: 90_000 }, (error, stdout, stderr) => {
      writeFileSync('package.json', pack);
      resolve({ code: error?.code ?? 0, printed: `${stdout}${stderr}` });
    }),
  );
}
const { readFileSync } = await import('node:fs');
const pack = readFileSync('package.json', 'utf8');
const comments = () => api('GET', `${tide}/issues/1/comments`);

await step('a pull request', async () => {
  await api('POST', '/user/repos', { name: 'tide', auto_init: true });
  const { object } = await api('GET', `${tide}/git/ref/heads/main`);
  await api('PUT', `${tide}/contents/a.js`, { message: 'Add a', content: encoded('one\ntwo\nthree\n') });
  const { object: now } = await api('GET', `${tide}/git/ref/heads/main`);
  equal(now.sha === object.sha, false, 'the commit');
  await api('POST', `${tide}/git/refs`, { ref: 'refs/heads/topic', sha: now.sha });
  const { sha } = await api('GET', `${tide}/contents/a.js?ref=topic`);
  await api('PUT', `${tide}/contents/a.js`, {
    message: 'Change a',
    branch: 'topic',
    sha,
    content: encoded('one\n2\nthree\n'),
  });
  await api('PUT', `${tide}/contents/b.js`, { message: 'Add b', branch: 'topic', content: encoded('new\n') });
  await api('POST', `${tide}/pulls`, { title: 'Topic', head: 'topic', base: 'main', body: 'Text' });
});
await step('rules read the pull request: files, commits, diffs, reviews, labels', async () => {
  const rules = `
    const { git, github } = danger;
    message([git.modified_files, git.created_files, github.pr.title, github.commits.length, github.issue.labels.length, github.reviews.length].join('|'));
    schedule(async () => {
      const diff = await git.diffForFile('a.js');
      const chunk = await git.structuredDiffForFile('a.js');
      message('added ' + diff.added.trim() + ' in ' + chunk.chunks.length + ' of ' + (await git.linesOfCode()));
      message('contents ' + (await github.utils.fileContents('b.js')).trim());
    });`;
  const { code, printed } = await danger(rules);
  equal(code, 0, printed);
  const [{ body }] = await comments();
  for (const part of ['a.js|b.js|Topic|2|0|0', 'added +2 in 1 of 3', 'contents new'])
    equal(body.includes(part), true, `${part} in ${body}`);
});
await step('a second run edits its comment', async () => {
  await danger("warn('Careful'); markdown('# Hi');");
  const all = await comments();
  equal([all.length, all[0].body.includes('Careful')], [1, true], 'comment');
});
await step('a failure is an exit code and a status of the commit', async () => {
  const { code } = await danger("fail('No tests');", '--failOnErrors');
  equal(code === 0, false, 'exit code');
  const { head } = await api('GET', `${tide}/pulls/1`);
  const { state, statuses } = await api('GET', `${tide}/commits/${head.sha}/status`);
  equal([state, statuses.length], ['failure', 1], 'status');
});
await step('messages on lines are comments on code, which the next run edits or deletes', async () => {
  await danger("warn('Why 2?', 'a.js', 2);");
  const lines = await api('GET', `${tide}/pulls/1/comments`);
  equal(
    lines.map(({ path, line, position }) => [path, line, position]),
    [['a.js', 2, 3]],
    'comments on lines',
  );
  await danger("warn('Really 2?', 'a.js', 2);");
  equal(
    (await api('GET', `${tide}/pulls/1/comments`)).map(({ body }) => body.includes('Really')),
    [true],
    'edited',
  );
  await danger("message('Fine');");
  equal((await api('GET', `${tide}/pulls/1/comments`)).length, 0, 'deleted');
});
process.exit(0);
