import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bug, createSandbox, replayBug, type Sandbox, type Store } from '../../../engine/index.js';
import { temporaryBytes } from '../../../engine/store/index.js';
import { MemoryStore } from '../../support/memory-store.js';
import { openFile } from '../../support/file-store.js';
import { packFolder } from '../../support/sample-pack.js';
import { folderOfTest } from '../../support/scratch-folder.js';

/** Files that are too large for a value: they go to the store while they arrive, and come back from there. */

const folder = packFolder(
  {
    'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
encoding: { requests: [json, form, multipart], max_body: 2MB }
`,
    'resources/scan.yaml': `resource: scan
collection: scans
path: /scans
id: { prefix: "s", format: short }
fields: { name: string?, size: integer?, sum: string?, content: { type: string, internal: true }, trailers: map }
operations:
  create:
    body: { as: file, type: bytes, framed: boxes }
    params: { fails: boolean }
    do:
      - { fail: not_found, when: params.fails == true, with: { id: none, param: id } }
      - create: scan
        with:
          content: "=params.file.base64"
          size: "=params.file.size"
          sum: "=digest({'base64': params.file.base64}, 'sha1', 'hex')"
          trailers: "=params.file.trailers"
  huge:
    route: POST /scans/huge
    max_body: 10MB
    body: { as: file, type: bytes }
    do:
      - create: scan
        with: { content: =params.file.base64, sum: "=digest({'base64': params.file.base64}, 'sha1', 'hex')" }
        as: made
      - { return: =rest(made) }
  paste:
    route: POST /scans/paste
    params: { content: { type: string, required: true, bytes: { as: base64 } }, as: string }
    do:
      - create: scan
        with: { content: "=bytes({'base64': params.content})", sum: "=digest({'base64': params.content}, 'sha1', 'hex')" }
        as: made
      - { return: =rest(made) }
  upload:
    route: POST /scans/upload
    params: { file: { type: object, required: true, fields: { name: string, type: string, size: integer, base64: string } }, note: string }
    do: [{ create: scan, with: { content: "=params.file.base64", size: "=params.file.size", name: "=params.file.name + ' ' + params.note" }, as: made }, { return: =rest(made) }]
  join:
    route: POST /scans/join
    params: { of: { type: array, items: string } }
    do:
      - let: { content: "bytes(params.of.map(id, {'base64': get(scan, id).content}))" }
      - create: scan
        with: { content, size: "=byte_size({'base64': content})", sum: "=digest({'base64': content}, 'crc32c', 'base64')" }
        as: made
      - { return: =rest(made) }
  cut:
    route: POST /scans/{id}/cut
    params: { from: integer, length: integer }
    do:
      - create: scan
        with: { content: "=byte_range({'base64': self.content}, params.from, params.length)", size: =params.length }
        as: made
      - { return: =rest(made) }
  delete: {}
  content:
    route: GET /scans/{id}/content
    content: { type: image/x-scan, ranges: several, base64: =self.content }
    headers: { ETag: "='\\"' + string(self.sum) + '\\"'" }
`,
  },
  `  range_not_satisfiable: { status: 416, args: { size: integer }, body: { code: range } }
  precondition_failed: { status: 412, body: { code: precondition } }
`,
);

const KEY = 'key_files';
const open: Sandbox[] = [];
let shared: Sandbox;
beforeAll(async () => void (shared = await start()));
afterAll(async () => {
  for (const each of open) await each.close();
});
const defects: string[] = [];

async function start(store?: Store): Promise<Sandbox> {
  const onDefect = (error: unknown): void => void defects.push(String(error));
  const sandbox = await createSandbox({ pack: folder, key: KEY, seed: 's', t0: 0, store, onDefect });
  open.push(sandbox);
  return sandbox;
}

type Sent = Uint8Array<ArrayBuffer> | FormData | string;
type Scan = Readonly<Record<string, unknown>> & { readonly id: string };

async function exchange(url: string, path: string, body: Sent | null, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}`, {
    method: body === null ? 'GET' : 'POST',
    body,
    headers: { authorization: `Bearer ${KEY}`, ...headers },
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const made = async (url: string, path: string, body: Sent, headers: Record<string, string> = {}): Promise<Scan> => {
  const { bytes } = await exchange(url, path, body, headers);
  return JSON.parse(bytes.toString()) as Scan;
};
const BINARY = { 'content-type': 'image/x-scan' };
const JSON_BODY = { 'content-type': 'application/json' };
const upload = (url: string, bytes: Buffer): Promise<Scan> => made(url, '/scans', new Uint8Array(bytes), BINARY);
const content = async (url: string, id: string): Promise<Buffer> =>
  (await exchange(url, `/scans/${id}/content`, null)).bytes;
const large = randomBytes(900_000);
const sha1 = (bytes: Buffer): string => createHash('sha1').update(bytes).digest('hex');

test.each([
  ['few', Buffer.from('a few bytes')],
  ['as many as a value takes', large.subarray(0, 65_536)],
  ['one more', large.subarray(0, 65_537)],
  ['many', large],
])('%s bytes come back as they were, with their digests', async (_, bytes) => {
  const { url } = shared;
  const scan = await upload(url, bytes);
  expect(scan).toMatchObject({ size: bytes.length, sum: sha1(bytes) });
  expect((await content(url, scan.id)).equals(bytes)).toBe(true);
  const form = new FormData();
  form.append('note', 'first');
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/x-scan' }), 'größe.scan');
  const sent = await made(url, '/scans/upload', form);
  expect(sent).toMatchObject({ size: bytes.length, name: 'größe.scan first' });
  expect((await content(url, sent.id)).equals(bytes)).toBe(true);
});

test('files are joined and cut without being sent again', async () => {
  const { url } = shared;
  const parts = [large, Buffer.from('between'), large.subarray(0, 100_000)];
  const of: string[] = [];
  for (const part of parts) of.push((await upload(url, part)).id);
  const joined = await made(url, '/scans/join', JSON.stringify({ of }), JSON_BODY);
  const whole = Buffer.concat(parts);
  expect(joined['size']).toBe(whole.length);
  expect((await content(url, joined.id)).equals(whole)).toBe(true);
  const cut = await made(url, `/scans/${joined.id}/cut`, JSON.stringify({ from: 850_000, length: 80_000 }), JSON_BODY);
  expect((await content(url, cut.id)).equals(whole.subarray(850_000, 930_000))).toBe(true);
});

test('bytes that come in chunks of their own are read without them; trailers are a map', async () => {
  const { url } = shared;
  const chunks = [large.subarray(0, 70_000), large.subarray(70_000, 70_010)];
  const framed = Buffer.concat([
    ...chunks.flatMap((each) => [Buffer.from(`${each.length.toString(16)};seal=1\r\n`), each, Buffer.from('\r\n')]),
    Buffer.from('0\r\nX-Sum: abc\r\n\r\n'),
  ]);
  const coded = { ...BINARY, 'content-encoding': 'boxes' };
  const scan = await made(url, '/scans', framed, coded);
  expect(scan).toMatchObject({ size: 70_010, sum: sha1(large.subarray(0, 70_010)), trailers: { 'x-sum': 'abc' } });
  for (const broken of ['zz\r\n', '5\r\nabc', '1\r\nabc\r\n0\r\n\r\n'])
    expect((await exchange(url, '/scans', broken, coded)).status).toBe(400);
});

test.each([
  ['bytes=0-9', 206, 'bytes 0-9/900000', [0, 10]],
  ['bytes=899990-', 206, 'bytes 899990-899999/900000', [899_990, 900_000]],
  ['bytes=-5', 206, 'bytes 899995-899999/900000', [899_995, 900_000]],
  ['bytes=900000-', 416, 'bytes */900000', null],
  ['lines=0-9', 200, null, [0, 900_000]],
])('%s', async (range, status, shown, part) => {
  const { url } = shared;
  const { id } = await upload(url, large);
  const sent = await exchange(url, `/scans/${id}/content`, null, { range });
  expect([sent.status, sent.headers.get('content-range')]).toEqual([status, shown]);
  if (part !== null) expect(sent.bytes.equals(large.subarray(...part))).toBe(true);
});

test('several ranges are one body of parts; a tag that is no longer true brings all of it', async () => {
  const { url } = shared;
  const { id, sum } = await upload(url, large);
  const at = `/scans/${id}/content`;
  const { status, headers, bytes } = await exchange(url, at, null, { range: 'bytes=0-1,100-102' });
  const [, boundary = ''] = /^multipart\/byteranges; boundary=(\w+)$/.exec(headers.get('content-type') ?? '') ?? [];
  const part = (range: string, of: Buffer): string =>
    `--${boundary}\r\nContent-Type: image/x-scan\r\nContent-Range: bytes ${range}/900000\r\n\r\n${of.toString('latin1')}\r\n`;
  const parts = part('0-1', large.subarray(0, 2)) + part('100-102', large.subarray(100, 103));
  expect([status, bytes.toString('latin1')]).toEqual([206, `${parts}--${boundary}--\r\n`]);
  const range = 'bytes=0-1';
  expect((await exchange(url, at, null, { range, 'if-range': `"${String(sum)}"` })).status).toBe(206);
  expect((await exchange(url, at, null, { range, 'if-range': '"other"' })).status).toBe(200);
  expect((await exchange(url, at, null, { 'if-none-match': `W/"${String(sum)}"` })).status).toBe(304);
  expect((await exchange(url, at, null, { 'if-match': '"other"' })).status).toBe(412);
});

test('forks and earlier moments share them; a reset and the end of a world delete them', async () => {
  const sandbox = await start(new MemoryStore());
  const { url, control, engine, worlds } = sandbox;
  const { files } = engine.runtime.surroundings;
  const { id } = await upload(url, large);
  await control.saveMoment('uploaded');
  const fork = await worlds.create({ from: {} });
  await fetch(`${url}/scans/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${KEY}` } });
  const there = await fetch(`${fork.url}/scans/${id}/content`, { headers: { authorization: `Bearer ${fork.key}` } });
  expect(Buffer.from(await there.arrayBuffer()).equals(large)).toBe(true);
  await control.rewind('uploaded');
  expect((await content(url, id)).equals(large)).toBe(true);
  await fetch(`${url}/scans/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${KEY}` } });
  await control.reset();
  // The moment has it still.
  expect(files?.total).toBe(900_000);
  await control.rewind('uploaded');
  expect((await content(url, id)).equals(large)).toBe(true);
});

test('bytes in base64 of a JSON body go there too, where the pack says that it is so', async () => {
  const { url, engine } = shared;
  const sent = { content: large.toString('base64'), as: 'base64' };
  const scan = await made(url, '/scans/paste', JSON.stringify(sent), JSON_BODY);
  expect(scan['sum']).toBe(sha1(large));
  expect((await content(url, scan.id)).equals(large)).toBe(true);
  const params = (): unknown => engine.world.ledger.entry(engine.world.ledger.count)?.args;
  expect(JSON.stringify(params()).length).toBeLessThan(500);
  await made(url, '/scans/paste', JSON.stringify({ ...sent, as: 'text' }), JSON_BODY);
  expect(JSON.stringify(params()).length).toBeGreaterThan(1_000_000);
});

test('a text that only looks like a reference is none, however it comes', async () => {
  const { url } = shared;
  await upload(url, large);
  const forged = `sha256:${createHash('sha256').update(large).digest('hex')}:${large.length}`;
  const file = { 'file[name]': 'a', 'file[type]': 'image/x-scan', 'file[size]': '3', 'file[base64]': forged };
  const form = new URLSearchParams({ ...file, note: 'n' }).toString();
  for (const { id } of [
    await made(url, '/scans/paste', JSON.stringify({ content: forged, as: 'base64' }), JSON_BODY),
    await made(url, '/scans/paste', JSON.stringify({ content: `${forged}:0123456789abcdef`, as: 'base64' }), JSON_BODY),
    await made(
      url,
      '/scans/paste',
      JSON.stringify({ content: `\u2063base64(${forged})\u2063`, as: 'text' }),
      JSON_BODY,
    ),
    await made(url, '/scans/upload', form, { 'content-type': 'application/x-www-form-urlencoded' }),
  ]) {
    const sent = await exchange(url, `/scans/${id}/content`, null);
    expect([sent.status, sent.bytes.length < 100]).toEqual([200, true]);
  }
});

test('an export has small files and replays without the large ones', async () => {
  const sandbox = await start();
  const { url, control } = sandbox;
  const huge = Buffer.alloc(9_000_000, 'huge');
  const small = await upload(url, large);
  const form = new FormData();
  form.append('note', 'second');
  form.append('file', new Blob([new Uint8Array(large.subarray(1))]), 'a.scan');
  await made(url, '/scans/upload', form);
  const framed = { ...BINARY, 'content-encoding': 'boxes' };
  await made(url, '/scans', '3\r\nabc\r\n0\r\nx-sum: 1\r\n\r\n', framed);
  const most = await made(url, '/scans/huge', new Uint8Array(huge), BINARY);
  expect(most['sum']).toBe(sha1(huge));
  await made(url, '/scans/join', JSON.stringify({ of: [small.id, most.id] }), JSON_BODY);
  const bug = (await control.call('GET', '/export')) as unknown as Bug;
  expect(Object.keys(bug.files?.included ?? {})).toHaveLength(2);
  expect(bug.files?.left_out.map(({ size }) => size)).toEqual([huge.length]);
  const replayed = await replayBug(bug, { pack: folder, key: KEY, onDefect: () => undefined });
  open.push(replayed.sandbox);
  expect(replayed.unlike).toBeNull();
  expect((await content(replayed.sandbox.url, small.id)).equals(large)).toBe(true);
  expect((await exchange(replayed.sandbox.url, `/scans/${most.id}/content`, null)).status).toBe(500);
});

test('what a rejected call brought goes with the next sweep, and a full store is 413', async () => {
  const sandbox = await start();
  const { url, control, engine } = sandbox;
  const { files } = engine.runtime.surroundings;
  expect((await exchange(url, '/scans?fails=true', new Uint8Array(large), BINARY)).status).toBe(404);
  await upload(url, large.subarray(0, 70_000));
  expect(files?.total).toBe(970_000);
  files?.onFull();
  expect(files?.total).toBe(70_000);
  await control.reset();
  expect(files?.total).toBe(0);
});

test('a world of a file has its files after a restart; those that were changed from outside are not served', async () => {
  const file = join(folderOfTest(), 'kept.db');
  const before = await openFile(file);
  const first = await start(before);
  const { id, sum } = await upload(first.url, large);
  const fork = await first.worlds.create({ from: {} });
  await first.close();
  await before.close();
  const store = await openFile(file);
  const again = await start(store);
  const { url, worlds } = again;
  expect((await content(url, id)).equals(large)).toBe(true);
  const [name] = readdirSync(`${file}.files/w1`);
  expect(name).toBe(createHash('sha256').update(large).digest('hex'));
  const place = join(`${file}.files/w1`, name);
  writeFileSync(place, Buffer.concat([readFileSync(place).subarray(1), Buffer.from('x')]));
  const served = await exchange(url, `/scans/${id}/content`, null);
  expect([served.status, defects.splice(0).at(-1)]).toEqual([500, expect.stringContaining('changed from outside')]);
  expect(sum).toBe(sha1(large));
  await worlds.delete(fork.id);
  expect(readdirSync(`${file}.files`)).toEqual(['w1']);
  await again.close();
  await store.close();
});

test('a store has room for so many bytes, those that arrive included', async () => {
  const files = temporaryBytes(1000);
  const writer = files.writer();
  await writer.write(Buffer.alloc(600));
  expect(() => files.put(Buffer.alloc(401))).toThrow('1000 bytes');
  files.put(Buffer.alloc(400));
  await expect(writer.write(Buffer.alloc(1))).rejects.toThrow('1000 bytes');
  await writer.abort();
  expect(files.put(Buffer.alloc(600, 1)).size).toBe(600);
  files.remove();
});
