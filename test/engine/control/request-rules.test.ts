import { startParcels } from './parcels.js';

/** What every call of the control API has in common, and every way in which one can be refused. */
const client = startParcels();

const ROUTES = [
  'GET /',
  'GET /openapi.json',
  'POST /seed',
  'POST /reset',
  'GET /state',
  'POST /faults',
  'GET /faults',
  'DELETE /faults',
  'DELETE /faults/x',
  'POST /world/events',
  'GET /world/next',
  'GET /clock',
  'POST /clock/advance',
  'GET /clock/durations',
  'POST /clock/durations',
  'POST /webhooks/endpoints',
  'GET /webhooks/endpoints',
  'DELETE /webhooks/endpoints/x',
  'GET /webhooks/deliveries',
  'POST /webhooks/deliveries/x/replay',
  'POST /webhooks/flush',
  'POST /exogenous/pins',
  'GET /exogenous/pins',
  'DELETE /exogenous/pins/x',
  'GET /trace/x',
  'GET /traces',
];

describe.each(ROUTES)('%s', (line) => {
  test('needs the key', async () => {
    for (const Authorization of ['', 'Bearer wrong', `Basic ${Buffer.from('wrong:').toString('base64')}`]) {
      const { status, body } = await client.admin(line, undefined, { Authorization });
      expect(status).toBe(401);
      expect(body).toMatchObject({ error: { code: expect.stringMatching(/^api_key_/), message: expect.any(String) } });
    }
  });

  test('has no other methods', async () => {
    const path = line.split(' ')[1];
    const methods = ROUTES.filter((each) => each.endsWith(` ${path}`)).map((each) => each.split(' ')[0]);
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST'].filter((each) => !methods.includes(each))) {
      const { status, body, headers } = await client.uncheckedAdmin(`${method} ${path}`);
      expect([status, body]).toMatchObject([405, { error: { code: 'method_not_allowed' } }]);
      expect(headers.get('allow')?.split(', ').sort()).toEqual([...methods].sort());
    }
  });

  if (!line.startsWith('GET')) {
    test.each<[string, string, Readonly<Record<string, string>>, number]>([
      ['malformed JSON', '{"a":', {}, 400],
      ['no object', '[1]', {}, 400],
      ['text', 'null', {}, 400],
      ['levels without end', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, {}, 400],
      ['a key that reaches a prototype', '{"__proto__": {"a": 1}}', {}, 400],
      ['a form', 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
      ['an unknown encoding', '{}', { 'Content-Encoding': 'rot13' }, 415],
    ])('refuses %s', async (_what, body, headers, status) => {
      const answer = await client.uncheckedAdmin(line, body, headers);
      expect([answer.status, answer.body]).toMatchObject([status, { error: { code: expect.any(String) } }]);
    });

    test('names a key that it does not know', async () => {
      const { status, body } = await client.uncheckedAdmin(line, { caus: 1, zzz: 1 });
      const code = line === 'POST /world/events' ? 'missing_key' : 'unknown_key';
      expect([status, body]).toMatchObject([400, { error: { code, path: expect.any(String) } }]);
    });
  } else if (!line.endsWith('/x')) {
    test('names a query parameter that it does not know', async () => {
      const { status, body } = await client.uncheckedAdmin(`${line}?zzz=1`);
      expect([status, body]).toMatchObject([400, { error: { code: 'unknown_key', path: 'zzz' } }]);
    });
  }
});

test('an unknown route is 404, in the common envelope', async () => {
  const { status, body } = await client.admin('GET /nowhere');
  expect([status, body]).toMatchObject([
    404,
    { error: { code: 'unknown_route', message: expect.stringContaining('/nowhere') } },
  ]);
  expect((await client.admin('GET /trace/%zz')).status).toBe(400);
});

test('a body may be as large as its limit, a seed larger', async () => {
  const large = { objects: [{ id: 'cou_abcdefghij', name: 'x'.repeat(1024 * 1024), vehicle: 'van' }] };
  expect((await client.admin('POST /seed', { resource: 'couriers', ...large })).status).toBe(200);
  const { status, body } = await client.admin('POST /faults', large);
  expect([status, body]).toMatchObject([413, { error: { code: 'body_too_large', limit: 1024 * 1024 } }]);
});

test('a misspelt key is told with what was meant', async () => {
  const { body } = await client.admin('POST /clock/advance', { duraton: '1h' });
  expect(body).toMatchObject({
    error: { code: 'unknown_key', suggestion: 'duration', message: expect.stringContaining("'duraton'") },
  });
});

test('a body without content type is JSON', async () => {
  const body = new TextEncoder().encode('{}');
  expect((await client.uncheckedAdmin('POST /reset', body, { 'content-type': undefined })).status).toBe(200);
});
