import { runCommand } from '../support/command.js';
import { startCommand } from '../support/processes.js';

/** Every place of the command that takes a name: one that nothing has ends it, with the nearest right one. */

test.each([
  ['srve', 'serve'],
  ['serve payments --prt 1', '--port'],
  ['serve payments --worlds kye', 'key'],
  ['serve payments --log jsn', 'json'],
  ['validate-pack paymnts', 'payments'],
  ['validate-pack payments --format jsn', 'json'],
  ['exec paymnts -- true', 'payments'],
  ['explain payments customers.creat', 'customers.create'],
  ['types paymnts', 'payments'],
  ['fault customers.create --kind rest', 'reset'],
  ['worlds lst store.db', 'list'],
])('sandbox %s', async (line, near) => expectSuggestion(await runCommand(line.split(' ')), near));

// What `serve` finds wrong in its thread, which only a process has.
test.each([
  ['serve paymnts', 'payments'],
  ['serve test/samples/full --set vendr=x', 'vendor'],
])('sandbox %s', async (line, near) => expectSuggestion(await startCommand(line.split(' ')).ended, near));

function expectSuggestion(
  { code, stderr }: { readonly code: number | null; readonly stderr: string },
  near: string,
): void {
  expect(stderr.toLowerCase()).toMatch(/did you mean/);
  expect(stderr).toMatch(new RegExp(`[Dd]id you mean (one of \\w+, )?'?${near}'?\\?`));
  expect(code).toBe(2);
}

test.each([['serve payments --key='], ['exec payments --key= -- true']])('an empty key: sandbox %s', async (line) => {
  const { code, stderr } = await runCommand(line.split(' '));
  expect(stderr).toContain('must not be empty');
  expect(code).toBe(2);
});
