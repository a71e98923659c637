import { startSandbox, type TestSandbox, useSandboxes } from '../../support/start-sandbox.js';

/** How the inspector is served: to people, and to nobody else. */

const sandbox = startSandbox('test/packs/parcels', { t0: '2025-01-01T00:00:00Z' });
const { serve } = useSandboxes({ pack: 'test/packs/parcels' });

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const get = (path: string, headers = {}, of: TestSandbox = sandbox): Promise<Response> =>
  of.send(`GET ${path}`, undefined, { authorization: undefined, ...headers }, { redirect: 'manual' });

test.each([
  ['/', '/__admin__/'],
  ['/__admin__', '/__admin__/'],
])('a browser at %s is led to the page', async (path, location) => {
  const response = await get(path, HTML);
  expect([response.status, response.headers.get('location')]).toEqual([302, location]);
});

test('the page comes without a key, under a policy that lets nothing else in', async () => {
  const response = await get('/__admin__/', HTML);
  const html = await response.text();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = String(response.headers.get('content-security-policy'));
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("default-src 'none'");
  // Messages to people bring styles and pictures of their own; nothing else comes from elsewhere.
  expect(policy).toContain("style-src 'self' 'unsafe-inline'; img-src 'self' data: http: https:;");
  expect(policy.replace(/(?:style|img)-src [^;]*;/g, '')).not.toMatch(/unsafe|\*|http/);
  expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
  expect(html).not.toContain(sandbox.key);
  for (const path of ['ui/main.js', 'ui/style.css']) {
    const file = await get(`/__admin__/${path}`);
    expect([path, file.status, file.headers.get('x-content-type-options')]).toEqual([path, 200, 'nosniff']);
    expect(file.headers.get('content-type')).toMatch(path.endsWith('css') ? /^text\/css/ : /^text\/javascript/);
  }
});

test('its script is at most 90 kB over the wire', async () => {
  const { headers } = await get('/__admin__/ui/main.js', { 'Accept-Encoding': 'gzip' });
  expect(headers.get('content-encoding')).toBe('gzip');
  expect(Number(headers.get('content-length'))).toBeLessThan(90_000);
});

test('clients get what they got', async () => {
  const key = { authorization: `Bearer ${sandbox.key}` };
  expect((await get('/__admin__/')).status).toBe(401);
  expect(await (await get('/__admin__/', key)).json()).toHaveProperty('contract');
  expect(await (await get('/__admin__', { ...key, Accept: 'application/json' })).json()).toHaveProperty('contract');
  expect((await get('/', key)).status).toBe(404);
  expect(await sandbox.status('POST /', undefined, HTML)).toBe(404);
});

test('there are no other files', async () => {
  for (const path of ['none.js', '../../../package.json', '..%2f..%2fpackage.json', 'index.html/'])
    expect([path, (await get(`/__admin__/ui/${path}`)).status]).not.toEqual([path, 200]);
  const away = await get('//example.com', HTML);
  expect(away.headers.get('location') ?? '').not.toMatch(/^\/\//);
});

test('behind one address each world has its page below its own path', async () => {
  const shared = await serve({ worlds: 'key' });
  const { id } = await shared.worlds.create({ name: 'other' });
  for (const from of [`/w/${id}`, `/w/${id}/`])
    expect((await get(from, HTML, shared)).headers.get('location')).toBe(`/w/${id}/__admin__/`);
  const page = await get(`/w/${id}/__admin__/`, HTML, shared);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect((await get(`/w/${id}/__admin__/ui/main.js`, {}, shared)).status).toBe(200);
  expect((await get(`/w/${id}/__admin__`, HTML, shared)).headers.get('location')).toBe(`/w/${id}/__admin__/`);
});
