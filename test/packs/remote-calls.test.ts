import { join } from 'node:path';
import jayson, { type JSONRPCResultLike } from 'jayson';
import { type Client as SoapClient, createClientAsync } from 'soap';
import { type Bug, loadPack, replayBug } from '../../engine/index.js';
import { formatProblems } from '../../engine/pack/index.js';
import { ROOT } from '../support/root.js';
import { startSandbox, type TestSandbox } from '../support/start-sandbox.js';

/** Vendors that are called by names of methods, under the common clients of JSON-RPC and SOAP with their default configuration. */

const T0 = '2025-01-01T00:00:00Z';

test.each(['abacus', 'quotes'])('%s has no problem, not even a warning', (name) => {
  const { problems, source } = loadPack(join(ROOT, 'test', 'packs', name));
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

/** A replay of what a world did ends as it did, and two worlds of one seed answer alike at their ports. */
async function isDeterministic(sandbox: TestSandbox, pack: string, play: (world: { url: string; key: string }) => Promise<unknown>) {
  const made = async (body: object) => (await sandbox.admin<{ url: string; key: string }>('POST /worlds', body)).body;
  const twin = { seed: 'same', t0: T0 };
  expect(await play(await made(twin))).toEqual(await play(await made(twin)));
  await play(sandbox);
  await play(await made({ from: {} }));
  const { body } = await sandbox.admin<Bug>('GET /export');
  const again = await replayBug(body, { pack: join(ROOT, 'test', 'packs', pack), onDefect: (error) => expect(error).toBeUndefined() });
  expect(again.unlike).toBeNull();
  await again.sandbox.close();
}

describe('JSON-RPC', () => {
  const sandbox = startSandbox('test/packs/abacus', { key: 'ab_test', reset: {} });
  const clientOf = ({ url, key }: { readonly url: string; readonly key: string }) => {
    const { hostname, port } = new URL(url);
    const client = jayson.Client.http({ host: hostname, port, path: '/rpc', headers: { Authorization: `Bearer ${key}` } });
    return (method: string, params: object, id?: string | null): Promise<JSONRPCResultLike> =>
      new Promise((resolve, reject) => {
        const done = (error: Error | null | undefined, response: JSONRPCResultLike): void => (error ? reject(error) : resolve(response));
        if (id === undefined) client.request(method, params, done);
        else client.request(method, params, id, done);
      });
  };
  const call = (method: string, params: object, id?: string | null) => clientOf(sandbox)(method, params, id);

  test('methods by name, with parameters in order and by name', async () => {
    const made = (await call('sums.add', [1, 2, 3], 'a')) as { readonly result: { readonly id: string } };
    expect(made).toMatchObject({ jsonrpc: '2.0', id: 'a', result: { total: 6, numbers: [1, 2, 3] } });
    expect(await call('sums.get', { id: made.result.id })).toMatchObject({ result: { total: 6 } });
  });

  test.each([
    ['an unknown method', 'sums.sub', [1], { code: -32601, message: 'Method not found', data: 'sums.sub' }],
    ['wrong parameters', 'sums.add', ['x'], { code: -32602, message: 'Invalid params', data: 'params.0' }],
    ['an object that is not there', 'sums.get', { id: 'sum_1' }, { code: -32004, message: 'Not found', data: 'sum_1' }],
  ])('the error of %s has a number and the id of the call', async (_, method, params, error) => {
    expect(await call(method, params, 'x7')).toMatchObject({ jsonrpc: '2.0', id: 'x7', error });
  });

  test('batches: every call has its answer, notifications have none', async () => {
    const { hostname, port } = new URL(sandbox.url);
    const client = jayson.Client.http({ host: hostname, port, path: '/rpc', headers: { Authorization: 'Bearer ab_test' } });
    const batch = [
      client.request('sums.add', [1, 1], 'one'),
      client.request('sums.add', [5], null),
      client.request('sums.sub', [], 'two'),
    ];
    const answers = await new Promise<unknown>((resolve, reject) => {
      client.request(batch, (error: Error | null | undefined, response: unknown) => (error ? reject(error) : resolve(response)));
    });
    expect(answers).toMatchObject([
      { id: 'one', result: { total: 2 } },
      { id: 'two', error: { code: -32601 } },
    ]);
    expect(await sandbox.control.call('GET', '/state?resource=sums')).toMatchObject({ resources: { sums: [{}, {}] } });
    const silent = await sandbox.call('POST /rpc', [{ jsonrpc: '2.0', method: 'sums.add', params: [1] }] as never);
    expect(silent).toMatchObject({ status: 204 });
  });

  test.each([
    ['{', -32700],
    ['{"jsonrpc":"2.0","id":1}', -32600],
  ])('%s is no call', async (text, code) => {
    const { body } = await sandbox.call('POST /rpc', text, { 'content-type': 'application/json' });
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  test('the same calls give the same bytes at other ports, in forks and in replays', async () => {
    await isDeterministic(sandbox, 'abacus', (world) => clientOf(world)('sums.add', [1, 2], 'x'));
  });
});

describe('SOAP', () => {
  const sandbox = startSandbox('test/packs/quotes', { key: 'qt_test', t0: T0, reset: { t0: T0 } });
  type Quotes = SoapClient & Record<'AskQuoteAsync' | 'GetQuoteAsync', (args: object) => Promise<[Record<string, unknown>]>>;
  const clientOf = async ({ url, key }: { readonly url: string; readonly key: string }) => {
    const client = (await createClientAsync(`${url}/service?wsdl`)) as Quotes;
    client.addHttpHeader('X-Key', key);
    return client;
  };

  test('the client reads the description, calls its actions and gets values of their types', async () => {
    const client = await clientOf(sandbox);
    const [asked] = await client.AskQuoteAsync({ Symbol: ['A & B', 'C'], Amount: 2 });
    expect(asked).toMatchObject({ Price: 6, Until: new Date('2025-01-01T00:05:00Z'), Symbol: ['A & B', 'C'] });
    const [open] = await client.GetQuoteAsync({ Id: asked['Id'] });
    expect(open).toEqual({ Price: 6, IsOpen: true, Symbol: ['A & B', 'C'] });
    await sandbox.control.advance('5m');
    expect((await client.GetQuoteAsync({ Id: asked['Id'] }))[0]).toMatchObject({ IsOpen: false });
    const [one] = await client.AskQuoteAsync({ Symbol: 'D' });
    expect(one).toMatchObject({ Price: 1.5, Symbol: ['D'] });
  });

  test('errors are faults with details', async () => {
    const client = await clientOf(sandbox);
    await expect(client.GetQuoteAsync({ Id: 'quote_1' })).rejects.toMatchObject({
      root: { Envelope: { Body: { Fault: { faultcode: 'soap:Client', faultstring: 'There is no quote quote_1.', detail: { QuoteFault: { Id: 'quote_1', Reason: 'Missing' } } } } } },
    });
    await expect(client.AskQuoteAsync({ Symbol: ['A'], Amount: 0 })).rejects.toMatchObject({
      root: { Envelope: { Body: { Fault: { faultstring: expect.stringContaining('Amount') } } } },
    });
    const stranger = await clientOf({ url: sandbox.url, key: 'qt_other' });
    await expect(stranger.GetQuoteAsync({ Id: 'x' })).rejects.toMatchObject({
      root: { Envelope: { Body: { Fault: { faultstring: 'The key is unknown.' } } } },
    });
    const unknown = await sandbox.call('POST /service', '<a/>', { 'content-type': 'text/xml', 'soapaction': '"urn:x"', 'x-key': 'qt_test' });
    expect(unknown).toMatchObject({ status: 500, text: expect.stringContaining('There is no action "urn:x".') });
  });

  test('the same calls give the same bytes at other ports, in forks and in replays', async () => {
    await isDeterministic(sandbox, 'quotes', async (world) => {
      const [asked] = await (await clientOf(world)).AskQuoteAsync({ Symbol: ['A'] });
      return asked;
    });
  });
});
