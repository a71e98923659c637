import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { WebClient } from '@slack/web-api';
import { ROOT } from '../../support/root.js';
import { call } from '../../support/http.js';
import { BOT, GENERAL, keyAs, OWNER, rejection, serveChat } from './served.js';
import { until } from '../../support/waiting.js';

/** An application of the vendor's own framework, by HTTP and by Socket Mode, and what people do in it. */

const sandbox = serveChat();
let bot: WebClient;
beforeAll(() => {
  bot = sandbox.client;
});

/** The application of `app.mjs` in its thread. */
class Application {
  readonly heard: string[] = [];
  #wake = (): void => undefined;

  private constructor(private readonly worker: Worker) {
    worker.on('message', (text: string) => {
      this.heard.push(text);
      this.#wake();
    });
  }

  static async start(data: Record<string, string>): Promise<readonly [Application, port: string]> {
    const workerData = { url: sandbox.url, token: sandbox.key, ...data };
    const application = new Application(new Worker(join(ROOT, 'test/packs/team-chat/app.mjs'), { workerData }));
    await application.until(1);
    return [application, String(application.heard.shift()).replace('started ', '')];
  }

  /** Resolves when it has heard so much. */
  async until(count: number): Promise<void> {
    while (this.heard.length < count) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  async stop(): Promise<void> {
    const ended = once(this.worker, 'exit');
    this.worker.postMessage('stop');
    await ended;
  }
}

async function byHttp(): Promise<Application> {
  const { id, secret } = await sandbox.control.endpoint({ url: 'http://127.0.0.1:1/' });
  await sandbox.control.call('DELETE', `/webhooks/endpoints/${id}`);
  const [application, port] = await Application.start({ secret: String(secret) });
  await sandbox.control.endpoint({ url: `http://127.0.0.1:${port}/slack/events` });
  return application;
}

async function bySocket(): Promise<Application> {
  const [application] = await Application.start({ appToken: keyAs(sandbox, 'xapp-') });
  return application;
}

const happens = async (cause: string, params: Record<string, unknown>): Promise<void> => {
  await sandbox.control.call('POST', '/world/events', { cause, params });
  await sandbox.control.flush();
};

async function objects(collection: string): Promise<Record<string, unknown>[]> {
  const { resources } = await sandbox.control.state(collection);
  return (resources as unknown as Record<string, Record<string, unknown>[]>)[collection];
}

/** What people and the bot said, the newest first. */
async function texts(): Promise<(string | undefined)[]> {
  const { messages = [] } = await bot.conversations.history({ channel: GENERAL });
  return messages.filter(({ subtype }) => subtype === undefined).map(({ text }) => text);
}

const SELECT = { type: 'external_select', action_id: 'city', placeholder: { type: 'plain_text', text: 'City' } };

describe.each([
  ['HTTP', byHttp],
  ['Socket Mode', bySocket],
])('by %s', (_, start) => {
  let application: Application;

  beforeEach(async () => {
    application = await start();
    await bot.conversations.join({ channel: GENERAL });
  });
  afterEach(async () => application.stop());

  test('a mention, a click, a form that is wrong and then right, and what they leave', async () => {
    await happens('user.mentioned', { user_id: OWNER, channel: GENERAL, text: 'lunch' });
    await application.until(1);
    const { messages = [] } = await bot.conversations.history({ channel: GENERAL, limit: 1 });
    expect(messages[0]).toMatchObject({ text: 'Which?', user: BOT });
    await happens('user.clicked', { user_id: OWNER, ts: messages[0].ts, action_id: 'approve' });
    await application.until(2);
    expect(await texts()).toEqual(['Done', `<@${BOT}> lunch`]);
    const [{ id: view_id }] = await objects('views');
    const submit = (value: string): Promise<void> =>
      happens('view.submitted', { view_id, values: { amount: { value: { type: 'plain_text_input', value } } } });
    await submit('0');
    expect(await objects('views')).toMatchObject([{ status: 'shown', errors: { amount: 'More than none' } }]);
    await submit('3');
    expect(await objects('views')).toMatchObject([{ status: 'closed', errors: {} }]);
    expect(application.heard).toEqual([`mention <@${BOT}> lunch`, 'action 7', 'view 0', 'view 3']);
  });

  test('messages, reactions, commands, shortcuts and menus', async () => {
    await happens('user.wrote', { user_id: OWNER, channel: GENERAL, text: 'ping' });
    await application.until(1);
    expect(await texts()).toEqual(['pong', 'ping']);
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Where?' }, accessory: SELECT }];
    const { ts } = await bot.chat.postMessage({ channel: GENERAL, text: 'Where?', blocks });
    await happens('user.reacted', { user_id: OWNER, ts, name: 'tada' });
    await happens('user.commanded', { user_id: OWNER, channel: GENERAL, command: '/order', text: 'two' });
    await happens('user.used_shortcut', { user_id: OWNER, callback_id: 'help' });
    await happens('user.searched_options', { user_id: OWNER, ts, action_id: 'city', value: 'os' });
    await application.until(5);
    expect(application.heard).toEqual(['message', 'reaction tada', 'command two', 'shortcut', 'options os']);
    expect(await texts()).toEqual(['Ordered two', 'Where?', 'pong', 'ping']);
    const asked = (await objects('events')).find(({ type }) => type === 'block_suggestion');
    expect(asked).toMatchObject({ options: [{ value: 'oslo' }], failed: false });
  });
});

test('Socket Mode begins anew when the vendor ends its connections', async () => {
  const application = await bySocket();
  await bot.conversations.join({ channel: GENERAL });
  const { ts } = await bot.chat.postMessage({ channel: GENERAL, text: 'Well?' });
  await happens('user.reacted', { user_id: OWNER, ts, name: 'one' });
  await happens('socket.recycled', {});
  await application.until(1);
  const state = async (): Promise<unknown> => (await objects('subscriptions')).at(0)?.['state'];
  // The framework connects again by itself, after a while.
  for (const next of ['off', 'on'])
    await until(async () => (await state()) === next);
  await happens('user.reacted', { user_id: OWNER, ts, name: 'two' });
  await application.until(2);
  expect(application.heard).toEqual(['reaction one', 'reaction two']);
  await application.stop();
  await expect(happens('socket.closed', { listener: 'none' })).rejects.toThrow('precondition_failed');
});

test('a trigger opens a view once, within three seconds', async () => {
  const view = { type: 'modal' as const, title: { type: 'plain_text' as const, text: 'Hi' }, blocks: [] };
  await happens('user.used_shortcut', { user_id: OWNER, callback_id: 'help' });
  await happens('user.used_shortcut', { user_id: OWNER, callback_id: 'help' });
  const [late, soon] = (await objects('triggers')).map(({ id }) => String(id));
  const open = (trigger_id: string): Promise<unknown> => bot.views.open({ trigger_id, view });
  await open(soon);
  expect(await rejection(open(soon))).toBe('exchanged_trigger_id');
  await sandbox.control.advance('4s');
  expect(await rejection(open(late))).toBe('expired_trigger_id');
  expect(await rejection(open('1.2.3'))).toBe('invalid_trigger_id');
});

test('a response_url takes five answers within half an hour', async () => {
  await happens('user.commanded', { user_id: OWNER, channel: GENERAL, command: '/order', text: '' });
  const [{ id }] = await objects('response_urls');
  const respond = async (text: string): Promise<number> => {
    const { status } = await call(sandbox, `POST /actions/T0SANDBOX/${String(id)}`, { text, response_type: 'in_channel' });
    return status;
  };
  const statuses: number[] = [];
  for (const text of ['1', '2', '3', '4', '5', '6']) statuses.push(await respond(text));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
  expect(await texts()).toEqual(['5', '4', '3', '2', '1']);
});
