import type { Json, JsonObject } from '../../../engine/values/index.js';
import { PackWorld } from '../../support/pack-world.js';

/** Fields that are only answered when they are asked for, wherever they stand. */
const BREAD = `resource: bread
collection: breads
fields:
  name: string
  flour: { ref: flour, nullable: true }
  recipe:
    type: object
    fields:
      minutes: { type: integer, default: 40 }
      history: { type: array, items: string, on_expand: true }
      steps:
        type: array
        items:
          type: object
          fields: { title: string, notes: { type: string, on_expand: true }, size: { type: integer, on_expand: true, view: "\${size(self.name)}" } }
  origin:
    type: object
    on_expand: true
    fields: { mill: { type: string, default: old }, owner: { type: string, on_expand: true, default: Ada } }
operations:
  create:
    params: { name: string, recipe: any, flour: any }
    do: [{ create: bread, with: { name: "\${params.name}", recipe: "\${params.recipe}", flour: "\${params.flour}", origin: {} } }]
  retrieve: {}
  list: {}
  search: { fields: { name: string } }
`;
const FLOUR = `resource: flour
collection: flours
fields: { kind: { type: object, fields: { grain: { type: string, default: rye }, secret: { type: string, on_expand: true, default: spelt } } } }
operations: { create: { do: [{ create: flour, with: { kind: {} } }] }, retrieve: {}, list: {} }
`;
const ERRORS = `  expand_invalid: { status: 400, args: { path: string, reason: string }, body: { error: expand, path: "\${path}" } }
  expand_too_deep: { status: 400, args: { path: string, limit: integer } }
  search_query_invalid: { status: 400, args: { reason: string } }
`;
const PACK = `expansion: { param: expand, max_depth: 4 }
lists: { envelope: { data: "\${data}" }, cursors: { after: after } }
search: { param: query, page: page, envelope: { data: "\${data}" }, on_expand: { total: "\${total_count}" } }
`;

let world: PackWorld;
let id: string;

function asked(key: string, expand: readonly string[], given: JsonObject = {}): { status: number; body: Json } {
  const { engine } = world;
  const operation = engine.pack.operations.find((each) => each.key === key);
  if (!operation) throw new Error(`there is no ${key}`);
  const request = {
    id: 'req_1',
    idempotency_key: null,
    method: 'GET',
    path: '/',
    operation: null,
    version: null,
    key: null,
    token: null,
    headers: {},
    cookies: {},
    params: {},
  };
  const path: Record<string, string> = key.endsWith('retrieve') ? { id } : {};
  const answer = engine.call({ operation, request, path, given, text: true, expand: [...expand], scenario: null });
  return { status: answer.status, body: JSON.parse(answer.body ?? 'null') as Json };
}

const bread = (...expand: string[]): Json => asked('breads.retrieve', expand).body;

beforeAll(() => {
  world = new PackWorld(
    { 'pack.yaml': PACK, 'resources/bread.yaml': BREAD, 'resources/flour.yaml': FLOUR },
    'bakery',
    ERRORS,
  );
  const flour = world.do('flours.create')['id'];
  const recipe = {
    history: ['1890', '2020'],
    steps: [
      { title: 'mix', notes: 'long' },
      { title: 'bake', notes: 'hot' },
    ],
  };
  id = String(world.do('breads.create', { name: 'rye', recipe, flour })['id']);
});

const plain = { name: 'rye', recipe: { minutes: 40, steps: [{ title: 'mix' }, { title: 'bake' }] } };

test('nothing is answered that nobody asked for', () => {
  const answer = bread();
  expect(answer).toMatchObject(plain);
  expect(JSON.stringify(answer)).not.toMatch(/history|notes|size|origin/);
});

test.each<[string[], JsonObject]>([
  [
    ['recipe.history'],
    { recipe: { minutes: 40, history: ['1890', '2020'], steps: [{ title: 'mix' }, { title: 'bake' }] } },
  ],
  [
    ['recipe.steps.notes'],
    {
      recipe: {
        minutes: 40,
        steps: [
          { title: 'mix', notes: 'long' },
          { title: 'bake', notes: 'hot' },
        ],
      },
    },
  ],
  [
    ['recipe.steps.size', 'recipe.history'],
    {
      recipe: {
        minutes: 40,
        history: ['1890', '2020'],
        steps: [
          { title: 'mix', size: 3 },
          { title: 'bake', size: 3 },
        ],
      },
    },
  ],
  [['origin'], { origin: { mill: 'old' } }],
  [['origin.owner'], { origin: { mill: 'old', owner: 'Ada' } }],
])('%j', (expand, answer) => {
  const shown = bread(...expand) as JsonObject;
  for (const [field, value] of Object.entries(answer)) expect(shown[field]).toEqual(value);
  const list = asked(
    'breads.list',
    expand.map((path) => `data.${path}`),
  ).body as { data: JsonObject[] };
  expect(list.data).toEqual([shown]);
});

test('inside an object that is expanded itself', () => {
  expect((bread('flour') as JsonObject)['flour']).toMatchObject({ kind: { grain: 'rye' } });
  expect(JSON.stringify(bread('flour'))).not.toContain('spelt');
  expect((bread('flour.kind.secret') as JsonObject)['flour']).toMatchObject({
    kind: { grain: 'rye', secret: 'spelt' },
  });
});

test.each([['recipe'], ['recipe.minutes'], ['recipe.steps'], ['recipe.none'], ['recipe.steps.none'], ['origin.none']])(
  '%s cannot be expanded',
  (path) => {
    expect(asked('breads.retrieve', [path])).toEqual({ status: 400, body: { error: 'expand', path } });
  },
);

test('a page without items knows its paths', () => {
  const none = { query: 'name:"none"' };
  expect(asked('breads.search', ['data.recipe.history', 'data.flour'], none).status).toBe(200);
  expect(asked('breads.search', ['data.none'], none)).toEqual({
    status: 400,
    body: { error: 'expand', path: 'data.none' },
  });
});

test('a search tells what its envelope has below on_expand when asked', () => {
  const query = { query: 'name:"rye"' };
  expect(asked('breads.search', [], query).body).not.toHaveProperty('total');
  expect(asked('breads.search', ['total'], query).body).toMatchObject({ data: [{ id }], total: 1 });
  expect(asked('breads.list', ['total']).status).toBe(400);
});
