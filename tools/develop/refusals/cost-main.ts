/**
 * `npm run bench:facts`: what the facts of vendors' documents cost calls and starts. Each pack is compared with a copy that has no `facts.yaml`,
 * by processor time, one after the other, so that other work of the machine hits both alike.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Command } from 'commander';
import { createSandbox, PackCache } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';
import { wholeNumber } from '../../command/options.js';
import { installed, started, threadsMs } from '../bench/boot.js';
import { quantile } from '../bench/figure.js';
import { headCommit } from '../prose/figures.js';
import { costSection, type FactsCost, writeCosts } from './cost-page.js';

interface MeasuredCall {
  readonly path: string;
  readonly type: 'json' | 'x-www-form-urlencoded';
  readonly body: string;
}

interface MeasuredPack {
  /** The account whose password the key is; undefined: the key is alone. */
  readonly account?: string;
  /** What the call needs. */
  readonly begin?: MeasuredCall;
  readonly call: MeasuredCall;
}

const form = (fields: Readonly<Record<string, string>>): Pick<MeasuredCall, 'type' | 'body'> => ({
  type: 'x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
});
const json = (fields: object): Pick<MeasuredCall, 'type' | 'body'> => ({ type: 'json', body: JSON.stringify(fields) });

/** A usual call of each pack, which needs none of its facts. */
const PACKS: Readonly<Record<string, MeasuredPack>> = {
  'bank-data': {
    call: {
      path: '/institutions/get_by_id',
      ...json({ client_id: 'id', secret: 'bench_key', institution_id: 'ins_109508', country_codes: ['US'] }),
    },
  },
  'code-hosting': {
    begin: { path: '/user/repos', ...json({ name: 'hello', auto_init: true }) },
    call: { path: '/repos/octo/hello/issues', ...json({ title: 'Add it' }) },
  },
  messaging: {
    account: 'AC0123456789abcdef0123456789abcdef',
    call: {
      path: '/2010-04-01/Accounts/AC0123456789abcdef0123456789abcdef/Messages.json',
      ...form({ To: '+14155550100', From: '+15005550006', Body: 'Hello' }),
    },
  },
  'team-chat': { call: { path: '/api/chat.postMessage', ...form({ channel: 'C0GENERAL', text: 'Hello' }) } },
};
const KEY = 'bench_key';
/** Calls of which one time is taken. */
const BLOCK = 50;
/** Blocks before the first one that counts. */
const WARM = 20;
/** When a start has kept its pack and its compiled code, in ms. */
const KEPT_AFTER_MS = 3000;

const program = new Command('bench:facts')
  .description("Measures what the facts of vendors' documents cost calls and starts.")
  .argument('[packs...]', 'names of packs (default: all with a call here)')
  .option('--blocks <n>', `blocks of ${BLOCK} calls with facts, and as many without`, wholeNumber, 60)
  .option('--starts <n>', 'starts with facts, and as many without', wholeNumber, 9)
  .option('--write', 'write the figures into the page of rejected calls')
  .parse();
const { blocks, starts, write } = program.opts<{
  readonly blocks: number;
  readonly starts: number;
  readonly write?: true;
}>();
const names = program.args.length > 0 ? program.args : Object.keys(PACKS);

const agent = new Agent({ keepAlive: true, maxSockets: 2 });

/** @param account undefined: the key is alone */
async function send(url: string, { path, type, body }: MeasuredCall, account?: string): Promise<void> {
  const basic = account === undefined ? null : Buffer.from(`${account}:${KEY}`).toString('base64');
  const headers = {
    authorization: basic === null ? `Bearer ${KEY}` : `Basic ${basic}`,
    'content-type': `application/${type}`,
    'content-length': Buffer.byteLength(body),
  };
  const sent = request(new URL(path, url), { method: 'POST', headers, agent });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { readonly statusCode: number }];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  if (response.statusCode > 299) throw new Error(`${path}: ${response.statusCode}: ${text}`);
}

/** Processor time of a block of calls, in microseconds a call. */
async function blockMicros(url: string, { call, account }: MeasuredPack): Promise<number> {
  const before = process.cpuUsage();
  for (let nth = 0; nth < BLOCK; nth++) await send(url, call, account);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / BLOCK;
}

/** @param folders of two builds: without facts, and with them */
async function measureCalls(
  folders: readonly string[],
  name: string,
): Promise<Pick<FactsCost, 'callMicros' | 'ratios'>> {
  const { begin, account } = PACKS[name];
  const sandboxes = [];
  for (const folder of folders) {
    const pack = join(folder, 'packs', name);
    sandboxes.push(await createSandbox({ pack, key: KEY, cache: PackCache.ofInstallation(), port: 0, traceLimit: 10 }));
  }
  for (const { url } of sandboxes) if (begin !== undefined) await send(url, begin, account);
  const times: number[][] = [[], []];
  for (let block = 0; block < WARM + blocks; block++)
    for (let at = 0; at < 2; at++) {
      const side = (at + block) % 2;
      const micros = await blockMicros(sandboxes[side].url, PACKS[name]);
      if (block >= WARM) times[side].push(micros);
    }
  for (const sandbox of sandboxes) await sandbox.close();
  const ratios = times[1].map((micros, at) => micros / times[0][at]);
  return {
    callMicros: Math.round(quantile(times[0], 0.5)),
    ratios: [quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75)],
  };
}

/** Processor time of a server until it is ready, and until its first response, in milliseconds. */
async function startMs(folder: string, name: string, restMs = 0): Promise<readonly [ready: number, first: number]> {
  const { begin, call, account } = PACKS[name];
  const child = started([join(folder, 'dist/app/cli.cjs'), 'serve', name, '--port', '0', '--key', KEY], true);
  const [said] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const readyMs = threadsMs(child.pid);
  await send(/http\S+/.exec(String(said))?.[0] ?? '', begin ?? call, account);
  const firstMs = threadsMs(child.pid);
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const gone = once(child, 'exit');
  child.kill(restMs > 0 ? 'SIGTERM' : 'SIGKILL');
  await gone;
  return [readyMs, firstMs];
}

async function measureStarts(
  folders: readonly string[],
  name: string,
): Promise<Pick<FactsCost, 'readyMs' | 'firstMs'>> {
  // The first start keeps the pack and the compiled code; the second one what the first compiled when it had both.
  for (let again = 0; again < 2; again++) for (const folder of folders) await startMs(folder, name, KEPT_AFTER_MS);
  const times: (readonly [number, number])[][] = [[], []];
  for (let nth = 0; nth < starts; nth++)
    for (let at = 0; at < 2; at++) times[(at + nth) % 2].push(await startMs(folders[(at + nth) % 2], name));
  const median = (side: number, figure: 0 | 1): number =>
    Math.round(
      quantile(
        times[side].map((each) => each[figure]),
        0.5,
      ),
    );
  return { readyMs: [median(0, 0), median(1, 0)], firstMs: [median(0, 1), median(1, 1)] };
}

const folders = [installed(installation()), installed(installation())];
for (const name of names) rmSync(join(folders[0], 'packs', name, 'facts.yaml'));
const rows: FactsCost[] = [];
try {
  for (const pack of names) {
    rows.push({ pack, ...(await measureCalls(folders, pack)), ...(await measureStarts(folders, pack)) });
    console.log(JSON.stringify(rows.at(-1)));
  }
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  agent.destroy();
}
if (write) {
  writeCosts(headCommit(installation()), rows);
  console.log(costSection());
}
