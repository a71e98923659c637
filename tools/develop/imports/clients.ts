/**
 * `npm run test:imports:clients -- FOLDER`: imports the documents of vendors whose npm clients are installed (`resend.yaml`, `svix.json`) and
 * makes usual calls with those clients, unmodified, on the packs as they were imported. Prints how many work, with the reasons.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Resend } from 'resend';
import { Svix } from 'svix';
import { writeFiles } from '../../commands/init-pack.js';
import { importDocument, readDocument } from '../../openapi/index.js';
import { proportion, servedFor } from '../../openapi/use/index.js';

/** A call with a client, and members that its result must have. */
type ClientCall = readonly [name: string, call: () => Promise<unknown>, wanted: Readonly<Record<string, unknown>>];
/** Makes the calls of a client in turn; a call can use earlier responses. */
type Client = (url: string, key: string) => AsyncGenerator<ClientCall> | Generator<ClientCall>;

const CLIENTS: Readonly<Record<string, Client>> = { 'resend.yaml': resend, 'svix.json': svix };

const folder = process.argv[2] ?? '.';
for (const [file, client] of Object.entries(CLIENTS)) {
  const path = join(folder, file);
  if (!existsSync(path)) continue;
  const pack = mkdtempSync(join(tmpdir(), 'client-'));
  writeFiles(pack, importDocument(await readDocument(path), 'imported').files);
  const misses: string[] = [];
  let made = 0;
  await servedFor(pack, async ({ url, key }) => {
    for await (const [name, call, wanted] of client(url, key)) {
      made++;
      const problem = await wrongWith(call, wanted);
      if (problem !== null) misses.push(`${name}: ${problem}`);
    }
  });
  rmSync(pack, { recursive: true });
  console.log(`${file}: ${proportion(made - misses.length, made)}`);
  for (const miss of misses) console.log(`  ${miss}`);
}

async function wrongWith(
  call: () => Promise<unknown>,
  wanted: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  try {
    const result = (await call()) as Readonly<Record<string, unknown>> | undefined | null;
    for (const [name, value] of Object.entries(wanted)) {
      const got = result?.[name];
      if (value === String ? typeof got !== 'string' || got === '' : !isDeepStrictEqual(got, value))
        return `${name} is ${JSON.stringify(got)}, not ${value === String ? 'a text' : JSON.stringify(value)}`;
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : JSON.stringify(error);
  }
}

/** Returns the data of a response, or throws its error. */
async function dataOf<T>(sent: Promise<{ readonly data: T | null; readonly error: unknown }>): Promise<T> {
  const { data, error } = await sent;
  if (data === null) throw new Error(JSON.stringify(error));
  return data;
}

function* resend(url: string, key: string): Generator<ClientCall> {
  const client = new Resend(key, { baseUrl: url });
  const ids: Record<string, string> = {};
  const kept = (name: string, sent: Promise<{ readonly data: unknown; readonly error: unknown }>) => async () => {
    const data = (await dataOf(sent)) as { readonly id: string };
    ids[name] = data.id;
    return data;
  };
  const mail = { from: 'kites@example.org', to: 'ida@example.org', subject: 'Wind', html: '<p>Fly</p>' };
  yield ['emails.send', kept('mail', client.emails.send(mail)), { id: String }];
  yield [
    'emails.get',
    () => dataOf(client.emails.get(ids['mail'])),
    { id: ids['mail'], to: ['ida@example.org'], subject: 'Wind' },
  ];
  yield ['emails.list', () => dataOf(client.emails.list()), { object: 'list' }];
  yield ['emails.cancel', () => dataOf(client.emails.cancel(ids['mail'])), { id: ids['mail'] }];
  yield ['batch.send', () => dataOf(client.batch.send([mail, mail])), {}];
  yield [
    'domains.create',
    kept('domain', client.domains.create({ name: 'kites.example.org' })),
    { name: 'kites.example.org' },
  ];
  yield [
    'domains.get',
    () => dataOf(client.domains.get(ids['domain'])),
    { id: ids['domain'], name: 'kites.example.org' },
  ];
  yield [
    'domains.update',
    () => dataOf(client.domains.update({ id: ids['domain'], openTracking: true })),
    { id: ids['domain'] },
  ];
  yield ['domains.verify', () => dataOf(client.domains.verify(ids['domain'])), { id: ids['domain'] }];
  yield ['domains.remove', () => dataOf(client.domains.remove(ids['domain'])), { id: ids['domain'], deleted: true }];
  yield ['apiKeys.create', kept('key', client.apiKeys.create({ name: 'Kites' })), { id: String, token: String }];
  yield ['apiKeys.list', () => dataOf(client.apiKeys.list()), { object: 'list' }];
  yield ['segments.create', kept('segment', client.segments.create({ name: 'Flyers' })), { name: 'Flyers' }];
  yield ['segments.get', () => dataOf(client.segments.get(ids['segment'])), { name: 'Flyers' }];
  const ida = { email: 'ida@example.org', firstName: 'Ida', unsubscribed: false };
  yield ['contacts.create', kept('contact', client.contacts.create(ida)), { id: String }];
  yield [
    'contacts.get',
    () => dataOf(client.contacts.get({ id: ids['contact'] })),
    { email: 'ida@example.org', first_name: 'Ida' },
  ];
  yield [
    'contacts.update',
    () => dataOf(client.contacts.update({ id: ids['contact'], lastName: 'Fly' })),
    { id: ids['contact'] },
  ];
  const cast = { segmentId: ids['segment'], from: 'kites@example.org', subject: 'Wind', html: '<p>Fly</p>' };
  yield ['broadcasts.create', kept('cast', client.broadcasts.create(cast)), { id: String }];
  yield ['broadcasts.get', () => dataOf(client.broadcasts.get(ids['cast'])), { id: ids['cast'], subject: 'Wind' }];
  yield ['broadcasts.send', () => dataOf(client.broadcasts.send(ids['cast'])), { id: ids['cast'] }];
  yield [
    'topics.create',
    kept('topic', client.topics.create({ name: 'News', defaultSubscription: 'opt_in' })),
    { id: String },
  ];
  yield ['topics.get', () => dataOf(client.topics.get(ids['topic'])), { name: 'News' }];
  const hook = { endpoint: 'https://example.org/hook', events: ['email.sent' as const] };
  yield ['webhooks.create', kept('hook', client.webhooks.create(hook)), { id: String, signing_secret: String }];
  yield [
    'webhooks.get',
    () => dataOf(client.webhooks.get(ids['hook'])),
    { id: ids['hook'], endpoint: 'https://example.org/hook' },
  ];
  yield ['webhooks.remove', () => dataOf(client.webhooks.remove(ids['hook'])), { id: ids['hook'], deleted: true }];
}

async function* svix(url: string, key: string): AsyncGenerator<ClientCall> {
  const { application, endpoint, eventType, message } = new Svix(key, { serverUrl: url });
  const app = await application.create({ name: 'Kites' }).catch(() => ({ id: 'none' }));
  const hook = { url: 'https://example.org/hook', description: 'of kites' };
  yield ['application.create', () => application.create({ name: 'Wind' }), { name: 'Wind', id: String }];
  yield ['application.get', () => application.get(app.id), { id: app.id, name: 'Kites' }];
  yield ['application.list', () => application.list(), { done: true }];
  yield ['application.update', () => application.update(app.id, { name: 'Boxes' }), { id: app.id, name: 'Boxes' }];
  yield ['application.patch', () => application.patch(app.id, { name: 'Deltas' }), { id: app.id, name: 'Deltas' }];
  yield ['eventType.create', () => eventType.create({ name: 'kite.flown', description: 'up' }), { name: 'kite.flown' }];
  yield ['eventType.get', () => eventType.get('kite.flown'), { name: 'kite.flown', description: 'up' }];
  yield ['eventType.update', () => eventType.update('kite.flown', { description: 'high' }), { description: 'high' }];
  const made = await endpoint.create(app.id, hook).catch(() => ({ id: 'none' }));
  yield ['endpoint.create', () => endpoint.create(app.id, hook), { url: hook.url, description: hook.description }];
  yield ['endpoint.get', () => endpoint.get(app.id, made.id), { id: made.id, url: hook.url }];
  yield ['endpoint.list', () => endpoint.list(app.id), { done: true }];
  yield [
    'endpoint.update',
    () => endpoint.update(app.id, made.id, { url: 'https://example.org/2' }),
    { url: 'https://example.org/2' },
  ];
  yield ['endpoint.getSecret', () => endpoint.getSecret(app.id, made.id), { key: String }];
  yield ['endpoint.delete', () => endpoint.delete(app.id, made.id), {}];
  const sent = { eventType: 'kite.flown', payload: { height: 9 } };
  const flown = await message.create(app.id, sent).catch(() => ({ id: 'none' }));
  yield ['message.create', () => message.create(app.id, sent), sent];
  yield ['message.get', () => message.get(app.id, flown.id), { id: flown.id, eventType: 'kite.flown' }];
  yield ['message.list', () => message.list(app.id), { done: true }];
  yield ['application.delete', () => application.delete(app.id), {}];
}
