import { type Running, startCommand } from '../../support/processes.js';

/** A server in a small heap. Node gives 256 MB to a container of 512 MB, which takes twice as long to fill. */

const HEAP = { NODE_OPTIONS: '--max-old-space-size=160' };
const running: Running[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop('SIGKILL')));
});

test('a hundred years of daily renewals end early, and everything can be read and forked afterwards', async () => {
  const server = startCommand(['serve', 'payments', '--port', '0', '--json'], { env: HEAP });
  running.push(server);
  const [line] = await server.lines(1);
  const { url, key } = JSON.parse(line) as { url: string; key: string };
  const authorization = `Bearer ${key}`;
  const post = async (
    path: string,
    body: object,
    form = true,
  ): Promise<{ status: number; id: string; code: string }> => {
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization, 'content-type': type },
      body: form ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body),
    });
    const { id = '', error } = (await response.json()) as { id?: string; error?: { code: string } };
    return { status: response.status, id, code: error?.code ?? '' };
  };
  /** The status; the body is read and dropped. @param most bytes of it, after which the connection is closed */
  const get = async (path: string, most = Infinity): Promise<number> => {
    const { status, body } = await fetch(url + path, { headers: { authorization } });
    let read = 0;
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) if ((read += chunk.length) > most) break;
    return status;
  };

  const price = await post('/v1/prices', {
    currency: 'usd',
    unit_amount: '100',
    'recurring[interval]': 'day',
    'product_data[name]': 'milk',
  });
  const customer = await post('/v1/customers', { email: 'a@example.com' });
  const terms = { customer: customer.id, collection_method: 'send_invoice', days_until_due: '30' };
  for (let n = 0; n < 40; n++) await post('/v1/subscriptions', { ...terms, 'items[0][price]': price.id });

  await post('/__admin__/moments', { name: 'before' }, false);

  const advance = await post('/__admin__/clock/advance', { to: '2126-01-01T00:00:00Z' }, false);
  expect([advance.status, advance.code]).toEqual([422, 'too_much_due']);
  const reads = ['/state', '/export', '/diff?from=before&limit=10000', '/state?at=before', `/objects/${customer.id}`];
  for (const path of [...reads.map((each) => `/__admin__${each}`), '/v1/invoices'])
    expect([path, await get(path)]).toEqual([path, 200]);
  // Beside each other some are rejected, or end in the middle: the process goes on. More is read of each than is made ahead.
  const beside = await Promise.all([1, 2, 3, 4].map(() => get('/__admin__/export', 30e6).catch(() => 'cut')));
  for (const each of beside) expect([200, 507, 'cut']).toContain(each);
  expect((await post('/__admin__/worlds', { from: {} }, false)).status).toBe(201);
  expect((await post('/__admin__/rewind', { to: 'before' }, false)).status).toBe(200);
  expect((await post('/v1/customers', { email: 'b@example.com' })).status).toBe(200);
  const { stderr } = await server.stop();
  expect(stderr).toContain('Node has a heap of');
}, 240_000);
