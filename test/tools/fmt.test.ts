import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { formatYaml } from '../../tools/format/format.js';
import { ROOT } from './command.js';

const files = ['payments', 'task-automation'].flatMap((pack) => {
  const folder = join(ROOT, 'packs', pack);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [`${pack}/${name}`, readFileSync(join(folder, name), 'utf8')] as const);
});

test('spaces, ends of lines and blank lines; comments, quotes and line breaks stay', () => {
  expect(
    formatYaml(
      '# top\r\na: {b: 1,c:  [ x,  "y" ] }   \n\n\n\nlist:\n  - { a: 1 }    # beside\ntext: |\n  kept   \n\n\n  too\nlong: { a: 1,\n  b: 2 }\n\n',
    ),
  ).toBe(
    '# top\na: { b: 1, c: [x, "y"] }\n\nlist:\n  - { a: 1 }    # beside\ntext: |\n  kept   \n\n\n  too\nlong: { a: 1,\n  b: 2 }\n',
  );
  expect(formatYaml('a: [1\n')).toBeUndefined();
});

test('files of both packs mean the same afterwards, and formatting again changes nothing', () => {
  // The larger pack has many files of one style.
  for (const [name, text] of files.filter(([name], at) => at % 4 === 0 || name.startsWith('task'))) {
    const made = formatYaml(text);
    expect([name, made === undefined]).toEqual([name, false]);
    expect([name, formatYaml(made ?? '')]).toEqual([name, made]);
  }
});

test('whatever spaces are put into a pack, the same file comes out as of the pack itself', () => {
  const small = files.filter(([, text]) => text.length < 4000);
  fc.assert(
    fc.property(fc.nat(small.length - 1), fc.nat(), (at, salt) => {
      const [, text] = small[at];
      const spoiled = text
        .split('\n')
        .map((line, index) => ((index + salt) % 3 === 0 && !/[|>]|^\s*$|^\s*[^:]*$/.test(line) ? `${line}  ` : line))
        .join('\n');
      const meaning = (each: string): unknown => parse(each, { uniqueKeys: false, logLevel: 'silent' });
      const made = formatYaml(spoiled);
      expect(made).toBeDefined();
      expect(meaning(made ?? '')).toEqual(meaning(spoiled));
      expect(formatYaml(made ?? '')).toBe(made);
    }),
    { numRuns: 40 },
  );
});
