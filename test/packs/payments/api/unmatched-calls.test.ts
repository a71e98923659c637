import { servePayments, type Body } from '../served-payments.js';


const payments = servePayments();
const errorOf = (body: Body): Body => (body['error'] as Body | undefined) ?? {};

describe('calls that match no operation', () => {
  it.each([
    ['OPTIONS', '/v1/customers'],
    ['PUT', '/v1/customers'],
    ['GET', '/v1/nothing'],
    ['HEAD', '/v1/nothing'],
    ['DELETE', '/v1/payment_intents'],
    ['GET', '/v1/reviews'],
  ])('%s %s wants the key and leaves a trace that names it', async (method, path) => {
    expect((await payments.call(`${method} ${path}`, undefined, { authorization: undefined })).status).toBe(401);
    const answer = await payments.call(`${method} ${path}`);
    expect(answer.status).toBe(404);
    expect(await payments.trace(answer)).toMatchObject({ operation: `${method} ${path}` });
  });
});

it.each(['/v1/invoices/in_x/lines', '/v1/customers/cus_x/payment_methods', '/v1/charges/ch_x'])(
  'an unknown id in %s is reported for the parameter `id`',
  async (path) => {
    const answer = await payments.get(path);
    expect([answer.status, errorOf(answer.body)['param']]).toEqual([404, 'id']);
  },
);

it.each([
  ['/v1/customers?expand[]=data.foo', 400],
  ['/v1/customers?expand[]=foo', 400],
  ['/v1/customers?expand[]=total_count', 400],
  ['/v1/customers?expand[]=', 200], // names nothing
  ['/v1/customers?expand[]=data.default_source', 200],
  ["/v1/customers/search?query=name:'x'&expand[]=data.foo", 400],
])('%s, while there is nothing, is %i', async (path, status) => {
  expect((await payments.get(path)).status).toBe(status);
});
