import { CompanySimulation } from '../../tools/develop/simulate/company.js';
import { Dice } from '../../tools/develop/simulate/dice.js';
import { PAYMENTS } from '../../tools/develop/simulate/payments/kit.js';
import { live, search } from '../../tools/develop/simulate/run.js';
import { Simulation } from '../../tools/develop/simulate/simulation.js';
import { TASK_AUTOMATION } from '../../tools/develop/simulate/task-automation/kit.js';
import { sampleCount, sampleOf } from '../support/sample.js';

/** The least share of calls of an operation with its usual parameters that succeed, where there are enough to judge; most get more parameters by chance. */
const [SHARE, ENOUGH] = [0.15, 4];

/** A sample: `npm run simulate -- --seeds A..B` lives more stories. */
describe.each([PAYMENTS, TASK_AUTOMATION])('a simulated $pack', (kit) => {
  let simulation: Simulation;
  beforeAll(async () => void (simulation = await Simulation.open(kit)), 30_000);
  afterAll(() => simulation.close());

  test('keeps its laws after every step', async () => {
    for (const seed of sampleOf([1, 2], 2)) expect(await search(simulation, seed, 25)).toBeNull();
  });

  describe('in any world', () => {
    const steps = Array.from({ length: 25 }, (_none, number) => number);
    beforeEach(async () => void (await live(simulation, 11, steps)));

    test('rejects or ignores a wrong value of any parameter, and what is rejected changes nothing', async () => {
      expect(await simulation.wrong((operations) => sampleOf(operations, 6))).toEqual([]);
    }, 300_000);

    test('takes or rejects parameters of the declared types, whatever their values', async () => {
      simulation.calls.clear();
      expect(await simulation.declared(sampleCount(10, 5))).toEqual([]);
      const usual = [...simulation.calls].filter(([operation]) => operation in kit.declared.usual);
      const failing = usual.filter(([, { made, succeeded }]) => made >= ENOUGH && succeeded < made * SHARE);
      expect(failing).toEqual([]);
      expect(usual.length).toBeGreaterThanOrEqual(0.75 * Object.keys(kit.declared.usual).length);
    }, 300_000);
  });

  test('is the same world after one advance of the clock or many', async () => {
    for (const seed of sampleOf([21, 22], 2)) {
      const dice = new Dice(seed);
      const parts = Array.from({ length: 2 + dice.below(7) }, () => 1 + dice.below(24 * 30));
      const after = async (hours: readonly number[]): Promise<unknown> => {
        await simulation.begin(seed);
        for (let number = 0; number < 15; number++) await simulation.step(number);
        return simulation.pass(hours.map((each) => `${each}h`));
      };
      expect(await after([parts.reduce((a, b) => a + b, 0)])).toEqual(await after(parts));
    }
  });

  test('lives the same story again, and the same prefix of it', async () => {
    const steps = Array.from({ length: 20 }, (_none, number) => number);
    const once = await live(simulation, 7, steps);
    expect(await live(simulation, 7, steps)).toEqual(once);
    const { steps: fewer } = await live(simulation, 7, steps.slice(0, 10));
    expect(fewer.slice(0, 10)).toEqual(once.steps.slice(0, 10));
  });
});

test('a law that does not hold is found, with the steps that lead there', async () => {
  const kit = {
    ...TASK_AUTOMATION,
    laws: [
      {
        name: 'there is no second agent',
        *broken(view: { all(resource: string): readonly unknown[] }) {
          if (view.all('agent').length > 1) yield 'there is one';
        },
      },
    ],
  };
  const simulation = await Simulation.open(kit);
  let found = await search(simulation, 1, 60);
  for (let seed = 2; !found && seed < 20; seed++) found = await search(simulation, seed, 60);
  await simulation.close();
  expect(found?.broken).toEqual([{ law: 'there is no second agent', what: 'there is one' }]);
  expect(found?.only).toHaveLength(1);
  expect(found?.said).toEqual(['POST /agents {"name":"Agent"} -> 201']);
});

test('a simulated company keeps the laws of its vendors, lives beside forks, and is replayed', async () => {
  const stage = new CompanySimulation('test/companies/mailing.yaml');
  const { steps, brokenAt } = await live(stage, 1, [0, 2, 3]);
  await stage.close();
  expect(steps.map(({ said }) => said)).toEqual([
    expect.stringMatching(/^beside a fork, actors act until \S+: [1-9]/),
    expect.stringMatching(/^actors act until \S+: [1-9]/),
    expect.stringMatching(/^(shop|courier): [a-z_.]+ \{/),
    'all is replayed',
  ]);
  expect(brokenAt).toBeNull();
});
