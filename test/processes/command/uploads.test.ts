import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { uploads, type UploadResult } from '../../../tools/develop/uploads/uploads.js';
import { runSandbox, startCommand } from '../../support/processes.js';
import { folderOfTest } from '../../support/scratch-folder.js';

/** Files of real size at a small heap: a sample of `tools/develop/uploads/main.ts`. */

test.each([
  ['code-hosting', ['release asset', 'blob', 'contents']],
  ['team-chat', ['file']],
])(
  '%s takes and returns files of real size at a small heap',
  async (pack, kinds) => {
    const server = startCommand(['serve', pack, '--port', '0', '--json'], {
      env: { NODE_OPTIONS: '--max-old-space-size=96' },
    });
    try {
      const [line] = await server.lines(1);
      const results: UploadResult[] = [];
      for await (const each of uploads(pack, JSON.parse(line) as { url: string; key: string }, 12_000_000, 0))
        results.push(each);
      expect(results.map(({ what, isSame }) => [what, isSame])).toEqual(kinds.map((what) => [what, true]));
      expect(server.child.exitCode).toBeNull();
    } finally {
      await server.stop('SIGKILL');
    }
  },
  120_000,
);

test('after a kill, files of a world are sound, and go with it to another store', async () => {
  const folder = folderOfTest();
  const [from, to, out] = ['from.db', 'to.db', 'main.world'].map((name) => join(folder, name));
  const serve = async (store: string) => {
    const server = startCommand([
      'serve',
      'code-hosting',
      '--port',
      '0',
      '--json',
      '--store',
      store,
      '--key',
      'ghp_key',
    ]);
    const [line] = await server.lines(1);
    return { server, url: (JSON.parse(line) as { url: string }).url };
  };
  const headers = { authorization: 'Bearer ghp_key', 'content-type': 'application/json' };
  const content = randomBytes(1_500_000).toString('base64');
  const before = await serve(from);
  await fetch(`${before.url}/user/repos`, { method: 'POST', headers, body: '{"name":"files"}' });
  const { login } = (await (await fetch(`${before.url}/user`, { headers })).json()) as { login: string };
  const blobs = `/repos/${login}/files/git/blobs`;
  const made = await fetch(`${before.url}${blobs}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ content, encoding: 'base64' }),
  });
  const { sha } = (await made.json()) as { sha: string };
  await before.server.stop('SIGKILL');
  expect((await runSandbox(['worlds', 'check', from, '--json'])).stdout).toContain('"wrong":[]');
  expect((await runSandbox(['worlds', 'export', from, 'main', '--out', out])).code).toBe(0);
  expect((await runSandbox(['worlds', 'import', to, out])).code).toBe(0);
  const after = await serve(to);
  const served = (await (await fetch(`${after.url}${blobs}/${sha}`, { headers })).json()) as { content: string };
  await after.server.stop('SIGKILL');
  expect(served.content.replaceAll('\n', '') === content).toBe(true);
}, 120_000);
