import type { Sandbox } from '../../../engine/index.js';
import { succeed } from '../kit/calls.js';
import { packSandbox } from '../kit/pack-sandbox.js';
import { type Note, round, timed } from './figure.js';
import { load } from './load.js';
import { startMeasuredServer } from './servers.js';

const DAY = 86_400_000;

/** Advances a world of subscriptions by months and prints renewals per second for each month, to show linear growth. */
export async function measureClock(note: Note, subscriptions: number, months: number): Promise<void> {
  const sandbox = await packSandbox('payments');
  await subscribe(sandbox, subscriptions);
  const { engine } = sandbox;
  const invoices = engine.world.collections[engine.model.byCollection.get('invoices')?.index ?? 0];
  const rates: number[] = [];
  let renewals = 0;
  let cpu = 0;
  for (let month = 1; month <= months; month++) {
    const before = invoices.size;
    const until = Date.UTC(2025, month, 1) + DAY;
    const spent = await timed(() => {
      while (engine.fireNext(until) !== undefined);
      engine.world.moveTo(until);
    });
    renewals += invoices.size - before;
    cpu += spent.cpu;
    rates.push((invoices.size - before) / spent.cpu);
  }
  const years = `${subscriptions.toLocaleString('en')} subscriptions, ${months} months`;
  note(`renewals (${years})`, Math.round(renewals / cpu), '/ s of processor time');
  note('renewals for each request of plain Express in this run', round(renewals / cpu / (await expressRate())), '');
  note(`first month (${years})`, Math.round(rates[0]), '/ s of processor time');
  note(`last month (${years})`, Math.round(rates[months - 1]), '/ s of processor time');
  await sandbox.close();
}

/** Measures how many requests plain Express serves per second of processor time. */
async function expressRate(): Promise<number> {
  const server = await startMeasuredServer('express');
  const path = '/v1/customers/one';
  await server.prepare('GET', path, JSON.stringify({ id: 'one', filling: 'x'.repeat(1000) }));
  const work = { name: 'retrieve', method: 'GET', path } as const;
  await load(server.url, server.key, work, 2);
  const before = await server.cpu();
  const { count } = await load(server.url, server.key, work, 4);
  const spent = (await server.cpu()) - before;
  await server.stop();
  return count / (spent / 1e6);
}

/** Creates customers with a card and a monthly subscription each, through the API. */
export async function subscribe(sandbox: Sandbox, count: number): Promise<void> {
  const post = async (path: string, form: Readonly<Record<string, string>>): Promise<string> =>
    String((await succeed(sandbox, `POST ${path}`, new URLSearchParams(form)))['id']);
  const { nowMs } = sandbox.engine.world;
  const product = await post('/v1/products', { name: 'Bench' });
  const monthly = { product, currency: 'usd', unit_amount: '1000', 'recurring[interval]': 'month' };
  const price = await post('/v1/prices', monthly);
  for (let n = 0; n < count; n++) {
    const card = 'pm_card_visa';
    const customer = await post('/v1/customers', {
      email: `c${n}@example.com`,
      payment_method: card,
      'invoice_settings[default_payment_method]': card,
    });
    await post('/v1/subscriptions', { customer, 'items[0][price]': price });
  }
  if (sandbox.engine.world.nowMs !== nowMs) throw new Error('the clock moved');
}
