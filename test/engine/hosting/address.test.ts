import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import { replayBug } from '../../../engine/hosting/index.js';
import type { Bug } from '../../../engine/control/index.js';
import { packFolder } from '../../support/sample-pack.js';
import { made, useReceiver, useSandboxes } from '../../support/start-sandbox.js';

/** A pack that does everything with its own address, and what is to come of that. */

const DOORS: Record<string, { readonly js: string; readonly value: (base: string) => unknown }> = {
  plain: { js: 'base_url + "/a"', value: (base) => `${base}/a` },
  socket: { js: 'socket_url', value: (base) => base.replace('http', 'ws') },
  base64: { js: 'base64(base_url)', value: (base) => Buffer.from(base).toString('base64') },
  bytes: { js: "base64([base_url, '!'])", value: (base) => Buffer.from(`${base}!`).toString('base64') },
  url_encode: { js: 'url_encode(base_url)', value: encodeURIComponent },
  form: { js: "form({'to': base_url})", value: (base) => `to=${encodeURIComponent(base)}` },
  digest: { js: "digest(base_url, 'sha256', 'hex')", value: (base) => createHash('sha256').update(base).digest('hex') },
  hmac: {
    js: "hmac(base_url, 'key', 'sha256', 'hex')",
    value: (base) => createHmac('sha256', 'key').update(base).digest('hex'),
  },
  claims: { js: "split(jwt({'iss': base_url}, 'key'), '.')[1]", value: (base) => encoded({ iss: base }) },
  size: { js: 'size(base_url)', value: (base) => base.length },
  byte_size: { js: 'byte_size(base_url)', value: (base) => base.length },
  split: { js: "split(base_url, '/')", value: (base) => base.split('/') },
  joined: { js: "join(split(base_url, '/'), '/')", value: (base) => base },
  substring: { js: 'substring(base_url, 7)', value: (base) => base.slice(7) },
  upper: { js: 'upper(base_url)', value: (base) => base.toUpperCase() },
  replace: { js: "replace(base_url, 'http://', '')", value: (base) => base.slice(7) },
  starts: { js: "base_url.startsWith('http://127.0.0.1:')", value: () => true },
  contains: { js: "base_url.contains('sandbox.invalid')", value: () => false },
  matches: { js: "base_url.matches('^http://127[.]0[.]0[.]1:[0-9]+$')", value: () => true },
  capture: { js: "capture(base_url, ':([0-9]+)$')", value: (base) => new URL(base).port },
  replaced: { js: "replace_matches(base_url, '[0-9]+$', 'port')", value: (base) => base.replace(/\d+$/, 'port') },
  less: { js: "base_url < 'http://a'", value: () => true },
  sorted: { js: "sort([base_url, 'http://a'])[0]", value: (base) => base },
  json: { js: "size(json({'u': base_url}))", value: (base) => base.length + 8 },
  nested: {
    js: "json({'u': json({'u': base_url})})",
    value: (base) => JSON.stringify({ u: JSON.stringify({ u: base }) }),
  },
  decoded: { js: 'from_base64(base64(base_url)) == base_url', value: () => true },
  member: { js: 'size(keys(from_form(form({base_url: "x"})))[0])', value: (base) => base.length },
};

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const pack = packFolder({
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
request_headers: { referer: Referer }
headers: { X-Home: "\${url_encode(base_url)}" }
events: { resource: event, with: { type: "\${type}", data: "\${snapshot}" } }
delivery:
  endpoint:
    resource: hook
    events: "['*']"
    secret: endpoint.secret
    register: { url: "\${url}", secret: "\${hash(url, 24)}" }
  transports:
    http:
      url: endpoint.url
      encoding: json
      body: "=event.data"
      headers: { X-Signature: "\${signature}", X-Home: "\${base_url}" }
      signature: { content: "\${base_url}.\${body}", key: utf8, digest: hex }
`,
  'resources/event.yaml': `resource: event
collection: events
path: /events
id: { prefix: evt_, format: short }
fields: { type: string, data: map }
operations: [list]
`,
  'resources/hook.yaml': `resource: hook
collection: hooks
path: /hooks
id: { prefix: hook_, format: short }
fields: { url: string, secret: string }
operations: [list]
`,
  'resources/page.yaml': `resource: page
collection: pages
path: /pages
id: { prefix: "pg_", format: short }
fields:
  link: { type: string, nullable: true }
  token: { type: string, default: "=jwt({'iss': base_url}, 'key')" }
  is_ours: boolean
  is_home: boolean
operations:
  create:
    params: { link: { type: string, required: true, max_length: 40, pattern: "^http://[0-9a-z.:]+/" } }
    do:
      - create: page
        from: params
        with: { is_ours: "=params.link.startsWith(base_url)", is_home: "=params.link == base_url + '/home'" }
  retrieve: {}
  find: { route: GET /find, params: { link!: string }, return: "=find(page, {link: params.link})" }
  from: { route: GET /from, return: { same: "=request.headers.referer == base_url + '/home'" } }
  fail: { route: GET /fail, do: [{ fail: parameter_invalid, with: { param: "=base64(base_url)", kind: "=base_url", value: "=size(base_url)" } }] }
  doors:
    route: GET /doors
    return:
${Object.entries(DOORS)
  .map(([name, { js }]) => `      ${name}: ${JSON.stringify(`=${js}`)}`)
  .join('\n')}
events: { page.created: { on: created } }
`,
  'causes.yaml': `causes:
  linked:
    description: A page leads elsewhere.
    variants:
      - subject: { param: page, resource: page }
        params: { link!: string }
        do: [{ set: self, to: { link: "=params.link", is_home: "=params.link == base_url + '/home'" } }]
`,
});

const receiver = useReceiver();
const { serve: open } = useSandboxes({ pack });

/** Two servers have one port in turn: no connection outlives its server. */
const CLOSE = { Connection: 'close' };

/** The text as it would be at another address. */
function movedTo(text: string, from: string, to: string): string {
  return text.replaceAll(from, to);
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const at = server.address();
      server.close(() => resolve(typeof at === 'object' && at !== null ? at.port : 0));
    });
  });
}

describe('the address of a world', () => {
  test('is true in whatever is computed with it', async () => {
    const sandbox = await open();
    const response = await sandbox.call('GET /doors');
    const expected = Object.entries(DOORS).map(([name, { value }]) => [name, value(sandbox.url)]);
    expect(response.body).toEqual(Object.fromEntries(expected));
    expect(response.headers.get('x-home')).toBe(encodeURIComponent(sandbox.url));
    expect((await sandbox.call('GET /fail')).body).toEqual({
      error: 'invalid',
      param: Buffer.from(sandbox.url).toString('base64'),
      kind: sandbox.url,
      value: sandbox.url.length,
    });
  });

  test('is recognized in what comes in: parameters, headers, external events, seed data', async () => {
    const sandbox = await open();
    const { url } = sandbox;
    const home = await sandbox.body<{ id: string }>('POST /pages', { link: `${url}/home` });
    expect(home).toMatchObject({ link: `${url}/home`, is_ours: true, is_home: true });
    expect(await sandbox.body(`GET /find?link=${encodeURIComponent(`${url}/home`)}`)).toMatchObject({ id: home.id });
    expect(await sandbox.body('GET /from', undefined, { Referer: `${url}/home` })).toEqual({ same: true });
    expect((await sandbox.call('GET /pages/none')).status).toBe(404);
    await sandbox.admin('POST /world/events', { cause: 'linked', page: home.id, link: `${url}/other` });
    expect(await sandbox.body(`GET /pages/${home.id}`)).toMatchObject({ link: `${url}/other`, is_home: false });
    await sandbox.admin('POST /seed', {
      resource: 'pages',
      objects: [{ id: 'pg_00000000', link: `${url}/seed`, token: 't', is_ours: true, is_home: false }],
    });
    expect(await sandbox.body(`GET /find?link=${encodeURIComponent(`${url}/seed`)}`)).toMatchObject({
      id: 'pg_00000000',
    });
  });

  test('is not taken for the beginning of another one, and rules see what was sent', async () => {
    const sandbox = await open();
    const longer = `${sandbox.url}1/home`;
    expect(await sandbox.body('POST /pages', { link: longer })).toMatchObject({ link: longer, is_home: false });
    const state = JSON.stringify(sandbox.engine.world.ledger.since(0));
    expect(state).toContain(JSON.stringify(longer));
    expect((await sandbox.call('POST /pages', { link: `${sandbox.url}/${'x'.repeat(20)}` })).status).toBe(400);
  });

  test('is the same in deliveries, in what signs them and in what shows them', async () => {
    const sandbox = await open();
    const { body: hook } = await sandbox.admin<{ secret: string }>('POST /webhooks/endpoints', { url: receiver.url });
    await sandbox.call('POST /pages', { link: `${sandbox.url}/home` });
    await sandbox.admin('POST /webhooks/flush');
    const [{ body, headers }] = receiver.received;
    expect(JSON.parse(body)).toMatchObject({ link: `${sandbox.url}/home` });
    expect(headers['x-home']).toBe(sandbox.url);
    const signed = createHmac('sha256', hook.secret).update(`${sandbox.url}.${body}`).digest('hex');
    expect(headers['x-signature']).toBe(signed);
    for (const path of ['/state', '/webhooks/deliveries', '/traces', '/ledger', '/webhooks/endpoints']) {
      const { text } = await sandbox.admin(`GET ${path}`);
      expect(text).not.toContain('origin.sandbox.invalid');
    }
  });

  test('keeps what is stored as links true at other ports, in forks and after a replay', async () => {
    const sandbox = await open({ seed: 's', t0: '2026-01-01T00:00:00Z' });
    const page = await sandbox.body<{ id: string; token: string }>('POST /pages', { link: `${sandbox.url}/home` });
    const fork = await made(sandbox.control, { from: { world: 'main' } });
    const there = await fetch(`${fork.url}/pages/${page.id}`, { headers: { Authorization: `Bearer ${fork.key}` } });
    // Its link leads to the fork; its token was issued by the world that it comes from.
    expect(await there.json()).toMatchObject({ link: `${fork.url}/home`, token: page.token });

    const bug = (await sandbox.admin<Bug>('GET /export')).body;
    expect(bug.addresses).toEqual([sandbox.url]);
    const replayed = await replayBug(bug, { pack, port: 0 });
    try {
      expect(replayed.unlike).toBeNull();
      const { url, key } = replayed.sandbox;
      const here = await fetch(`${url}/pages/${page.id}`, { headers: { Authorization: `Bearer ${key}` } });
      expect(await here.json()).toMatchObject({ link: `${url}/home`, token: page.token });
    } finally {
      await replayed.sandbox.close();
    }
  });

  test('makes all the difference between two worlds of one seed; at one address there is none', async () => {
    const port = await freePort();
    const ledgers: string[] = [];
    const urls: string[] = [];
    for (const each of [port, 0, port]) {
      const sandbox = await open({ seed: 's', t0: '2026-01-01T00:00:00Z', key: 'key_a', port: each });
      const { id } = await sandbox.body<{ id: string }>('POST /pages', { link: `${sandbox.url}/home` }, CLOSE);
      await sandbox.call(`GET /pages/${id}`, undefined, CLOSE);
      ledgers.push(JSON.stringify(sandbox.engine.world.ledger.since(0)));
      urls.push(sandbox.url);
      await sandbox.close();
    }
    expect(ledgers[2]).toBe(ledgers[0]);
    const tokens = (url: string): string => `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ iss: url })}`;
    const sign = (url: string): string =>
      `${tokens(url)}.${createHmac('sha256', 'key').update(tokens(url)).digest('base64url')}`;
    expect(movedTo(movedTo(ledgers[1], sign(urls[1]), sign(urls[0])), urls[1], urls[0])).toBe(ledgers[0]);
  });

  test('is what --public-url says, wherever it listens; behind one address each world has its own', async () => {
    const named = await open({ publicUrl: 'https://id.sandbox.test/base' });
    expect(await named.body('GET /doors')).toMatchObject({ plain: 'https://id.sandbox.test/base/a' });
    const shared = await open({ worlds: 'key', publicUrl: 'https://sandbox.test' });
    const { plain } = await shared.body<{ plain: string }>('GET /doors');
    expect(plain).toMatch(/^https:\/\/sandbox\.test\/w\/[^/]+\/a$/);
    const other = await made(shared.control);
    const doors = await fetch(`${shared.url}/doors`, { headers: { Authorization: `Bearer ${other.key}` } });
    expect(await doors.json()).toMatchObject({ plain: `https://sandbox.test/w/${other.id}/a` });
  });
});
