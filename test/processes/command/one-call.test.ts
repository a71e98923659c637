import { connect, type Socket } from 'node:net';
import { type Called, call as callAt } from '../../support/http.js';
import { type Running, startCommand } from '../../support/processes.js';

/** What a single call, a stranger, or clients that do not read may do to a server in a small container. */

const HEAP = { NODE_OPTIONS: '--max-old-space-size=256' };
const running: Running[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(running.splice(0).map((each) => each.stop('SIGKILL')));
});

interface Server {
  readonly url: string;
  readonly key: string;
  readonly process: Running;
  readonly call: (
    line: string,
    body?: unknown,
    headers?: Readonly<Record<string, string | undefined>>,
  ) => Promise<Called>;
}

async function serve(pack: string): Promise<Server> {
  const process = startCommand(['serve', pack, '--port', '0', '--json'], { env: HEAP });
  running.push(process);
  const [line] = await process.lines(1);
  const { url, key } = JSON.parse(line) as { url: string; key: string };
  return { url, key, process, call: (each, body, headers) => callAt({ url, key }, each, body, headers) };
}

test('a stranger who asks for thousands of authorize pages leaves little', async () => {
  const { call, process } = await serve('team-chat');
  const query = (scope: string): string =>
    `client_id=1000000000.2000000000&scope=${scope}&redirect_uri=https://a.example/`;
  const anonymous = { authorization: undefined };
  const long = Array.from({ length: 1000 }, (_, n) => `scope${n}:read`).join(',');
  expect((await call(`GET /oauth/v2/authorize?${query(long)}`, undefined, anonymous)).body['ok']).toBe(false);
  const picture = { ...anonymous, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' };
  expect((await call(`GET /oauth/v2/authorize?${query('chat:write')}`, undefined, picture)).body['ok']).toBe(false);
  const counts: Record<number, number> = {};
  for (let n = 0; n < 1100; n++) {
    const { status } = await call(`GET /oauth/v2/authorize?${query(`chat:write,x${n}`)}`, undefined, anonymous);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  expect(Object.keys(counts)).toEqual(['302', '429']);
  const state = await call('GET /__admin__/state?resource=installations');
  expect((state.body['resources'] as Record<string, unknown[]>)['installations']).toHaveLength(200);
  expect(process.child.exitCode).toBeNull();
}, 120_000);

test('a list that expands into hundreds of megabytes gets an error, and embedded lists have ten items', async () => {
  const { call } = await serve('payments');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (path: string, body: string): Promise<Called> => call(`POST ${path}`, body, form);
  const metadata = Array.from({ length: 50 }, (_, n) => `metadata[k${n}]=${'x'.repeat(500)}`).join('&');
  const price = await post(
    '/v1/prices',
    'currency=usd&unit_amount=100&recurring[interval]=month&product_data[name]=milk',
  );
  const customer = await post(
    '/v1/customers',
    `payment_method=pm_card_visa&invoice_settings[default_payment_method]=pm_card_visa&${metadata}`,
  );
  const [customerId, priceId] = [customer, price].map(({ body }) => String(body['id']));
  for (let n = 0; n < 40; n++)
    await post('/v1/subscriptions', `customer=${customerId}&items[0][price]=${priceId}&${metadata}`);
  const path = 'data.latest_invoice.payment_intent.customer.subscriptions';
  for (const query of [`expand[]=${path}`, `expand[]=${path}&expand[]=data.customer.subscriptions`]) {
    const { status, body } = await call(`GET /v1/subscriptions?limit=100&${query}`);
    expect([status, (body['error'] as { message: string }).message]).toEqual([400, expect.stringContaining('4194304')]);
  }
  const { body } = await call(`GET /v1/customers/${customerId}?expand[]=subscriptions`);
  const { data, has_more, total_count, url } = body['subscriptions'] as Record<string, unknown>;
  expect([(data as unknown[]).length, has_more, total_count, url]).toEqual([
    10,
    true,
    40,
    `/v1/customers/${customerId}/subscriptions`,
  ]);
}, 120_000);

test('introspection by aliases costs what it returns, and clients that do not read end nothing', async () => {
  const { url, key, call, process } = await serve('code-hosting');
  const types =
    '{types{name kind fields{name args{name type{name}} type{name kind ofType{name}}} enumValues{name} inputFields{name}}}';
  const aliases = (count: number): string =>
    `{${Array.from({ length: count }, (_, n) => `a${n}:__schema${types}`).join(' ')}}`;
  const refused = await call('POST /graphql', { query: aliases(60) });
  expect(refused.text).toContain('Resource limits for this query exceeded');
  expect(refused.text.length).toBeLessThan(1000);
  const query = aliases(3);
  expect((await call('POST /graphql', { query })).body).toHaveProperty('data');
  const body = JSON.stringify({ query });
  const { port } = new URL(url);
  const message = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (let n = 0; n < 30; n++) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    for (let each = 0; each < 8; each++) socket.write(message);
    sockets.push(socket);
  }
  for (let n = 0; n < 50; n++) expect((await call('GET /rate_limit')).status).toBe(200);
  expect(process.child.exitCode).toBeNull();
}, 120_000);

test('deep or long arguments of tools are errors of theirs, and none is a defect', async () => {
  const { call, process } = await serve('messaging');
  const rpc = (args: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch_phone_line","arguments":${args}}}`;
  const json = { 'content-type': 'application/json' };
  const lists = 100_000;
  const deep = await call('POST /mcp', rpc(`{"a":${'['.repeat(lists)}${']'.repeat(lists)}}`), json);
  expect([deep.status, deep.text]).toEqual([400, expect.stringContaining('nested deeper than 64 levels')]);
  for (const name of ['PhoneNumber', 'Fields', 'CountryCode']) {
    const long = await call(
      'POST /mcp',
      rpc(JSON.stringify({ PhoneNumber: '+15005550006', [name]: '9'.repeat(200_000) })),
      json,
    );
    expect([long.status, long.text]).toEqual([200, expect.stringContaining('"isError":true')]);
  }
  const { stderr } = await process.stop();
  expect(stderr).not.toContain('defect');
}, 120_000);
