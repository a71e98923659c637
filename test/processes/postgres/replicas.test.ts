import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import v8 from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompanyReplica,
  createCompanyReplica,
  createReplica,
  PackCache,
  type Replica,
  type ReplicaOptions,
} from '../../../engine/index.js';
import { beginHeader, forwardedHeader } from '../../../engine/hosting/peers.js';
import { describePostgres, postgres } from '../../support/postgres.js';
import { call as callWorld, type CallHeaders, form } from '../../support/http.js';

/** Several servers of the same worlds, in one process here; `npm run kills:replicas` kills them. */

const KEY = 'sk_test_of_the_host_123456789';
const COMPANY_KEY = 'company_of_the_host_123456789';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Host {
  readonly url: string;
}

async function callOnce(
  { url }: Host,
  key: string,
  path: string,
  body?: string | object,
  headers?: CallHeaders,
): Promise<Answer> {
  const sent = typeof body === 'string' ? form(body) : body;
  const {
    status,
    text,
    body: read,
  } = await callWorld({ url, key }, `${body === undefined ? 'GET' : 'POST'} ${path}`, sent, headers);
  return { status, body: text.startsWith('{') ? read : { text } };
}

/**
 * As client libraries do it: a call that no replica could serve in time (503) is sent again, with its idempotency key. How long that
 * takes depends on the machine, what comes of it does not.
 */
async function call(host: Host, key: string, path: string, body?: string | object): Promise<Answer> {
  const headers = body === undefined ? undefined : { 'Idempotency-Key': randomUUID() };
  for (;;) {
    const answer = await callOnce(host, key, path, body, headers);
    if (answer.status !== 503) return answer;
    await sleep(50);
  }
}

function tests(): void {
  const open: Replica[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close(100)));
  });

  async function start(database: string, more: Partial<ReplicaOptions> = {}): Promise<Replica> {
    const replica = await createReplica({
      pack: 'packs/payments',
      packs: ['packs/task-automation'],
      cache: PackCache.ofInstallation(),
      key: KEY,
      t0: 1_736_942_400,
      database,
      onDefect: () => undefined,
      ...more,
    });
    open.push(replica);
    return replica;
  }

  const many = async (count: number, more: Partial<ReplicaOptions> = {}) => {
    const database = await postgres.newDatabase();
    const replicas: Replica[] = [];
    for (let number = 1; number <= count; number++) replicas.push(await start(database, more));
    return { database, replicas };
  };

  const made = async (host: Replica, wish: object = {}): Promise<{ id: string; key: string }> =>
    (await call(host, KEY, '/__admin__/worlds', wish)).body as { id: string; key: string };

  const customer = (host: Replica, key: string, name: string): Promise<Answer> =>
    call(host, key, '/v1/customers', `name=${name}`);

  async function names(host: Replica, key: string): Promise<unknown[]> {
    const { body } = await call(host, key, '/v1/customers?limit=100');
    return (body['data'] as { readonly name: string }[]).map(({ name }) => name).reverse();
  }

  const cut = (database: string): Promise<unknown> =>
    postgres.query(
      database,
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND granted",
    );

  test('every replica answers for every world, whoever has it', async () => {
    const { replicas } = await many(3);
    const worlds = [{ id: 'w1', key: KEY }, await made(replicas[1]), await made(replicas[2], { name: 'third' })];
    for (const { key } of worlds)
      for (const [index, replica] of replicas.entries())
        expect(await customer(replica, key, `n${index}`)).toMatchObject({ status: 200 });
    for (const { key } of worlds)
      for (const replica of replicas) expect(await names(replica, key)).toEqual(['n0', 'n1', 'n2']);
    const { body } = await call(replicas[0], KEY, '/__admin__/worlds');
    expect((body['data'] as { name: string; key: string | null }[]).map(({ name, key }) => [name, key])).toEqual([
      ['main', null],
      ['world-2', null],
      ['third', null],
    ]);
  });

  test('teams, a former key and a key of the metrics are known at every replica, and one that leaves serves for a while', async () => {
    const [team, former, metricsKey] = ['sk_team_of_checkout_01', 'sk_test_former_0123456', 'metrics_only_01234567'];
    const { replicas } = await many(2, {
      alsoKeys: [former],
      teams: [{ name: 'checkout', keys: [team], maxWorlds: 1 }],
      metricsKey,
      metrics: async () => ({ type: 'text/plain', text: 'numbers' }),
      leaveAfterMs: 1_000,
    });
    const world = await call(replicas[1], team, '/__admin__/worlds', { name: 'preview' });
    expect(world).toMatchObject({ status: 201, body: { name: 'checkout.preview' } });
    for (const replica of replicas) {
      expect(await call(replica, team, '/__admin__/worlds/preview')).toMatchObject({ status: 200 });
      expect(await call(replica, team, '/__admin__/worlds', {})).toMatchObject({ status: 409 });
      expect(await call(replica, team, '/v1/customers')).toMatchObject({ status: 401 });
      expect(await call(replica, former, '/v1/customers')).toMatchObject({ status: 200 });
      for (const key of [KEY, former, metricsKey])
        expect(await call(replica, key, '/metrics')).toMatchObject({ status: 200, body: { text: 'numbers' } });
      expect(await call(replica, team, '/metrics')).toMatchObject({ status: 401 });
      expect(await call(replica, metricsKey, '/__admin__/worlds')).toMatchObject({ status: 401 });
    }
    const leaving = replicas[0].close(100);
    expect(await callOnce(replicas[0], KEY, '/readyz')).toMatchObject({ status: 503 });
    expect(await customer(replicas[0], KEY, 'late')).toMatchObject({ status: 200 });
    await leaving;
    expect(await names(replicas[1], KEY)).toEqual(['late']);
  });

  test('keys are known to nobody but those who were told', async () => {
    const { replicas, database } = await many(2);
    const { id, key } = await made(replicas[0]);
    await customer(replicas[1], key, 'x');
    const rows = JSON.stringify(await postgres.query(database, 'SELECT * FROM sandbox.world'));
    expect(rows).not.toContain(key);
    expect(rows).not.toContain(KEY);
    for (const replica of replicas) {
      const publishable = key.replace('sk_', 'pk_');
      expect(await call(replica, publishable, '/v1/customers')).toMatchObject({ status: 403 });
      expect(await call(replica, `${key}x`, '/v1/customers')).toMatchObject({ status: 401 });
      expect(await call(replica, key, `/w/${id}/v1/customers`)).toMatchObject({ status: 200 });
      expect(await call(replica, KEY, `/w/${id}/v1/customers`)).toMatchObject({ status: 401 });
      expect(await call(replica, key, '/__admin__/worlds')).toMatchObject({ status: 403 });
    }
  });

  test('worlds branch off, show their past and end, wherever they are', async () => {
    const { replicas } = await many(2);
    const parent = await made(replicas[0], { pack: 'payments' });
    await customer(replicas[1], parent.key, 'before');
    const fork = await made(replicas[0], { from: { world: parent.id } });
    await customer(replicas[0], parent.key, 'after');
    expect(await names(replicas[1], fork.key)).toEqual(['before']);
    expect(await names(replicas[1], parent.key)).toEqual(['before', 'after']);
    const gone = await fetch(`${replicas[0].url}/__admin__/worlds/${fork.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(gone.status).toBe(200);
    for (const replica of replicas) expect(await customer(replica, fork.key, 'late')).toMatchObject({ status: 401 });
  });

  test('a file that one replica takes is read at another one, also once the first has gone, and in a fork', async () => {
    const { replicas } = await many(2);
    const [first, second] = replicas;
    const bytes = Buffer.alloc(300_000, 'page ');
    const parts = new FormData();
    parts.set('purpose', 'dispute_evidence');
    parts.set('file', new Blob([bytes], { type: 'application/pdf' }), 'evidence.pdf');
    const headers = { Authorization: `Bearer ${KEY}` };
    const uploaded = await fetch(`${first.url}/v1/files`, { method: 'POST', headers, body: parts });
    const { id } = (await uploaded.json()) as { readonly id: string };
    const isRead = async (key: string): Promise<boolean> => {
      const read = await fetch(`${second.url}/v1/files/${id}/contents`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      return Buffer.from(await read.arrayBuffer()).equals(bytes);
    };
    expect(await isRead(KEY)).toBe(true);
    open.splice(open.indexOf(first), 1);
    await first.close(100);
    // Whoever comes in between waits for the world.
    expect((await call(second, KEY, `/v1/files/${id}`)).body).toMatchObject({ id, size: bytes.length });
    expect(await isRead(KEY)).toBe(true);
    const { key } = await made(second, { from: { world: 'w1' } });
    expect(await isRead(key)).toBe(true);
  });

  test('worlds of names that no database takes are not there', async () => {
    const { replicas } = await many(1);
    for (const name of ['%00', 'w99999999999999999999999'])
      expect((await call(replicas[0], KEY, `/__admin__/worlds/${name}`)).status).toBe(404);
    expect((await call(replicas[0], KEY, '/__admin__/worlds', { name: 'a\0' })).status).toBe(400);
  });

  test('a world whose time is over is nowhere any more', async () => {
    const { replicas } = await many(2);
    const { key } = await made(replicas[0], { expires: '1s' });
    expect((await customer(replicas[1], key, 'soon')).status).toBe(200);
    await sleep(2500);
    for (const replica of replicas) expect((await customer(replica, key, 'late')).status).toBe(401);
  });

  test('a world ends by the clock of the database, whatever those of replicas say', async () => {
    const { replicas } = await many(2);
    const { key } = await made(replicas[0], { expires: '24h' });
    await customer(replicas[0], key, 'kept');
    const now = jest
      .spyOn(Date, 'now')
      .mockImplementation(() => performance.timeOrigin + performance.now() + 172_800_000);
    try {
      // One look around at least, with the world in memory and without.
      await sleep(1000);
      await replicas[0].close();
      const { body } = await call(replicas[1], KEY, '/__admin__/worlds');
      expect(body['data']).toHaveLength(2);
      await sleep(1000);
      expect(await names(replicas[1], key)).toEqual(['kept']);
    } finally {
      now.mockRestore();
    }
    const { expires } = (await call(replicas[1], KEY, '/__admin__/worlds', { expires: '1h' })).body;
    expect(Math.abs(Date.parse(String(expires)) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });

  test('a replica that leaves takes nothing with it and delays nothing', async () => {
    const { replicas } = await many(2);
    const [staying, leaving] = replicas;
    const worlds = await Promise.all([1, 2, 3, 4].map(() => made(staying)));
    for (const { key } of worlds) await customer(leaving, key, 'first');
    let isOver = false;
    const answers: number[] = [];
    const calls = worlds.map(async ({ key }) => {
      for (let number = 0; !isOver; number++) {
        answers.push((await callOnce(staying, key, '/v1/customers', `name=c${number}`)).status);
      }
    });
    await sleep(50);
    await leaving.close();
    await sleep(50);
    isOver = true;
    await Promise.all(calls);
    // The pause has its bound in the engine: a call whose world nobody takes in time (`ownershipWaitMs`) fails, so 200 for all is the law.
    expect(new Set(answers)).toEqual(new Set([200]));
    for (const { key } of worlds) expect((await names(staying, key)).length).toBeGreaterThan(1);
  });

  test('what is cut off from the database answers nothing old, and others go on', async () => {
    const { replicas, database } = await many(2);
    const { key } = await made(replicas[0]);
    for (let number = 0; number < 5; number++)
      expect((await customer(replicas[0], key, `n${number}`)).status).toBe(200);
    await cut(database);
    expect((await customer(replicas[1], key, 'n5')).status).toBe(200);
    for (const replica of replicas) expect(await names(replica, key)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5']);
  });

  test('calls wait while the database starts again', async () => {
    const { replicas } = await many(2);
    const { key } = await made(replicas[0]);
    await customer(replicas[0], key, 'before');
    postgres.server.restart();
    for (const replica of replicas) expect(await customer(replica, key, 'after')).toMatchObject({ status: 200 });
    for (const replica of replicas) expect(await names(replica, key)).toEqual(['before', 'after', 'after']);
  });

  test('a key that a replica sees for the first time waits for the database, too', async () => {
    const { replicas, database } = await many(2);
    const { key } = await made(replicas[0]);
    await customer(replicas[0], key, 'before');
    const name = new URL(database).pathname.slice(1);
    const allow = (isAllowed: boolean): Promise<unknown> =>
      postgres.query(postgres.server.url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`);
    await allow(false);
    await postgres.query(
      postgres.server.url,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    const once = callOnce(replicas[1], key, '/v1/customers', 'name=waits');
    expect(await Promise.race([once, sleep(300)])).toBeUndefined();
    await allow(true);
    expect(await customer(replicas[1], key, 'after')).toMatchObject({ status: 200 });
    await once;
  });

  test('calls are handed on over connections that stay open', async () => {
    const { replicas } = await many(2);
    const { key } = await made(replicas[0]);
    await customer(replicas[0], key, 'first');
    const connections: unknown[] = [];
    const opened = (socket: unknown): void => void connections.push(socket);
    subscribe('net.server.socket', opened);
    for (let number = 0; number < 20; number++) {
      expect((await customer(replicas[1], key, `n${number}`)).status).toBe(200);
      expect((await names(replicas[1], key)).length).toBe(number + 2);
    }
    unsubscribe('net.server.socket', opened);
    // One of the caller, one between the replicas; a call may come before the one before has given its connection back.
    expect(connections.length).toBeLessThan(10);
  });

  test('worlds begin at all replicas, whichever is asked for them', async () => {
    const { replicas } = await many(3);
    const begun: string[] = [];
    const called = (message: unknown): void => {
      const { request } = message as { readonly request: IncomingMessage };
      if (request.url?.startsWith('/__replica__/begin?')) begun.push(String(request.headers.host));
    };
    subscribe('http.server.request.start', called);
    const worlds = await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        made(replicas[number % 3], { seed: `seed & ${number}`, t0: 1_750_000_000 }),
      ),
    );
    unsubscribe('http.server.request.start', called);
    // The one that has the first world has the others begin two of three.
    const counts = replicas.map(({ url }) => begun.filter((host) => url.endsWith(host)).length);
    expect(counts.sort((a, b) => a - b)).toEqual([0, 10, 10]);
    for (const [number, { key }] of worlds.entries()) {
      expect((await customer(replicas[number % 3], key, 'one')).body['created']).toBe(1_750_000_000);
      const { body } = await call(replicas[0], key, '/__admin__/export');
      expect(JSON.stringify(body)).toContain(`"seed":"seed & ${number}"`);
    }
  });

  test('a replica that has most of the worlds gives some of them to others, and no call fails', async () => {
    const database = await postgres.newDatabase();
    const first = await start(database);
    const worlds = await Promise.all(Array.from({ length: 16 }, () => made(first)));
    const paths: string[] = [];
    for (const { key } of worlds) paths.push(`/v1/customers/${(await customer(first, key, 'one')).body['id']}`);
    expect(first.held).toBe(17);
    const second = await start(database);
    // From 13 worlds on the first one has more than one and a half times its share of 17.
    while (second.held < 5) {
      expect((await customer(second, worlds[0].key, 'more')).status).toBe(200);
      await sleep(50);
    }
    for (const [index, { key }] of worlds.entries())
      expect((await call(second, key, paths[index])).body).toMatchObject({ name: 'one' });
  });

  test('while the heap is nearly full the worlds leave memory that were not called the longest', async () => {
    const { replicas } = await many(1);
    const worlds = await Promise.all(Array.from({ length: 10 }, () => made(replicas[0])));
    for (const { key } of worlds) await customer(replicas[0], key, 'one');
    const statistics = v8.getHeapStatistics();
    const full = { ...statistics, used_heap_size: statistics.heap_size_limit * 0.8 };
    const heap = jest.spyOn(v8, 'getHeapStatistics').mockReturnValue(full);
    try {
      while (replicas[0].held > 2) await sleep(50);
    } finally {
      heap.mockRestore();
    }
    for (const { key } of worlds) expect(await names(replicas[0], key)).toEqual(['one']);
  });

  test('nobody else hands calls on, and nobody else lets worlds go', async () => {
    const { replicas } = await many(1);
    for (const [path, header] of [
      ['/v1/customers', forwardedHeader],
      ['/__replica__/let-go', forwardedHeader],
      ['/__replica__/begin?seed=x', beginHeader],
    ]) {
      const forged = await fetch(replicas[0].url + path, {
        headers: { authorization: `Bearer ${KEY}`, [header]: `w1 ${Date.now()} nonsense` },
      });
      expect([forged.status, await forged.json()]).toMatchObject([403, { error: { code: 'not_a_replica' } }]);
    }
  });

  test('a store has as many worlds as it may, and none takes up more than it may', async () => {
    const { replicas } = await many(2, { maxWorlds: 3, maxWorldBytes: 3000 });
    const { id, key } = await made(replicas[0]);
    expect((await call(replicas[1], KEY, '/__admin__/worlds', { count: 2 })).status).toBe(409);
    await made(replicas[1]);
    expect(await call(replicas[1], KEY, '/__admin__/worlds', {})).toMatchObject({
      status: 409,
      body: { error: { code: 'too_many_worlds', limit: 3 } },
    });
    let refused: Answer;
    do refused = await customer(replicas[0], key, 'more');
    while (refused.status === 200);
    expect(refused).toMatchObject({ status: 507, body: { error: { code: 'world_full' } } });
    for (const replica of replicas) {
      expect((await customer(replica, key, 'more')).status).toBe(507);
      expect((await names(replica, key)).length).toBeGreaterThan(1);
      expect((await customer(replica, KEY, 'another world')).status).toBe(200);
    }
    const { body } = await call(replicas[0], KEY, `/__admin__/worlds/${id}`);
    expect(body['id']).toBe(id);
  });

  test('a company is one world at every replica, and continues with its rules where the one that had it leaves', async () => {
    const database = await postgres.newDatabase();
    const companies: CompanyReplica[] = [];
    for (const key of [COMPANY_KEY, undefined]) {
      const given = { file: 'test/companies/acme.yaml', cache: PackCache.ofInstallation(), key, database };
      const company = await createCompanyReplica({ ...given, onDefect: () => undefined });
      companies.push(company);
      open.push(company as unknown as Replica);
    }
    const [one, two] = companies;
    expect(Object.keys(one.vendors)).toEqual(['payments', 'chat']);
    expect(two.key).toBe(null);
    const { payments, chat } = Object.fromEntries(
      Object.entries(one.vendors).map(([name, each]) => [name, String(each.key)]),
    );
    const pay = async (host: CompanyReplica, key: string): Promise<void> => {
      const customers = await call(host, key, '/v1/customers');
      const [{ id }] = customers.body['data'] as { id: string }[];
      const charge = { amount: '2000', currency: 'usd', customer: id, source: 'tok_chargeCustomerFail' };
      await call(host, key, '/v1/charges', String(new URLSearchParams(charge)));
    };
    const said = async (host: CompanyReplica, key: string): Promise<unknown[]> => {
      const { body } = await call(host, key, '/api/conversations.list');
      const [billing] = (body['channels'] as { name: string; id: string }[]).filter(({ name }) => name === 'billing');
      const history = await call(host, key, `/api/conversations.history?channel=${billing.id}`);
      return (history.body['messages'] as { text: string }[])
        .map(({ text }) => text)
        .filter((text) => /money/.test(text));
    };
    const fork = await call(two, COMPANY_KEY, '/__admin__/worlds', { from: {} });
    expect(fork.status).toBe(201);
    const forked = fork.body['vendors'] as Record<string, { key: string }>;
    await pay(two, payments);
    for (const host of companies) expect(await said(host, chat)).toHaveLength(1);
    // What the fork says it says alone, at either.
    expect(await said(one, forked['chat'].key)).toHaveLength(0);
    await pay(one, forked['payments'].key);
    await pay(two, forked['payments'].key);
    for (const host of companies) expect(await said(host, forked['chat'].key)).toHaveLength(2);
    const rows = JSON.stringify(await postgres.query(database, 'SELECT * FROM sandbox.world'));
    for (const key of [COMPANY_KEY, String(fork.body['key']), forked['payments'].key]) expect(rows).not.toContain(key);
    expect(await call(two, forked['payments'].key, '/api/conversations.list')).toMatchObject({ status: 404 });
    await open.shift()?.close(100);
    await pay(two, payments);
    expect(await said(two, chat)).toHaveLength(2);
    const about = await call(two, COMPANY_KEY, '/__admin__/company');
    expect(about.body).toMatchObject({ company: 'acme', rules: [{ name: 'failed_charges_are_posted', failed: 0 }] });
    const advanced = await call(two, COMPANY_KEY, '/__admin__/clock/advance', { duration: '1d' });
    expect(advanced.status).toBe(200);
    expect(await call(two, COMPANY_KEY, '/v1/customers')).toMatchObject({ status: 401 });
  });

  test('tells its numbers to the key of the host alone', async () => {
    const { replicas } = await many(1, { metrics: () => Promise.resolve({ type: 'text/plain', text: 'calls 1' }) });
    const { key } = await made(replicas[0]);
    expect(await call(replicas[0], KEY, '/metrics')).toEqual({ status: 200, body: { text: 'calls 1' } });
    expect((await call(replicas[0], key, '/metrics')).status).toBe(401);
  });

  test('tells without a key whether it lives and is ready, and nothing else', async () => {
    const { replicas } = await many(1);
    const [{ url }] = replicas;
    const look = async (path: string): Promise<unknown[]> => {
      const response = await fetch(url + path);
      return [response.status, await response.text()];
    };
    expect([await look('/healthz'), await look('/readyz')]).toEqual([
      [200, 'ok\n'],
      [200, 'ok\n'],
    ]);
  });
}

describePostgres('replicas', tests);
