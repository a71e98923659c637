import { gzipSync } from 'node:zlib';
import { createServer, request, type Server } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import fc from 'fast-check';
import { exampleOf } from '../../tools/recordings/example.js';
import { recordingProxy } from '../../tools/recordings/proxy.js';
import { readRecording, type Recorded } from '../../tools/recordings/read.js';
import { looksRandom, withoutSecrets } from '../../tools/recordings/secrets.js';
import { packFolder } from '../support/sample-pack.js';
import { runCommand } from '../support/command.js';

const folder = mkdtempSync(join(tmpdir(), 'record-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Two calls of a pack that `init-pack` writes, as nock records them. */
const NOCK = [
  {
    scope: 'https://api.parcels.example:443',
    method: 'POST',
    path: '/v1/parcels',
    body: { to: 'Ann', password: 'p' },
    status: 201,
    response: { id: 'pcl_0123456789abcdef', to: 'Ann', secret: 's', created: 1_736_942_400 },
  },
  {
    scope: 'https://api.parcels.example:443',
    method: 'GET',
    path: '/v1/parcels/pcl_0123456789abcdef',
    body: '',
    status: 200,
    response: { to: 'Ann' },
  },
];

test('what nock recorded becomes an example: ids by name, no secrets, no times', () => {
  const file = join(folder, 'nock.json');
  writeFileSync(file, JSON.stringify(NOCK));
  const text = exampleOf('recorded', readRecording(file));
  expect(parse(text)).toEqual({
    example: 'recorded',
    calls: [
      {
        call: 'POST /v1/parcels',
        json: { to: 'Ann', password: '***' },
        expect: { status: 201, body: { to: 'Ann' } },
        save: { id_1: 'id' },
      },
      { call: 'GET /v1/parcels/${id_1}', expect: { status: 200, body: { to: 'Ann' } } },
    ],
  });
});

test('a proxy hands calls and answers on and tells of them', async () => {
  const vendor = createServer((request, response) => {
    response
      .writeHead(201, { 'content-type': 'application/json', 'x-own': 'yes' })
      .end(JSON.stringify({ path: request.url }));
  });
  const at = (server: typeof vendor): Promise<string> =>
    new Promise((done) =>
      server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
    );
  const told: Recorded[] = [];
  const proxy = recordingProxy(new URL(await at(vendor)), (call) => told.push(call));
  const answer = await fetch(`${await at(proxy)}/v1/things?a=1`, { method: 'POST', body: '{"b":2}' });
  expect([answer.status, answer.headers.get('x-own'), await answer.json()]).toEqual([
    201,
    'yes',
    { path: '/v1/things?a=1' },
  ]);
  expect(told).toEqual([
    expect.objectContaining({ method: 'POST', body: '{"b":2}', status: 201, text: '{"path":"/v1/things?a=1"}' }),
  ]);
  for (const server of [vendor, proxy]) {
    server.close();
    server.closeAllConnections();
  }
});

describe('a recorder speaks with its target only', () => {
  const seen: string[] = [];
  const listen = (server: Server): Promise<number> =>
    new Promise((done) => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)));
  const vendor = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end('{}');
  });
  const other = createServer((_request, response) => {
    seen.push('another host');
    response.end('{}');
  });
  let proxy: Server;
  let to = { proxy: 0, other: 0 };
  beforeAll(async () => {
    const target = new URL(`http://127.0.0.1:${await listen(vendor)}/base/v1/`);
    proxy = recordingProxy(target, () => undefined);
    to = { proxy: await listen(proxy), other: await listen(other) };
  });
  afterAll(() => [vendor, other, proxy].forEach((each) => each.close().closeAllConnections()));

  const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
    new Promise((done, failed) => {
      const call = request({
        host: '127.0.0.1',
        port: to.proxy,
        path,
        headers: { authorization: 'Bearer mine', ...headers },
      });
      call.on('response', (response) => done(response.resume().statusCode ?? 0)).on('error', failed);
      call.end();
    });

  test('the path of the target stands before that of a call', async () => {
    seen.length = 0;
    expect(await ask('/customers?limit=1&a=b?c')).toBe(200);
    expect(seen).toEqual(['/base/v1/customers?limit=1&a=b?c']);
  });

  test.each([
    ['two slashes', () => `//127.0.0.1:${to.other}/steal`, {}],
    ['a backslash', () => `/\\127.0.0.1:${to.other}/steal`, {}],
    ['a whole address', () => `http://127.0.0.1:${to.other}/steal`, {}],
    ['dots out of the base path', () => '/../../admin', {}],
    ['encoded dots', () => '/%2e%2e/%2e%2e/admin', {}],
    ['a page’s call', () => '/customers', { origin: 'http://evil.example' }],
    ['another name of this machine', () => '/customers', { host: 'evil.example' }],
  ])('it rejects %s, and hands nothing on', async (_, path, headers) => {
    seen.length = 0;
    expect(await ask(path(), headers)).toBe(403);
    expect(seen).toEqual([]);
  });

  test('an example is written into its folder only', async () => {
    const args = ['record', `http://127.0.0.1:${to.other}`, '--to', folder, '--name', '../../escape'];
    expect(await runCommand(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'../../escape'") as string,
    });
  });
});

test('compare plays a recording, tells what differs with the fewest calls, and ends with 1', async () => {
  await runCommand(['init-pack', 'post', '-q'], { cwd: folder });
  const resources = readFileSync(join(folder, 'packs/post/resources/parcel.yaml'), 'utf8');
  expect(resources).toContain('resource: parcel');
  const host = 'https://api.post.example';
  const calls = [
    { scope: host, method: 'GET', path: '/v1/parcels', body: '', status: 200, response: {} },
    { scope: host, method: 'GET', path: '/v1/parcels?limit=1', body: '', status: 418, response: {} },
  ];
  const file = join(folder, 'drift.json');
  writeFileSync(file, JSON.stringify(calls));
  const { code, stdout } = await runCommand(['compare', 'packs/post', file, '--json'], { cwd: folder });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    differences: expect.arrayContaining([
      expect.objectContaining({ path: 'status', recorded: '418', calls: ['GET /v1/parcels'] }),
    ]) as unknown,
  });
});

test.each([
  ['Bearer abcdefgh12345678', 'Bearer ***'],
  ['see https://ann:swordfish@example.com/x', 'see https://ann:***@example.com/x'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl is a token', '*** is a token'],
  ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n', '***\n'],
  ['key AKx93kdJ2mQ0zLw81TnR5vYb', 'key ***'],
  [['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_'), '***'],
  ['a4f9c01be87d23560fa1b2c3d4e5f607', '***'],
  [
    'https://example.com/articles/2025-01-01/how-to-write-a-pack',
    'https://example.com/articles/2025-01-01/how-to-write-a-pack',
  ],
  ['internationalization_of_numbers_2024', 'internationalization_of_numbers_2024'],
  ['2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'],
  ['Donaudampfschifffahrtsgesellschaft', 'Donaudampfschifffahrtsgesellschaft'],
  ['checkout.session.async_payment_succeeded', 'checkout.session.async_payment_succeeded'],
])('what is secret is told by its look: %s', (text, kept) => {
  expect(withoutSecrets(text, [])).toBe(kept);
});

test('personal data gets another value when asked for', () => {
  const text = 'ann@example.org paid with 4242 4242 4242 4242, order 1234567890123';
  expect(withoutSecrets(text, [])).toBe(text);
  expect(withoutSecrets(text, ['email', 'card'])).toBe(
    'person@example.com paid with 4111111111111111, order 1234567890123',
  );
});

test('nearly every key that is drawn at random is hidden, and no text of words', () => {
  const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const letters = fc.array(fc.constantFrom(...base62), { minLength: 32, maxLength: 48 });
  const drawn = fc.sample(letters, { numRuns: 500, seed: 1 }).map((each) => each.join(''));
  expect(drawn.filter((key) => !looksRandom(key)).length).toBeLessThanOrEqual(5);
  const word = fc.constantFrom('payment', 'Method', 'of', 'the', 'customer', 'v2', '2024');
  const words = fc.array(word, { minLength: 1, maxLength: 12 });
  fc.assert(fc.property(words, fc.constantFrom('_', '-', '.'), (made, by) => !looksRandom(made.join(by))));
});

/** An application that exchanges a token and uses numbers and UUIDs as ids, as a proxy saw it. */
const NATURAL = [
  {
    method: 'POST',
    path: '/session',
    body: { user: 'ann' },
    status: 200,
    response: { access_token: 'at-0a9f8e7d6c5b4a39281706f5e4d3c2b1' },
  },
  {
    method: 'POST',
    path: '/projects',
    body: { access_token: 'at-0a9f8e7d6c5b4a39281706f5e4d3c2b1', name: 'One' },
    status: 201,
    response: { id: 41, name: 'One', owner: { id: '0b2d8b0e-7b0a-4f0c-9c56-1f8a3f6f9b11' } },
  },
  { method: 'GET', path: '/projects/41', body: '', status: 200, response: { id: 41, name: 'One' } },
  {
    method: 'POST',
    path: '/projects/41/notes',
    body: { text: 'Hi' },
    status: 201,
    response: { id: 41, project_id: 41, text: 'Hi' },
  },
  {
    method: 'GET',
    path: '/projects/41/notes/41',
    body: '',
    status: 200,
    response: { id: 41, project_id: 41, text: 'Hi' },
  },
  {
    method: 'GET',
    path: '/owners/0b2d8b0e-7b0a-4f0c-9c56-1f8a3f6f9b11',
    body: '',
    status: 200,
    response: { id: '0b2d8b0e-7b0a-4f0c-9c56-1f8a3f6f9b11', kind: 'person' },
  },
  { method: 'GET', path: '/projects/7', body: '', status: 200, response: { id: 7, name: 'From before' } },
].map((call) => ({ scope: 'https://api.natural.example', ...call }));

const PACK = {
  'pack.yaml': `ids: { number: { parts: [{ sequence: 1001 }] }, uuid: { parts: [{ uuid: 4 }] } }
`,
  'resources/project.yaml': `resource: project
collection: projects
path: /projects
id: { prefix: "", format: number }
fields: { name: string, own: { ref: owner, internal: true }, owner: { type: any, view: "\${{'id': self.own}}" } }
operations:
  session: { kind: action, route: POST /session, params: { user: string }, return: { access_token: "at-\${random_string(20)}" } }
  create:
    status: 201
    params: { name: { type: string, required: true }, access_token: string }
    do: [{ create: owner }, { create: project, with: { name: "\${params.name}", own: "\${owner.id}" } }]
    return: { id: "\${int(self.id)}", name: "\${self.name}", owner: "\${rest(self).owner}" }
  retrieve: { return: { id: "\${int(self.id)}", name: "\${self.name}" } }
`,
  'resources/owner.yaml': `resource: owner
collection: owners
path: /owners
id: { prefix: "", format: uuid }
fields: { kind: { const: person } }
operations: { retrieve: {} }
`,
  'resources/note.yaml': `resource: note
collection: notes
id: { prefix: "", format: number }
fields: { project: { ref: project }, text: string }
operations:
  create:
    route: POST /projects/{project}/notes
    status: 201
    params: { project: { ref: project, required: true }, text: { type: string, required: true } }
    return: &shown { id: "\${int(self.id)}", project_id: "\${int(self.project)}", text: "\${self.text}" }
  retrieve: { route: "GET /projects/{project}/notes/{id}", params: { project: { ref: project, required: true } }, return: *shown }
`,
};

describe('ids without a prefix', () => {
  const pack = packFolder(PACK);
  const nock = join(folder, 'natural.json');
  writeFileSync(nock, JSON.stringify(NATURAL));

  test('an example names what an answer gave, be it a token, a number or a UUID', () => {
    const text = exampleOf('natural', readRecording(nock));
    expect(text).not.toMatch(/0a9f8e7d|0b2d8b0e|1f8a3f6f/);
    const { calls } = parse(text) as { calls: { call: string; json?: object; save?: object }[] };
    expect(calls.map(({ call }) => call).slice(0, 5)).toEqual([
      'POST /session',
      'POST /projects',
      'GET /projects/${id_2}',
      'POST /projects/${id_2}/notes',
      'GET /projects/${id_2}/notes/${id_2}',
    ]);
    expect([calls[0].save, calls[1].json]).toEqual([
      { id_1: 'access_token' },
      { access_token: '${id_1}', name: 'One' },
    ]);
  });

  test('compare finds them again here, and leaves out what was there before', async () => {
    const { code, stdout } = await runCommand(['compare', pack, nock, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { pack, calls: 6, differences: [] }]);
  });

  test('compare plays an example that record wrote, and tells what a pack does otherwise', async () => {
    const example = join(folder, 'natural.yaml');
    writeFileSync(example, exampleOf('natural', readRecording(nock).slice(0, 4)));
    expect(await runCommand(['compare', pack, example, '--json'])).toMatchObject({ code: 0 });
    writeFileSync(example, readFileSync(example, 'utf8').replaceAll('body: { name: One }', 'body: { name: Two }'));
    const { code, stdout } = await runCommand(['compare', pack, example, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      differences: expect.arrayContaining([
        expect.objectContaining({ operation: 'projects.retrieve', path: 'name' }),
      ]) as unknown,
    });
  });
});

describe('a recorder changes no byte that it need not change', () => {
  let seen: { rawHeaders: string[]; body: Buffer } = { rawHeaders: [], body: Buffer.alloc(0) };
  const zipped = gzipSync('{"how":"zipped"}');
  const vendor = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      seen = { rawHeaders: req.rawHeaders, body: Buffer.concat(chunks) };
      res.sendDate = false;
      res.writeHead(200, 'Fine', [
        ...['Set-Cookie', 'a=1', 'X-Own', 'one', 'Set-Cookie', 'b=2', 'x-own', 'two'],
        ...['Content-Type', 'application/json', 'Content-Encoding', 'gzip', 'Content-Length', String(zipped.length)],
      ]);
      res.end(zipped);
    });
  });
  const calls: Recorded[] = [];
  let proxy: Server;
  let ports = { vendor: 0, proxy: 0 };
  const listen = (server: Server): Promise<number> =>
    new Promise((done) => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)));
  beforeAll(async () => {
    const port = await listen(vendor);
    proxy = recordingProxy(new URL(`http://127.0.0.1:${port}`), (call) => calls.push(call));
    ports = { vendor: port, proxy: await listen(proxy) };
  });
  afterAll(() => [vendor, proxy].forEach((each) => each.close().closeAllConnections()));

  test('headers keep their names, their order and their repetitions, bodies their encodings; the recording is decoded', async () => {
    const body = gzipSync('{"sent":true}');
    const headers = ['Host', 'localhost', 'X-B', '1', 'x-a', '2', 'X-B', '3', 'Accept-Encoding', 'br, gzip'];
    const own = ['Content-Type', 'application/json', 'Content-Encoding', 'gzip', 'Content-Length', String(body.length)];
    const response = await new Promise<{ rawHeaders: string[]; statusMessage?: string; bytes: Buffer }>(
      (done, failed) => {
        const call = request({
          host: '127.0.0.1',
          port: ports.proxy,
          path: '/x',
          method: 'POST',
          headers: [...headers, ...own],
          agent: false,
        });
        call.on('error', failed).on('response', (got) => {
          const chunks: Buffer[] = [];
          got.on('data', (chunk: Buffer) => chunks.push(chunk));
          got.on('end', () =>
            done({ rawHeaders: got.rawHeaders, statusMessage: got.statusMessage, bytes: Buffer.concat(chunks) }),
          );
        });
        call.end(body);
      },
    );
    const without = (list: readonly string[]): string[] =>
      list.filter((_, at) => !/^(?:connection|keep-alive)$/i.test(list[at - (at % 2)]));
    expect(without(seen.rawHeaders)).toEqual(['Host', `127.0.0.1:${ports.vendor}`, ...headers.slice(2), ...own]);
    expect(seen.body).toEqual(body);
    expect(response.statusMessage).toBe('Fine');
    expect(without(response.rawHeaders)).toEqual([
      ...['Set-Cookie', 'a=1', 'X-Own', 'one', 'Set-Cookie', 'b=2', 'x-own', 'two'],
      ...['Content-Type', 'application/json', 'Content-Encoding', 'gzip', 'Content-Length', String(zipped.length)],
    ]);
    expect(response.bytes).toEqual(zipped);
    expect(calls).toEqual([expect.objectContaining({ body: '{"sent":true}', text: '{"how":"zipped"}', status: 200 })]);
  });

  test('the path of a call, letters beyond ASCII, early hints and trailers pass as they came', async () => {
    let came = '';
    const raw = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        came += bytes.toString('latin1');
        if (!came.endsWith('\r\n\r\n') || !came.includes('0\r\n')) return;
        const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
        socket.end(
          Buffer.from(
            `${hints}HTTP/1.1 200 \xfcber\r\nX-L: caf\xe9\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 9\r\n\r\n`,
            'latin1',
          ),
        );
      });
    });
    const port = await listen(raw as unknown as Server);
    const before = recordingProxy(new URL(`http://127.0.0.1:${port}/base/`), () => undefined);
    const through = connect(await listen(before), '127.0.0.1');
    const sent =
      "POST /a'{b}/./c?q='x'|[y] HTTP/1.1\r\nHost: localhost\r\nX-L: caf\xe9\r\nTrailer: X-T\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\nX-T: 1\r\n\r\n";
    through.write(Buffer.from(sent, 'latin1'));
    const chunks: Buffer[] = [];
    for await (const chunk of through) chunks.push(chunk as Buffer);
    for (const each of [raw, before]) each.close();
    expect(came).toBe(sent.replace('POST ', 'POST /base').replace('Host: localhost', `Host: 127.0.0.1:${port}`));
    expect(
      Buffer.concat(chunks)
        .toString('latin1')
        .split('\r\n')
        .filter((line) => line !== '' && !line.startsWith('Connection')),
    ).toEqual([
      ...['HTTP/1.1 103 Early Hints', 'Link: </a.css>; rel=preload', 'HTTP/1.1 200 \xfcber', 'X-L: caf\xe9'],
      ...['Trailer: X-Sum', 'Transfer-Encoding: chunked', '0', 'X-Sum: 9'],
    ]);
  });
});
