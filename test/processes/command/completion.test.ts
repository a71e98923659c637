import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { completionScript, SHELLS } from '../../../tools/commands/completion.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { skipped } from '../../support/skipped.js';
import { runCommand } from '../../support/command.js';
import { ROOT } from '../../support/root.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** What the tab key gives: names of the pack, what a running server lists, and that in each shell that this machine has. */

const folder = scratchFolder();
const sandbox = startSandbox('packs/payments', { key: 'sk_test_tab' });
let env: Record<string, string>;

beforeAll(() => {
  env = { SANDBOX_URL: sandbox.url, SANDBOX_KEY: sandbox.key };
  const command = join(folder, 'sandbox');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'dist', 'app', 'cli.cjs')}' "$@"\n`);
  chmodSync(command, 0o755);
});

const completed = async (...words: string[]): Promise<string[]> =>
  (await runCommand(['complete', '--', ...words], { env })).stdout.split('\n').slice(0, -1);

test('what the running server lists', async () => {
  const world = await sandbox.control.createWorld({ name: 'second' });
  await sandbox.control.call('POST', '/moments', { name: 'before-renewal' });
  const fault = await sandbox.control.call('POST', '/faults', {
    resource: 'charges',
    operation: 'list',
    kind: 'error',
    status: 500,
  });
  expect(world.id).not.toBe('');
  expect(await completed('end-world', 'sec')).toEqual(['second']);
  expect(await completed('fork', '--world', 'sec')).toEqual(['second']);
  expect(await completed('rewind', 'be')).toEqual(['before-renewal']);
  expect(await completed('fork', 'try', '--at', '')).toEqual(['before-renewal']);
  expect(await completed('clear-faults', '')).toEqual([fault['id']]);
  expect(await completed('unpin', '')).toEqual([]);
});

test('names of the pack, by the place where they stand', async () => {
  expect(await completed('objects', 'payment_intents', '--status', 'requires_c')).toEqual([
    'requires_confirmation',
    'requires_capture',
  ]);
  expect(await completed('next', '--cause', 'dispute.o')).toEqual(['dispute.opened']);
  expect(await completed('fault', 'charges.list', '--code', 'rate_')).toContain('rate_limited');
  expect(await completed('advance', '--until', 'invoice.pai')).toEqual(['invoice.paid']);
});

/** Asks a shell for what it would offer behind `words`, with the script that `sandbox completion` prints. */
const ASK: Readonly<Record<(typeof SHELLS)[number], (words: readonly string[]) => string>> = {
  bash: (words) => `
COMP_WORDS=(sandbox ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_sandbox
printf '%s\\n' "\${COMPREPLY[@]}"`,
  // What the shell would do with the answer stands in for it: its own functions work at a prompt only.
  zsh: (words) => `
words=(sandbox ${words.map((word) => `'${word}'`).join(' ')})
CURRENT=${words.length + 1}
compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- "$@" }
_files() { print files }
_sandbox`,
  fish: (words) => `complete -C 'sandbox ${words.join(' ')}'`,
};

for (const shell of SHELLS) {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!isThere) skipped(`completion in ${shell}. Install it (apt-get install ${shell}).`);
  (isThere ? test : test.skip)(`completion in ${shell}`, async () => {
    const script = completionScript(shell);
    const offered = async (...words: string[]): Promise<string[]> => {
      const begin = shell === 'zsh' ? 'compdef() { :; }\n' : '';
      const { stdout } = await promisify(execFile)(shell, ['-c', `${begin}${script}\n${ASK[shell](words)}`], {
        env: { ...process.env, ...env, PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: folder },
        // Fish offers files of the folder as well.
        cwd: folder,
      });
      return stdout.trim().split('\n');
    };
    expect(await offered('adv')).toEqual(['advance']);
    expect(await offered('event', 'payment.d')).toEqual(['payment.declined']);
    expect(await offered('event', 'refund.failed', 'rea')).toEqual(['reason=']);
  });
}
