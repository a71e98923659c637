import { loadPack } from '../../engine/index.js';
import { fixesOf } from '../../tools/lsp/fixes.js';
import { minimal } from '../support/sample-pack.js';

const CAKE = `resource: cake
collection: cakes
id: { prefix: cake_ }
fields:
  name: string
  layers: { type: integer, default: 1 }
  over: { ref: cake, nullable: true }
operations:
  create: { params: { name! } }
  slice:
    let: { first: "find(cake, {'layers': self.layers})" }
    do:
      - { set: self, to: { layers: =self.layers } }
      - { set: self, to: { over: =first.id } }
  show: { route: 'GET /cakes/{id}/show', return: =first_cake() }
flows:
  first_cake:
    returns: cake
    do:
      - { let: { cake: "first(all(cake))" } }
      - { return: =cake }
`;

/** Offset of a line and column, which count from 1. */
const offsetOf = (text: string, line: number, column: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, 0) +
  column -
  1;

/** The file with the first fix of each of its problems. */
function mended(text: string): string {
  const { problems } = loadPack(minimal.write({ ...minimal.files, 'resources/cake.yaml': text }));
  const fixes = problems.flatMap(({ line, column, ...problem }) =>
    fixesOf(text, { ...problem, offset: offsetOf(text, line, column) }).slice(0, 1),
  );
  return fixes
    .sort((a, b) => b.from - a.from)
    .reduce((fixed, { from, to, text: by }) => fixed.slice(0, from) + by + fixed.slice(to), text);
}

test.each([
  ['a misspelt member', '=self.layers', '=self.layrs'],
  ['a misspelt key', 'collection:', 'colection:'],
  ['a misspelt type', 'name: string', 'name: strng'],
  ['a forgotten = of a reference', 'over: =first.id', 'over: first'],
  ['a forgotten = of what a flow returns', 'return: =cake', 'return: cake'],
  ['a forgotten = of a member', 'layers: =self.layers', 'layers: self.layers'],
  ['a route without quotes', "route: 'GET /cakes/{id}/show'", 'route: GET /cakes/{id}/show'],
  ['an unknown function', '=first_cake()', '=first_cak()'],
])('%s is mended', (_name, right, wrong) => {
  expect(CAKE).toContain(right);
  const fixed = mended(CAKE.replace(right, () => wrong));
  expect(fixed.replace('over: =first }', 'over: =first.id }')).toBe(CAKE);
});

test('a text that a comma ends gets quotes', () => {
  const text = 'errors:\n  bad: { status: 401, message: wrong key, wrong word }\n';
  const { problems } = loadPack(minimal.write({ ...minimal.files, 'errors.yaml': text }));
  const [{ line, column, ...problem }] = problems.filter(({ code }) => code === 'yaml-unquoted');
  const [{ from, to, text: by }] = fixesOf(text, { ...problem, offset: offsetOf(text, line, column) });
  expect(text.slice(0, from) + by + text.slice(to)).toContain("message: 'wrong key, wrong word' }");
});
