import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, startCommand } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';

const TUTORIAL = readFileSync(join(ROOT, 'docs', 'start', 'testing-task-automation.md'), 'utf8');

/** The files of the tutorial: blocks of one name are parts of one file. */
function filesOf(text: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const [, name, body] of text.matchAll(/^```js file=(\S+)\n([^]*?)^```$/gm))
    files.set(name, files.has(name) ? `${files.get(name)}\n${body}` : body);
  return files;
}

describe('the tutorial of the task-automation pack', () => {
  const files = filesOf(TUTORIAL);
  const folder = mkdtempSync(join(tmpdir(), 'invoices-'));
  const key = 'sk_test_tutorial';
  const sandbox = startCommand(['serve', 'packs/task-automation', '--port', '0', '--key', key, '--json']);

  afterAll(async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  });

  test('runs as it stands there, with the outcome that it shows', async () => {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    const [line] = await sandbox.lines(1);
    const { url } = JSON.parse(line) as { url: string };
    const args = ['--test', '--test-reporter=tap'];
    const { code, stdout, stderr } = await startProcess(process.execPath, args, {
      cwd: folder,
      env: { VENDOR_URL: url, VENDOR_KEY: key },
    }).ended;
    const failures = stdout.split('\n').filter((each) => /^\s*not ok|^\s*error:/.test(each));
    expect([failures, stderr, code]).toEqual([[], '', 0]);
    const [, shown] = /^```text\n([^]*?)\n```$/m.exec(TUTORIAL) ?? [];
    for (const each of shown.split('\n')) expect(stdout.split('\n')).toContain(each);
  });

  test('all of its code is in these files', () => {
    expect([...files.keys()]).toEqual(['invoices.mjs', 'hooks.mjs', 'sandbox.mjs', 'invoices.test.mjs']);
    const blocks = [...TUTORIAL.matchAll(/^```(\w+)(.*)$/gm)].map(([, language, name]) => [language, name !== '']);
    expect(blocks.filter(([language, named]) => language === 'js' && named === false)).toEqual([]);
  });
});
