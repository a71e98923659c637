// A shop with a webhook, and the check of it: pays two orders and looks whether each was shipped once. One without
// mistakes pays one: everything is tried with it.
import { createServer } from 'node:http';

const [mistake] = process.argv.slice(2);
// Of a company it is the shop's vendor that counts.
const { env } = process;
const url = env.SANDBOX_PAYMENTS_URL ?? env.SANDBOX_URL;
const key = env.SANDBOX_PAYMENTS_KEY ?? env.SANDBOX_KEY;
const headers = { Authorization: `Bearer ${key}` };
const known = new Set();
const handled = new Set();
const shipped = [];

function take({ id, type, data: { object } }) {
  if (mistake !== 'counts-twice') {
    if (handled.has(id)) return;
    handled.add(id);
  }
  if (type === 'payment_intent.created') known.add(object.id);
  if (type !== 'payment_intent.succeeded') return;
  // Only an order that it knows is shipped.
  if (mistake === 'trusts-the-order' && !known.has(object.id)) return;
  shipped.push(object.id);
}

const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  take(JSON.parse(text));
  response.end('ok');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
await fetch(`${url}/__admin__/webhooks/endpoints`, {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    url: `http://127.0.0.1:${server.address().port}`,
    events: ['payment_intent.created', 'payment_intent.succeeded'],
  }),
});
const pay = async () => {
  const body = new URLSearchParams({ amount: '500', currency: 'usd', payment_method: 'pm_card_visa', confirm: 'true' });
  body.set('automatic_payment_methods[enabled]', 'true');
  body.set('automatic_payment_methods[allow_redirects]', 'never');
  return (await (await fetch(`${url}/v1/payment_intents`, { method: 'POST', headers, body })).json()).id;
};
const orders = [await pay()];
if (mistake !== 'none') orders.push(await pay());
for (let waited = 0; waited < 3_000 && shipped.length < orders.length; waited += 50)
  await new Promise((resolve) => setTimeout(resolve, 50));
await new Promise((resolve) => setTimeout(resolve, 100));
server.closeAllConnections();
server.close();
console.log(`paid ${orders.length}, shipped ${shipped.length}`);
process.exitCode = orders.every((id) => shipped.filter((each) => each === id).length === 1) ? 0 : 1;
