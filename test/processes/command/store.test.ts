import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { scratchFolder } from '../../support/scratch-folder.js';
import { runSandbox, type Running, startCommand } from '../../support/processes.js';
import { call as callWorld, form } from '../../support/http.js';

/** `sandbox serve --store FILE`: what was answered survives the process, however it ends. */

const folder = scratchFolder();
/** `SANDBOX_KILLS=300` for a long look. */
const KILLS = Number(process.env['SANDBOX_KILLS'] ?? 3);
const WRITERS = 8;

interface Served {
  readonly running: Running;
  readonly url: string;
  readonly key: string;
}

async function serve(file: string, ...more: readonly string[]): Promise<Served> {
  const running = startCommand(['serve', 'payments', '--port', '0', '--json', '--store', file, ...more]);
  left.push(() => running.child.kill('SIGKILL'));
  const [line] = await running.lines(1);
  const { url, key } = JSON.parse(line) as { url: string; key: string };
  return { running, url, key };
}

/** Processes and servers that a failed test leaves. */
const left: (() => unknown)[] = [];
afterEach(() => left.splice(0).forEach((end) => end()));

interface Answer {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(
  served: Served,
  method: string,
  path: string,
  fields?: Readonly<Record<string, string>>,
  idempotency?: string,
): Promise<Answer> {
  const headers = { 'Idempotency-Key': idempotency };
  const response = await callWorld(served, `${method} ${path}`, fields && form(fields), headers);
  return { ...response, replayed: response.headers.get('idempotent-replayed') === 'true' };
}

async function admin(served: Served, path: string, body: unknown): Promise<void> {
  const { status, text } = await callWorld(served, `POST /__admin__${path}`, body);
  if (status >= 300) throw new Error(text);
}

/** Every customer there is. */
async function customers(served: Served): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (let after = ''; ;) {
    const { body } = await call(served, 'GET', `/v1/customers?limit=100${after && `&starting_after=${after}`}`);
    const data = body['data'] as { id: string; metadata: { n: string } }[];
    for (const { id, metadata } of data) found.set(metadata.n, [...(found.get(metadata.n) ?? []), id]);
    if (body['has_more'] !== true) return found;
    after = data[data.length - 1].id;
  }
}

test(
  `kill -9 under load, ${KILLS} times: what was answered is there, nothing twice, and every webhook went out`,
  async () => {
    const file = join(folder, 'killed.db');
    const received = new Set<string>();
    const receiver = createServer((req, res) => {
      let text = '';
      req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      req.on('end', () => {
        const event = JSON.parse(text) as { data: { object: { id: string } } };
        received.add(event.data.object.id);
        res.end();
      });
    });
    left.push(() => receiver.close());
    left.push(() => receiver.closeAllConnections());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

    /** What was answered: the id by the key of the call. */
    const answered = new Map<string, string>();
    /** Calls whose answer never came. */
    let open: string[] = [];
    const create = async (served: Served, name: string): Promise<Answer> =>
      call(served, 'POST', '/v1/customers', { 'metadata[n]': name }, name);

    let served = await serve(file);
    const { key } = served;
    await admin(served, '/webhooks/endpoints', { url: hook, events: ['customer.created'] });
    let made = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      let stopped = false;
      const writers = Array.from({ length: WRITERS }, async () => {
        while (!stopped) {
          const name = `call_${made++}`;
          try {
            answered.set(name, String((await create(served, name)).body['id']));
          } catch {
            open.push(name);
          }
        }
      });
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 200));
      served.running.child.kill('SIGKILL');
      stopped = true;
      await served.running.ended;
      await Promise.all(writers);

      served = await serve(file);
      expect(served.key).toBe(key);
      const there = await customers(served);
      const lost = [...answered].filter(([name, id]) => there.get(name)?.[0] !== id);
      expect(lost).toEqual([]);
      expect([...there].filter(([, ids]) => ids.length > 1)).toEqual([]);
      // A client that heard nothing asks again with its key: done once, whether or not it was done before.
      for (const name of open) {
        const before = there.get(name)?.[0];
        const again = await create(served, name);
        expect(again.status).toBe(200);
        expect(again.replayed).toBe(before !== undefined);
        if (before !== undefined) expect(again.body['id']).toBe(before);
        answered.set(name, String(again.body['id']));
      }
      open = [];
      for (const [name, id] of [...answered].slice(-5)) expect((await create(served, name)).body['id']).toBe(id);
    }
    await admin(served, '/webhooks/flush', {});
    expect([...answered.values()].filter((id) => !received.has(id))).toEqual([]);
    expect(answered.size).toBeGreaterThan(KILLS * 5);
    await served.running.stop();
  },
  30_000 + KILLS * 6_000,
);

test('a world goes on from its file; a seed file is planted once; a second server, another pack and another file are refused', async () => {
  const file = join(folder, 'kept.db');
  const one = await serve(file, '--t0', '2025-01-01T00:00:00Z', '--seed', 'mine');
  const { body } = await call(one, 'POST', '/v1/customers', { name: 'Ada' });
  await admin(one, '/clock/advance', { duration: '3d' });
  const second = await runSandbox(['serve', 'payments', '--port', '0', '--json', '--store', file]);
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('store_locked')]);
  expect((await one.running.stop()).code).toBe(0);

  const two = await serve(file);
  expect(two.key).toBe(one.key);
  expect((await call(two, 'GET', `/v1/customers/${String(body['id'])}`)).body).toEqual(body);
  const next = await call(two, 'POST', '/v1/customers', { name: 'Bea' });
  expect(next.body['created']).toBe(Date.UTC(2025, 0, 4) / 1000);
  await two.running.stop();

  const other = await runSandbox(['serve', 'task-automation', '--port', '0', '--json', '--store', file]);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('store_mismatch')]);
  const none = await runSandbox(['serve', 'payments', '--port', '0', '--json', '--store', join(folder, 'no', 'x.db')]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('store_failed')]);
});

test('a world that goes on is reset to the seed file of its server, or to nothing', async () => {
  const file = join(folder, 'seeded.db');
  const seeds = join(folder, 'seeds.json');
  writeFileSync(seeds, JSON.stringify({ resource: 'customers', objects: [{ id: 'cus_00000000000001', name: 'Ada' }] }));
  const idsOf = async (served: Served): Promise<unknown> =>
    ((await call(served, 'GET', '/v1/customers')).body['data'] as { id: string }[]).map(({ id }) => id);
  const one = await serve(file, '--seed-file', seeds);
  const { body } = await call(one, 'POST', '/v1/customers', { name: 'Bea' });
  await one.running.stop();
  const two = await serve(file, '--seed-file', seeds);
  expect(await idsOf(two)).toEqual([body['id'], 'cus_00000000000001']);
  await admin(two, '/reset', {});
  expect(await idsOf(two)).toEqual(['cus_00000000000001']);
  await admin(two, '/reset', { empty: true });
  expect(await idsOf(two)).toEqual([]);
  await admin(two, '/reset', {});
  expect(await idsOf(two)).toEqual(['cus_00000000000001']);
  await two.running.stop();
  const three = await serve(file);
  expect(await idsOf(three)).toEqual(['cus_00000000000001']);
  await admin(three, '/reset', {});
  expect(await idsOf(three)).toEqual([]);
  await three.running.stop();
});
