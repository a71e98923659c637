import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from '../support/command.js';

const SECRET = 'root-of-all-secrets';
const home = mkdtempSync(join(tmpdir(), 'import-files-'));
const folder = join(home, 'api');
let count = 0;

beforeAll(() => {
  mkdirSync(join(folder, 'parts'), { recursive: true });
  for (const path of ['secret.txt', 'secret.json', 'api/secret.txt'])
    writeFileSync(join(home, path), `{"secret":"${SECRET}"}`);
  symlinkSync(join(home, 'secret.json'), join(folder, 'linked.json'));
  symlinkSync(home, join(folder, 'up'));
  writeFileSync(join(folder, 'parts', 'pet.yaml'), 'type: object\nproperties: { name: { type: string } }\n');
});
afterAll(() => rmSync(home, { recursive: true }));

/** Imports a document and gives how that ended, and all that the pack holds. */
async function imported(text: string, ending = 'yaml'): Promise<{ code: number; said: string; pack: string }> {
  const file = join(folder, `document-${++count}.${ending}`);
  const pack = join(home, `pack-${count}`);
  writeFileSync(file, text);
  const { code, stdout, stderr } = await runCommand(['import-openapi', file, pack]);
  const files = existsSync(pack) ? readdirSync(pack, { recursive: true, withFileTypes: true }) : [];
  const texts = files.flatMap((each) =>
    each.isFile() ? [readFileSync(join(each.parentPath, each.name), 'utf8')] : [],
  );
  return { code, said: stdout + stderr, pack: texts.join('\n') };
}

const withReference = (ref: string): string => `
openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    post:
      operationId: createPet
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
components: { schemas: { Pet: { $ref: '${ref}' } } }
`;

test.each(['yaml', 'md'])('a document in a .%s file reads files in its folder', async (ending) => {
  const { code, pack } = await imported(withReference('parts/pet.yaml'), ending);
  expect(code).toBe(0);
  expect(pack).toContain('name:');
});

test('a description can be a file of Markdown', async () => {
  writeFileSync(join(folder, 'parts', 'pets.md'), '# Pets\n\nAll *our* pets: even `cats`.\n');
  const { code, pack } = await imported(
    withReference('parts/pet.yaml').replace("version: '1'", "version: '1', description: { $ref: parts/pets.md }"),
  );
  expect(code).toBe(0);
  expect(pack).toContain('even `cats`');
});

test.each([
  ['a parent folder', '../secret.json'],
  ['an absolute path', join(home, 'secret.json')],
  ['a file: URL', pathToFileURL(join(home, 'secret.json')).href],
  ['an encoded parent folder', '%2e%2e/secret.json'],
  ['a symbolic link to a file', 'linked.json'],
  ['a symbolic link to a folder', 'up/secret.json'],
  ['a text file', 'secret.txt'],
  ['a system file', '/etc/passwd'],
  ['the network', 'http://127.0.0.1:1/pet.yaml'],
  ['the network, without its protocol', '//127.0.0.1/pet.yaml'],
])('a reference to %s ends the import, and nothing is written', async (_, ref) => {
  const { code, said, pack } = await imported(withReference(ref));
  expect(code).toBe(1);
  expect(said).toMatch(/it refers to|no OpenAPI document/);
  expect(pack).toBe('');
  expect(said + pack).not.toContain(SECRET);
});

test('aliases that multiply end the import', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, n) =>
      `  a${n}: &a${n} [${Array(9)
        .fill(n === 0 ? 'x' : `*a${n - 1}`)
        .join(', ')}]`,
  );
  const { code, said } = await imported(`x-bomb:\n${levels.join('\n')}\n${withReference('parts/pet.yaml')}`);
  expect(code).toBe(1);
  expect(said).toContain('alias');
});

test.each([
  ['lists', `x-deep: ${'['.repeat(3000)}${']'.repeat(3000)}`],
  ['maps', `x-deep: ${'{ a: '.repeat(1000)}1${' }'.repeat(1000)}`],
  ['an anchor that holds itself', 'x-deep: &deep { example: *deep }'],
])('data that nests without end ends the import with one line: %s', async (_, deep) => {
  const { code, said } = await imported(`${deep}\n${withReference('parts/pet.yaml')}`);
  expect(code).toBe(1);
  expect(said).not.toMatch(/\n\s+at /);
  expect(dirname(said)).not.toContain('node_modules');
});
