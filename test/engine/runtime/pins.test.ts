import { pinProblems } from '../../../engine/runtime/index.js';
import { PackWorld, problemsOf } from '../../support/pack-world.js';

const ORDER = `resource: order
collection: orders
fields:
  bread: string
  status: { enum: [open, done], machine: true }
  outcome: any?
machine: { initial: open, states: { open: { on: { bake: done } }, done: { entry: show } } }
actions: { show: [{ set: self, to: { outcome: "\${with_pins('outcome', {'crust': 'thin', 'crumb': {'holes': 3}})}" } }] }
operations:
  create: { params: { bread: { type: string, required: true } } }
  bake: { do: [{ send: bake }] }
  recipes: { route: GET /recipes, return: { recipes: "\${rows(recipes).map(r, r.name)}" } }
pins:
  outcome: { at: done, type: any, problems: "schema_problems(lookup(recipes, name, self.bread).outcome, value, path)" }
  outcome.*: { at: done, type: any, problems: "value == 'burnt' ? ['nobody eats ' + path] : []" }
`;
const RECIPES = `table: recipes
key: name
columns: { name: string, outcome: json_schema }
rows:
  - { name: rye, outcome: { type: object, required: [crust] } }
  - { name: oat }
`;
const FILES = { 'resources/order.yaml': ORDER, 'tables/recipes.yaml': RECIPES };

function pin(made: PackWorld, path: string, value: string, object: string | null = null): void {
  made.engine.command('pin', 'control', (command) =>
    command.armPin({ id: `pin ${path} ${object ?? ''}`, resource: 0, object, path, value, once: false }),
  );
}

test('pins at a path and below it are laid over a value, the nearest winning', () => {
  const made = new PackWorld(FILES);
  const { id } = made.do('orders.create', { bread: 'rye' }) as { id: string };
  pin(made, 'outcome.crumb.holes', 'many');
  pin(made, 'outcome.crust', 'thick');
  pin(made, 'outcome.crust', 'thicker', id);
  expect(made.do('orders.bake', {}, { id })['outcome']).toEqual({ crust: 'thicker', crumb: { holes: 'many' } });
  pin(made, 'outcome', 'nothing left');
  const next = made.do('orders.create', { bread: 'rye' }) as { id: string };
  expect(made.do('orders.bake', {}, { id: next.id })['outcome']).toBe('nothing left');
});

test('a pin that steps bind is what they make of it', () => {
  const order = `resource: order
collection: orders
fields: { status: { enum: [open, done], machine: true }, mood: map? }
machine: { initial: open, states: { open: { on: { bake: done } }, done: { entry: show } } }
actions: { show: [{ set: self, to: { mood: "\${merge({'why': 'who knows'}, default(pinned('mood'), {}))}" } }] }
operations: { create: { do: [{ create: order }] }, bake: { do: [{ send: bake }] } }
pins: { mood: { at: done, type: map, by_steps: true } }
`;
  const made = new PackWorld({ 'resources/order.yaml': order });
  const { id } = made.do('orders.create') as { id: string };
  made.engine.command('pin', 'control', (command) =>
    command.armPin({ id: 'pin', resource: 0, object: id, path: 'mood', value: { face: 'sad' }, once: false }),
  );
  const answer = made.call('orders.bake', {}, { id });
  expect(JSON.parse(answer.body ?? '')).toMatchObject({ mood: { why: 'who knows', face: 'sad' } });
  expect(answer.subjects[0].provenance).toEqual([{ path: 'mood', source: 'pin', value: { face: 'sad' } }]);
});

test('a pack says what is wrong with a value that is to be pinned', () => {
  const made = new PackWorld(FILES);
  const { id } = made.do('orders.create', { bread: 'rye' }) as { id: string };
  const row = made.rows('orders').find((each) => each.id === id);
  const [whole, member] = made.engine.pack.resources[0].pins;
  if (!row) throw new Error('the order is gone');
  const { runtime } = made.engine;
  expect(pinProblems(runtime.reader, whole, row, 'outcome', {})).toEqual([
    { param: 'outcome.crust', message: 'The value is required.' },
  ]);
  expect(pinProblems(runtime.reader, whole, row, 'outcome', { crust: 1 })).toEqual([]);
  expect(pinProblems(runtime.reader, member, row, 'outcome.crust', 'burnt')).toEqual([
    { param: 'outcome.crust', message: 'nobody eats outcome.crust' },
  ]);
});

test('rows of a table are a list, and columns may be JSON Schemas', () => {
  const made = new PackWorld(FILES);
  expect(made.do('orders.recipes')).toEqual({ recipes: ['rye', 'oat'] });
  expect(made.engine.model.tables.get('recipes')?.rows[1]['outcome']).toEqual({});
  const broken = RECIPES.replace('type: object', 'type: bread');
  expect(problemsOf({ ...FILES, 'tables/recipes.yaml': broken })).toEqual([
    expect.stringContaining('invalid-value tables/recipes.yaml:5 outcome must be a JSON Schema'),
  ]);
});

test('problems of a pin are a list', () => {
  const order = ORDER.replace(`"value == 'burnt' ? ['nobody eats ' + path] : []"`, `"value == 'burnt'"`);
  expect(problemsOf({ ...FILES, 'resources/order.yaml': order })).toEqual([
    'wrong-type resources/order.yaml:15 this must be a list, it is a boolean',
  ]);
});
