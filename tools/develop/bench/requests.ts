import { callWorld, succeed } from '../kit/calls.js';
import { median } from './figure.js';
import { load, type Work } from './load.js';
import { type MeasuredServer, startMeasuredServer } from './servers.js';

/** Results of one kind of request: medians for every server. */
export interface RequestRow {
  readonly work: string;
  /** Requests per second. */
  readonly rates: Figures;
  /** Processor time of the server per request, in microseconds; the figure that other load on the machine affects least. */
  readonly cpu: Figures;
  /** 99th percentile of latency, in milliseconds. */
  readonly p99: Figures;
  /** Target ratio to plain Express; null if there is none. */
  readonly target: number | null;
}

interface Figures {
  readonly express: number;
  readonly sandbox: number;
  /** The figure of another checkout's build, if one is compared. */
  readonly before?: number;
}

interface RequestOptions {
  /** Duration of one measurement, in seconds. */
  readonly seconds: number;
  /** Number of measurements per server; servers take turns. */
  readonly repeat: number;
  readonly isWanted: (name: string) => boolean;
  /** The server script of another build to compare with. */
  readonly before?: string;
  readonly say: (text: string) => void;
}

interface Prepared {
  readonly work: Work;
  readonly target: number | null;
}

/**
 * Measures requests on Express, an earlier build and the sandbox in alternation; medians. Each kind of request has new servers, since data
 * of other kinds would slow them down.
 */
export async function measureRequests(pack: Pack, options: RequestOptions): Promise<RequestRow[]> {
  const wanted = await withSandboxes(pack, undefined, ({ works }) =>
    Promise.resolve(works.flatMap(({ work }, at) => (options.isWanted(work.name) ? [at] : []))),
  );
  const rows: RequestRow[] = [];
  for (const at of wanted)
    rows.push(await withSandboxes(pack, options.before, (sandboxes) => measure(sandboxes, at, options)));
  return rows;
}

type Pack = 'payments' | 'task-automation';

/** Servers of a pack with prepared data, and the requests to measure. */
interface Sandboxes {
  readonly sandbox: MeasuredServer;
  readonly works: readonly Prepared[];
  /** The earlier build's server and requests; null if no build is compared. */
  readonly before: { readonly server: MeasuredServer; readonly works: readonly Prepared[] } | null;
}

async function withSandboxes<T>(
  pack: Pack,
  build: string | undefined,
  use: (sandboxes: Sandboxes) => Promise<T>,
): Promise<T> {
  const prepare = pack === 'payments' ? preparePayments : prepareTasks;
  const sandbox = await startMeasuredServer(pack);
  const old = build === undefined ? null : await startMeasuredServer(pack, build);
  try {
    const before = old && { server: old, works: await prepare(old) };
    return await use({ sandbox, works: await prepare(sandbox), before });
  } finally {
    await Promise.all([sandbox.stop(), old?.stop()]);
  }
}

async function measure(
  { sandbox, works, before }: Sandboxes,
  at: number,
  options: RequestOptions,
): Promise<RequestRow> {
  const { work, target } = works[at];
  const response = await callOnce(sandbox, work);
  const express = await startMeasuredServer('express');
  await express.prepare(work.method, work.path.split('?')[0], response);
  const servers: Record<string, { readonly server: MeasuredServer; readonly sent: Work }> = {
    express: { server: express, sent: work },
    ...(before === null ? {} : { before: { server: before.server, sent: before.works[at].work } }),
    sandbox: { server: sandbox, sent: work },
  };
  const measured = Object.entries(servers).map(([name, of]) => ({
    name,
    ...of,
    rate: [] as number[],
    cpu: [] as number[],
    p99: [] as number[],
  }));
  for (let i = 0; i <= options.repeat; i++) {
    for (const { name, server, sent, rate, cpu, p99 } of measured) {
      const begun = await server.cpu();
      const found = await load(server.url, server.key, sent, options.seconds);
      if (found.errors > 0) throw new Error(`${found.errors} calls of '${work.name}' failed on ${name}`);
      // Skips the first round, which warms up the servers.
      if (i === 0) continue;
      rate.push(found.rate);
      cpu.push(((await server.cpu()) - begun) / found.count);
      p99.push(found.p99);
    }
  }
  await express.stop();
  const figures = (of: 'rate' | 'cpu' | 'p99'): Figures => {
    const byName = new Map(measured.map((each) => [each.name, median(each[of])]));
    return { express: byName.get('express') ?? 0, sandbox: byName.get('sandbox') ?? 0, before: byName.get('before') };
  };
  const row: RequestRow = { work: work.name, rates: figures('rate'), cpu: figures('cpu'), p99: figures('p99'), target };
  options.say(
    `${work.name}: ${Math.round(row.rates.sandbox)}/s and ${Math.round(row.cpu.sandbox)} us, ${timesExpress(row).join(' x Express, before ')}`,
  );
  return row;
}

/** Formats the rates of the sandbox and the earlier build as multiples of plain Express's rate. */
export function timesExpress({ rates: { express, sandbox, before } }: RequestRow): string[] {
  return [sandbox, ...(before === undefined ? [] : [before])].map((rate) => (rate / express).toFixed(2));
}

/** Sends a measured request once. @throws Error if it fails */
async function callOnce(server: MeasuredServer, { name, method, path, body, contentType }: Work): Promise<string> {
  const type: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  const { status, text } = await callWorld(server, `${method} ${path}`, body, type);
  if (status >= 300) throw new Error(`'${name}' is answered ${status}: ${text}`);
  return text;
}

/** Selects the target ratio for Node 20 or for later versions, on which Express is two to three times as fast. */
const atLeast = (node20: number, later: number): number => (process.versions.node.startsWith('20.') ? node20 : later);

/** Creates a customer. */
export const CREATE: Work = {
  name: 'create a customer',
  method: 'POST',
  path: '/v1/customers',
  body: 'email=jenny%40example.com&name=Jenny&metadata[order]=1',
};

/** Creates a payment with a test card that succeeds immediately. */
export const CONFIRM: Work = {
  name: 'create with confirm',
  method: 'POST',
  path: '/v1/payment_intents',
  body: 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa',
};

/** Creates 10,000 customers, and returns the requests to measure. */
export async function preparePayments(server: MeasuredServer): Promise<Prepared[]> {
  const id = (n: number) => `cus_${String(n).padStart(14, '0')}`;
  const all = Array.from({ length: 10_000 }, (_, n) => n);
  const objects = all.map((n) => ({ id: id(n), email: `customer${n}@example.com`, name: `Customer ${n}` }));
  await succeed(server, 'POST /__admin__/seed', { resource: 'customers', objects });
  return [
    { work: { name: 'retrieve a customer', method: 'GET', path: `/v1/customers/${id(5)}` }, target: atLeast(3, 1.2) },
    { work: CREATE, target: atLeast(2, 1) },
    {
      work: { ...CONFIRM, name: 'create a payment intent', body: 'amount=2000&currency=usd' },
      target: atLeast(1.7, 0.85),
    },
    { work: CONFIRM, target: atLeast(0.8, 0.35) },
    { work: { name: 'list 100 of 10,000', method: 'GET', path: '/v1/customers?limit=100' }, target: atLeast(3, 2.2) },
    {
      work: { name: 'list a deep page', method: 'GET', path: `/v1/customers?limit=100&starting_after=${id(5000)}` },
      target: atLeast(3, 2.2),
    },
  ];
}

async function prepareTasks(server: MeasuredServer): Promise<Prepared[]> {
  const { id: agent_id } = await succeed(server, 'POST /agents', { name: 'Bench' });
  const { id: task_id } = await succeed(server, 'POST /tasks', { agent_id, name: 'Bench' });
  const body = JSON.stringify({ task_id, input: {} });
  return [
    {
      work: { name: 'create a task run', method: 'POST', path: '/task-runs', body, contentType: 'application/json' },
      target: null,
    },
  ];
}
