import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { generatedSources } from '../../tools/schemas/generated.js';
import { ROOT } from './command.js';

test('the types of pack files are what the schemas say (npm run types:pack writes them anew)', async () => {
  const sources = await generatedSources();
  expect(sources.size).toBe(2);
  for (const [path, text] of sources) {
    expect([relative(ROOT, path), readFileSync(path, 'utf8')]).toEqual([relative(ROOT, path), text]);
  }
});
