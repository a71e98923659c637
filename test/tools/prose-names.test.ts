import { idleExports } from '../../tools/develop/prose/exports.js';
import { homonyms, wordsOfNames } from '../../tools/develop/prose/names.js';
import { wordsOfComments, wordsOfMarkup } from '../../tools/develop/prose/words.js';

test.each([
  ['const told = 1;', ['told']],
  ['function tellAll(refused: string): void {}', ['tellAll', 'refused']],
  ['interface Plan { readonly answerPlan: string }', ['answerPlan']],
  ['class World { #onlookers = 1; }', ['#onlookers']],
  ['const { refuse: rejected, answer } = file;', ['answer']],
  ['function letGo(plantSeeds: string): void {}', ['letGo', 'plantSeeds']],
  ['const goesOnline = 1, planted = 2;', ['planted']],
  ['send({ told: 1 }); file.refusals; const total = "told";', []],
])('declared names of %s', (text, found) => {
  expect(wordsOfNames(text, 'engine/a.ts').map((each) => each.found)).toEqual(found);
});

test('comments have their own words, which texts in quotes may have', () => {
  expect(wordsOfComments('/** Told by nobody. */\nconst a = "told"; // `told`')).toMatchObject([
    { line: 1, found: 'Told' },
    { line: 1, found: 'nobody' },
  ]);
});

test('names of files count, stored names do not', () => {
  expect(wordsOfNames('', 'tools/openapi/answers.ts')).toMatchObject([{ line: 1, found: 'answers' }]);
  expect(wordsOfNames('interface Fault { answer: string }', 'engine/world/faults.ts')).toEqual([]);
});

test('a name that two files export is reported at the second; names of one file, and names that are not exported, are not', () => {
  const files = new Map([
    [
      'engine/a.ts',
      'export interface Row {}\nexport function rowOf(a: string): void;\nexport function rowOf(): void {}',
    ],
    ['engine/b.ts', 'interface Kept {}\n\nexport const Row = 1;'],
    ['engine/c.ts', 'export { Kept } from "./b.js";\nconst rowOf = 1;'],
    ['engine/expression/support.ts', 'export const rowOf = 1;'],
  ]);
  expect(homonyms(files)).toEqual([
    { file: 'engine/b.ts', line: 3, found: 'Row', say: 'another name: engine/a.ts has it' },
  ]);
});

test('an export that no other file imports is reported, and a face that renames; what tests and built programs import is not', () => {
  const files = new Map([
    ['engine/index.ts', "export * from './world/index.js';"],
    ['engine/world/index.ts', "export { Row } from './rows.js';\nexport { keep as kept, idle } from './keep.js';"],
    ['engine/world/rows.ts', 'export interface Row {}\n\nexport const own = 1;\nexport const built = 1, late = 2;'],
    ['engine/world/keep.ts', 'export function keep() {}\nexport const idle = 1;'],
    ['engine/values/all.ts', 'export const one = 1;'],
    ['engine/pack/read.ts', "import * as all from '../values/all.js';\nawait import('../world/late.js');"],
    ['engine/world/late.ts', 'export const later = 1;'],
    ['test/a.test.ts', "`import { built, late } from './dist/engine/world/rows.js'`; export const mine = 1;"],
  ]);
  expect(idleExports(files)).toEqual([
    { file: 'engine/world/index.ts', line: 2, found: 'kept', say: 'its own name, keep' },
    { file: 'engine/world/rows.ts', line: 3, found: 'own', say: "it without 'export': no other file imports it" },
  ]);
  files.delete('engine/index.ts');
  expect(idleExports(files).map(({ found }) => found)).toEqual(['Row', 'kept', 'idle', 'Row', 'own', 'keep', 'idle']);
});

test.each([
  ['<Section title="Answer" level={3}>', ['Answer']],
  ['<p>Told to {names}, armed by <b>you</b></p>', ['Told', 'armed']],
  ['<li>{name} answers</li>', ['answers']],
  ['const answer = (told: string) => <Answer told={told} class={answer} />;', []],
  ['if (answer > 1 && told < 2) return <b>{"x"}</b>;', []],
])('words between tags and in attributes of %s', (text, found) => {
  expect(wordsOfMarkup(text).map((each) => each.found)).toEqual(found);
});
