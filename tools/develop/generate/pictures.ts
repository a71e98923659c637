import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Company, createCompany, createSandbox, type Sandbox } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';
import { callWorld } from '../kit/calls.js';
import { receive } from '../kit/receiver.js';

/**
 * `npm run pictures`: takes the screenshots in README.md, docs/guides/inspector.md and docs/guides/several-vendors.md. The world is always the same,
 * so that pictures change only with the page.
 */

const T0 = '2025-01-01T00:00:00Z';
const SIZE = { width: 1360, height: 850 };
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FOLDER = join(installation(), 'docs', 'pictures');

/** Ids of objects in the pictures. */
interface Story {
  readonly waiting: string;
  readonly subscription: string;
  /** Id of the trace of a declined payment. */
  readonly declined: string;
}

/** Makes the calls of an application in its first minutes. */
async function play(sandbox: Sandbox, receiver: string): Promise<Story> {
  const { control } = sandbox;
  const call = async (
    path: string,
    params: Readonly<Record<string, string>>,
  ): Promise<{ id: string; trace: string }> => {
    const { body, headers } = await callWorld(sandbox, `POST ${path}`, new URLSearchParams(params));
    return { id: String(body['id'] ?? ''), trace: headers.get('x-mock-resolution-trace') ?? '' };
  };
  const return_url = 'https://shop.example/done';
  await control.endpoint({ url: receiver });
  const { id: customer } = await call('/v1/customers', { name: 'Jenny Rosen', email: 'jenny@example.com' });
  const { id: card } = await call('/v1/payment_methods/pm_card_visa/attach', { customer });
  const { id: product } = await call('/v1/products', { name: 'Gold' });
  const price = await call('/v1/prices', {
    product,
    currency: 'usd',
    unit_amount: '1500',
    'recurring[interval]': 'month',
  });
  const subscription = await call('/v1/subscriptions', {
    customer,
    'items[0][price]': price.id,
    default_payment_method: card,
  });
  const waiting = await call('/v1/payment_intents', {
    amount: '990',
    currency: 'eur',
    payment_method: 'pm_card_authenticationRequired',
    confirm: 'true',
    return_url,
  });
  const paid = await call('/v1/payment_intents', { amount: '2000', currency: 'usd', customer });
  await call(`/v1/payment_intents/${paid.id}/confirm`, { payment_method: card, return_url });
  const { id: rejected } = await call('/v1/payment_intents', { amount: '4200', currency: 'usd' });
  const declined = await call(`/v1/payment_intents/${rejected}/confirm`, {
    payment_method: 'pm_card_chargeDeclined',
    return_url,
  });
  await control.fault({
    resource: 'customers',
    operation: 'create',
    status: 429,
    count: 2,
    error: { code: 'rate_limit' },
  });
  await call('/v1/customers', { name: 'Too many' });
  await control.flush();
  return { waiting: waiting.id, subscription: subscription.id, declined: declined.trace };
}

/** Plays the guide of several vendors: a renewal fails, which creates an issue and a message. */
async function playCompany({ vendors, control }: Company): Promise<void> {
  const call = (vendor: string, path: string, body: object) => callWorld(vendors[vendor], `POST ${path}`, body);
  const form = async (path: string, params: Readonly<Record<string, string>>): Promise<string> =>
    String((await call('payments', path, new URLSearchParams(params))).body['id']);
  const customer = await form('/v1/customers', {
    email: 'carl@shop.test',
    payment_method: 'pm_card_visa',
    'invoice_settings[default_payment_method]': 'pm_card_visa',
  });
  const product = await form('/v1/products', { name: 'Seat' });
  const price = await form('/v1/prices', {
    product,
    currency: 'usd',
    unit_amount: '1900',
    'recurring[interval]': 'month',
  });
  await form('/v1/subscriptions', { customer, 'items[0][price]': price });
  const declining = await form('/v1/payment_methods/pm_card_chargeCustomerFail/attach', { customer });
  await form(`/v1/customers/${customer}`, { 'invoice_settings[default_payment_method]': declining });
  await call('code', '/user/repos', { name: 'app' });
  await control.advance({ until: { event: 'payments/invoice.payment_failed' }, at_most: '40d' });
  const title = `${customer} did not pay: card_declined`;
  await call('code', '/repos/octo/app/issues', { title });
  await call('chat', '/api/chat.postMessage', { channel: 'general', text: `#1 ${title}` });
}

const receiver = await receive((_call, response) => response.end('ok'));
const sandbox = await createSandbox({ pack: join(installation(), 'packs', 'payments'), t0: T0, seed: 'pictures' });
const company = await createCompany({
  packs: [{ pack: 'payments' }, { pack: 'code-hosting', name: 'code' }, { pack: 'team-chat', name: 'chat' }],
  t0: '2026-01-05T10:00:00Z',
  seed: 'pictures',
});
try {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no browser at ${CHROMIUM}: set CHROMIUM`);
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
  const story = await play(sandbox, `${receiver.url}/hook`);
  mkdirSync(FOLDER, { recursive: true });
  await page.goto(`${sandbox.url}/__admin__/#key=${sandbox.key}`);
  const take = async (name: string, place: string, ready: string, dark = false): Promise<void> => {
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`);
    await page.locator(ready).first().waitFor();
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  };
  await take('timeline', `timeline/${story.declined}`, 'li.decided');
  await take('timeline-dark', `timeline/${story.declined}`, 'li.decided', true);
  await take('object', `object/${story.waiting}`, '.state.here');
  await page.evaluate(`location.hash = '#/clock'`);
  await page.getByRole('button', { name: '1 year', exact: true }).click();
  await take('clock', 'clock', '.strip');
  const { entry } = (await sandbox.control.entry(story.declined)) as { entry: number };
  const { id } = (await sandbox.control.createWorld({ name: 'before-the-decline', from: { at: entry - 1 } })) as {
    id: string;
  };
  await sandbox.control.rewind(story.declined);
  await sandbox.control.event('payment.approved', { payment_intent_id: story.waiting });
  await take('worlds', `worlds/compare/${id}@/w1@`, '.changes');
  await take('pack', 'pack/payment_intents', '.diagram svg');
  await playCompany(company);
  // Reloads the page, since the company has another address than the sandbox before.
  await page.goto(`${company.url}/__admin__/#key=${company.key}`);
  await take('company', 'timeline', 'li');
  await browser.close();
} finally {
  await company.close();
  await sandbox.close();
  await receiver.stop();
}
