/** The vendor's Node clients: calls, pages, throttling and retries, an app's tokens, and webhook signatures. */
import { generateKeyPairSync } from 'node:crypto';
import { Octokit as Rest } from '@octokit/rest';
import { Webhooks } from '@octokit/webhooks';
import { App, Octokit } from 'octokit';
import { control, equal, key, receiver, step, url } from './kit.mjs';

const waits = [];
const throttle = {
  onRateLimit: (after, _options, _octokit, count) => {
    waits.push(['primary', after]);
    return count < 1;
  },
  onSecondaryRateLimit: (after, _options, _octokit, count) => {
    waits.push(['secondary', after]);
    return count < 1;
  },
};
const rest = new Rest({ auth: key, baseUrl: url });
const octokit = new Octokit({ auth: key, baseUrl: url, throttle });
const tide = { owner: 'octo', repo: 'tide' };

await step('@octokit/rest makes a repository with a first commit', async () => {
  await rest.rest.repos.createForAuthenticatedUser({ name: 'tide', auto_init: true });
  equal((await rest.rest.repos.get(tide)).data.full_name, 'octo/tide');
});
await step('a branch, a file, a pull request and its merge', async () => {
  const { data: main } = await rest.rest.git.getRef({ ...tide, ref: 'heads/main' });
  await rest.rest.git.createRef({ ...tide, ref: 'refs/heads/topic', sha: main.object.sha });
  const content = Buffer.from('low').toString('base64');
  await rest.rest.repos.createOrUpdateFileContents({
    ...tide,
    path: 'a.txt',
    branch: 'topic',
    message: 'Add',
    content,
  });
  const { data: pull } = await rest.rest.pulls.create({ ...tide, title: 'Low', head: 'topic', base: 'main' });
  equal(pull.mergeable, null, 'mergeable at first');
  await control('POST', '/clock/advance', { duration: '5s' });
  const { data: known } = await rest.rest.pulls.get({ ...tide, pull_number: pull.number });
  equal([known.mergeable, known.mergeable_state], [true, 'clean'], 'mergeable');
  equal((await rest.rest.pulls.merge({ ...tide, pull_number: pull.number })).data.merged, true, 'merged');
});
await step('paginate follows the links of a bare list', async () => {
  for (let at = 1; at <= 7; at++) await octokit.rest.issues.create({ ...tide, title: `No ${at}` });
  const all = await octokit.paginate(octokit.rest.issues.listForRepo, { ...tide, per_page: 3, state: 'open' });
  equal(all.length, 7, 'issues');
});
await step('paginate takes an envelope apart', async () => {
  const found = await octokit.paginate(octokit.rest.search.issuesAndPullRequests, {
    q: 'repo:octo/tide is:issue',
    per_page: 2,
  });
  equal(found.length, 7, 'found');
});
await step('the retry plug-in asks again after a 502', async () => {
  await control('POST', '/faults', { resource: 'repos', operation: 'retrieve', kind: 'error', status: 502, count: 1 });
  equal((await octokit.rest.repos.get(tide)).status, 200, 'status');
});
await step('the throttling plug-in waits as a 429 says, and asks again', async () => {
  const limited = { resource: 'repos', operation: 'retrieve', kind: 'error', status: 403, count: 1 };
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 1) };
  await control('POST', '/faults', { ...limited, headers });
  equal((await octokit.rest.repos.get(tide)).status, 200, 'status');
  equal(
    waits.map(([kind]) => kind),
    ['primary'],
    'waits',
  );
});
await step('what is below the number of a repository, as links of the vendor lead', async () => {
  const { data: home } = await octokit.rest.repos.get(tide);
  const all = await octokit.paginate('GET /repositories/{id}/issues', { id: home.id, per_page: 3 });
  equal(all.length, 7, 'issues');
});
await step('an app: installation, token, a call as the installation', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const app = new App({ appId: 341000, privateKey, Octokit: Octokit.defaults({ baseUrl: url }) });
  let seen = 0;
  for await (const { repository } of app.eachRepository.iterator()) if (repository.full_name === 'octo/tide') seen++;
  equal(seen, 1, 'repositories of the installation');
});
await step('webhooks are verified and routed by @octokit/webhooks', async () => {
  const hook = await receiver();
  await octokit.rest.repos.createWebhook({
    ...tide,
    events: ['issues'],
    config: { url: hook.url, content_type: 'json', secret: 'of the hook' },
  });
  const own = new Webhooks({ secret: 'of the hook' });
  const titles = [];
  own.on('issues.opened', ({ payload }) => void titles.push(payload.issue.title));
  await octokit.rest.issues.create({ ...tide, title: 'Heard' });
  await hook.flush();
  for (const { headers, body } of hook.received) {
    if (headers['x-hub-signature-256'] === undefined) continue;
    await own.verifyAndReceive({
      id: headers['x-github-delivery'],
      name: headers['x-github-event'],
      signature: headers['x-hub-signature-256'],
      payload: body.toString(),
    });
  }
  equal(titles, ['Heard'], 'titles');
  hook.close();
});
await step('a wrong key is 401, what is missing 404', async () => {
  const statuses = [];
  for (const client of [new Rest({ auth: 'wrong', baseUrl: url }), rest])
    await client.rest.repos
      .get({ owner: 'octo', repo: client === rest ? 'none' : 'tide' })
      .catch(({ status }) => statuses.push(status));
  await new Rest({ auth: 'wrong', baseUrl: url }).rest.users
    .getAuthenticated()
    .catch(({ status }) => statuses.push(status));
  equal(statuses.at(-1), 401, 'status of a wrong key');
  equal(statuses.includes(404), true, 'a 404');
});
