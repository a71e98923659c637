import { checkpointOf } from '../../../engine/world/index.js';
import { PackWorld, problemsOf } from '../../support/pack-world.js';

/** Records that a company which lives keeps for a while only. */

const FILES = {
  'pack.yaml': 'ids: { short: { parts: [{ random: 6 }] } }\n',
  'resources/reading.yaml': `resource: reading
collection: readings
path: /readings
id: { prefix: r, format: short }
order: at
retention: 2d
fields: { meter: string, at: { type: timestamp, default: =now } }
operations: { create: { params: { meter!: string } }, retrieve: { deleted: tombstone }, list: {} }
`,
};
const DAY_MS = 86_400_000;

test('what is older than its resource keeps it is gone without a trace, and is back after a rewind', () => {
  const world = new PackWorld(FILES);
  const { engine } = world;
  const meters = (): unknown[] => world.rows('readings').map(({ value }) => value['meter']);
  for (let day = 0; day < 6; day++) {
    world.do('readings.create', { meter: `m${day}` });
    world.advance(DAY_MS);
  }
  expect(meters()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
  const before = engine.world.ledger.count;
  const [first] = world.rows('readings');
  engine.expire();
  expect(meters()).toEqual(['m4', 'm5']);
  const [collection] = engine.world.collections;
  expect([collection.ever, [...collection.tombstones()]]).toEqual([2, []]);
  expect(world.call('readings.retrieve', {}, { id: first.id }).status).toBe(404);
  const after = engine.world.ledger.count;
  const image = JSON.stringify(checkpointOf(engine.world).changes);
  expect(JSON.stringify(checkpointOf(engine.past.at(after)).changes)).toBe(image);
  // Nothing more is as old: no entry.
  engine.expire();
  expect(engine.world.ledger.count).toBe(after);
  for (const [n, wanted] of [
    [before, 6],
    [after, 2],
    [before, 6],
  ]) {
    engine.rewind(n);
    expect(meters()).toHaveLength(wanted);
  }
});

test.each([
  ['order: at\n', '', 'it counts from the field that `order` names, and there is none'],
  [
    'operations:',
    'delays: { dried: until(self.at) }\nwaits: { dries: { after: dried, on: created, do: [] } }\noperations:',
    'only records that stay as they are expire, and this resource has a machine or waits',
  ],
  [
    'meter: string,',
    'meter: string, before: { type: array, items: { ref: reading } },',
    'a field of reading refers to reading, so it cannot expire',
  ],
])('%j as %j is a problem of a pack', (from, to, message) => {
  const file = FILES['resources/reading.yaml'].replace(from, to);
  const line = file.split('\n').findIndex((each) => each.startsWith('retention')) + 1;
  const problems = problemsOf({ ...FILES, 'resources/reading.yaml': file });
  expect(problems).toContain(`invalid-value resources/reading.yaml:${line} ${message}`);
});
