import { runSandbox } from './command.js';

/** Every place of the command that takes a name: one that nothing has ends it, with the nearest right one. */

test.each([
  ['srve', 'serve'],
  ['serve payments --prt 1', '--port'],
  ['serve paymnts', 'payments'],
  ['serve payments --worlds kye', 'key'],
  ['serve payments --log jsn', 'json'],
  ['serve payments --set vendr=x', 'vendor'],
  ['validate-pack paymnts', 'payments'],
  ['validate-pack payments --format jsn', 'json'],
  ['exec paymnts -- true', 'payments'],
  ['explain payments customers.creat', 'customers.create'],
  ['types paymnts', 'payments'],
  ['fault customers.create --kind rest', 'reset'],
  ['worlds lst store.db', 'list'],
])('sandbox %s', async (line, near) => {
  const { code, stderr } = await runSandbox(line.split(' '));
  expect(stderr.toLowerCase()).toMatch(/did you mean/);
  expect(stderr).toMatch(new RegExp(`[Dd]id you mean (one of \\w+, )?'?${near}'?\\?`));
  expect(code).toBe(2);
});

test.each([['serve payments --key='], ['exec payments --key= -- true']])('an empty key: sandbox %s', async (line) => {
  const { code, stderr } = await runSandbox(line.split(' '));
  expect(stderr).toContain('must not be empty');
  expect(code).toBe(2);
});
