import { PackWorld, problemsOf } from '../../support/pack-world.js';

const HOUR = 3_600_000;

const ORDER = `resource: order
collection: orders
fields:
  bread: string
  status: { enum: [open, baking, eaten], machine: true }
  notes: { type: integer, default: 0 }
  created_at: { type: timestamp, default: "\${now}" }
  changed_at: { type: timestamp, nullable: true, touch: true }
machine:
  initial: open
  states:
    open:
      entry: note
      after: { patience: eaten }
      on: { start: baking, ask: { actions: [] }, wait: [{ guard: hungry, target: eaten }, { actions: [] }] }
    baking: { after: { bake: eaten }, on: { start: { target: baking, reenter: true } } }
    eaten: {}
guards: { hungry: "false" }
delays: { patience: "duration('patience')" }
actions: { note: [{ set: self, to: { notes: 1 } }] }
operations:
  create: { params: { bread: { type: string, required: true } } }
  update: { params: { bread: { type: string } } }
  start: { do: [{ send: start }] }
  ask: { do: [{ send: ask }] }
  wait: { do: [{ send: wait }] }
  backdate: { do: [{ set: self, to: { bread: old, changed_at: "\${self.created_at}" } }] }
`;
const PACK = 'durations: { patience: none, bake: { default: none, description: never } }\n';

function worldOf(): PackWorld {
  return new PackWorld({ 'pack.yaml': PACK, 'resources/order.yaml': ORDER });
}

describe('touch', () => {
  test('a touched timestamp moves with every change and with nothing else', () => {
    const made = worldOf();
    const { id, changed_at } = made.do('orders.create', { bread: 'rye' }) as { id: string; changed_at: null };
    expect(changed_at).toBeNull();
    made.advance(HOUR);
    expect(made.do('orders.update', { bread: 'rye' }, { id })['changed_at']).toBeNull();
    expect(made.do('orders.ask', {}, { id })['changed_at']).toBeNull();
    expect(made.do('orders.update', { bread: 'oat' }, { id })['changed_at']).toBe('2026-01-01T01:00:00.000Z');
    made.advance(HOUR);
    expect(made.do('orders.start', {}, { id })['changed_at']).toBe('2026-01-01T02:00:00.000Z');
    made.advance(HOUR);
    expect(made.do('orders.start', {}, { id })['changed_at']).toBe('2026-01-01T02:00:00.000Z');
  });

  test('one that is set with the change stays as set', () => {
    const made = worldOf();
    const { id } = made.do('orders.create', { bread: 'rye' }) as { id: string };
    made.advance(HOUR);
    expect(made.do('orders.backdate', {}, { id })['changed_at']).toBe('2026-01-01T00:00:00.000Z');
  });

  test('a seed keeps what it brings', () => {
    const made = worldOf();
    made.engine.seed({ orders: [{ id: 'a', bread: 'rye', changed_at: '2025-01-01T00:00:00.000Z' }] });
    expect(made.rows('orders')[0].value['changed_at']).toBe('2025-01-01T00:00:00.000Z');
  });

  test('only stored timestamps can be touched', () => {
    const order = 'resource: order\ncollection: orders\nfields: { bread: { type: string, touch: true } }\n';
    expect(problemsOf({ 'resources/order.yaml': order })).toEqual([
      "wrong-type resources/order.yaml:3 only a stored timestamp can be touched, 'bread' is none",
    ]);
  });
});

describe('transitions that do nothing', () => {
  test('a trigger with no target and no actions is taken, not refused', () => {
    const made = worldOf();
    const { id } = made.do('orders.create', { bread: 'rye' }) as { id: string };
    expect(made.call('orders.ask', {}, { id }).transitions).toEqual([]);
    expect(made.do('orders.wait', {}, { id })['status']).toBe('open');
    made.do('orders.start', {}, { id });
    expect(made.call('orders.ask', {}, { id }).status).toBe(409);
  });
});

describe('durations of none', () => {
  test('arm no timer until a test sets them', () => {
    const made = worldOf();
    const { id } = made.do('orders.create', { bread: 'rye' }) as { id: string };
    expect(made.engine.world.timers.size).toBe(0);
    made.do('orders.start', {}, { id });
    expect(made.engine.world.timers.size).toBe(0);
    set(made, 'bake', HOUR);
    made.do('orders.start', {}, { id });
    made.advance(HOUR);
    expect(made.rows('orders')[0].value['status']).toBe('eaten');
  });

  test('an override may take a duration away again', () => {
    const made = worldOf();
    set(made, 'patience', Infinity);
    made.do('orders.create', { bread: 'rye' });
    expect(made.engine.world.timers.size).toBe(0);
    expect(made.defects).toEqual([]);
  });

  function set(made: PackWorld, name: string, ms: number): void {
    made.engine.command('durations', 'control', (command) =>
      command.transaction.write(made.engine.world.durations, name, ms),
    );
  }
});
