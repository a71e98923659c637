import { runCommand } from '../support/command.js';
import { documentText } from './tour.js';

describe('the options of serve', () => {
  const documented = [
    ...documentText('docs/reference/command.md', '`sandbox serve`').matchAll(/^\| `(--[\w-]+)/gm),
  ].map(([, name]) => name);

  test('are those that --help lists', async () => {
    const { stdout } = await runCommand(['serve', '--help']);
    const listed = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);
    expect([...documented].sort()).toEqual(listed.filter((name) => name !== '--help').sort());
  });
});

test('the page of the command names every command', async () => {
  const { stdout } = await runCommand(['--help']);
  const commands = [...stdout.matchAll(/^ {2}([a-z][a-z-]+) .*$/gm)].map(([, name]) => name);
  const page = documentText('docs/reference/command.md');
  expect(commands.length).toBeGreaterThan(50);
  expect(commands.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`sandbox ${name}`))).toEqual([]);
});
