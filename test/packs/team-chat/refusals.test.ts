import { call, type CallHeaders } from '../../support/http.js';
import { serveChat } from './served.js';

/** What the vendor rejects: blocks, names where ids belong, addresses that are not there. */

const sandbox = serveChat();
const GENERAL = 'C0GENERAL';

type Answer = Record<string, unknown> & {
  readonly ok: boolean;
  readonly error?: string;
  readonly errors?: readonly string[];
  readonly response_metadata?: { readonly messages?: readonly string[] };
};
/** A method with a JSON body and the app's token. */
async function ask(method: string, body: unknown, headers: CallHeaders = {}): Promise<Answer> {
  const own = { 'content-type': 'application/json; charset=utf-8', ...headers };
  return (await call<Answer>(sandbox.sandbox, `POST /api/${method}`, body, own)).body;
}

type Block = Record<string, unknown>;
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (more: Block = {}) => ({ type: 'section', text: mrkdwn('Hello'), ...more });
const button = (more: Block = {}) => ({ type: 'button', text: plain('Go'), action_id: 'go', ...more });
const option = (n: number) => ({ text: plain(`Option ${n}`), value: String(n) });
const options = (count: number) => Array.from({ length: count }, (_, n) => option(n));
const actions = (...elements: Block[]) => ({ type: 'actions', elements });
const menu = (more: Block) => actions({ type: 'static_select', action_id: 'pick', ...more });
const input = (element: Block, more: Block = {}) => ({ type: 'input', label: plain('Name'), element, ...more });
const image = { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'A boat' };
const rich = (...elements: Block[]) => ({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] });
const x = (length: number) => 'x'.repeat(length);

test.each<[what: string, blocks: readonly Block[]]>([
  ['a section', [section()]],
  ['a section with fields', [{ type: 'section', fields: [mrkdwn('a'), plain('b')] }]],
  ['a section with a button', [section({ accessory: button({ style: 'primary', value: 'v', url: 'https://example.com' }) })]],
  ['a section with a menu', [section({ accessory: { type: 'overflow', action_id: 'more', options: options(5) } })]],
  ['a section with a picture', [section({ accessory: image })]],
  ['3,000 characters', [section({ text: mrkdwn(x(3000)) })]],
  ['50 blocks', Array.from({ length: 50 }, () => ({ type: 'divider' }))],
  ['a header, a divider, a context', [{ type: 'header', text: plain('News') }, { type: 'divider' }, { type: 'context', elements: [image, mrkdwn('by us')] }]],
  ['pictures', [image, { type: 'image', slack_file: { id: 'F1' }, alt_text: 'A boat', title: plain('Boat') }]],
  ['buttons and menus', [actions(button(), button({ action_id: 'stop' })), menu({ options: options(100), placeholder: plain('Which?') })]],
  ['groups of options', [menu({ option_groups: [{ label: plain('All'), options: options(2) }] })]],
  ['pickers', [actions({ type: 'datepicker', action_id: 'd', initial_date: '2025-01-31' }, { type: 'timepicker', action_id: 't', initial_time: '09:30' })]],
  ['people and conversations', [actions({ type: 'users_select', action_id: 'u' }, { type: 'conversations_select', action_id: 'c', filter: { include: ['im'] } })]],
  ['fields', [input({ type: 'plain_text_input', action_id: 'n', multiline: true }), input({ type: 'number_input', action_id: 'a', is_decimal_allowed: false })]],
  ['rich text', [rich({ type: 'text', text: 'Hi', style: { bold: true } }, { type: 'link', url: 'https://example.com' }, { type: 'user', user_id: 'U0OWNER' })]],
  ['a list in rich text', [{ type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }] }] }]],
  ['a table', [{ type: 'table', rows: [[{ type: 'raw_text', text: 'a' }, { type: 'raw_text', text: 'b' }]] }]],
  ['a question before a button acts', [actions(button({ confirm: { title: plain('Sure?'), text: mrkdwn('Really'), confirm: plain('Yes'), deny: plain('No') } }))]],
])('%s is posted, and each block has its id', async (_, blocks) => {
  const { ok, response_metadata, message } = await ask('chat.postMessage', { channel: GENERAL, blocks });
  expect([ok, response_metadata]).toEqual([true, undefined]);
  for (const block of (message as { blocks: Block[] }).blocks) expect(block['block_id']).toEqual(expect.any(String));
});

test.each<[what: string, blocks: readonly Block[], message: string]>([
  ['no text', [{ type: 'section' }], 'match a schema in anyOf'],
  ['an empty text', [section({ text: mrkdwn('') })], 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
  ['a long text', [section({ text: mrkdwn(x(3001)) })], 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
  ['a text without its kind', [section({ text: { text: 'a' } })], 'missing required field: type [json-pointer:/blocks/0/text]'],
  ['a text that is only text', [section({ text: 'a' })], 'must be object [json-pointer:/blocks/0/text]'],
  ['a kind of text that is none', [section({ text: { type: 'html', text: 'a' } })], 'unsupported type: html [json-pointer:/blocks/0/text/type]'],
  ['a member that is none', [section({ colour: 'red' })], 'invalid additional property: colour [json-pointer:/blocks/0]'],
  ['11 fields', [{ type: 'section', fields: Array.from({ length: 11 }, () => plain('a')) }], 'no more than 10 items allowed [json-pointer:/blocks/0/fields]'],
  ['a long field', [{ type: 'section', fields: [plain(x(2001))] }], 'must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]'],
  ['51 blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), 'no more than 50 items allowed [json-pointer:/blocks]'],
  ['a kind of block that is none', [{ type: 'nope' }], 'unsupported type: nope [json-pointer:/blocks/0/type]'],
  ['a block without a kind', [{ text: plain('a') }], 'missing required field: type [json-pointer:/blocks/0]'],
  ['a header in bold', [{ type: 'header', text: mrkdwn('a') }], '[json-pointer:/blocks/0/text/type]'],
  ['a long header', [{ type: 'header', text: plain(x(151)) }], 'must be less than 151 characters [json-pointer:/blocks/0/text/text]'],
  ['a picture that nobody can read', [{ ...image, alt_text: undefined }], 'missing required field: alt_text [json-pointer:/blocks/0]'],
  ['a picture that is nowhere', [{ ...image, image_url: undefined }], '[json-pointer:/blocks/0]'],
  ['no elements', [actions()], 'must have at least 1 items [json-pointer:/blocks/0/elements]'],
  ['26 elements', [actions(...Array.from({ length: 26 }, (_, n) => button({ action_id: `go${n}` })))], 'no more than 25 items allowed [json-pointer:/blocks/0/elements]'],
  ['11 parts of a context', [{ type: 'context', elements: Array.from({ length: 11 }, () => plain('a')) }], 'no more than 10 items allowed [json-pointer:/blocks/0/elements]'],
  ['a button in a context', [{ type: 'context', elements: [button()] }], 'unsupported type: button [json-pointer:/blocks/0/elements/0/type]'],
  ['a field among buttons', [actions({ type: 'plain_text_input', action_id: 'a' })], 'unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]'],
  ['a button without words', [actions(button({ text: plain('') }))], 'must be more than 0 characters [json-pointer:/blocks/0/elements/0/text/text]'],
  ['a button in bold', [section({ accessory: button({ text: mrkdwn('a') }) })], '[json-pointer:/blocks/0/accessory/text/type]'],
  ['a button of many words', [actions(button({ text: plain(x(76)) }))], 'must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]'],
  ['a button of another colour', [actions(button({ style: 'green' }))], '[json-pointer:/blocks/0/elements/0/style]'],
  ['a long value', [actions(button({ value: x(2001) }))], 'must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]'],
  ['a long address', [actions(button({ url: `https://${x(3000)}` }))], 'must be less than 3001 characters [json-pointer:/blocks/0/elements/0/url]'],
  ['a long id', [section({ block_id: x(256) })], 'must be less than 256 characters [json-pointer:/blocks/0/block_id]'],
  ['101 options', [menu({ options: options(101) })], 'no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]'],
  ['a menu without options', [menu({})], '[json-pointer:/blocks/0/elements/0]'],
  ['options and groups', [menu({ options: options(1), option_groups: [{ label: plain('a'), options: options(1) }] })], '[json-pointer:/blocks/0/elements/0]'],
  ['an option without a value', [menu({ options: [{ text: plain('a') }] })], 'missing required field: value [json-pointer:/blocks/0/elements/0/options/0]'],
  ['six options behind dots', [actions({ type: 'overflow', action_id: 'o', options: options(6) })], 'no more than 5 items allowed [json-pointer:/blocks/0/elements/0/options]'],
  ['11 boxes', [actions({ type: 'checkboxes', action_id: 'o', options: options(11) })], 'no more than 10 items allowed [json-pointer:/blocks/0/elements/0/options]'],
  ['a day that is none', [actions({ type: 'datepicker', action_id: 'd', initial_date: 'today' })], '[json-pointer:/blocks/0/elements/0/initial_date]'],
  ['a field without a label', [{ type: 'input', element: { type: 'plain_text_input', action_id: 'a' } }], 'missing required field: label [json-pointer:/blocks/0]'],
  ['a button as a field', [input(button())], 'unsupported type: button [json-pointer:/blocks/0/element/type]'],
  ['a part of rich text that is none', [rich({ type: 'shout', text: 'a' })], 'unsupported type: shout [json-pointer:/blocks/0/elements/0/elements/0/type]'],
  ['a link that leads nowhere', [rich({ type: 'link', text: 'a' })], 'missing required field: url [json-pointer:/blocks/0/elements/0/elements/0]'],
  ['the same id twice', [section({ block_id: 'same' }), section({ block_id: 'same' })], '`block_id` same already exists [json-pointer:/blocks/1/block_id]'],
  ['the same action twice', [actions(button(), button())], '`action_id` is there twice [json-pointer:/blocks/0/elements]'],
])('%s is rejected, and why is said', async (_, blocks, message) => {
  const { ok, error, errors, response_metadata } = await ask('chat.postMessage', { channel: GENERAL, text: 'a', blocks });
  expect([ok, error]).toEqual([false, 'invalid_blocks']);
  const messages = response_metadata?.messages ?? [];
  expect(messages.join('\n')).toContain(message);
  expect(messages).toEqual((errors ?? []).map((each) => `[ERROR] ${each}`));
});

test('blocks in attachments, in forms and in changes are checked too', async () => {
  const wrong = [{ type: 'nope' }];
  const text = 'a';
  await ask('conversations.join', { channel: GENERAL });
  const said = await ask('chat.postMessage', { channel: GENERAL, text, attachments: [{ blocks: wrong }] });
  expect(said.response_metadata?.messages).toEqual(['[ERROR] unsupported type: nope [json-pointer:/attachments/0/blocks/0/type]']);
  const { ts } = await ask('chat.postMessage', { channel: GENERAL, text });
  expect(await ask('chat.update', { channel: GENERAL, ts, blocks: wrong })).toMatchObject({ error: 'invalid_blocks' });
  expect(await ask('chat.postEphemeral', { channel: GENERAL, user: 'U0OWNER', blocks: wrong })).toMatchObject({ error: 'invalid_blocks' });
  const form = new URLSearchParams({ channel: GENERAL, blocks: JSON.stringify(wrong) }).toString();
  expect(await ask('chat.postMessage', form, { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({ error: 'invalid_blocks' });
});

test('a conversation is posted to by its name, and found by its id alone', async () => {
  await ask('conversations.join', { channel: GENERAL });
  const { ts } = await ask('chat.postMessage', { channel: '#general', text: 'a' });
  for (const channel of ['general', '#general']) {
    expect(await ask('chat.postMessage', { channel, text: 'b' })).toMatchObject({ ok: true, channel: GENERAL });
    expect(await ask('chat.meMessage', { channel, text: 'b' })).toMatchObject({ ok: true, channel: GENERAL });
    expect(await ask('chat.postEphemeral', { channel, user: 'U0OWNER', text: 'b' })).toMatchObject({ ok: true });
    const others: [method: string, more: object][] = [
      ['conversations.info', {}],
      ['conversations.history', {}],
      ['conversations.replies', { ts }],
      ['conversations.members', {}],
      ['conversations.join', {}],
      ['conversations.setTopic', { topic: 't' }],
      ['conversations.archive', {}],
      ['chat.update', { ts, text: 'c' }],
      ['chat.delete', { ts }],
      ['chat.getPermalink', { message_ts: ts }],
      ['reactions.add', { timestamp: ts, name: 'wave' }],
      ['pins.add', { timestamp: ts }],
    ];
    for (const [method, more] of others)
      expect([method, (await ask(method, { channel, ...more })).error]).toEqual([method, 'channel_not_found']);
  }
});

const HOOK = '/services/T0SANDBOX/B0SANDBOX/abcdefghijklmnopqrstuvwx';

test.each<[what: string, path: string, body: string, type: string | null, status: number, said: string]>([
  ['a text', HOOK, '{"text":"Deployed"}', 'application/json', 200, 'ok'],
  ['a text of no type', HOOK, '{"text":"Deployed"}', null, 200, 'ok'],
  ['blocks alone', HOOK, JSON.stringify({ blocks: [section()] }), 'application/json', 200, 'ok'],
  ['an attachment alone', HOOK, '{"attachments":[{"text":"Deployed"}]}', 'application/json', 200, 'ok'],
  ['a form', HOOK, `payload=${encodeURIComponent('{"text":"Deployed"}')}`, 'application/x-www-form-urlencoded', 200, 'ok'],
  ['nothing to say', HOOK, '{}', 'application/json', 400, 'no_text'],
  ['broken JSON', HOOK, '{"text', 'application/json', 400, 'invalid_payload'],
  ['a list', HOOK, '[1]', 'application/json', 400, 'invalid_payload'],
  ['a form without a payload', HOOK, 'text=Deployed', 'application/x-www-form-urlencoded', 400, 'invalid_payload'],
  ['a message that nests too deep', HOOK, `{"text":"hi","blocks":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'application/json', 400, 'invalid_payload'],
  ['a block that nests too deep', HOOK, `{"text":"hi","metadata":${'{"a":'.repeat(65)}1${'}'.repeat(65)}}`, 'application/json', 400, 'invalid_payload'],
  ['wrong blocks', HOOK, '{"blocks":[{"type":"nope"}]}', 'application/json', 400, 'invalid_blocks'],
  ['101 attachments', HOOK, JSON.stringify({ attachments: Array.from({ length: 101 }, () => ({ text: 'a' })) }), 'application/json', 400, 'too_many_attachments'],
  ['a thread that is none', HOOK, '{"text":"a","thread_ts":"1.000001"}', 'application/json', 404, 'thread_not_found'],
  ['another app', '/services/T0SANDBOX/B0WRONG/zzz', '{"text":"a"}', 'application/json', 404, 'no_service'],
  ['another workspace', '/services/T0OTHER/B0SANDBOX/zzz', '{"text":"a"}', 'application/json', 404, 'no_team'],
  ['a wrong secret', '/services/T0SANDBOX/B0SANDBOX/zzz', '{"text":"a"}', 'application/json', 403, 'invalid_token'],
])('an incoming webhook takes %s as the vendor does', async (_, path, body, type, status, said) => {
  const messages = async (): Promise<unknown[]> => (await ask('conversations.history', { channel: GENERAL }))['messages'] as unknown[];
  const before = (await messages()).length;
  const headers = type === null ? undefined : { 'content-type': type };
  const response = await fetch(sandbox.url + path, { method: 'POST', headers, body });
  expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([status, said, expect.stringContaining('text/plain')]);
  expect(await messages()).toHaveLength(before + (status === 200 ? 1 : 0));
});

test('an archived conversation takes nothing from its webhook', async () => {
  await sandbox.control.seed({ resources: { channels: [{ id: 'C0OLD', name: 'old', state: 'archived' }], incoming_webhooks: [{ id: 'T0SANDBOX/B0OLD/secret', service: 'B0OLD', channel: 'C0OLD' }] } });
  const response = await fetch(`${sandbox.url}/services/T0SANDBOX/B0OLD/secret`, { method: 'POST', body: '{"text":"a"}' });
  expect([response.status, await response.text()]).toEqual([410, 'channel_is_archived']);
});

test.each(['/no/such/path', '/api', '/robots.txt', '/services', '/services/T0SANDBOX', '/triggers/T0/1/a', '/apix/chat.postMessage'])(
  'nothing is at %s, whatever key comes',
  async (path) => {
    for (const authorization of ['', `Bearer ${sandbox.sandbox.key}`]) {
      const response = await fetch(sandbox.url + path, { method: 'POST', headers: { authorization }, body: 'x' });
      expect([response.status, ((await response.json()) as Answer).error]).toEqual([404, 'not_found']);
    }
  },
);

test('a method that is none is named, and bodies that are no maps', async () => {
  expect(await ask('no.such', {})).toMatchObject({ ok: false, error: 'unknown_method', req_method: 'no.such' });
  expect(await ask('no.such', {}, { authorization: '' })).toMatchObject({ ok: false, error: 'unknown_method' });
  expect(await ask('chat.postMessage', '[1]')).toMatchObject({ error: 'json_not_object' });
  expect(await ask('chat.postMessage', '"a"')).toMatchObject({ error: 'json_not_object' });
  expect(await ask('chat.postMessage', '{"a')).toMatchObject({ error: 'invalid_json' });
});
