import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './command.js';
import { documentText, testsOf } from './tour.js';

/** Every guide runs as it stands. */

const FOLDER = 'docs/guides';
const guides = readdirSync(join(ROOT, FOLDER)).filter((file) => file.endsWith('.md') && file !== 'README.md');

describe.each(guides)('%s', (file) => testsOf(documentText(join(FOLDER, file))));

test('the list of guides names each of them', () => {
  const text = documentText(join(FOLDER, 'README.md'));
  expect([...text.matchAll(/\]\((\w[\w-]*\.md)\)/g)].map(([, file]) => file).sort()).toEqual([...guides].sort());
});
