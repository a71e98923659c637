import type { WebClient } from '@slack/web-api';
import type { Json } from '../../../engine/values/index.js';
import { BOT, clientOf, GENERAL, keyAs, OWNER, rejected, rejection, serveChat, T0 } from './served.js';

/** Messages, conversations, people and files, by the vendor's own client. */

const sandbox = serveChat();
let bot: WebClient;
let owner: WebClient;
beforeAll(() => {
  bot = sandbox.client;
  owner = clientOf(sandbox, keyAs(sandbox, 'xoxp-'));
});

test('the key is a token of the bot, of the owner with xoxp-, of the app with xapp-', async () => {
  expect(await bot.auth.test()).toMatchObject({ user_id: BOT, bot_id: 'B0SANDBOX', team: 'Sandbox' });
  expect(await owner.auth.test()).toMatchObject({ user_id: OWNER, user: 'owner' });
  const app = clientOf(sandbox, keyAs(sandbox, 'xapp-'));
  expect((await app.apps.connections.open({})).url).toMatch(/^ws:\/\/.+\/link\//);
  expect(await rejection(app.auth.test())).toBe('not_allowed_token_type');
  expect(await rejection(clientOf(sandbox, 'xoxb-other').auth.test())).toBe('invalid_auth');
  expect(await rejected(bot.apiCall('no.method'))).toMatchObject({ error: 'unknown_method', req_method: 'no.method' });
});

test('a thread has replies, counts them, and is read parent first', async () => {
  const ts = String((await bot.chat.postMessage({ channel: '#general', text: 'Who is there?' })).ts);
  await bot.conversations.join({ channel: GENERAL });
  const first = await owner.chat.postMessage({ channel: GENERAL, text: 'Me', thread_ts: ts });
  // A reply to a reply is one to the parent.
  await bot.chat.postMessage({ channel: GENERAL, text: 'And me', thread_ts: String(first.ts), reply_broadcast: true });
  const { messages } = await bot.conversations.replies({ channel: GENERAL, ts });
  expect(messages?.map(({ text, thread_ts, parent_user_id }) => [text, thread_ts === ts, parent_user_id])).toEqual([
    ['Who is there?', true, undefined],
    ['Me', true, BOT],
    ['And me', true, BOT],
  ]);
  expect(messages?.[0]).toMatchObject({ reply_count: 2, reply_users: [OWNER, BOT], latest_reply: messages?.[2].ts });
  expect(messages?.[0]).toMatchObject({ last_read: messages?.[2].ts, unread_count: 0 });
  const theirs = await owner.conversations.replies({ channel: GENERAL, ts });
  expect(theirs.messages?.[0]).toMatchObject({ subscribed: true, last_read: first.ts, unread_count: 1 });
  const { messages: history } = await bot.conversations.history({ channel: GENERAL });
  expect(history?.map(({ text, subtype }) => [subtype, text])).toEqual([
    ['thread_broadcast', 'And me'],
    ['channel_join', `<@${BOT}> has joined the channel`],
    [undefined, 'Who is there?'],
  ]);
});

test('a message is changed and deleted by its author, and blocks are checked', async () => {
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];
  const { ts } = await bot.chat.postMessage({ channel: GENERAL, text: 'Hello', blocks });
  const changed = await bot.chat.update({ channel: GENERAL, ts: String(ts), text: 'Bye' });
  expect(changed).toMatchObject({ text: 'Bye', message: { edited: { user: BOT } } });
  expect(changed.message).not.toHaveProperty('blocks');
  const someone = clientOf(sandbox, keyAs(sandbox, 'xoxp-'));
  expect(await rejection(someone.chat.update({ channel: GENERAL, ts: String(ts), text: 'No' }))).toBe('cant_update_message');
  await bot.chat.delete({ channel: GENERAL, ts: String(ts) });
  expect(await rejection(bot.chat.delete({ channel: GENERAL, ts: String(ts) }))).toBe('message_not_found');
  const wrong = [{ type: 'section' }, { type: 'header', text: { type: 'mrkdwn', text: 'x' } }];
  expect(await rejected(bot.chat.postMessage({ channel: GENERAL, text: 'x', blocks: wrong }))).toMatchObject({
    error: 'invalid_blocks',
    response_metadata: { messages: expect.arrayContaining([expect.stringContaining('[json-pointer:/blocks/0')]) },
  });
  expect(await rejection(bot.apiCall('chat.postMessage', { channel: GENERAL }))).toBe('no_text');
});

test('a scheduled message comes at its time, and can be taken back before', async () => {
  const at = Date.parse(T0) / 1000 + 3600;
  await bot.conversations.join({ channel: GENERAL });
  const { scheduled_message_id: first } = await bot.chat.scheduleMessage({ channel: GENERAL, post_at: at, text: 'One' });
  const { scheduled_message_id: second } = await bot.chat.scheduleMessage({ channel: GENERAL, post_at: at, text: 'Two' });
  await bot.chat.deleteScheduledMessage({ channel: GENERAL, scheduled_message_id: String(second) });
  expect((await bot.chat.scheduledMessages.list({})).scheduled_messages).toMatchObject([{ id: first, post_at: at }]);
  expect(await rejection(bot.chat.scheduleMessage({ channel: GENERAL, post_at: at - 7200, text: 'x' }))).toBe('time_in_past');
  await sandbox.control.advance('1h');
  const { messages } = await bot.conversations.history({ channel: GENERAL, limit: 1 });
  expect(messages).toMatchObject([{ text: 'One', user: BOT }]);
  expect((await bot.chat.scheduledMessages.list({})).scheduled_messages).toEqual([]);
});

test('a private conversation is not there for others, and lists go on by their cursors', async () => {
  const { channel } = await owner.conversations.create({ name: 'secret', is_private: true });
  const id = String(channel?.id);
  expect(await rejection(bot.conversations.info({ channel: id }))).toBe('channel_not_found');
  await owner.conversations.invite({ channel: id, users: BOT });
  expect((await bot.conversations.info({ channel: id })).channel).toMatchObject({ is_private: true, is_member: true });
  expect(await rejection(owner.conversations.invite({ channel: id, users: BOT }))).toBe('already_in_channel');
  for (const name of ['a', 'b', 'c']) await owner.conversations.create({ name });
  const names: (string | undefined)[] = [];
  for await (const page of bot.paginate('conversations.list', { limit: 2, types: 'public_channel,private_channel' }))
    names.push(...(page as unknown as { channels: { name: string }[] }).channels.map(({ name }) => name));
  expect(names).toEqual(['general', 'secret', 'a', 'b', 'c']);
  expect(await rejection(bot.conversations.list({ cursor: 'nonsense' }))).toBe('invalid_cursor');
  await owner.conversations.archive({ channel: id });
  expect(await rejection(bot.chat.postMessage({ channel: id, text: 'x' }))).toBe('is_archived');
});

describe('search', () => {
  beforeEach(async () => {
    await bot.conversations.join({ channel: GENERAL });
    for (const text of ['low tide at noon', 'high tide', 'high wind tonight'])
      await owner.chat.postMessage({ channel: GENERAL, text });
    const { channel } = await owner.conversations.open({ users: BOT });
    await bot.chat.postMessage({ channel: String(channel?.id), text: 'tide table' });
  });
  test.each([
    ['tide', ['low tide at noon', 'high tide', 'tide table']],
    ['tide -high', ['low tide at noon', 'tide table']],
    ['"tide at" OR wind', ['low tide at noon', 'high wind tonight']],
    ['high OR table in:#general', ['high tide', 'high wind tonight']],
    [`tide in:<@${BOT}>`, ['tide table']],
    [`tide from:<@${BOT}>`, ['tide table']],
    ['"high tide"', ['high tide']],
    ['high -"high wind"', ['high tide']],
    ['tide NOT high', ['low tide at noon', 'tide table']],
    ['tide (noon OR table)', ['low tide at noon', 'tide table']],
    ['from:me tide', ['low tide at noon', 'high tide']],
    ['from:nobody-at-all tide', []],
    ['tide -from:me', ['tide table']],
    ['tide after:2100-01-01', []],
    ['has:reaction tide', []],
    ['unknown:tide', []],
  ])('%s', async (query, texts) => {
    const { messages } = await owner.search.messages({ query, sort: 'timestamp', sort_dir: 'asc' });
    expect(messages?.matches?.map(({ text }) => text)).toEqual(texts);
  });
  test('pages by cursor, from the first one, which is *', async () => {
    const texts: unknown[] = [];
    for (let cursor = '*'; cursor !== ''; ) {
      const { messages } = await owner.search.messages({ query: 'tide', count: 2, cursor });
      texts.push(messages?.matches?.map(({ text }) => text));
      cursor = (messages as { response_metadata: { next_cursor: string } }).response_metadata.next_cursor;
    }
    expect(texts).toEqual([['tide table', 'high tide'], ['low tide at noon']]);
    expect(await rejection(owner.search.messages({ query: 'tide', cursor: 'x' }))).toBe('invalid_cursor');
  });
  test('a pin says what is found: a list, of which those that are there count', async () => {
    const pin = (value: Json) => sandbox.admin('POST /exogenous/pins', { resource: 'messages', path: 'search', value });
    expect((await pin(true)).status).toBe(422);
    const { ts } = await owner.chat.postMessage({ channel: GENERAL, text: 'something else' });
    await pin([String(ts), 'never.was']);
    const { messages } = await owner.search.all({ query: 'tide' });
    expect(messages?.matches?.map(({ text }) => text)).toEqual(['something else']);
  });
});

test('a file goes up in three steps, is shared and comes down again', async () => {
  await bot.conversations.join({ channel: GENERAL });
  await bot.filesUploadV2({ channel_id: GENERAL, filename: 'notes.txt', content: 'three words here', title: 'Notes' });
  const { files } = await bot.files.list({});
  expect(files).toMatchObject([{ title: 'Notes', size: 16, mimetype: 'text/plain', channels: [GENERAL] }]);
  const { file } = await bot.files.info({ file: String(files?.[0].id) });
  const { messages } = await bot.conversations.history({ channel: GENERAL, limit: 1 });
  expect(file?.shares?.public?.[GENERAL]).toMatchObject([{ ts: messages?.[0].ts }]);
  expect(messages?.[0].files?.[0].id).toBe(file?.id);
  const down = await fetch(String(file?.url_private), { headers: { Authorization: `Bearer ${sandbox.key}` } });
  expect([down.headers.get('content-type'), await down.text()]).toEqual(['text/plain', 'three words here']);
});

test('bytes that come raw are stored', async () => {
  const { upload_url: url, file_id: id } = await bot.files.getUploadURLExternal({ filename: 'a.png', length: 3 });
  const body = new Uint8Array([1, 2, 3]);
  const sent = await fetch(String(url), { method: 'POST', body, headers: { 'Content-Type': 'application/octet-stream' } });
  expect([sent.status, await sent.text()]).toEqual([200, 'OK - 3']);
  await bot.files.completeUploadExternal({ files: [{ id: String(id) }] });
  const { file } = await bot.files.info({ file: String(id) });
  const down = await fetch(String(file?.url_private), { headers: { Authorization: `Bearer ${sandbox.key}` } });
  expect([...new Uint8Array(await down.arrayBuffer())]).toEqual([1, 2, 3]);
});
