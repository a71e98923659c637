import { hostCheck } from '../../../engine/http/index.js';
import { callAt } from '../../support/http.js';
import { startSandbox } from '../../support/start-sandbox.js';

const FOREIGN = [
  'evil.example',
  'evil.example:8801',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'a@b.c',
  'x..y',
];
const OWN = [
  ...['localhost:8801', '127.0.0.1', '10.1.2.3:80', '[::1]:8801', '[fe80::1]', 'sandbox:8801', 'a.localhost', 'a.test'],
  ...['host.docker.internal:8801', 'Pay.Team.Example', 'pay.team.example.:443'],
];

test('names that nobody else can have, and those that were given, are the server’s own', () => {
  const admits = hostCheck(['pay.team.example', '*.vendor.example']);
  expect(OWN.filter((host) => !admits(host))).toEqual([]);
  expect(FOREIGN.filter((host) => admits(host))).toEqual([]);
  expect(['pay.vendor.example', 'vendor.example', 'othervendor.example'].map(admits)).toEqual([true, false, false]);
  expect(admits(undefined)).toBe(true);
});

describe('a page whose name was made to lead here (DNS rebinding)', () => {
  const options = { key: 'key_pages', hostNames: ['pay.team.example'] };
  const sandbox = startSandbox('test/samples/pages', options);
  const { call } = sandbox;
  let page: string;
  const evil = 'evil.example:8801';
  const key = { authorization: 'Bearer key_pages' };
  beforeAll(async () => {
    const { body } = await call<{ id: string }>('POST /bookings', { boat: 'Gull' });
    page = `/book/${body.id}`;
  });

  test('gets no hosted page, and its forms do nothing', async () => {
    const shown = await call(`GET ${page}`);
    const token = /name="_token" value="([^"]+)"/.exec(shown.text)?.[1] ?? '';
    const form = /name="_form" value="([^"]+)"/.exec(shown.text)?.[1] ?? '';
    const press = new URLSearchParams({ _token: token, _form: form });
    const before = (await call('GET /__admin__/state')).text;
    for (const [line, body] of [[`GET ${page}`], [`POST ${page}`, press]] as const) {
      const refused = await callAt(sandbox, evil, line, { body });
      expect([refused.status, refused.text.includes('<form')]).toEqual([403, false]);
    }
    expect((await call('GET /__admin__/state')).text).toBe(before);
  });

  test('gets neither the inspector nor a call of the control API, with the key either', async () => {
    for (const accept of ['text/html', 'application/json'])
      for (const line of ['GET /__admin__/', 'GET /__admin__/ui/main.js', 'POST /__admin__/reset']) {
        const refused = await callAt(sandbox, evil, line, { headers: { ...key, accept } });
        expect([refused.status, JSON.parse(refused.text)]).toMatchObject([403, { error: { code: 'host_unknown' } }]);
      }
  });

  test('a name that was given is served, and one of the vendor, which a redirect sends here', async () => {
    expect((await callAt(sandbox, 'pay.hire.example', `GET ${page}`)).status).toBe(200);
    expect((await callAt(sandbox, 'pay.team.example', `GET ${page}`)).status).toBe(200);
    expect((await callAt(sandbox, 'pay.team.example', 'GET /__admin__/clock', { headers: key })).status).toBe(200);
  });
});
