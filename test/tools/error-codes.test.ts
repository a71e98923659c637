import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL_CODES, MACHINE, NAMED, NAMED_IN_PACK, PROBLEM_CODES, UNUSED } from '../../engine/codes.js';
import { ROOT } from '../support/root.js';
import { documentText } from './tour.js';

/** docs/reference/errors.md against the source, both ways: what can be reported is documented, and what is documented can be. */

const PAGE = 'docs/reference/errors.md';
/** Faults of a store, as `store_...` of the command. */
const STORE = ['locked', 'format', 'damaged', 'full', 'failed', 'taken', 'missing', 'closed'];

const sources = ['engine', 'tools'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== 'codes.ts')
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(ROOT, folder, path), 'utf8') })),
);

/** Codes in the first column of the tables below a heading. */
function documented(heading: string): string[] {
  const rows = [...documentText(PAGE, heading).matchAll(/^\| (`[^|]+) \|/gm)];
  return rows.flatMap(([, cell]) => [...cell.matchAll(/`([\w.-]+)`/g)].map(([, code]) => code)).sort();
}

/** Codes that commands fail with. */
function ofCommands(): string[] {
  const found = new Set(STORE.map((fault) => `store_${fault}`));
  for (const { path, text } of sources.filter((each) => each.path.startsWith('tools'))) {
    for (const [, code] of text.matchAll(/\bExit\.\w+,\s*'([a-z0-9_]+)'/g)) found.add(code);
    for (const [, code] of text.matchAll(/\b(?:readInputFile|mustExist)\([^']*'([a-z0-9_]+)'/g)) found.add(code);
    if (!/commands\/serve|system-failure/.test(path)) continue;
    for (const [, code] of text.matchAll(/\b(?:failure|rejected)\(\s*'([a-z0-9_]+)'/g)) found.add(code);
  }
  return [...found].sort();
}

test('every code of the control API is documented, and nothing else', () => {
  expect(documented('Control API')).toEqual([...CONTROL_CODES].sort());
});

test('every code of validate-pack is documented, and nothing else', () => {
  expect(documented('`validate-pack`')).toEqual([...PROBLEM_CODES, 'yaml-...'].sort());
});

test('every code of the command is documented, and nothing else', () => {
  expect(documented('The command')).toEqual(ofCommands());
});

test('every code of the lists is used', () => {
  const said = new Map([
    ...NAMED.map((noun): [string, string] => [`unknown_${noun}`, noun]),
    ...NAMED_IN_PACK.map((noun): [string, string] => [`unknown-${noun}`, noun]),
    ...UNUSED.map((noun): [string, string] => [`unused-${noun}`, noun]),
    ...Object.entries(MACHINE).map(([name, code]): [string, string] => [code, name]),
  ]);
  const text = sources.map((each) => each.text).join('\n');
  const unused = [...CONTROL_CODES, ...PROBLEM_CODES].filter((code) => !text.includes(`'${said.get(code) ?? code}'`));
  // Made of two words: `duplicate-` and what.
  expect(unused.filter((code) => !/^(duplicate-(collection|resource)|unknown-(file|folder))$/.test(code))).toEqual([]);
});
