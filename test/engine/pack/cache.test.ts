import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackCache, readPack, validateSchemas } from '../../../engine/pack/index.js';
import { schemaValid } from './schema-valid-pack.js';

test('a pack read before gives the same data, positions and hash; a changed file is read again', () => {
  const dir = schemaValid.write();
  const cache = new PackCache(join(dir, '.cache'));
  const first = readPack(dir, { cache });
  expect(validateSchemas(first.source, { cache })).toEqual([]);
  expect(readdirSync(cache.folder)).toHaveLength(3);
  const second = readPack(dir, { cache });
  expect(second.source.hash).toBe(first.source.hash);
  expect(second.source.files.map((file) => file.data)).toEqual(first.source.files.map((file) => file.data));
  expect(second.source.all('flow')[0].locate(['do', 0, 'with', 'book'])).toEqual({ line: 6, column: 19 });
  expect(validateSchemas(second.source, { cache })).toEqual([]);

  writeFileSync(join(dir, 'flows/lend.yaml'), 'flow: lend\n');
  const third = readPack(dir, { cache });
  expect(third.source.hash).not.toBe(first.source.hash);
  expect(validateSchemas(third.source, { cache })).toMatchObject([{ code: 'missing-key' }]);
  expect(validateSchemas(third.source, { cache })).toMatchObject([{ code: 'missing-key' }]);
});

test('of an edited pack only the edited files are parsed', () => {
  const dir = schemaValid.write();
  const cache = new PackCache(join(dir, '.cache'));
  const { source } = readPack(dir, { cache });
  const known = { ...cache.files(source.hash), 'resources/loan.yaml': { from: 'the cache' } };
  cache.keepFiles(source.hash, known);
  writeFileSync(join(dir, 'flows/lend.yaml'), 'flow: lend\ndo: []\n');
  const data = (): unknown[] =>
    ['resources/loan.yaml', 'flows/lend.yaml'].map(
      (path) => readPack(dir, { cache }).source.files.find((file) => file.path === path)?.data,
    );
  expect(data()).toEqual([{ from: 'the cache' }, { flow: 'lend', do: [] }]);
  writeFileSync(join(dir, 'resources/loan.yaml'), 'resource: loan\n');
  expect(data()).toEqual([{ resource: 'loan' }, { flow: 'lend', do: [] }]);
});

test('a damaged or unwritable cache only costs time', () => {
  const dir = schemaValid.write();
  const cache = new PackCache(join(dir, '.cache'));
  const { source } = readPack(dir, { cache });
  for (const name of readdirSync(cache.folder)) writeFileSync(join(cache.folder, name), '{"half');
  expect(readPack(dir, { cache }).source.files.map((file) => file.data)).toEqual(source.files.map((file) => file.data));
  rmSync(cache.folder, { recursive: true });
  writeFileSync(cache.folder, 'a file where the folder should be');
  expect(readPack(dir, { cache }).problems).toEqual([]);
  rmSync(cache.folder);
  mkdirSync(cache.folder);
});
