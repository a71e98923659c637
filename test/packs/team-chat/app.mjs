import { parentPort, workerData } from 'node:worker_threads';
import bolt from '@slack/bolt';

/*
 * An application of the vendor's own framework, in a thread of its own: the framework's WebSocket does not run in a test's context.
 * It reports what it heard and has done about it.
 */

const { url, token, appToken, secret } = workerData;
const { App, HTTPReceiver } = bolt;
const clientOptions = { slackApiUrl: `${url}/api/` };
const receiver = appToken === undefined ? new HTTPReceiver({ signingSecret: secret, logLevel: 'error' }) : undefined;
const app = new App({
  token,
  logLevel: 'error',
  clientOptions,
  ...(receiver === undefined ? { appToken, socketMode: true } : { receiver }),
});
const hear = (text) => parentPort.postMessage(text);

const BUTTON = { type: 'button', action_id: 'approve', value: '7', text: { type: 'plain_text', text: 'Approve' } };
const MODAL = {
  type: 'modal',
  callback_id: 'order',
  title: { type: 'plain_text', text: 'Order' },
  submit: { type: 'plain_text', text: 'Send' },
  blocks: [
    {
      type: 'input',
      block_id: 'amount',
      label: { type: 'plain_text', text: 'How many' },
      element: { type: 'plain_text_input', action_id: 'value' },
    },
  ],
};

app.event('app_mention', async ({ event, say }) => {
  await say({ text: 'Which?', blocks: [{ type: 'actions', block_id: 'row', elements: [BUTTON] }] });
  hear(`mention ${event.text}`);
});
app.message('ping', async ({ say }) => {
  await say('pong');
  hear('message');
});
app.event('reaction_added', async ({ event, context }) => {
  hear(['reaction', event.reaction, ...(context.retryNum > 0 ? [context.retryNum] : [])].join(' '));
});
app.action('approve', async ({ ack, action, body, client, respond }) => {
  await ack();
  await respond({ text: 'Done', replace_original: true });
  await client.views.open({ trigger_id: body.trigger_id, view: MODAL });
  hear(`action ${action.value}`);
});
app.view('order', async ({ ack, view }) => {
  const { value } = view.state.values.amount.value;
  hear(`view ${value}`);
  if (Number(value) > 0) await ack();
  else await ack({ response_action: 'errors', errors: { amount: 'More than none' } });
});
app.command('/order', async ({ ack, command }) => {
  hear(`command ${command.text}`);
  await ack({ response_type: 'in_channel', text: `Ordered ${command.text}` });
});
app.shortcut('help', async ({ ack }) => {
  hear('shortcut');
  await ack();
});
app.options('city', async ({ ack, payload }) => {
  hear(`options ${payload.value}`);
  await ack({ options: [{ text: { type: 'plain_text', text: 'Oslo' }, value: 'oslo' }] });
});

const server = await app.start(0);
hear(`started ${receiver === undefined ? 0 : server.address().port}`);
parentPort.once('message', async () => {
  await app.stop();
  process.exit(0);
});
