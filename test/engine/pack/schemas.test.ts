import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_KINDS } from '../../../engine/pack/pack-files.js';
import { ROOT } from '../../support/root.js';

const FOLDER = join(ROOT, 'schemas');

interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly [key: string]: unknown;
}

/** The schema of a kind of pack file. */
function schemaOf(kind: string): Schema {
  return JSON.parse(readFileSync(`${FOLDER}/${kind}.schema.json`, 'utf8')) as Schema;
}

/** Parts of a schema that hold values, or only narrow keys that are described beside them. */
const NO_KEYS = new Set(['if', 'then', 'else', 'enum', 'const', 'default', 'examples']);

/** Every key that a schema describes, at any depth. */
function keysOf(node: unknown, path = ''): { readonly path: string; readonly schema: Schema }[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node as Schema).flatMap(([key, value]) => {
    if (NO_KEYS.has(key)) return [];
    if (key !== 'properties') return keysOf(value, `${path}/${key}`);
    return Object.entries(value as Readonly<Record<string, Schema>>).flatMap(([name, schema]) => [
      { path: `${path}.${name}`, schema },
      ...keysOf(schema, `${path}.${name}`),
    ]);
  });
}

test('every kind of file has a schema, and every schema is of a kind', () => {
  const names = readdirSync(FOLDER).flatMap((name) => /^(\w+)\.schema\.json$/.exec(name)?.[1] ?? []);
  expect(names.sort()).toEqual([...FILE_KINDS, 'definitions'].sort());
});

test.each(['definitions', ...FILE_KINDS])('%s: every key has a title and a description', (kind) => {
  const schema = schemaOf(kind);
  expect(schema).toMatchObject({ title: expect.stringMatching(/\S/), description: expect.stringMatching(/\S{3}/) });
  const keys = keysOf(schema);
  const lacking = keys.filter((each) => !each.schema.title || !each.schema.description).map(({ path }) => path);
  expect(lacking).toEqual([]);
  if (!['types', 'causes', 'actors', 'facts'].includes(kind)) expect(keys.length).toBeGreaterThan(4);
});

/** The words in the sources of a folder, without comments and generated types of the schemas. */
function wordsOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.c?tsx?$/.test(path) && path !== 'model/files.ts')
    .flatMap((path) =>
      readFileSync(join(ROOT, folder, path), 'utf8')
        .replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
        .match(/\w+/g),
    )
    .filter((word) => word !== null);
}

test('every key that a schema describes is read by the engine or a tool', () => {
  const words = new Set(['engine', 'tools'].flatMap(wordsOf));
  const keys = ['definitions', ...FILE_KINDS].flatMap((kind) => keysOf(schemaOf(kind)));
  expect(keys.length).toBeGreaterThan(500);
  const unread = keys.filter(({ path }) => !words.has(path.slice(path.lastIndexOf('.') + 1)));
  expect([...new Set(unread.map(({ path }) => path))]).toEqual([]);
});

test.each(Object.entries(schemaOf('definitions')['definitions'] as Readonly<Record<string, Schema>>))(
  'the definition %s has a title',
  (_name, schema) => {
    expect(schema.title ?? '').not.toBe('');
  },
);
