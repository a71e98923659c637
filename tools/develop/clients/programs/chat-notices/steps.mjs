/** Chat notifications of workflows and deployments: incoming webhooks, and an action that calls methods or webhooks. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IncomingWebhook } from '@slack/webhook';
import { callJson as api, equal, key, step, url } from './kit.mjs';

const folder = mkdtempSync(join(tmpdir(), 'chat-notices-'));
const address = `${url}/services/T0SANDBOX/B0SANDBOX/abcdefghijklmnopqrstuvwx`;
// The action reads its name and version from this file.
writeFileSync('action/package.json', JSON.stringify({ name: 'slack-github-action', version: '3.0.0', type: 'module' }));
let runs = 0;

/** Runs the action and returns its outputs, even if the run fails. */
async function action(inputs) {
  const output = join(folder, String(runs++));
  writeFileSync(output, '');
  const env = {
    PATH: process.env.PATH,
    GITHUB_OUTPUT: output,
    GITHUB_REPOSITORY: 'octo/tide',
    GITHUB_WORKSPACE: folder,
    INPUT_ERRORS: 'false',
    'INPUT_PAYLOAD-TEMPLATED': 'false',
    INPUT_RETRIES: '0',
    INPUT_API: `${url}/api/`,
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, String(value)]),
    ),
  };
  const { code, printed } = await new Promise((resolve) =>
    execFile(process.execPath, ['action/src/index.js'], { env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, printed: `${stdout}${stderr}` }),
    ),
  );
  const set = [...readFileSync(output, 'utf8').matchAll(/^(.+?)<<(.+)\n([\s\S]*?)\n\2$/gm)];
  return { code, printed, ...Object.fromEntries(set.map(([, name, , value]) => [name, value])) };
}
const history = async () => (await api('POST', '/api/conversations.history', { channel: 'C0GENERAL' })).messages;

await step('an incoming webhook sends a text, blocks and attachments', async () => {
  const webhook = new IncomingWebhook(address);
  equal((await webhook.send('High water')).text, 'ok');
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*Ebb*' } }];
  await webhook.send({ text: 'Ebb', blocks, attachments: [{ color: '#ff0000', text: 'Low' }] });
  const [last, first] = await history();
  equal(
    [first.text, last.text, last.blocks[0].text.text, last.attachments[0].text],
    ['High water', 'Ebb', '*Ebb*', 'Low'],
  );
});
await step('its errors: no text, wrong blocks, an address that is gone', async () => {
  const said = (promise) =>
    promise.then(
      () => 'sent',
      ({ original }) => `${original?.response?.status ?? ''} ${original?.response?.data ?? original?.message}`,
    );
  const webhook = new IncomingWebhook(address);
  for (const each of [{}, { blocks: [{ type: 'nonsense' }] }])
    equal((await said(webhook.send(each))).includes('sent'), false, JSON.stringify(each));
  equal(
    (await said(new IncomingWebhook(`${url}/services/T0SANDBOX/B0GONE/x`).send('x'))).includes('sent'),
    false,
    'an address that is gone',
  );
});
await step('the action calls a method, and its outputs continue a thread', async () => {
  const method = { method: 'chat.postMessage', token: key };
  const made = await action({ ...method, payload: 'channel: C0GENERAL\ntext: Deploying' });
  equal([made.code, made.ok, made.channel_id], [0, 'true', 'C0GENERAL'], made.printed);
  const reply = await action({
    ...method,
    payload: JSON.stringify({ channel: 'C0GENERAL', thread_ts: made.ts, text: 'Done' }),
  });
  equal(reply.thread_ts, made.ts, 'thread');
  await action({
    method: 'chat.update',
    token: key,
    payload: JSON.stringify({ channel: 'C0GENERAL', ts: made.ts, text: 'Deployed' }),
  });
  await action({
    method: 'reactions.add',
    token: key,
    payload: JSON.stringify({ channel: 'C0GENERAL', timestamp: made.ts, name: 'tada' }),
  });
  const root = (await history()).find(({ ts }) => ts === made.ts);
  equal([root.text, root.reply_count, root.reactions[0].name], ['Deployed', 1, 'tada'], 'message');
});
await step('the action posts to an incoming webhook', async () => {
  const made = await action({ webhook: address, 'webhook-type': 'incoming-webhook', payload: 'text: From a workflow' });
  equal([made.code, made.ok], [0, 'true'], made.printed);
  equal((await history())[0].text, 'From a workflow');
});
await step('errors of methods are outputs, and fail the run on request', async () => {
  const wrong = { method: 'chat.postMessage', token: key, payload: 'channel: C0NOWHERE\ntext: x' };
  const quiet = await action(wrong);
  equal([quiet.code, quiet.ok, JSON.parse(quiet.response).error], [0, 'false', 'channel_not_found'], quiet.printed);
  equal((await action({ ...wrong, errors: true })).code, 1, 'exit code');
});
process.exit(0);
