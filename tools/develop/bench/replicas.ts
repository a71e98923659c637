/**
 * `npm run bench:replicas` measures calls per second of one server with worlds in memory and in a file, and of one to three replicas with
 * worlds in PostgreSQL. Clients call any replica, as behind a load balancer.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startPostgres } from '../clients/postgres.js';
import { succeed } from '../kit/calls.js';
import { processorMs } from '../kit/process-usage.js';
import { serveBuild, type ServedBuild } from '../kit/served.js';

const KEY = 'sk_test_bench_of_replicas';

const [SECONDS, WORLDS, CONNECTIONS] = [8, 16, 32];

interface Row {
  readonly store: string;
  readonly replicas: number;
  readonly call: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time per call in microseconds, of all servers and PostgreSQL together. */
  readonly serverUs: number;
  readonly databaseUs: number;
}

function served(...more: readonly string[]): Promise<ServedBuild> {
  return serveBuild(['payments', '--worlds', 'key', '--port', '0', '--key', KEY, ...more]);
}

/** Returns the total processor time of a process, in microseconds. */
function busyOf(pid: number): number {
  return (processorMs(pid) ?? 0) * 1000;
}

/** Returns the total processor time of PostgreSQL in microseconds: of the main process, ended sessions and open sessions. */
function busyOfDatabase(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.map(Number)].reduce((sum, each) => sum + busyOf(each), 0);
}

async function worldsOf(server: ServedBuild): Promise<string[]> {
  const keys: string[] = [];
  for (let each = 0; each < WORLDS; each++)
    keys.push(String((await succeed(server, 'POST /__admin__/worlds', {}))['key']));
  return keys;
}

async function load(servers: readonly ServedBuild[], requests: autocannon.Request[], seconds: number) {
  const connections = Math.ceil(CONNECTIONS / servers.length);
  return Promise.all(servers.map(({ url }) => autocannon({ url, requests, connections, duration: seconds })));
}

async function measure(store: string, servers: readonly ServedBuild[], database?: number): Promise<Row[]> {
  const keys = await worldsOf(servers[0]);
  const rows: Row[] = [];
  const kinds: [string, (authorization: string) => autocannon.Request][] = [
    [
      'create',
      (authorization) => ({
        method: 'POST',
        path: '/v1/customers',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'name=Ada&email=ada@example.com',
      }),
    ],
    ['list', (authorization) => ({ method: 'GET', path: '/v1/customers?limit=3', headers: { authorization } })],
  ];
  for (const [call, request] of kinds) {
    const requests = keys.map((key) => request(`Bearer ${key}`));
    await load(servers, requests, 2);
    const busy = (): number => servers.reduce((sum, { child }) => sum + busyOf(child.pid ?? 0), 0);
    const [server, base] = [busy(), database === undefined ? 0 : busyOfDatabase(database)];
    const results = await load(servers, requests, SECONDS);
    const calls = results.reduce((sum, { requests: { total } }) => sum + total, 0);
    const failed = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
    if (failed > 0) console.error(`${store}, ${servers.length}: ${failed} of ${calls} calls failed`);
    const each = (us: number): number => Math.round(us / calls);
    rows.push({
      store,
      replicas: servers.length,
      call,
      perSecond: Math.round(calls / SECONDS),
      p50Ms: Math.max(...results.map(({ latency }) => latency.p50)),
      p99Ms: Math.max(...results.map(({ latency }) => latency.p99)),
      serverUs: each(busy() - server),
      databaseUs: each((database === undefined ? 0 : busyOfDatabase(database)) - base),
    });
  }
  return rows;
}

const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
const rows: Row[] = [];
for (const [store, more] of [
  ['memory', []],
  ['file', ['--store', join(folder, 'bench.db')]],
] as const) {
  const servers = [await served(...more)];
  rows.push(...(await measure(store, servers)));
  for (const server of servers) await server.stop();
}
for (const count of [1, 2, 3]) {
  const database = await startPostgres({ isDurable: true });
  if (database === undefined) {
    console.error('PostgreSQL is not installed: apt-get install postgresql');
    break;
  }
  const servers: ServedBuild[] = [];
  for (let each = 0; each < count; each++) servers.push(await served('--store', database.url));
  rows.push(...(await measure('PostgreSQL', servers, database.pid())));
  for (const server of servers) await server.stop();
  database.stop();
}
rmSync(folder, { recursive: true, force: true });
console.table(rows);
