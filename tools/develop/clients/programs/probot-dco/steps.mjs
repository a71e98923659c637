/** A public Probot app: receives pull request events by webhook and reports a check of their commits. */
import { createRequire } from 'node:module';
import { callJson as api, equal, step } from './kit.mjs';
import { appHost, deliveries, secret } from './probot.mjs';

const probot = appHost();
await probot.load(createRequire(import.meta.url)('./app/index.js'));
const hook = await deliveries((delivery) => probot.webhooks.verifyAndReceive(delivery));
const { deliver } = hook;

/** Opens a pull request with one commit and returns the app's checks. */
async function checkOf(branch, message) {
  const main = await api('GET', '/repos/octo/tide/git/ref/heads/main');
  await api('POST', '/repos/octo/tide/git/refs', { ref: `refs/heads/${branch}`, sha: main.object.sha });
  const content = Buffer.from(branch).toString('base64');
  const made = await api('PUT', `/repos/octo/tide/contents/${branch}.txt`, { message, branch, content });
  await api('POST', '/repos/octo/tide/pulls', { title: message, head: branch, base: 'main' });
  await deliver();
  const { check_runs: runs } = await api('GET', `/repos/octo/tide/commits/${made.commit.sha}/check-runs`);
  return runs.map(({ name, conclusion }) => [name, conclusion]);
}

await step('the app says where it is told of events', async () => {
  const octokit = await probot.auth();
  const { data } = await octokit.request('PATCH /app/hook/config', {
    data: { url: hook.url, content_type: 'json', secret },
  });
  equal(data.secret, '********', 'secret');
  await api('POST', '/user/repos', { name: 'tide', auto_init: true });
});
await step('a pull request with a commit that is not signed off needs action', async () => {
  equal(await checkOf('unsigned', 'Add a file'), [['DCO', 'action_required']], 'checks');
});
await step('a pull request with a commit that is signed off passes', async () => {
  const message = 'Add a file\n\nSigned-off-by: octo <octo@users.noreply.github.com>';
  equal(await checkOf('signed', message), [['DCO', 'success']], 'checks');
});
await step('a file of the repository configures the app', async () => {
  const content = Buffer.from('require:\n  members: false\n').toString('base64');
  await api('PUT', '/repos/octo/tide/contents/.github/dco.yml', { message: 'Configure', content });
  // With `members: false`, the owner's commits need no sign-off but must be verified.
  equal(await checkOf('owned', 'Add another'), [['DCO', 'action_required']], 'checks');
});
hook.close();
process.exit(0);
