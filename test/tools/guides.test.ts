import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './command.js';
import { documentText, testsOf } from './tour.js';

/** Every guide runs as it stands. */

const FOLDER = 'docs/guides';
/** Pages whose blocks other tests run, or which have none to run. */
const OTHERS = [
  ...['README.md', 'cookbook.md', 'editors.md', 'importing.md', 'in-tests.md', 'inspector.md', 'parallel-tests.md'],
  'running-for-a-team.md',
];
const pages = readdirSync(join(ROOT, FOLDER)).filter((file) => file.endsWith('.md'));
const guides = pages.filter((file) => !OTHERS.includes(file)).map((file) => join(FOLDER, file));

const CONCEPTS = ['which-tool', 'time', 'determinism'].map((name) => `docs/concepts/${name}.md`);

describe.each([...guides, ...CONCEPTS])('%s', (file) => testsOf(documentText(file)));

test('the list of guides names each of them', () => {
  const text = documentText(join(FOLDER, 'README.md'));
  const named = [...text.matchAll(/\]\((\w[\w-]*\.md)\)/g)].map(([, file]) => file);
  expect([...named, 'README.md'].sort()).toEqual([...pages].sort());
});
