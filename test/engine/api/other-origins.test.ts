import { startSandbox, TestSandbox } from '../../support/start-sandbox.js';

/** Pages of other origins: preflights without a key, and what a browser needs to show a response, an error too. */

const THINGS = {
  'resources/thing.yaml':
    'resource: thing\ncollection: things\npath: /things\nid: { prefix: th_ }\nfields: { name: string? }\noperations: [retrieve]\n',
};
const ORIGIN = { origin: 'https://app.example' };
const ASK = {
  ...ORIGIN,
  authorization: undefined,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, x-own',
};

describe('a pack with `cors`', () => {
  const sandbox = startSandbox({ ...THINGS, 'pack.yaml': 'cors: { expose: [ETag, Link] }\n' });

  test('a preflight needs no key, whatever its path', async () => {
    for (const path of ['/things', '/nothing', '/things/th_1']) {
      const { status, headers } = await sandbox.call(`OPTIONS ${path}`, undefined, ASK);
      expect([status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-headers')]).toEqual(
        [204, '*', 'authorization, x-own'],
      );
      expect(headers.get('access-control-allow-methods')).toContain('DELETE');
    }
  });

  test.each([
    ['an error of the call', 'GET /things/th_none', {}, 404],
    ['a call without a key', 'GET /things/th_none', { authorization: undefined }, 401],
    ['an unknown path', 'GET /nothing', {}, 404],
  ])('a page may read %s', async (_, line, more, status) => {
    const found = await sandbox.call(line, undefined, { ...ORIGIN, ...more });
    expect([found.status, found.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
    expect(found.headers.get('access-control-expose-headers')).toBe('ETag, Link');
  });

  test('a call that no page makes has none of this, and the control API never has', async () => {
    const plain = await sandbox.call('GET /things/th_none');
    const control = await sandbox.call('GET /__admin__/clock', undefined, ORIGIN);
    for (const { headers } of [plain, control]) expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a pack that lets pages send cookies', () => {
  const sandbox = startSandbox({ ...THINGS, 'pack.yaml': 'cors: { credentials: true }\n' });

  test('names the origin', async () => {
    const { headers } = await sandbox.call('GET /things/th_none', undefined, ORIGIN);
    expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]).toEqual([
      ORIGIN.origin,
      'true',
    ]);
  });
});

test.each([
  [true, '*'],
  [false, null],
])('a pack that says nothing: with the option %s', async (cors, allowed) => {
  const sandbox = await new TestSandbox(THINGS, { cors }).open();
  try {
    const { headers } = await sandbox.call('GET /things/th_none', undefined, ORIGIN);
    expect(headers.get('access-control-allow-origin')).toBe(allowed);
  } finally {
    await sandbox.close();
  }
});
