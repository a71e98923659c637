import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root.js';
import { documentText } from './tour.js';

test('the list of guides names each of them', () => {
  const pages = readdirSync(join(ROOT, 'docs', 'guides')).filter((file) => file.endsWith('.md'));
  const text = documentText('docs/guides/README.md');
  const named = [...text.matchAll(/\]\((\w[\w-]*\.md)\)/g)].map(([, file]) => file);
  expect([...named, 'README.md'].sort()).toEqual([...pages].sort());
});
