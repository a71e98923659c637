import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, PackCache, type Sandbox } from '../../../engine/index.js';
import { ROOT } from '../../support/root.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { startProcess } from '../../support/processes.js';

/** The code that the inspector shows for a first call: what curl and Node can run makes a call that succeeds. */

interface Start {
  readonly languages: readonly { readonly name: string; readonly code: string }[];
  readonly collections: readonly string[];
  readonly tries: readonly unknown[];
}

const folder = scratchFolder();
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

const RUNS: Readonly<Record<string, (file: string) => readonly [string, readonly string[]]>> = {
  curl: (file) => ['bash', [file]],
  JavaScript: (file) => [process.execPath, [file]],
};

describe.each(readdirSync(join(ROOT, 'packs')))('%s', (pack) => {
  let sandbox: Sandbox;
  let start: Start;

  beforeAll(async () => {
    sandbox = await createSandbox({ pack: join(ROOT, 'packs', pack), cache: PackCache.ofInstallation() });
    start = ((await sandbox.control.call('GET', '/pack')) as unknown as { start: Start }).start;
  });

  afterAll(() => sandbox.close());

  test('every program runs, and each made a call', async () => {
    const { hostname, port, protocol } = new URL(sandbox.url);
    const values: Readonly<Record<string, string>> = {
      url: sandbox.url,
      key: sandbox.key,
      host: hostname,
      port,
      protocol: protocol.slice(0, -1),
    };
    const failures: string[] = [];
    for (const { name, code } of start.languages) {
      expect(code).toContain('{key}');
      const run = RUNS[name];
      if (!run) continue;
      await sandbox.control.reset();
      const file = join(folder, `${pack}-${name}.mjs`);
      const text = code.replace(/\{(\w+)\}/g, (whole, place: string) => values[place] ?? whole);
      writeFileSync(file, text);
      const ended = await startProcess(...run(file), { cwd: folder }).ended;
      const { data } = (await sandbox.control.call('GET', '/traces?limit=1')) as { data: { status: number }[] };
      if (ended.code !== 0 || (data[0]?.status ?? 500) >= 300)
        failures.push(`${name}: ${data[0]?.status} ${ended.stdout}${ended.stderr}`);
    }
    expect(failures).toEqual([]);
    expect(start.languages.length).toBeGreaterThan(1);
  });
});
