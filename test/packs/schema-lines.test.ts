import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packsIn } from '../../tools/command/installation.js';
import { schemaLine } from '../../tools/templates/schema-line.js';
import { ROOT } from '../support/root.js';

const folders = [...packsIn(join(ROOT, 'packs')), ...packsIn(join(ROOT, 'test', 'packs'))];

test.each(folders.map((folder) => [folder.slice(ROOT.length), folder]))(
  'each file of %s begins with the line that tells editors its schema',
  (_name, folder) => {
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
    const wanted = paths.flatMap((path) => {
      const line = schemaLine(folder, path);
      return line === undefined ? [] : [{ path, line }];
    });
    expect(wanted.length).toBeGreaterThan(2);
    const lacking = wanted.filter(({ path, line }) => readFileSync(join(folder, path), 'utf8').split('\n')[0] !== line);
    expect(lacking).toEqual([]);
  },
);
