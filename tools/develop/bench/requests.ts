import type { Work } from './load.js';
import { load } from './load.js';
import { type MeasuredServer, startMeasuredServer } from './servers.js';

/** One kind of request on every server: medians. */
export interface RequestRow {
  readonly work: string;
  /** Requests a second. */
  readonly rates: Figures;
  /** Processor time of the server per request, in microseconds: what other load on the machine disturbs least. */
  readonly cpu: Figures;
  /** Sandbox to plain Express, by rate. */
  readonly ratio: number;
  /** Plain Express to sandbox, by processor time. */
  readonly cpuRatio: number;
  /** What the ratio is meant to reach. */
  readonly target: number | null;
}

interface Figures {
  readonly node: number;
  readonly express: number;
  readonly sandbox: number;
}

interface RequestOptions {
  /** Of load per measurement. */
  readonly seconds: number;
  /** Measurements of each server, in turn. */
  readonly repeat: number;
  readonly wants: (name: string) => boolean;
  readonly say: (text: string) => void;
}

interface Prepared {
  readonly work: Work;
  readonly target: number | null;
}

/** Measures requests side by side: node, Express and the sandbox in turn, several times, medians. */
export async function measureRequests(
  pack: 'payments' | 'task-automation',
  options: RequestOptions,
): Promise<RequestRow[]> {
  const sandbox = await startMeasuredServer(pack);
  const prepared = pack === 'payments' ? await preparePayments(sandbox) : await prepareTasks(sandbox);
  const rows: RequestRow[] = [];
  try {
    for (const each of prepared) if (options.wants(each.work.name)) rows.push(await measure(sandbox, each, options));
  } finally {
    await sandbox.stop();
  }
  return rows;
}

async function measure(
  sandbox: MeasuredServer,
  { work, target }: Prepared,
  options: RequestOptions,
): Promise<RequestRow> {
  const answer = await call(sandbox, work);
  const servers = { node: await startMeasuredServer('node'), express: await startMeasuredServer('express'), sandbox };
  const names = ['node', 'express', 'sandbox'] as const;
  const rates = { node: [] as number[], express: [] as number[], sandbox: [] as number[] };
  const cpu = { node: [] as number[], express: [] as number[], sandbox: [] as number[] };
  for (const name of ['node', 'express'] as const)
    await servers[name].prepare(work.method, work.path.split('?')[0], answer);
  for (let i = 0; i <= options.repeat; i++) {
    for (const name of names) {
      const server = servers[name];
      const before = await server.cpu();
      // The first round warms up.
      const { rate, count, errors } = await load(server.url, server.key, work, i === 0 ? 1 : options.seconds);
      if (errors > 0) throw new Error(`${errors} calls of '${work.name}' failed on ${name}`);
      if (i === 0) continue;
      rates[name].push(rate);
      cpu[name].push(((await server.cpu()) - before) / count);
    }
  }
  await Promise.all([servers.node.stop(), servers.express.stop()]);
  const figures = (of: typeof rates): Figures => ({
    node: median(of.node),
    express: median(of.express),
    sandbox: median(of.sandbox),
  });
  const row = { rates: figures(rates), cpu: figures(cpu) };
  const ratio = row.rates.sandbox / row.rates.express;
  const cpuRatio = row.cpu.express / row.cpu.sandbox;
  options.say(
    `${work.name}: ${Math.round(row.rates.sandbox)}/s and ${Math.round(row.cpu.sandbox)} us, ${ratio.toFixed(2)} x Express (${cpuRatio.toFixed(2)} by processor time)`,
  );
  return { work: work.name, ...row, ratio, cpuRatio, target };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

async function call(server: MeasuredServer, work: Work): Promise<string> {
  const response = await fetch(server.url + work.path, {
    method: work.method,
    headers: {
      authorization: `Bearer ${server.key}`,
      ...(work.body === undefined ? {} : { 'content-type': work.contentType ?? 'application/x-www-form-urlencoded' }),
    },
    body: work.body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`'${work.name}' answers ${response.status}: ${text}`);
  return text;
}

async function seed(server: MeasuredServer, resource: string, objects: readonly unknown[]): Promise<void> {
  await call(server, {
    name: 'seed',
    method: 'POST',
    path: '/__admin__/seed',
    body: JSON.stringify({ resource, objects }),
    contentType: 'application/json',
  });
}

/** 10,000 customers, and the work on them. */
export async function preparePayments(server: MeasuredServer): Promise<Prepared[]> {
  const id = (n: number) => `cus_${String(n).padStart(14, '0')}`;
  await seed(
    server,
    'customers',
    Array.from({ length: 10_000 }, (_, n) => ({ id: id(n), email: `customer${n}@example.com`, name: `Customer ${n}` })),
  );
  return [
    { work: { name: 'retrieve a customer', method: 'GET', path: `/v1/customers/${id(5)}` }, target: 3 },
    {
      work: {
        name: 'create a customer',
        method: 'POST',
        path: '/v1/customers',
        body: 'email=jenny%40example.com&name=Jenny&metadata[order]=1',
      },
      target: 1.6,
    },
    {
      work: {
        name: 'create a payment intent',
        method: 'POST',
        path: '/v1/payment_intents',
        body: 'amount=2000&currency=usd',
      },
      target: 1.6,
    },
    {
      work: {
        name: 'create with confirm',
        method: 'POST',
        path: '/v1/payment_intents',
        body: 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa',
      },
      target: 0.6,
    },
    { work: { name: 'list 100 of 10,000', method: 'GET', path: '/v1/customers?limit=100' }, target: 2 },
    {
      work: { name: 'list a deep page', method: 'GET', path: `/v1/customers?limit=100&starting_after=${id(5000)}` },
      target: 2,
    },
  ];
}

/** Subscriptions and their invoices, which versions of the API show most differently. */
export async function prepareBilling(server: MeasuredServer): Promise<Work[]> {
  const send = async (path: string, body: string) =>
    JSON.parse(await call(server, { name: path, method: 'POST', path, body })) as {
      readonly id: string;
      readonly latest_invoice: string;
    };
  const price = await send(
    '/v1/prices',
    'currency=usd&unit_amount=1500&recurring[interval]=month&product_data[name]=Gold',
  );
  const customer = await send(
    '/v1/customers',
    'payment_method=pm_card_visa&invoice_settings[default_payment_method]=pm_card_visa',
  );
  const body = `customer=${customer.id}&items[0][price]=${price.id}`;
  const { id, latest_invoice: invoice } = await send('/v1/subscriptions', body);
  return [
    { name: 'retrieve a subscription', method: 'GET', path: `/v1/subscriptions/${id}` },
    { name: 'retrieve an invoice', method: 'GET', path: `/v1/invoices/${invoice}` },
    { name: 'change a subscription', method: 'POST', path: `/v1/subscriptions/${id}`, body: 'description=one' },
    { name: 'create a subscription', method: 'POST', path: '/v1/subscriptions', body },
  ];
}

async function prepareTasks(server: MeasuredServer): Promise<Prepared[]> {
  const created = JSON.parse(
    await call(server, {
      name: 'agent',
      method: 'POST',
      path: '/agents',
      body: JSON.stringify({ name: 'Bench' }),
      contentType: 'application/json',
    }),
  ) as { id: string };
  const task = JSON.parse(
    await call(server, {
      name: 'task',
      method: 'POST',
      path: '/tasks',
      body: JSON.stringify({ agent_id: created.id, name: 'Bench' }),
      contentType: 'application/json',
    }),
  ) as { id: string };
  const body = JSON.stringify({ task_id: task.id, input: {} });
  return [
    {
      work: { name: 'create a task run', method: 'POST', path: '/task-runs', body, contentType: 'application/json' },
      target: null,
    },
  ];
}
