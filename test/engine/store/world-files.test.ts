import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, StoreError } from '../../../engine/index.js';
import type { FileStore } from '../../../engine/store/index.js';
import { openFile } from '../../support/file-store.js';
import { packFolder } from '../../support/sample-pack.js';
import { folderOfTest } from '../../support/scratch-folder.js';

/** Files of worlds in a store that no server has open: exported, imported, checked, repaired and compacted with their worlds. */

const folder = packFolder({
  'pack.yaml': 'encoding: { requests: json, max_body: 3MB }\n',
  'resources/scan.yaml': `resource: scan
collection: scans
path: /scans
id: { prefix: "s" }
fields: { content: { type: string, internal: true } }
operations:
  create: { body: { as: file, type: bytes }, do: [{ create: scan, with: { content: =params.file.base64 } }] }
  delete: {}
  content: { route: "GET /scans/{id}/content", content: { type: image/x-scan, base64: =self.content } }
`,
});
const [kept, deleted] = [randomBytes(2_000_000), randomBytes(100_000)];
const nameOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function withWorld<T>(
  store: FileStore,
  work: (url: string, headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const sandbox = await createSandbox({ pack: folder, key: 'key_files', seed: 's', t0: 0, store });
  try {
    return await work(sandbox.url, { authorization: 'Bearer key_files', 'content-type': 'image/x-scan' });
  } finally {
    await sandbox.close();
    await store.close();
  }
}

/** A store with a world that has a file, and one whose object is deleted; and the id of the object. */
async function filled(name: string): Promise<{ store: FileStore; file: string; files: string; id: string }> {
  const file = join(folderOfTest(), `${name}.db`);
  const id = await withWorld(await openFile(file), async (url, headers) => {
    const ids: string[] = [];
    for (const body of [kept, deleted]) {
      const made = await fetch(`${url}/scans`, { method: 'POST', headers, body: new Uint8Array(body) });
      ids.push(((await made.json()) as { id: string }).id);
    }
    await fetch(`${url}/scans/${ids[1]}`, { method: 'DELETE', headers });
    return ids[0];
  });
  return { store: await openFile(file), file, files: join(`${file}.files`, 'w1'), id };
}

const contentOf = async (file: string, id: string): Promise<Buffer> =>
  withWorld(await openFile(file), async (url, headers) =>
    Buffer.from(await (await fetch(`${url}/scans/${id}/content`, { headers })).arrayBuffer()),
  );

async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const message = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof StoreError ? error.message : String(error)),
  );

test('an exported world has its files, and its import serves the same bytes', async () => {
  const { store, id } = await filled('from');
  expect(await store.check('w1')).toEqual({ wrong: [], unused: { count: 0, bytes: 0 } });
  const lines = await linesOf(store.export('w1'));
  const file = join(folderOfTest(), 'to.db');
  const other = await openFile(file);
  expect(await other.import(lines)).toMatchObject({ id: 'w1', lost: [] });
  await Promise.all([store.close(), other.close()]);
  expect(readdirSync(`${file}.files`)).toEqual(['w1']);
  expect((await contentOf(file, id)).equals(kept)).toBe(true);
});

test('an export whose bytes were changed is rejected, and leaves nothing', async () => {
  const { store } = await filled('changed');
  const lines = await linesOf(store.export('w1'));
  const at = lines.findIndex((line) => line.startsWith('{"bytes":'));
  const changed = lines.with(at, `{"bytes":"${Buffer.from('other').toString('base64')}"}`);
  const file = join(folderOfTest(), 'changed-to.db');
  const other = await openFile(file);
  expect(await message(other.import(changed))).toMatch(/^the file [0-9a-f]{64} of the exported world is damaged$/);
  expect([await other.worlds(), existsSync(`${file}.files`) ? readdirSync(`${file}.files`) : []]).toEqual([[], []]);
  await Promise.all([store.close(), other.close()]);
});

test.each<[string, (path: string) => void, string]>([
  ['missing', (path) => rmSync(path), 'is missing'],
  ['damaged', (path) => writeFileSync(path, Buffer.alloc(2_000_000)), 'is damaged'],
])('a %s file is found; a repair exports the world without it, and an import names it', async (name, harm, problem) => {
  const { store, files } = await filled(name);
  harm(join(files, nameOf(kept)));
  const sentence = `the file ${nameOf(kept)} ${problem}`;
  expect((await store.check('w1')).wrong).toEqual([sentence]);
  expect(await message(linesOf(store.export('w1')))).toContain(sentence);
  const { lines, damage, lost } = await store.soundPart('w1');
  expect([damage, lost]).toEqual([[sentence], null]);
  const other = await openFile(join(folderOfTest(), `${name}-to.db`));
  expect((await other.import(await linesOf(lines))).lost).toEqual([`the file ${nameOf(kept)} is missing`]);
  await Promise.all([store.close(), other.close()]);
});

test('files that only the history refers to may be gone', async () => {
  const { store, files } = await filled('history');
  rmSync(join(files, nameOf(deleted)));
  expect((await store.check('w1')).wrong).toEqual([]);
  expect((await linesOf(store.export('w1'))).filter((line) => line.startsWith('{"file":'))).toHaveLength(1);
  await store.close();
});

test('compacting deletes what nothing refers to', async () => {
  const { store, file, files, id } = await filled('compact');
  const orphan = Buffer.from('nobody');
  writeFileSync(join(files, nameOf(orphan)), orphan);
  mkdirSync(join(`${file}.files`, 'w9'));
  expect((await store.check('w1')).unused).toEqual({ count: 1, bytes: 6 });
  await store.compact('w1');
  await store.shrink();
  expect(readdirSync(files).sort()).toEqual([nameOf(kept), nameOf(deleted)].sort());
  expect(readdirSync(`${file}.files`)).toEqual(['w1']);
  await store.close();
  expect((await contentOf(file, id)).equals(kept)).toBe(true);
});
