import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokenPack } from '../../support/broken-pack.js';
import { freePort } from '../../../tools/develop/kit/free-port.js';
import { runSandbox, type Running, startCommand } from '../../support/processes.js';
import { call, type Called } from '../../support/http.js';
import { until } from '../../support/waiting.js';

interface Announcement {
  readonly url: string;
  readonly key: string;
  readonly pack: { readonly name: string; readonly version: string };
}

const PAYMENTS = { name: 'payments', version: '0.1.0' };
const running: Running[] = [];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-cli-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop('SIGKILL')));
});

function serve(...args: string[]): Running {
  const started = startCommand(['serve', ...args, '--port', '0']);
  running.push(started);
  return started;
}

async function served(...args: string[]): Promise<Announcement> {
  const [line] = await serve(...args, '--json').lines(1);
  return JSON.parse(line) as Announcement;
}

const get = (world: Announcement, path: string): Promise<Called> => call(world, `GET ${path}`);

describe('serve', () => {
  test('prints url, key and pack on aligned lines', async () => {
    const lines = await serve('packs/payments').lines(3);
    expect(lines).toEqual([
      expect.stringMatching(/^url {3}http:\/\/localhost:\d+$/),
      expect.stringMatching(/^key {3}sk_test_\w{8}_\w{8}_\w{8}$/),
      'pack  payments 0.1.0',
    ]);
  });

  test('serves what it prints', async () => {
    const announced = await served('payments', '--key', 'sk_test_mine');
    expect(announced).toMatchObject({ key: 'sk_test_mine', pack: PAYMENTS });
    expect((await get(announced, '/v1/customers')).status).toBe(200);
    expect((await get({ ...announced, key: 'sk_test_other' }, '/v1/customers')).status).toBe(401);
  });

  test('tells once that a client speaks TLS to its plain port, and what to do', async () => {
    const started = serve('payments', '--json');
    const { url } = JSON.parse((await started.lines(1))[0]) as Announcement;
    for (const path of ['/v1/customers', '/v1/balance'])
      await expect(fetch(url.replace('http:', 'https:') + path)).rejects.toThrow('fetch failed');
    const { stderr } = await started.stop('SIGTERM');
    const { port } = new URL(url);
    expect(stderr).toBe(
      `a client speaks TLS to port ${port}, which serves plain HTTP: give it http:// as its address, or serve with --tls\n`,
    );
  });

  test('takes the payments pack by default, and the key from the environment', async () => {
    const started = startCommand(['serve', '--port', '0', '--json'], { env: { SANDBOX_API_KEY: 'sk_test_env' } });
    running.push(started);
    const [line] = await started.lines(1);
    expect(JSON.parse(line)).toMatchObject({ key: 'sk_test_env', pack: { name: 'payments' } });
  });

  test('--with-stdin ends it with its standard input, as when its parent dies', async () => {
    // The input of these processes is at its end from the start.
    const { code, stdout } = await serve('payments', '--with-stdin').ended;
    expect(code).toBe(0);
    expect(stdout).toContain('payments 0.1.0');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it with exit code 0', async (signal) => {
    // What scripts read is printed, however quiet it is.
    const started = serve('payments', '--json', '--quiet');
    const [line] = await started.lines(1);
    // A connection that a client keeps open does not keep the process alive.
    await get(JSON.parse(line) as Announcement, '/v1/customers');
    expect(await started.stop(signal)).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  test('a random seed that is named like seed data is noticed', async () => {
    const started = startCommand(['serve', 'code-hosting', '--port', '0', '--json', '--seed', 'small-project']);
    await started.lines(1);
    expect((await started.stop()).stderr).toContain('--seed-data small-project');
  });

  test('--timings tells the phases of the start, in order, on the error stream', async () => {
    const started = serve('payments', '--json', '--timings');
    await started.lines(1);
    const { stdout, stderr } = await started.stop();
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const phases = stderr
      .trim()
      .split('\n')
      .map((line) => /^(.*?) +\d+\.\d ms$/.exec(line)?.[1]);
    // A pack that was never checked before is checked now.
    expect(phases.filter((phase) => phase !== 'check')).toEqual([
      'process',
      'modules',
      'read',
      'link',
      'compile',
      'assemble',
      'listen',
      'in all',
    ]);
  });

  test('prints a line for each call: what it was, its status, what decided, what was meant', async () => {
    const started = serve('payments', '--key', 'sk_test_lines');
    const [first] = await started.lines(3);
    const announced: Announcement = { url: first.replace(/^url +/, ''), key: 'sk_test_lines', pack: PAYMENTS };
    await get(announced, '/v1/customers?limit=1');
    await get(announced, '/v1/custmers');
    await fetch(`${announced.url}/v1/payment_methods/pm_card_visa`, { headers: { Authorization: 'Bearer no' } });
    expect((await started.lines(7)).slice(4)).toEqual([
      '200  GET /v1/customers  customers.list',
      '404  GET /v1/custmers  unknown_route  did you mean GET /v1/customers?',
      '401  GET /v1/payment_methods/pm_card_visa  payment_methods.retrieve  api_key_invalid',
    ]);
  });

  test('--quiet prints nothing', async () => {
    const port = await freePort();
    const started = startCommand(['serve', 'payments', '--quiet', '--key', 'sk_test_q', '--port', String(port)]);
    running.push(started);
    const quiet: Announcement = { url: `http://localhost:${port}`, key: 'sk_test_q', pack: PAYMENTS };
    const responds = (): Promise<boolean> =>
      get(quiet, '/v1/customers').then(
        () => true,
        () => false,
      );
    await until(responds);
    expect(await started.stop()).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('--set replaces a variable of the pack', async () => {
    const answer = await get(await served('payments', '--set', 'vendor=acme'), '/v1/customers');
    expect(answer.headers.get('acme-version')).toBe('2024-12-18.acacia');
    expect(answer.headers.get('vendor-version')).toBeNull();
  });

  test('--set of an unknown variable says where the variables stand', async () => {
    const { code, stderr } = await runSandbox(['serve', 'bank-data', '--set', 'vendr=acme']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/pack\.yaml:\d+:\d+/);
    expect(stderr).toContain("did you mean 'vendor'?");
  });

  test('--t0 starts the clock there; the same seed gives the same ids', async () => {
    const options = ['payments', '--t0', '2025-01-31T12:00:00Z', '--seed', 'twins', '--key', 'sk_test_twins'];
    const [one, two] = await Promise.all([served(...options), served(...options)]);
    const create = async (world: Announcement): Promise<unknown> => (await call(world, 'POST /v1/customers')).body;
    const customer = await create(one);
    expect(customer).toMatchObject({ created: Date.UTC(2025, 0, 31, 12) / 1000 });
    expect(await create(two)).toEqual(customer);
  });

  test.each([
    ['seed.json', JSON.stringify({ resource: 'customers', objects: [{ id: 'cus_Seeded00000001', name: 'Ann' }] })],
    ['seed.yaml', 'resources:\n  customers:\n    - { id: cus_Seeded00000001, name: Ann }\n'],
  ])('--seed-file %s gives it objects to start with', async (name, text) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { body } = await get(await served('payments', '--seed-file', file), '/v1/customers/cus_Seeded00000001');
    expect(body).toMatchObject({ id: 'cus_Seeded00000001', name: 'Ann' });
  });

  test.each([
    ['that does not exist', undefined, 'does not exist'],
    ['that is not JSON', '{ "resource": ', 'cannot be parsed'],
    ['that holds itself', 'resources: { customers: &all [*all] }', 'cannot be parsed'],
    ['of another shape', '[1, 2]', 'needs `resource` and `objects`'],
    [
      'with an id that is none',
      '{"resource": "customers", "objects": [{"id": "nobody"}]}',
      "'nobody' is not an id of customers",
    ],
  ])('a seed file %s is refused', async (what, text, message) => {
    const file = join(folder, `${what.replaceAll(' ', '-')}.${text?.includes('&') ? 'yaml' : 'json'}`);
    if (text !== undefined) writeFileSync(file, text);
    const { code, stdout, stderr } = await runSandbox(['serve', 'payments', '--port', '0', '--seed-file', file]);
    // A file that is not there is a mistake in the command line, what stands in one is not.
    expect({ code, stdout }).toEqual({ code: text === undefined ? 2 : 1, stdout: '' });
    expect(stderr).toContain(file);
    expect(stderr).toContain(message);
  });

  test('a port that is taken: says so and what to do', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await runSandbox(['serve', 'payments', '--port', String(port)]);
    other.close();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^error: port ${port} of localhost is taken\n.*--port 0`));
  });

  test('a pack that does not exist: says what there is', async () => {
    const { code, stderr } = await runSandbox(['serve', 'packs/paymnets']);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no pack 'packs/paymnets' (did you mean 'payments'?)");
    expect(stderr).toContain('task-automation');
  });

  test('a pack with a mistake: file, line, column, what is wrong and what was meant', async () => {
    const { dir, line } = brokenPack(join(folder, 'misspelt'), /^timestamps:/m, 'timestmaps:');
    const { code, stdout, stderr } = await runSandbox(['serve', dir, '--port', '0']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`${join(dir, 'pack.yaml')}:${line}:1`);
    expect(stderr).toContain("did you mean 'timestamps'?");
    expect(stderr).not.toContain('    at ');
  });

  test.each([
    ['--t0', 'soon', "'soon' isn't a valid time"],
    ['--idle', 'soon', "'soon' isn't a valid duration"],
  ])('%s %s is rejected with exit code 2', async (option, value, message) => {
    const { code, stderr } = await runSandbox(['serve', 'payments', '--port', '0', option, value]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('failures with --json are one line of JSON', async () => {
    const { code, stderr } = await runSandbox(['serve', 'nothing', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'pack_not_found' } });
  });
});
