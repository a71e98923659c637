import fc from 'fast-check';
import {
  createMachine,
  initialTransition,
  transition,
  type AnyMachineSnapshot,
  type ExecutableActionsFrom,
  type AnyStateMachine,
} from 'xstate';
import {
  checkMachine,
  lostStates,
  compileMachine,
  type MachineConfig,
  MachineLoop,
  type TransitionOutcome,
  type StateConfig,
  type TransitionConfig,
} from '../../../engine/machine/index.js';

const PARCEL: MachineConfig = {
  initial: 'packed',
  on: { lose: '.lost' },
  states: {
    packed: {
      entry: ['weigh', 'label'],
      exit: 'seal',
      on: {
        send: [{ guard: 'is_heavy', target: 'held', actions: 'note' }, { target: 'travelling' }],
        relabel: { actions: 'label' },
      },
    },
    held: { always: { guard: 'is_paid', target: 'travelling', actions: 'release' }, on: { pay: 'held', lose: null } },
    travelling: {
      entry: 'track',
      exit: 'untrack',
      after: {
        travel_time: [{ guard: 'nobody_home', target: 'travelling', reenter: true, actions: 'ring' }, 'delivered'],
        lost_time: 'lost',
      },
    },
    delivered: { type: 'final', entry: 'thank' },
    lost: {},
  },
};

const no = () => false;
const yes = () => true;

describe('a compiled machine', () => {
  const machine = compileMachine(PARCEL, { resource: 'parcel' });
  const travelTime = { delay: 'travel_time', trigger: 'xstate.after.travel_time.parcel.travelling' };
  const lostTime = { delay: 'lost_time', trigger: 'xstate.after.lost_time.parcel.travelling' };

  test('starts in its initial state with the entry actions', () => {
    expect(machine.start(no)).toEqual({
      changed: true,
      target: 'packed',
      actions: ['weigh', 'label'],
      entered: ['packed'],
      arm: [],
      cancel: [],
    });
  });

  test('runs exit, transition and entry actions in that order and arms timers', () => {
    expect(machine.send('packed', 'send', no)).toEqual({
      changed: true,
      target: 'travelling',
      actions: ['seal', 'track'],
      entered: ['travelling'],
      arm: [travelTime, lostTime],
      cancel: [],
    });
  });

  test('passes through a state whose `always` holds', () => {
    expect(machine.send('packed', 'send', yes)).toEqual({
      changed: true,
      target: 'travelling',
      actions: ['seal', 'note', 'release', 'track'],
      entered: ['held', 'travelling'],
      arm: [travelTime, lostTime],
      cancel: [],
    });
  });

  test('an inner transition enters nothing', () => {
    expect(machine.send('packed', 'relabel', no)).toEqual({
      changed: true,
      target: 'packed',
      actions: ['label'],
      entered: [],
      arm: [],
      cancel: [],
    });
  });

  test('a reentered state stops and starts its timers', () => {
    expect(machine.send('travelling', travelTime.trigger, yes)).toEqual({
      changed: true,
      target: 'travelling',
      actions: ['untrack', 'ring', 'track'],
      entered: ['travelling'],
      arm: [travelTime, lostTime],
      cancel: [travelTime.trigger, lostTime.trigger],
    });
  });

  test('leaving a state stops its timers', () => {
    expect(machine.send('travelling', 'lose', no)).toMatchObject({
      target: 'lost',
      cancel: [travelTime.trigger, lostTime.trigger],
    });
  });

  test('a trigger that nobody declares, that is forbidden, or that reaches a final state does nothing', () => {
    expect(machine.send('lost', 'send', yes)).toBeUndefined();
    expect(machine.send('held', 'lose', yes)).toBeUndefined();
    expect(machine.send('delivered', 'lose', yes)).toBeUndefined();
    expect(machine.send('nowhere', 'lose', yes)).toBeUndefined();
  });

  test('a transition without target and actions is taken, and does nothing', () => {
    const lenient = compileMachine(
      {
        initial: 'a',
        on: { go: '.b' },
        states: { a: { on: { go: [{ guard: 'g', actions: [] }], stay: {} } }, b: { on: { go: [] } } },
      },
      { resource: 'book' },
    );
    const nothing = { changed: true, target: 'a', actions: [], entered: [], arm: [], cancel: [] };
    expect(lenient.send('a', 'go', yes)).toEqual(nothing);
    expect(lenient.send('a', 'go', no)?.target).toBe('b');
    expect(lenient.send('a', 'stay', no)).toEqual(nothing);
    expect(lenient.canSend('a', 'stay')).toBe(true);
    expect(lenient.send('b', 'go', no)?.entered).toEqual(['b']);
  });

  test('a trigger whose guards all fail does nothing', () => {
    const guarded = compileMachine(
      { initial: 'a', states: { a: { on: { go: { guard: 'g', target: 'b' } } }, b: {} } },
      { resource: 'book' },
    );
    expect(guarded.send('a', 'go', no)).toBeUndefined();
    expect(guarded.send('a', 'go', no)).toBeUndefined();
    expect(guarded.send('a', 'go', yes)?.target).toBe('b');
  });

  test('tells what it declares', () => {
    expect(machine.initial).toBe('packed');
    expect(machine.states).toEqual(['packed', 'held', 'travelling', 'delivered', 'lost']);
    expect([...machine.triggers()].sort()).toEqual(['lose', 'pay', 'relabel', 'send']);
    expect(machine.guards).toEqual(['is_heavy', 'is_paid', 'nobody_home']);
    expect(machine.actions).toEqual(['weigh', 'label', 'seal', 'track', 'untrack', 'thank', 'note', 'release', 'ring']);
    expect(machine.delays).toEqual(['travel_time', 'lost_time']);
    expect(machine.timersOf('travelling')).toEqual([travelTime, lostTime]);
    expect(machine.timersOf('packed')).toEqual([]);
    expect(machine.canSend('packed', 'send')).toBe(true);
    expect(machine.canSend('packed', 'lose')).toBe(true);
    expect(machine.canSend('held', 'lose')).toBe(false);
    expect(machine.canSend('delivered', 'lose')).toBe(false);
    expect(machine.canSend('travelling', travelTime.trigger)).toBe(true);
  });

  test('asks each guard at most once, in order, and no more than it needs', () => {
    const chain = compileMachine(
      {
        initial: 'a',
        states: {
          a: {
            on: {
              go: [
                { guard: 'one', target: 'b' },
                { guard: 'two', target: 'b' },
                { guard: 'three', target: 'b' },
              ],
            },
          },
          b: {
            always: [
              { guard: 'one', target: 'c' },
              { guard: 'two', target: 'd' },
            ],
          },
          c: {},
          d: {},
        },
      },
      { resource: 'book' },
    );
    for (let round = 0; round < 3; round++) {
      const asked: string[] = [];
      const outcome = chain.send('a', 'go', (guard) => {
        asked.push(guard);
        return guard === 'two';
      });
      expect(outcome?.target).toBe('d');
      expect(asked).toEqual(['one', 'two']);
    }
  });

  test('hands on what a guard throws, and works afterwards', () => {
    const failure = new Error('the shelf is gone');
    const fails = () => {
      throw failure;
    };
    const fresh = compileMachine(PARCEL, { resource: 'parcel' });
    expect(() => fresh.send('packed', 'send', fails)).toThrow(failure);
    expect(fresh.send('packed', 'send', no)?.target).toBe('travelling');
    expect(() => fresh.send('packed', 'send', fails)).toThrow(failure);
  });

  test('a circle of `always` that guards let run is an error of its own, not a hang', () => {
    const circle = compileMachine(
      {
        initial: 'a',
        states: { a: { always: { guard: 'g', target: 'b' } }, b: { always: { guard: 'g', target: 'a' } } },
      },
      { resource: 'book' },
    );
    expect(() => circle.start(yes)).toThrow(MachineLoop);
    expect(circle.start(no).target).toBe('a');
  });

  test('delays that look like numbers stay names', () => {
    const numbered = compileMachine(
      { initial: 'a', states: { a: { after: { '10': 'b' } }, b: {} } },
      { resource: 'book' },
    );
    expect(numbered.start(no).arm).toEqual([{ delay: '10', trigger: 'xstate.after.10.book.a' }]);
    expect(numbered.send('a', 'xstate.after.10.book.a', no)?.target).toBe('b');
  });
});

const STATES = ['s0', 's1', 's2', 's3'];
const EVENTS = ['e0', 'e1', 'e2'];
const DELAYS = ['d0', 'd1'];
const GUARDS = ['g0', 'g1', 'g2', 'g3'];
const someNames = fc.array(fc.constantFrom('a0', 'a1', 'a2', 'a3'), { maxLength: 3 });

const candidate = (prefix: string): fc.Arbitrary<TransitionConfig> =>
  fc.record(
    {
      target: fc.constantFrom(...STATES).map((name) => prefix + name),
      guard: fc.constantFrom(...GUARDS),
      actions: someNames,
      reenter: fc.boolean(),
    },
    { requiredKeys: [] },
  );
const slot = (prefix: string) =>
  fc.oneof(candidate(prefix), fc.array(candidate(prefix), { minLength: 1, maxLength: 3 }));
const slotsOf = (keys: string[], prefix: string) =>
  fc.dictionary(fc.constantFrom(...keys), slot(prefix), { maxKeys: 3, noNullPrototype: true });
const state: fc.Arbitrary<StateConfig> = fc.record(
  {
    on: slotsOf(EVENTS, ''),
    after: slotsOf(DELAYS, ''),
    always: fc.array(candidate(''), { maxLength: 2 }),
    entry: someNames,
    exit: someNames,
    type: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constant('final') }),
  },
  { requiredKeys: [] },
);
const machines: fc.Arbitrary<MachineConfig> = fc.record({
  initial: fc.constantFrom(...STATES),
  on: slotsOf(EVENTS, '.'),
  states: fc.record(Object.fromEntries(STATES.map((name) => [name, state]))),
});
const answers = fc.record(Object.fromEntries(GUARDS.map((name) => [name, fc.boolean()])));

/** The same config given to XState as it stands, without the engine's translation. */
function direct(config: MachineConfig, ask: (guard: string) => boolean): AnyStateMachine {
  const build: (config: unknown, implementations: unknown) => AnyStateMachine = createMachine as never;
  return build(
    { id: 'book', ...config, options: { maxIterations: 500 } },
    { guards: Object.fromEntries(GUARDS.map((name) => [name, () => ask(name)])), delays: { d0: 10, d1: 20 } },
  );
}

/** Net effect of XState's own actions on the timers that ran before. */
function summary(
  snapshot: AnyMachineSnapshot,
  actions: ExecutableActionsFrom<AnyStateMachine>[],
  before: ReadonlySet<string>,
) {
  const running = new Set(before);
  const fresh = new Set<string>();
  const done: string[] = [];
  for (const { type, params } of actions as { type: string; params?: { id?: string; sendId?: string } }[]) {
    const id = params?.id ?? params?.sendId;
    if (type === 'xstate.raise' && id !== undefined) fresh.add(id);
    else if (type === 'xstate.cancel' && id !== undefined) {
      fresh.delete(id);
      running.delete(id);
    } else done.push(type);
  }
  return { target: snapshot.value as string, actions: done, running: [...running, ...fresh].sort() };
}

function applied(outcome: TransitionOutcome, before: ReadonlySet<string>) {
  const running = new Set(before);
  for (const trigger of outcome.cancel) {
    expect(running.delete(trigger)).toBe(true);
  }
  for (const { trigger } of outcome.arm) {
    expect(running.has(trigger)).toBe(false);
    running.add(trigger);
  }
  return { target: outcome.target, actions: [...outcome.actions], running: [...running].sort() };
}

test('the decisions are those of XState, whatever the machine, the events and the guards', () => {
  let compared = 0;
  const loops: string[] = [];
  fc.assert(
    fc.property(
      machines,
      fc.array(fc.tuple(fc.oneof(fc.constantFrom(...EVENTS), fc.nat(3)), answers), { maxLength: 30 }),
      answers,
      (config, events, first) => {
        let current: Record<string, boolean> = first;
        const ask = (name: string) => current[name];
        const machine = compileMachine(config, { resource: 'book' });
        const xstate = direct(config, ask);
        let start: TransitionOutcome;
        try {
          start = machine.start(ask);
        } catch (error) {
          if (!(error instanceof MachineLoop)) throw error;
          expect(initialTransition(xstate)[0]).toMatchObject({ status: 'error' });
          loops.push('start');
          return;
        }
        let [snapshot, actions] = initialTransition(xstate);
        let timers: ReadonlySet<string> = new Set();
        expect(applied(start, timers)).toEqual(summary(snapshot, actions, timers));
        timers = new Set(applied(start, timers).running);
        let at = start.target;
        for (const [event, given] of events) {
          current = given;
          const due = machine.timersOf(at);
          const trigger =
            typeof event === 'string' ? event : due.length > 0 ? due[event % due.length].trigger : undefined;
          if (trigger === undefined) continue;
          const before = xstate.resolveState({ value: at, context: {} });
          let outcome: TransitionOutcome | undefined;
          try {
            outcome = machine.send(at, trigger, ask);
          } catch (error) {
            if (!(error instanceof MachineLoop)) throw error;
            expect(() => transition(xstate, before, { type: trigger })).toThrow('Infinite loop');
            loops.push('send');
            return;
          }
          const possible =
            before.status === 'active' && (xstate.getTransitionData(before, { type: trigger })?.length ?? 0) > 0;
          expect(outcome !== undefined).toBe(possible);
          if (outcome === undefined) continue;
          expect(machine.canSend(at, trigger)).toBe(true);
          expect(machine.send(at, trigger, ask)).toBe(outcome);
          [snapshot, actions] = transition(xstate, before, { type: trigger });
          expect(applied(outcome, timers)).toEqual(summary(snapshot, actions, timers));
          timers = new Set(applied(outcome, timers).running);
          const next = outcome.entered.at(-1);
          if (next !== undefined) expect(next).toBe(outcome.target);
          at = outcome.target;
          compared++;
        }
      },
    ),
    { numRuns: 600 },
  );
  expect(compared).toBeGreaterThan(500);
  expect(loops.length).toBeGreaterThan(0);
});

test.each([
  [{ a: {}, b: { on: { go: 'a' } } }, ['b']],
  // What is behind a lost state is reached as soon as that is.
  [{ a: {}, b: { on: { go: 'c' } }, c: { on: { go: 'd' } }, d: {}, e: {} }, ['b', 'e']],
  [{ a: {}, b: { on: { go: 'c' } }, c: { on: { go: 'b' } } }, ['b']],
  [{ a: { on: { go: 'b' } }, b: {} }, []],
])('the states %j have the lost ones %j', (states, lost) => {
  const config = { initial: 'a', states } as MachineConfig;
  expect(lostStates(config).map(({ path }) => path[1])).toEqual(lost);
});

describe('checkMachine', () => {
  const codes = (config: unknown) =>
    checkMachine(config as MachineConfig).map(({ code, path, suggestion }) => [code, path.join('.'), suggestion]);

  test('finds nothing in a good machine', () => {
    expect(checkMachine(PARCEL)).toEqual([]);
    expect(codes({ initial: 'a', states: { a: null } })).toEqual([]);
  });

  test.each<[string, unknown, unknown[]]>([
    ['no initial state', { states: { a: {} } }, [['initial_missing', '', 'a']]],
    [
      'a misspelt initial state',
      { initial: 'pakced', states: { packed: {} } },
      [['unknown_state', 'initial', 'packed']],
    ],
    [
      'a misspelt target in short form',
      { initial: 'packed', states: { packed: { on: { send: 'delivred' } }, delivered: {} } },
      [['unknown_state', 'states.packed.on.send', 'delivered']],
    ],
    [
      'a misspelt target among candidates',
      { initial: 'a', states: { a: { after: { soon: [{ guard: 'g', target: 'a' }, { target: 'shipped' }] } } } },
      [['unknown_state', 'states.a.after.soon.1.target', undefined]],
    ],
    [
      'a misspelt target of the machine itself',
      { initial: 'lost', on: { lose: '.losst' }, states: { lost: {} } },
      [['unknown_state', 'on.lose', 'lost']],
    ],
    [
      'a misspelt target of always',
      { initial: 'lost', states: { lost: { always: { target: 'lots' } } } },
      [['unknown_state', 'states.lost.always.target', 'lost']],
    ],
    [
      'nested states',
      { initial: 'a', states: { a: { states: {} } } },
      [['nested_states', 'states.a.states', undefined]],
    ],
    [
      'parallel states',
      { initial: 'a', states: { a: { type: 'parallel' } } },
      [['unsupported_type', 'states.a.type', undefined]],
    ],
    [
      'a final state with a way out',
      { initial: 'a', states: { a: { type: 'final', on: { go: 'a' } } } },
      [['final_state_leaves', 'states.a.on.go', undefined]],
    ],
    [
      'a wildcard',
      { initial: 'a', states: { a: { on: { '*': 'a' } } } },
      [['bad_trigger_name', 'states.a.on.*', undefined]],
    ],
    [
      'a state name with a dot',
      { initial: 'a.b', states: { 'a.b': {} } },
      [['bad_state_name', 'states.a.b', undefined]],
    ],
    [
      'a candidate behind an open one',
      { initial: 'a', states: { a: { on: { go: ['b', { guard: 'g', target: 'a' }] } }, b: {} } },
      [['never_taken', 'states.a.on.go.1', undefined]],
    ],
    [
      'always in a circle',
      { initial: 'a', states: { a: { always: 'b' }, b: { always: 'a' } } },
      [
        ['endless_always', 'states.a.always', undefined],
        ['endless_always', 'states.b.always', undefined],
      ],
    ],
  ])('%s', (_name, config, expected) => {
    expect(codes(config)).toEqual(expected);
  });
});
