import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { createSandbox } from '../../engine/index.js';
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
});

/** The code of a pack's first call, as curl is called with it. */
function firstCall(pack: string, { url, key }: { readonly url: string; readonly key: string }): string[] {
  const { start } = parse(readFileSync(join(pack, 'pack.yaml'), 'utf8')) as {
    start: { languages: { name: string; code: string }[] };
  };
  const [{ name, code }] = start.languages;
  expect(name).toBe('curl');
  const words = code.replaceAll('{url}', url).replaceAll('{key}', key).replaceAll('\\\n', ' ');
  return [...words.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c).slice(1);
}

describe.each([
  ['rest', 'parcels', { status: 'ready', grams: 800 }],
  ['graphql', 'issues', { data: { issueCreate: { number: 1, state: 'open' } } }],
  ['rpc', 'tanks', { id: 1, result: { liters: 40 } }],
  ['xml', 'boats', '<name>Tern</name><crew>Ann</crew><crew>Bo</crew>'],
  ['oidc', 'members', { response_types_supported: ['code'] }],
])('a new pack of the kind %s', (kind, name, first) => {
  const pack = (): string => join(folder, 'packs', name);

  test('is small and valid, and its example holds', async () => {
    const made = await runCommand(['init-pack', name, '--kind', kind], { cwd: folder });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const checked = await runCommand(['validate-pack', `packs/${name}`, '--strict', '--examples'], { cwd: folder });
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toContain('1 example ran');
    const short = await runCommand(['fmt', '--short', '--check', `packs/${name}`], { cwd: folder });
    expect(short).toMatchObject({ code: 0 });
  });

  test('serves its first call', async () => {
    const sandbox = await createSandbox({ pack: pack() });
    try {
      const { stdout } = await promisify(execFile)('curl', ['-s', ...firstCall(pack(), sandbox)]);
      if (typeof first === 'string') expect(stdout).toContain(first);
      else expect(JSON.parse(stdout)).toMatchObject(first);
    } finally {
      await sandbox.close();
    }
  });
});

test('a new provider signs somebody in under openid-client', async () => {
  await runCommand(['init-pack', 'provider', '--kind', 'oidc', '--quiet'], { cwd: folder });
  const sandbox = await createSandbox({ pack: join(folder, 'packs', 'provider') });
  try {
    const oidc = await import('openid-client');
    const config = await oidc.discovery(new URL(sandbox.url), 'app', undefined, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    });
    const verifier = oidc.randomPKCECodeVerifier();
    const asked = oidc.buildAuthorizationUrl(config, {
      redirect_uri: 'http://localhost:3000/back',
      scope: 'openid',
      state: 's1',
      nonce: 'n1',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const page = (await fetch(asked, { redirect: 'manual' })).headers.get('location') ?? '';
    const sent = (password: string): Promise<Response> => {
      const body = new URLSearchParams({ email: 'ann@example.com', password });
      return fetch(page, { method: 'POST', body, redirect: 'manual', headers: { Origin: sandbox.url } });
    };
    expect((await sent('wrong')).headers.get('location')).toBe(page);
    const back = new URL((await sent('secret')).headers.get('location') ?? '');
    const checks = { pkceCodeVerifier: verifier, expectedState: 's1', expectedNonce: 'n1' };
    const tokens = await oidc.authorizationCodeGrant(config, back, checks);
    expect(tokens.claims()).toMatchObject({ iss: sandbox.url, sub: 'user_ann', aud: 'app', nonce: 'n1' });
    expect(await oidc.fetchUserInfo(config, tokens.access_token, 'user_ann')).toMatchObject({ name: 'Ann' });
    // A code works once.
    await expect(oidc.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
  } finally {
    await sandbox.close();
  }
});

test('an unknown kind is told with the nearest', async () => {
  const made = await runCommand(['init-pack', 'odd', '--kind', 'grapql'], { cwd: folder });
  expect(made.code).toBe(2);
  expect(made.stderr).toContain("there is no kind 'grapql' (did you mean 'graphql'?)");
});

test('what is there stays', async () => {
  await runCommand(['init-pack', 'twice', '--quiet'], { cwd: folder });
  const again = await runCommand(['init-pack', 'twice'], { cwd: folder });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('packs/twice/ already exists');
});

test('a name that cannot be one', async () => {
  expect(await runCommand(['init-pack', 'No Name'], { cwd: folder })).toMatchObject({ code: 2 });
});

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
});

test('the README shows lines of its resource, in their order', async () => {
  await runCommand(['init-pack', 'bikes', '--quiet'], { cwd: folder });
  const file = 'packs/bikes/resources/parcel.yaml';
  const lines = readFileSync(join(folder, file), 'utf8')
    .replaceAll(/ +#.*$/gm, '')
    .split('\n');
  const shown = documented('README.md', file).trimEnd().split('\n').slice(1);
  expect(lines.filter((line) => shown.includes(line))).toEqual(shown);
});
