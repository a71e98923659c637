import { problemsOf } from '../../support/pack-world.js';
import { call, type Called } from '../../support/http.js';
import { startSandbox } from '../../support/start-sandbox.js';

const PACK = `ids: { short: { parts: [{ random: 8 }] } }
auth: { schemes: [bearer, basic], key: { prefix: secret_, random: 8 }, others: { counter: { prefix: counter_ }, oven: { prefix: oven_ }, deputy: { prefix: deputy_, whole: true } } }
`;
const CAKE = `resource: cake
collection: cakes
path: /cakes
id: { prefix: cake_, format: short }
fields: { object: { const: cake }, by: string? }
operations:
  create:
    keys: [counter, oven]
    do: [{ create: cake, with: { by: "\${request.key}" } }]
  retrieve: {}
  list: { keys: [counter] }
`;
const REFUSED = `
  key_not_allowed: { status: 403, args: { key: string }, body: { error: not_allowed, key: "\${mask(key)}" } }
`;

describe('keys that open some operations only', () => {
  const files = { 'pack.yaml': PACK, 'resources/cake.yaml': CAKE };
  const sandbox = startSandbox(files, { errors: REFUSED, key: 'secret_abc', seed: 'keys' });

  function ask(method: string, path: string, key: string, basic = false): Promise<Called> {
    const authorization = basic ? `Basic ${Buffer.from(`${key}:`).toString('base64')}` : undefined;
    return call(
      { url: sandbox.url, key },
      `${method} ${path}`,
      undefined,
      authorization === undefined ? {} : { authorization },
    );
  }

  test.each([
    ['POST', '/cakes', 'secret_abc', 200],
    ['POST', '/cakes', 'counter_abc', 200],
    ['POST', '/cakes', 'oven_abc', 200],
    ['GET', '/cakes', 'counter_abc', 200],
    ['GET', '/cakes', 'oven_abc', 403],
    ['GET', '/cakes/cake_12345678', 'counter_abc', 403],
    ['GET', '/cakes/cake_12345678', 'secret_abc', 404],
    ['GET', '/pies', 'oven_abc', 404],
    ['GET', '/cakes/cake_12345678', 'deputy_abc', 404],
    ['GET', '/cakes', 'deputy_abd', 401],
    ['GET', '/cakes', 'counter_abd', 401],
    ['GET', '/cakes', 'abc', 401],
    ['GET', '/__admin__/state', 'counter_abc', 401],
    ['GET', '/__admin__/state', 'secret_abc', 200],
  ])('%s %s with %s is answered %i', async (method, path, key, status) => {
    expect((await ask(method, path, key)).status).toBe(status);
    if (!path.startsWith('/__admin__')) expect((await ask(method, path, key, true)).status).toBe(status);
  });

  test('operations know the key', async () => {
    expect((await ask('POST', '/cakes', 'oven_abc')).body).toMatchObject({ by: 'oven' });
    expect((await ask('POST', '/cakes', 'secret_abc')).body).toMatchObject({ by: null });
    expect((await ask('GET', '/cakes', 'oven_abc')).body).toMatchObject({ error: 'not_allowed' });
  });
});

test('a key that the pack does not have', () => {
  const cake = CAKE.replace('keys: [counter]', 'keys: [count]');
  const problems = problemsOf({ 'pack.yaml': PACK, 'resources/cake.yaml': cake });
  expect(problems.join('\n')).toContain("unknown-key resources/cake.yaml:11 unknown key 'count'");
});
