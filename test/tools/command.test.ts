import { tmpdir } from 'node:os';
import { runCommand } from '../support/command.js';

/** The `sandbox` command as such: its version, its help, and options that it rejects before it begins. */

test('tells its version and how it is used', async () => {
  const version = await runCommand(['--version']);
  const help = await runCommand(['--help']);
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/serve[^]*validate-pack/) });
});

test('an unknown command is refused with what was meant', async () => {
  const { code, stderr } = await runCommand(['server']);
  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean serve?');
});

test('help of a command comes by its option and by its name', async () => {
  expect(await runCommand(['help', 'up'])).toEqual(await runCommand(['up', '--help']));
});

test('works in any folder', async () => {
  const { code, stdout } = await runCommand(['validate-pack', 'payments'], { cwd: tmpdir() });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('payments 0.1.0') });
});

test.each([
  ['--port', 'http', 'A port is a number from 0 to 65535'],
  ['--key', '', 'It must not be empty'],
  ['--clock', 'backwards', 'A clock is frozen or realtime'],
  ['--set', 'vendor', 'A variable is given as name=value'],
  ['--prot', '1', "unknown option '--prot'"],
])('serve %s %s is rejected with exit code 2', async (option, value, message) => {
  const { code, stderr } = await runCommand(['serve', 'payments', '--port', '0', option, value]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
