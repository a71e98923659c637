import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { exampleOf } from '../../tools/recordings/example.js';
import { recordingProxy } from '../../tools/recordings/proxy.js';
import { readRecording, type Recorded } from '../../tools/recordings/read.js';
import { runSandbox } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'record-'));
afterAll(() => rmSync(folder, { recursive: true }));

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

test('compare plays a recording, tells what differs with the fewest calls, and ends with 1', async () => {
  await runSandbox(['init-pack', 'post', '-q'], { cwd: folder });
  const resources = readFileSync(join(folder, 'packs/post/resources/parcel.yaml'), 'utf8');
  expect(resources).toContain('resource: parcel');
  const host = 'https://api.post.example';
  const calls = [
    { scope: host, method: 'GET', path: '/v1/parcels', body: '', status: 200, response: {} },
    { scope: host, method: 'GET', path: '/v1/parcels/pcl_0123456789abcdef', body: '', status: 418, response: {} },
  ];
  const file = join(folder, 'drift.json');
  writeFileSync(file, JSON.stringify(calls));
  const { code, stdout } = await runSandbox(['compare', 'packs/post', file, '--json'], { cwd: folder });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    differences: expect.arrayContaining([
      expect.objectContaining({ path: 'status', recorded: '418', calls: ['GET /v1/parcels/pcl_0123456789abcdef'] }),
    ]) as unknown,
  });
}, 60_000);
