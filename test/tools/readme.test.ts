import { runSandbox } from './command.js';
import { documentText, testsOf } from './tour.js';

describe('the tour of the README', () => testsOf(documentText('README.md', 'A tour in five minutes')));

describe('the options of serve', () => {
  const documented = [...documentText('README.md', 'The command').matchAll(/^\| `(--[\w-]+)/gm)].map(
    ([, name]) => name,
  );

  test('are those that --help lists', async () => {
    const { stdout } = await runSandbox(['serve', '--help']);
    const listed = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);
    expect([...documented].sort()).toEqual(listed.filter((name) => name !== '--help').sort());
  });
});
