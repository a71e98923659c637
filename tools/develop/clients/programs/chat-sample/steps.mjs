/** Runs the vendor's starter application, performs actions of users, and checks its reactions. */
import { application, call, control, equal, happens, key, step, until, url } from './kit.mjs';

const user_id = 'U0OWNER';
const channel = 'C0GENERAL';
const app = await step('it starts, and connects', () =>
  application('app', 'app.js', 'Bolt app is running!', {
    SLACK_BOT_TOKEN: key,
    SLACK_APP_TOKEN: key.replace('xoxb-', 'xapp-'),
    SLACK_API_URL: `${url}/api/`,
  }),
);
const views = async () => (await control('GET', '/state?resource=views')).resources.views;
const texts = async () =>
  (await call('POST', '/api/conversations.history', { channel })).messages.map(({ text }) => text);

await call('POST', '/api/conversations.join', { channel });
await step('it greets who greets', async () => {
  await happens('user.wrote', { user_id, channel, text: 'hello there' });
  await until(async () => (await texts()).includes('hello there, how are you?'), 'the greeting');
});
await step('it leaves alone who does not', async () => {
  await happens('user.wrote', { user_id, channel, text: 'good night' });
  equal((await texts())[0], 'good night', 'the last message');
});
await step('it publishes a home for who opens it', async () => {
  await happens('user.opened_home', { user_id });
  await until(async () => (await views()).some(({ type }) => type === 'home'), 'the home');
  const home = (await views()).find(({ type }) => type === 'home');
  equal(home.content.blocks[0].text.text, `*Welcome home, <@${user_id}> :house:*`, 'its first text');
});
await step('it responds to its command', async () => {
  await happens('user.commanded', { user_id, channel, command: '/sample-command' });
  const responses = async () => JSON.stringify((await control('GET', '/state')).resources.ephemeral_messages ?? []);
  await until(async () => (await responses()).includes('Responding to the sample command!'), 'the response');
});
await step('its shortcut opens a form, whose button changes it', async () => {
  await happens('user.used_shortcut', { user_id, callback_id: 'sample_shortcut_id' });
  await until(
    async () => (await views()).some(({ content }) => content.title?.text === 'Sample modal title'),
    'the form',
  );
  const form = (await views()).find(({ type }) => type === 'modal');
  await happens('user.clicked', { user_id, view_id: form.id, action_id: 'sample_action_id' });
  await until(
    async () => (await views()).some(({ content }) => content.title?.text === 'Updated modal title'),
    'the change',
  );
});
await step('what is submitted is posted', async () => {
  const { id: view_id } = (await views()).find(({ type }) => type === 'modal');
  const values = {
    input_block_id: { sample_input_id: { type: 'plain_text_input', value: 'more rain' } },
    select_channel_block_id: { sample_dropdown_id: { type: 'conversations_select', selected_conversation: channel } },
  };
  await happens('view.submitted', { view_id, values });
  await until(async () => (await texts()).some((text) => text.endsWith('more rain')), 'the message');
  equal((await views()).find(({ id }) => id === view_id).status, 'closed', 'the form');
});
await step('it prints no error', async () => equal(/\[ERROR\]/.test(app.printed()), false, 'an error in its log'));
app.stop();
