import { send } from '../../support/http.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Values that become addresses or headers: control characters are errors of the vendor where they come in. */

const chat = startSandbox('packs/team-chat', { key: 'xoxb-key' });
const payments = startSandbox('packs/payments', { key: 'sk_test_key' });

test.each([
  'https://a.example/%0D%0ASet-Cookie:%20a=b',
  'https://a.example/%00',
  'https://a.example/%20b',
  '%0Ajavascript:x',
])('an app that asks to go back to %s gets an error', async (redirect) => {
  const query = `client_id=1000000000.2000000000&scope=chat:write&redirect_uri=${redirect}`;
  const { body } = await chat.call(`GET /oauth/v2/authorize?${query}`);
  expect(body).toMatchObject({ ok: false, error: 'bad_redirect_uri' });
});

test('other alphabets in an address to go back to are percent-encoded', async () => {
  const query = `client_id=1000000000.2000000000&scope=chat:write&redirect_uri=${encodeURIComponent('https://a.example/ü/…')}`;
  const asked = await send(chat, `GET /oauth/v2/authorize?${query}`, undefined, {}, { redirect: 'manual' });
  const page = String(asked.headers.get('location'));
  const text = await (await fetch(page)).text();
  const form = text.split('<form').find((each) => each.includes('>Allow</button>')) ?? '';
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]): [string, string] => [
    name,
    value.replaceAll('&quot;', '"'),
  ]);
  const pressed = await fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  expect([pressed.status, pressed.headers.get('location')]).toEqual([
    303,
    expect.stringContaining('https://a.example/%C3%BC/%E2%80%A6'),
  ]);
});

test.each(['https://shop.example/\u0000', 'https://shop.example/\u001b'])('%j is no URL', async (url) => {
  const { status } = await payments.call('POST /v1/customers', new URLSearchParams({ email: `a@${url}` }));
  expect(status).toBe(400);
});
