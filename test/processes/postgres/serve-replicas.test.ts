import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { call } from '../../support/http.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { postgres, postgresOr } from '../../support/postgres.js';
import { runSandbox, type Running, startCommand } from '../../support/processes.js';

const folder = scratchFolder();
const KEY = 'sk_test_in_its_own_file';

/** A call of a server that answers by TLS with a certificate of its own. */
function securely(url: string, ca: string, key: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ca, headers: { authorization: `Bearer ${key}` } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    call.on('error', reject).end();
  });
}

interface Announced {
  readonly url: string;
  readonly cert: string;
}

async function announced(running: Running): Promise<Announced & { readonly ca: string }> {
  const [line] = await running.lines(1);
  const told = JSON.parse(line) as Announced;
  return { ...told, ca: await readFile(told.cert, 'utf8') };
}

test('a server answers by TLS with a certificate that is made on the spot', async () => {
  const seeds = join(folder, 'seeds.json');
  writeFileSync(seeds, JSON.stringify({ resource: 'customers', objects: [{ id: 'cus_00000000000001', name: 'Ada' }] }));
  const running = startCommand(['serve', '--tls', '--port', '0', '--json', '--seed-file', seeds, '--key', KEY]);
  const { url, ca, cert } = await announced(running);
  expect(url).toMatch(/^https:/);
  expect((await securely(`${url}/v1/customers`, ca, KEY)).text).toContain('cus_00000000000001');
  expect(await securely(`${url}/healthz`, ca, '')).toEqual({ status: 200, text: 'ok\n' });
  const clock = ['clock', '--url', url, '--key', KEY, '--json'];
  const told = await runSandbox(clock, { env: { NODE_EXTRA_CA_CERTS: cert } });
  expect(JSON.parse(told.stdout)).toMatchObject({ mode: 'frozen' });
  const untrusted = await runSandbox(clock);
  expect([untrusted.code, untrusted.stderr]).toEqual([2, expect.stringContaining("isn't trusted")]);
  const examined = await runSandbox(['doctor', '--url', url, '--key', KEY]);
  expect(examined.stdout).toContain(`bad   server at ${url}: its certificate isn't trusted`);
  expect((await running.stop()).code).toBe(0);
});

test('options of TLS that do not go together are refused', async () => {
  const one = await runSandbox(['serve', '--tls-cert', 'cert.pem']);
  expect([one.code, one.stderr]).toEqual([2, expect.stringContaining('come together')]);
  const none = await runSandbox(['serve', '--tls-cert', join(folder, 'no.pem'), '--tls-key', join(folder, 'no.pem')]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('does not exist')]);
});

postgresOr(undefined, () => {
  test('two replicas by TLS: each answers for the other, logs its calls and counts them', async () => {
    const store = await postgres.newDatabase();
    const migrated = await runSandbox(['store', 'migrate', store, '--json']);
    expect(JSON.parse(migrated.stdout)).toEqual({ from: 0, to: 3 });
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, `${KEY}\n`);
    const options = ['--store', store, '--worlds', 'key', '--port', '0', '--json', '--tls', '--log', 'json'];
    const replicas = [1, 2].map(() => startCommand(['serve', 'payments', ...options, '--key-file', keyFile]));
    for (const replica of replicas) {
      const { url, ca } = await announced(replica);
      expect((await securely(`${url}/readyz`, ca, '')).text).toBe('ok\n');
      expect((await securely(`${url}/v1/customers?limit=3`, ca, KEY)).status).toBe(200);
      const { text } = await securely(`${url}/metrics`, ca, KEY);
      expect(text).toContain('sandbox_calls_total');
      expect([...text.matchAll(/^# TYPE \w+_total (?!counter)/gm)]).toEqual([]);
    }
    const ended = await Promise.all(replicas.map((replica) => replica.stop()));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const logged = ended.map(({ stdout }) => stdout.split('\n').find((line) => line.includes('/v1/customers')) ?? '{}');
    const calls = logged.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    for (const call of calls)
      expect(call).toMatchObject({ level: 'info', method: 'GET', path: '/v1/customers', status: 200, world: 'w1' });
    expect(calls.map(({ to }) => typeof to).sort()).toEqual(['string', 'undefined']);
    expect(ended.map(({ stdout }) => stdout.split('\n').slice(1).join('\n')).join('')).not.toContain(KEY);
  });

  test('what goes wrong is a line of the log too', async () => {
    const store = await postgres.newDatabase();
    const replica = startCommand(['serve', '--store', store, '--port', '0', '--json', '--key', KEY, '--log', 'json']);
    const [line] = await replica.lines(1);
    const host = { ...(JSON.parse(line) as { url: string }), key: KEY };
    await postgres.query(store, "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory'");
    expect((await call(host, 'GET /v1/customers')).status).toBe(200);
    const { stdout, stderr } = await replica.stop();
    const logged = stdout.trim().split('\n').slice(1);
    expect([stderr, logged.map((each) => JSON.parse(each) as object)]).toEqual([
      '',
      expect.arrayContaining([
        expect.objectContaining({
          level: 'warn',
          msg: expect.stringMatching(/^world w1, which continues .*session/) as string,
        }),
      ]),
    ]);
  });

  test('worlds in PostgreSQL are distinguished by key, and nothing follows files there', async () => {
    const store = 'postgres://nobody@127.0.0.1:1/nothing';
    const port = await runSandbox(['serve', '--store', store, '--worlds', 'port']);
    expect([port.code, port.stderr]).toEqual([2, expect.stringContaining('distinguished by key')]);
    const out = await runSandbox(['serve', '--store', store, '--port', '0']);
    expect([out.code, out.stderr]).toEqual([2, expect.stringContaining('PostgreSQL')]);
  });
});
