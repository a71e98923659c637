import { homonyms, wordsOfNames } from '../../tools/develop/prose/names.js';

test.each([
  ['const told = 1;', ['told']],
  ['function tellAll(refused: string): void {}', ['tellAll', 'refused']],
  ['interface Plan { readonly answerPlan: string }', ['answerPlan']],
  ['class World { #onlookers = 1; }', ['#onlookers']],
  ['const { refuse: rejected, answer } = file;', ['answer']],
  ['send({ told: 1 }); file.refusals; const total = "told";', []],
])('declared names of %s', (text, found) => {
  expect(wordsOfNames(text, 'engine/a.ts').map((each) => each.found)).toEqual(found);
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
