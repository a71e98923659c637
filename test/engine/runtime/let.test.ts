import { inspect, PackWorld } from '../../support/pack-world.js';

/** Values that `let` binds: expressions, and maps and lists of values. */

const PACK = (give: string, seen = ''): Record<string, string> => ({
  'pack.yaml': 'ids: { short: { parts: [{ random: 8 }] } }\n',
  'resources/recipe.yaml': `resource: recipe
collection: recipes
path: /recipes
id: { prefix: rec_, format: short }
fields: { grams: integer, label: string? }
operations:
  create:
    params: { grams!, label }
    let: { sheet: { type: object, required: [flour], weighs: =params.grams } }
    ${seen}
    do:
      - create: recipe
        from: params
      - let:
          half: self.grams / 2
          card: { title: =self.label, half, label: "\${half} g", steps: [knead, { bake: =params.grams }] }
          list: [=half, half]
      - { return: ${give} }
`,
});

test('a map or list is a value in which `=` begins an expression', () => {
  const world = new PackWorld(PACK('{ card, list, sheet }'));
  expect(world.do('recipes.create', { grams: 8, label: 'Rye' })).toEqual({
    card: { title: 'Rye', half: 4, label: '4 g', steps: ['knead', { bake: 8 }] },
    list: [4, 'half'],
    sheet: { type: 'object', required: ['flour'], weighs: 8 },
  });
});

test('its members are known', () => {
  const { problems } = inspect(PACK('=card.titel'));
  expect(problems).toMatchObject([{ line: 18, message: "there is no 'titel' here", suggestion: 'title' }]);
});

test('what `let` binds before the steps is seen by the response', () => {
  const world = new PackWorld(PACK('{ list }', 'headers: { X-Weighs: =string(sheet.weighs) }'));
  expect(world.call('recipes.create', { grams: 8 }).headers).toMatchObject({ 'X-Weighs': '8' });
});
