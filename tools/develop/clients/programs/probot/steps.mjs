/** A Probot app that requests installation tokens with a JSON Web Token and receives events as webhooks. */
import { callJson as api, control, equal, step } from './kit.mjs';
import { appHost, deliveries, secret } from './probot.mjs';

const probot = appHost();
await probot.load((app) => {
  app.on('issues.opened', (context) => context.octokit.rest.issues.createComment(context.issue({ body: 'Thanks!' })));
  app.on('check_run.completed', async (context) => {
    const { check_run: check } = context.payload;
    if (check.conclusion !== 'success') return;
    for (const { number } of check.pull_requests)
      await context.octokit.rest.pulls.merge(context.repo({ pull_number: number, sha: check.head_sha }));
  });
});
// Adds the installation to the payload, as the vendor does for apps.
const hook = await deliveries(({ id, name, payload }) =>
  probot.receive({ id, name, payload: { ...JSON.parse(payload), installation: { id: 331000 } } }),
);
const { deliver } = hook;
const tide = { owner: 'octo', repo: 'tide' };

await step('a repository with a hook for the app', async () => {
  await api('POST', '/user/repos', { name: 'tide', auto_init: true });
  const config = { url: hook.url, content_type: 'json', secret };
  await api('POST', '/repos/octo/tide/hooks', { events: ['issues', 'check_run'], config });
});
await step('the app comments on an issue that is opened', async () => {
  const issue = await api('POST', '/repos/octo/tide/issues', { title: 'Low water' });
  await deliver();
  const comments = await api('GET', `/repos/octo/tide/issues/${issue.number}/comments`);
  equal(
    comments.map(({ body }) => body),
    ['Thanks!'],
    'comments',
  );
});
await step('the app merges a pull request whose check succeeds', async () => {
  const main = await api('GET', '/repos/octo/tide/git/ref/heads/main');
  await api('POST', '/repos/octo/tide/git/refs', { ref: 'refs/heads/topic', sha: main.object.sha });
  const content = Buffer.from('low').toString('base64');
  const made = await api('PUT', '/repos/octo/tide/contents/a.txt', { message: 'Add', branch: 'topic', content });
  const pull = await api('POST', '/repos/octo/tide/pulls', { title: 'Low', head: 'topic', base: 'main' });
  const check = { name: 'ci', head_sha: made.commit.sha };
  await api('POST', '/repos/octo/tide/check-runs', { ...check, status: 'completed', conclusion: 'failure' });
  await deliver();
  equal((await api('GET', `/repos/octo/tide/pulls/${pull.number}`)).merged, false, 'merged after a failure');
  await api('POST', '/repos/octo/tide/check-runs', { ...check, status: 'completed', conclusion: 'success' });
  await deliver();
  equal((await api('GET', `/repos/octo/tide/pulls/${pull.number}`)).merged, true, 'merged after a success');
});
await step('an installation that is suspended gets no token', async () => {
  await control('POST', '/world/events', { cause: 'installation.suspended', params: { installation: '331000' } });
  const octokit = await probot.auth(331000);
  let status;
  await octokit.rest.issues.create({ ...tide, title: 'Again' }).catch((error) => (status = error.status));
  equal(status === 401 || status === 403, true, `status ${status}`);
});
hook.close();
process.exit(0);
