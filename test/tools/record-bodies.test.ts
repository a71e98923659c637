import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadPack } from '../../engine/index.js';
import { runExamples } from '../../tools/examples/index.js';
import { eventsIn, partsOf } from '../../tools/recordings/bodies.js';
import { exampleOf } from '../../tools/recordings/example.js';
import { recordingProxy } from '../../tools/recordings/proxy.js';
import type { Recorded } from '../../tools/recordings/read.js';
import { runCommand } from '../support/command.js';
import { packFolder } from '../support/sample-pack.js';

/** Bodies that are no JSON, from a vendor over the proxy to an example, and back to a pack. */

const folder = mkdtempSync(join(tmpdir(), 'bodies-'));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

/** Bytes that are no text in UTF-8. */
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x00, 0xff, 0xfe]);
const NOTE = 'first line\r\nsecond line, ümlaut\n';

/** The vendor: an upload, a picture, a table and a story that comes in pieces. */
const vendor = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const path = `${request.method ?? ''} ${request.url ?? ''}`;
    if (path === 'POST /files') {
      const parts = partsOf(body, request.headers['content-type'] ?? '') ?? [];
      const file = parts.find(({ file: name }) => name !== undefined);
      response.writeHead(201, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          id: 'file_0123456789abcdef',
          purpose: parts.find(({ name }) => name === 'purpose')?.bytes.toString(),
          name: file?.file,
          size: file?.bytes.length,
        }),
      );
    } else if (path.endsWith('/picture')) response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
    else if (path.endsWith('/content'))
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(NOTE);
    else if (path === 'PUT /notes')
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ size: body.length, sent: body.toString('base64') }));
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\nevent: word\ndata: {"word":"once","left":1}\n\n');
      response.write('event: word\ndata: {"word":"upon","left":0}\n\n');
      if (path.endsWith('/story')) response.end('data: [DONE]\n\n');
    }
  });
});

const address = (server: Server): Promise<string> =>
  new Promise((done) => {
    servers.push(server);
    server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

/** The pack that is compared with the vendor. */
const PACK = {
  'pack.yaml': `ids: { short: { parts: [{ random: 16 }] } }
encoding: { requests: [json, multipart] }
`,
  'resources/file.yaml': `resource: file
collection: files
path: /files
id: { prefix: file_, format: short }
fields: { purpose: string, name: string, size: integer, held: { type: string, hidden: true } }
operations:
  create:
    status: 201
    params: { purpose: string, file: { type: map, required: true } }
    do: [{ create: file, with: { purpose: =params.purpose, name: =params.file.name, size: =params.file.size, held: =params.file.base64 } }]
  content: { kind: action, route: "GET /files/{id}/content", content: { type: text/plain; charset=utf-8, text: "\${from_base64(self.held)}" } }
  picture: { kind: action, route: GET /picture, content: { type: image/png, base64: "${PICTURE.toString('base64')}" } }
  note: { kind: action, route: PUT /notes, body: { as: note, type: bytes }, return: { size: =params.note.size, sent: =params.note.base64 } }
  story: { kind: action, route: GET /story, stream: { events: "[{'event': 'word', 'data': {'word': 'once', 'left': 1}}, {'event': 'word', 'data': {'word': 'upon', 'left': 0}}, '[DONE]']" } }
  watch: { kind: action, route: GET /watch, stream: { events: "[{'event': 'word', 'data': {'word': 'once', 'left': 1}}, {'event': 'word', 'data': {'word': 'upon', 'left': 0}}]", until: "false" } }
`,
};

async function recordedCalls(): Promise<Recorded[]> {
  const calls: Recorded[] = [];
  let onCall = (): void => undefined;
  const proxy = await address(
    recordingProxy(new URL(await address(vendor)), (call) => {
      calls.push(call);
      onCall();
    }),
  );
  const form = new FormData();
  form.append('purpose', 'notes');
  form.append('file', new File([NOTE], 'a "b".txt', { type: 'text/plain' }));
  const { id } = (await (await fetch(`${proxy}/files`, { method: 'POST', body: form })).json()) as { id: string };
  expect(await (await fetch(`${proxy}/files/${id}/content`)).text()).toBe(NOTE);
  expect(Buffer.from(await (await fetch(`${proxy}/picture`)).arrayBuffer())).toEqual(PICTURE);
  await (
    await fetch(`${proxy}/notes`, { method: 'PUT', body: PICTURE, headers: { 'content-type': 'image/png' } })
  ).text();
  await (await fetch(`${proxy}/story`)).text();
  // A stream that does not end is handed on as it comes, and kept as far as it came.
  const reader = (await fetch(`${proxy}/watch`)).body?.getReader();
  let text = '';
  while (eventsIn(text).length < 2) text += Buffer.from((await reader?.read())?.value ?? []).toString();
  const kept = new Promise<void>((done) => (onCall = done));
  await reader?.cancel();
  await kept;
  return calls;
}

let calls: Recorded[];
let example: string;
beforeAll(async () => {
  calls = await recordedCalls();
  example = exampleOf('bodies', calls);
});

test('an upload, texts, bytes and streams become an example', () => {
  expect(parse(example)).toEqual({
    example: 'bodies',
    calls: [
      {
        call: 'POST /files',
        parts: [
          { name: 'purpose', text: 'notes' },
          { name: 'file', file: 'a "b".txt', type: 'text/plain', text: NOTE },
        ],
        expect: { status: 201, body: { purpose: 'notes', name: 'a "b".txt', size: Buffer.byteLength(NOTE) } },
        save: { id_1: 'id' },
      },
      {
        call: 'GET /files/${id_1}/content',
        expect: { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: NOTE },
      },
      {
        call: 'GET /picture',
        expect: { status: 200, headers: { 'Content-Type': 'image/png' }, base64: PICTURE.toString('base64') },
      },
      {
        call: 'PUT /notes',
        raw: { type: 'image/png', base64: PICTURE.toString('base64') },
        expect: { status: 200, body: { size: PICTURE.length, sent: PICTURE.toString('base64') } },
      },
      {
        call: 'GET /story',
        expect: {
          status: 200,
          events: [
            { event: 'word', data: { word: 'once', left: 1 } },
            { event: 'word', data: { word: 'upon', left: 0 } },
            { data: '[DONE]' },
          ],
        },
      },
      {
        call: 'GET /watch',
        expect: {
          status: 200,
          events: [
            { event: 'word', data: { word: 'once', left: 1 } },
            { event: 'word', data: { word: 'upon', left: 0 } },
          ],
          more: true,
        },
      },
    ],
  });
});

const compared = async (
  pack: string,
  text = example,
): Promise<{ code: number; differences: object[]; calls: number }> => {
  const file = join(folder, 'bodies.yaml');
  writeFileSync(file, text);
  const { code, stdout, stderr } = await runCommand(['compare', pack, file, '--json']);
  expect(stderr.slice(0, 2000)).toBe('');
  return { code, ...(JSON.parse(stdout) as { differences: object[]; calls: number }) };
};

test('the pack that returns the same has no differences', async () => {
  expect(await compared(packFolder(PACK))).toMatchObject({ code: 0, calls: 6, differences: [] });
});

test.each<[string, string | RegExp, string, object]>([
  [
    'a byte of a picture',
    PICTURE.toString('base64'),
    Buffer.from(PICTURE.map((byte, at) => (at === 5 ? 0 : byte))).toString('base64'),
    { path: 'body', recorded: '0a00fffe at byte 5 of 9', ours: '0000fffe at byte 5 of 9', calls: ['GET /picture'] },
  ],
  [
    'the type of a text',
    'text/plain; charset=utf-8',
    'text/html; charset=utf-8',
    { path: 'header content-type', recorded: 'text/plain', ours: 'text/html' },
  ],
  [
    'a text',
    '{from_base64(self.held)}',
    '{from_base64(self.held)}.',
    { path: 'body', recorded: 'the end, after 33 bytes', ours: '"." at byte 33 of 34' },
  ],
  [
    'a member of an event',
    "{'word': 'upon', 'left': 0}}, '[DONE]'",
    "{'word': 'upon', 'left': 2}}, '[DONE]'",
    { path: 'events.1.data.left', recorded: '0', ours: '2', calls: ['GET /story'] },
  ],
  ['the number of events', ", '[DONE]'", '', { path: 'events', recorded: '3 events', ours: '2 events' }],
  [
    'what should be a stream',
    /story: .*/,
    'story: { kind: action, route: GET /story, return: { word: once } }',
    { path: 'header content-type', recorded: 'text/event-stream', ours: 'application/json' },
  ],
])('compare tells where %s differs', async (_, from, to, difference) => {
  const resource = PACK['resources/file.yaml'].replace(from, to);
  expect(resource).not.toBe(PACK['resources/file.yaml']);
  const pack = packFolder({ ...PACK, 'resources/file.yaml': resource });
  const { code, differences } = await compared(pack);
  expect([code, differences]).toEqual([1, expect.arrayContaining([expect.objectContaining(difference)])]);
});

test('the example is one of the pack: validate-pack runs it', async () => {
  const run = async (text: string): Promise<string[]> => {
    const pack = packFolder({ ...PACK, 'examples/bodies.yaml': text });
    const { problems, calls: made } = await runExamples(loadPack(pack).source);
    return [String(made), ...problems.map(({ message }) => message)];
  };
  expect(await run(example)).toEqual(['6']);
  expect(await run(example.replace('word: upon', 'word: on'))).toEqual([
    '5',
    'events[1].data.word is "upon", not "on"',
  ]);
  expect(await run(example.replace(`base64: ${PICTURE.toString('base64')}`, 'base64: AAAA'))).toEqual([
    '3',
    expect.stringContaining('the body has 9 other bytes'),
  ]);
});
