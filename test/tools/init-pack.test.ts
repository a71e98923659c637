import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../support/command.js';
import { documented } from './blocks.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

test('a new pack is valid without a warning, and its example holds', async () => {
  const made = await runCommand(['init-pack', 'couriers'], { cwd: folder });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('packs/couriers/resources/parcel.yaml');
  const checked = await runCommand(['validate-pack', '--strict', '--examples'], { cwd: folder });
  expect(checked.stdout).toContain('1 example ran');
  expect(checked).toMatchObject({ code: 0, stderr: '' });
}, 30_000);

test('what is there stays', async () => {
  await runCommand(['init-pack', 'twice', '--quiet'], { cwd: folder });
  const again = await runCommand(['init-pack', 'twice'], { cwd: folder });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('packs/twice/ already exists');
}, 30_000);

test('a name that cannot be one', async () => {
  expect(await runCommand(['init-pack', 'No Name'], { cwd: folder })).toMatchObject({ code: 2 });
}, 30_000);

test('the first line of every file tells editors its schema', async () => {
  await runCommand(['init-pack', 'edited', '--quiet'], { cwd: folder });
  const pack = join(folder, 'packs', 'edited');
  const files = readdirSync(pack, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  const schemas = files.map((path) => {
    const [first] = readFileSync(join(pack, path), 'utf8').split('\n');
    const way = /^# yaml-language-server: \$schema=(\S+)$/.exec(first)?.[1] ?? 'missing';
    const schema = JSON.parse(readFileSync(join(pack, path, '..', way), 'utf8')) as { readonly $id: string };
    return [path.replaceAll('\\', '/'), schema.$id];
  });
  expect(schemas.sort()).toEqual([
    ['errors.yaml', 'errors.schema.json'],
    ['examples/parcel.yaml', 'example.schema.json'],
    ['pack.yaml', 'pack.schema.json'],
    ['resources/event.yaml', 'resource.schema.json'],
    ['resources/parcel.yaml', 'resource.schema.json'],
    ['resources/webhook.yaml', 'resource.schema.json'],
    ['scenarios.yaml', 'scenarios.schema.json'],
  ]);
}, 30_000);

test('the README shows lines of its resource, in their order', async () => {
  await runCommand(['init-pack', 'bikes', '--quiet'], { cwd: folder });
  const file = 'packs/bikes/resources/parcel.yaml';
  const lines = readFileSync(join(folder, file), 'utf8')
    .replaceAll(/ +#.*$/gm, '')
    .split('\n');
  const shown = documented('README.md', file).trimEnd().split('\n').slice(1);
  expect(lines.filter((line) => shown.includes(line))).toEqual(shown);
}, 30_000);
