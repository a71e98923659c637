import { wordsOfNames } from '../../tools/develop/prose/names.js';

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
