import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadPack } from '../../engine/index.js';
import { writeFiles } from '../../tools/commands/init-pack.js';
import { Document, importDocument, readDocument } from '../../tools/openapi/index.js';
import { fuzzDocuments, mutilated } from '../../tools/develop/fuzz/documents.js';
import { Random } from '../../tools/openapi/random.js';
import { sound } from '../../tools/openapi/sound.js';
import { ROOT } from '../support/root.js';
import { IS_WHOLE, sampleCount } from '../support/sample.js';

const folder = mkdtempSync(join(tmpdir(), 'always-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Errors of the pack that an import makes. */
function errorsOf(document: Document): string[] {
  const to = mkdtempSync(join(folder, 'pack-'));
  const { files } = importDocument(document, 'imported');
  writeFiles(to, files);
  return loadPack(to)
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ file, line, message }) => `${file}:${line} ${message}`);
}

/** Seeds of what is tried of each document. */
const SEEDS = IS_WHOLE ? 12 : 3;
const ORIGINALS = ['shelter.yaml', 'boards.json', 'letters.json', 'hosting.yaml', 'rpc.yaml', 'traps.yaml'];

test.each(ORIGINALS)(
  'a mutilated %s is rejected as no document, or imported into a pack that loads',
  async (name) => {
    const original: unknown = parse(readFileSync(join(ROOT, 'test/tools/openapi', name), 'utf8'));
    let loaded = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const file = join(folder, `${seed}.json`);
      writeFileSync(file, JSON.stringify(mutilated(original, new Random(seed), 12 * seed)));
      let document: Document;
      try {
        document = await readDocument(file);
      } catch (error) {
        expect(error).toMatchObject({ code: 'openapi_invalid' });
        continue;
      }
      loaded++;
      expect([seed, errorsOf(document)]).toEqual([seed, []]);
    }
    // Else the test would ask nothing.
    expect(loaded).toBeGreaterThanOrEqual(SEEDS / 4);
  },
  300_000,
);

test('a mutilated document reads no file outside of its folder', async () => {
  const { findings, rejected, imported } = await fuzzDocuments(sampleCount(25, 4), 4);
  expect(findings).toEqual([]);
  expect(Math.min(rejected, imported)).toBeGreaterThan(0);
});

const path = (operation: object): object => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: { '/things/{id}/search': { post: { responses: { 200: { description: '' } }, ...operation } } },
});

test.each([
  [
    'bounds that numbers do not keep',
    {
      requestBody: {
        content: {
          'application/json': {
            schema: { properties: { seed: { type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 } } },
          },
        },
      },
    },
  ],
  ['an operation that is called like one of the language', { operationId: 'search' }],
  [
    'a response that begins like an expression',
    {
      responses: {
        200: { description: '', content: { 'application/json': { schema: {}, example: { sum: '=1 +', at: '${' } } } },
      },
    },
  ],
])('%s', (_, operation) => {
  const root = path(operation) as Record<string, unknown>;
  expect(errorsOf(new Document(root, root))).toEqual([]);
});

test('what does not load is left out, with the reason, and the rest is kept', async () => {
  const document = await readDocument(join(ROOT, 'test/tools/openapi/shelter.yaml'));
  const { files } = importDocument(document, 'imported');
  const animals = files['resources/animal.yaml'];
  const broken = {
    ...files,
    'resources/animal.yaml': `${animals.trimEnd()}\n  nap: { do: [{ set: nobody }] }\n`,
    'resources/crew.yaml': 'resource: crew\ncollection: crews\nfields: { at: { ref: harbour } }\noperations: [list]\n',
  };
  const { files: kept, left } = sound(broken);
  expect(kept['resources/animal.yaml']).toContain('retrieve');
  expect(kept['resources/animal.yaml']).not.toContain('nap:');
  expect(kept).not.toHaveProperty('resources/crew.yaml');
  expect(left).toEqual([
    expect.stringContaining('resources/animal.yaml operations nap: '),
    expect.stringContaining('resources/crew.yaml: '),
  ]);
});
