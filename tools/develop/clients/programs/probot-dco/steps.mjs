/** A public app on Probot: it is told of pull requests by its own webhook and reports a check of their commits. */
import { createRequire } from 'node:module';
import { generateKeyPairSync } from 'node:crypto';
import { Probot, ProbotOctokit } from 'probot';
import { equal, key, receiver, step, url } from './kit.mjs';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const secret = 'of the app';
const probot = new Probot({
  appId: 341000,
  privateKey,
  secret,
  logLevel: 'fatal',
  Octokit: ProbotOctokit.defaults({ baseUrl: url, retry: { enabled: false }, throttle: { enabled: false } }),
});
await probot.load(createRequire(import.meta.url)('./app/index.js'));
const hook = await receiver();
const api = async (method, path, body) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
};
/** Gives the app what was delivered, as its server would. */
let given = 0;
async function deliver() {
  await hook.flush();
  for (const { headers, body } of hook.received.slice(given)) {
    given++;
    // The receiver itself is told too, without a secret.
    if (headers['x-hub-signature-256'] === undefined) continue;
    const [id, name] = [headers['x-github-delivery'], headers['x-github-event']];
    await probot.webhooks.verifyAndReceive({
      id,
      name,
      payload: body.toString(),
      signature: headers['x-hub-signature-256'],
    });
  }
}
/** Opens a pull request with one commit and returns what the app says of it. */
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
  // Commits of the owner need no line then, but have to be verified.
  equal(await checkOf('owned', 'Add another'), [['DCO', 'action_required']], 'checks');
});
hook.close();
process.exit(0);
