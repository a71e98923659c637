import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { loadPack } from '../../../../engine/index.js';
import { PackCache } from '../../../../engine/pack/index.js';
import { stateOf, type VendorCall } from '../../../../tools/reference/index.js';
import { readVendorCalls } from '../../../../tools/command/vendor-calls.js';
import { ROOT } from '../../../support/root.js';
import { startSandbox } from '../../../support/start-sandbox.js';

const KEY = 'sk_test_calls';
const UNKNOWN = 'Unrecognized request URL';
const calls = await readVendorCalls(`${ROOT}/docs/internals/payments-calls.yaml`);
const { pack } = loadPack(`${ROOT}/packs/payments`, { cache: PackCache.ofInstallation() });
if (!pack) throw new Error('the pack is not sound');

/** What calls cannot do without. The client lets nobody catch it when the first page of a list of the second version fails. */
const OPTIONS: Readonly<Record<string, readonly object[]>> = {
  'ephemeralKeys.create': [{}, { apiVersion: '2024-12-18.acacia' }],
  'v2.core.events.list': [{ object_id: 'mtr_1' }],
};

interface Answer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

describe("the official client's calls", () => {
  const sandbox = startSandbox('packs/payments', { key: KEY });
  let stripe: Stripe;
  let last: Answer | undefined;
  beforeAll(() => {
    const { hostname, port } = new URL(sandbox.url);
    const seen = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      const response = await fetch(input, init);
      const text = await response.clone().text();
      last = { method: String(init?.method), path: decodeURIComponent(pathname), status: response.status, text };
      return response;
    };
    stripe = new Stripe(KEY, {
      host: hostname,
      port,
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
      httpClient: Stripe.createFetchHttpClient(seen),
    });
  });

  test('are as many as the documented ones', () => {
    expect(calls).toHaveLength(247);
  });

  /** Runs a method of the client by its name, with the names of its path as ids. */
  async function call({ group, name, path }: VendorCall): Promise<Answer> {
    const owner = group.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], stripe);
    const method = (owner as Record<string, (...args: unknown[]) => Promise<unknown>>)[name];
    const ids = [...path.matchAll(/\{\w+\}/g)].map(([id]) => id);
    const options = OPTIONS[`${group}.${name}`] ?? [];
    last = undefined;
    await method.call(owner, ...ids, ...options).catch(() => undefined);
    if (!last) throw new Error(`${group}.${name} made no call`);
    return last;
  }

  // The client calls another host for these.
  const elsewhere = ['quotes.pdf', 'v2.billing.meterEventStream.create'];
  const ours = calls.filter(({ group, name }) => !elsewhere.includes(`${group}.${name}`));
  test.each(ours.map((each) => [`${each.group}.${each.name}`, each] as const))('%s arrives', async (_, each) => {
    const answer = await call(each);
    expect({ method: answer.method, path: answer.path }).toEqual({ method: each.method, path: each.path });
    if (each.path === '/v1/accounts/{account}') return;
    expect(answer.status).not.toBe(500);
    expect(answer.text).not.toContain(UNKNOWN);
  });

  test('one retrieves the own account by its id', async () => {
    const own = await stripe.accounts.retrieve();
    expect(await stripe.accounts.retrieve(own.id)).toEqual(own);
    await expect(stripe.accounts.retrieve('acct_1NjDKM2FLZw5xvmo')).rejects.toThrow(
      "does not have access to account 'acct_1NjDKM2FLZw5xvmo' (or that account does not exist)",
    );
  });

  test('every other call of the client is answered, or told to be outside', async () => {
    const others = clientRoutes().filter(
      (route) =>
        !calls.some(({ method, path }) => `${method} ${blank(path)}` === `${route.method} ${blank(route.path)}`),
    );
    expect(others.length).toBeGreaterThan(200);
    const served: unknown[] = [];
    for (const { method, path } of others) {
      const line = `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`;
      const response = await sandbox.call<{ error?: { type: string; message: string } }>(line);
      const { error } = response.body;
      if (error?.message.startsWith(UNKNOWN)) {
        expect(error).toMatchObject({
          type: 'invalid_request_error',
          message: expect.stringMatching(/ are outside this sandbox: it does not emulate them\.$/) as string,
        });
        expect(response.status).toBe(404);
      } else served.push({ method, path });
    }
    expect(served).toEqual(others.filter((route) => stateOf(pack, { ...route, group: '', name: '' }).state === 'done'));
    expect(served).toContainEqual({ method: 'GET', path: '/v1/customers/{customer}/cash_balance' });
  });
});

describe("the newest client's calls", () => {
  const sandbox = startSandbox('packs/payments', { key: KEY, vars: { api_version: '2026-10-28.endive' } });

  test('are known, or named as what is not there', async () => {
    const routes = newestRoutes();
    expect(routes.length).toBeGreaterThan(600);
    const unnamed: string[] = [];
    for (const line of routes) {
      const { status, body } = await sandbox.call<{ error?: { message: string } }>(line);
      const message = body?.error?.message ?? '';
      if (status >= 500 || (message.startsWith(UNKNOWN) && !message.endsWith('it does not emulate them.'))) unnamed.push(line);
    }
    expect(unnamed).toEqual([]);
  });
});

test('each call of the client is done, outside or missing', () => {
  const at = (method: string, path: string) => stateOf(pack, { group: 'g', name: 'n', method, path }).state;
  expect(at('POST', '/v1/customers')).toBe('done');
  expect(at('GET', '/v1/accounts/{account}')).toBe('done');
  expect(at('POST', '/v1/terminal/readers')).toBe('outside');
  expect(at('POST', '/v1/unheard_of')).toBe('missing');
  expect(at('DELETE', '/v1/charges/{charge}')).toBe('missing');
});

/** Every call in the client's own code. */
function clientRoutes(): { readonly method: string; readonly path: string }[] {
  const folder = join(ROOT, 'node_modules/stripe/cjs/resources');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  return files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/method: '(\w+)',\s*fullPath: '([^']+)'/g)].map(
      ([, method, path]) => ({ method, path }),
    ),
  );
}

/** Every call in the code of the newest client, with `x` for each id. */
function newestRoutes(): string[] {
  const folder = join(ROOT, 'node_modules/stripe-newest/cjs/resources');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  const found = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/'(GET|POST|DELETE)',\s*['`](\/v[12]\/[^'`]+)['`]/g)].map(
      ([, method, path]) => `${method} ${path.replaceAll(/\$\{[^}]*\}/g, 'x')}`,
    ),
  );
  return [...new Set(found)];
}

function blank(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}
