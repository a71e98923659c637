import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadPack } from '../../../engine/index.js';
import { ROOT } from '../../support/root.js';

/** A pattern that is a regular expression, but none that the engine runs, is told where it stands; no other check falls over it. */

const folder = mkdtempSync(join(tmpdir(), 'patterns-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The problems of a pack with one text replaced. */
function told(pack: string, file: string, from: string | RegExp, to: string): string[] {
  const own = join(ROOT, 'test', 'packs', pack);
  for (const name of readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.yaml'))) {
    const text = readFileSync(join(own, name), 'utf8');
    mkdirSync(dirname(join(folder, pack, name)), { recursive: true });
    writeFileSync(join(folder, pack, name), name === file ? text.replace(from, () => to) : text);
  }
  return loadPack(join(folder, pack)).problems.map((each) => `${each.code} ${each.file}`);
}

describe.each(['(?<=a)x', '^(a)\\1$', '^a(?=b)'])('%s', (pattern) => {
  test.each([
    ['of test values', 'parcels', 'magic.yaml', "'^cou_test_'", `'${pattern}'`],
    ['of names of versions', 'kiosk', 'pack.yaml', "pattern: '^\\d{4}-\\d{2}-\\d{2}$'", `pattern: '${pattern}'`],
    ['of older versions', 'kiosk', 'pack.yaml', "current: '2025-06-01'", `current: '2025-06-01', older: '${pattern}'`],
    ['of later versions', 'kiosk', 'versions/2025-06-01.yaml', 'changes:', `later: '${pattern}'\nchanges:`],
    ['of ids', 'kiosk', 'resources/paper.yaml', 'format: tag }', `format: tag, pattern: '${pattern}' }`],
    ['of a format of ids', 'kiosk', 'pack.yaml', 'of: hex }] }', `of: hex }], pattern: '${pattern}' }`],
    [
      'of a parameter with a default',
      'kiosk',
      'resources/paper.yaml',
      'title!',
      `title: { type: string, pattern: '${pattern}', default: abc }`,
    ],
  ])('%s', (_what, pack, file, from, to) => {
    expect(told(pack, file, from, to)).toContain(`unsafe-pattern ${file}`);
  });
});
