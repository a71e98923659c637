import { MemoryStore } from '../support/memory-store.js';
import { packFolder } from '../support/sample-pack.js';
import { made, useSandboxes } from '../support/start-sandbox.js';
import { call as callWorld } from '../support/http.js';

/** Keys that worlds make find their world behind one address (`serve --worlds key`). */

const FILES = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
auth: { schemes: [bearer], tokens: { resource: pass, field: token } }
`,
  'resources/pass.yaml': `resource: pass
collection: passes
path: /passes
id: { prefix: "", format: short }
indexes: [token]
fields: { token: { type: string, default: "pass_\${world_tag()}\${random_string(12)}" } }
operations: [create]
`,
  'resources/cake.yaml': `resource: cake
collection: cakes
path: /cakes
id: { prefix: "", format: short }
fields: { size: integer }
operations: { create: { params: { size: { type: integer, required: true } } }, list: {} }
`,
};
const pack = packFolder(FILES);
const { serve } = useSandboxes({
  pack,
  worlds: 'key',
  store: new MemoryStore(),
  idleMs: 50,
});

async function call(url: string, key: string, method: string, path: string, body?: object): Promise<[number, unknown]> {
  const response = await callWorld({ url, key }, `${method} ${path}`, body);
  return [response.status, response.body];
}

test('what a world makes leads to its own world, also when that sleeps', async () => {
  const host = await serve();
  const worlds = [host, await made(host.control), await made(host.control)];
  const tokens: string[] = [];
  for (const [index, { key }] of worlds.entries()) {
    const [, pass] = await call(host.url, key, 'POST', '/passes', {});
    tokens.push((pass as { token: string }).token);
    await call(host.url, key, 'POST', '/cakes', { size: index });
  }
  expect(new Set(tokens.map((token) => token.split('~')[1])).size).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const [index, token] of tokens.entries())
    expect(await call(host.url, token, 'GET', '/cakes')).toMatchObject([200, { data: [{ size: index }] }]);
  expect((await call(host.url, 'pass_~99~abc', 'GET', '/cakes'))[0]).toBe(401);
  expect((await call(host.url, `${tokens[1]}x`, 'GET', '/cakes'))[0]).toBe(401);
});

test('a world with an address of its own has no tag', async () => {
  const { url, key } = await serve({ worlds: 'port', store: undefined });
  expect(await call(url, key, 'POST', '/passes', {})).toMatchObject([
    200,
    { token: expect.stringMatching(/^pass_[0-9A-Za-z]{12}$/) as string },
  ]);
});
