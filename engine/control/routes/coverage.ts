import { type Engine, stateKey, transitionKey } from '../../runtime/index.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';

/** The names of one kind (such as operations), each with whether calls have used it. */
type CoverageNames = readonly (readonly [name: string, met: boolean])[];

const CoveredSchema = s.named(
  'Covered',
  s.object({ total: s.integer, met: s.list(s.string), missing: s.list(s.string) }),
);

const UnsupportedSchema = s.named(
  'Unsupported',
  s.object({
    kind: s.string.about(
      'kind of the unsupported part: parameter, value, header, media_type, qualifier, field, path, method or case',
    ),
    name: s.string,
    operation: s.string.orNull().about('<collection>.<operation>; null if the request matched no operation'),
    count: s.integer.about('number of requests that used it'),
  }),
);

/** Routes that return which parts of the pack calls have used, and which requests the pack doesn't emulate. */
export const COVERAGE_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /unsupported',
    {
      id: 'unsupported',
      tag: 'history',
      about:
        'Features that requests have used since the start, that the vendor documents, but the pack does not emulate',
      response: s.object({ data: s.list(UnsupportedSchema) }),
    },
    ({ engine }) => ({ body: { data: engine.coverage.unsupported.list() } }),
  ),
  route(
    'GET /coverage',
    {
      id: 'coverage',
      tag: 'history',
      about:
        'Which states, transitions, events, errors and other parts of the pack requests have covered since the start, and which not',
      response: s.object({
        states: CoveredSchema,
        transitions: CoveredSchema,
        events: CoveredSchema,
        errors: CoveredSchema,
        causes: CoveredSchema,
        magic_values: CoveredSchema,
        scenarios: CoveredSchema,
      }),
    },
    ({ engine }) => {
      const { coverage, pack } = engine;
      const { states, transitions } = machines(engine);
      const magic = pack.magic.families.flatMap(({ values }) => [...values().keys()]);
      return {
        body: {
          states: viewOf(states),
          transitions: viewOf(transitions),
          events: viewOf(within(pack.eventTypes, coverage.events)),
          errors: viewOf(within(engine.model.errors.keys(), coverage.errors)),
          causes: viewOf(within(pack.causes.keys(), coverage.causes)),
          magic_values: viewOf(within(magic, coverage.magicValues)),
          scenarios: viewOf(within(pack.scenarios().keys(), coverage.scenarios)),
        },
      };
    },
  ),
];

function machines({ coverage, model }: Engine): {
  readonly states: CoverageNames;
  readonly transitions: CoverageNames;
} {
  const states: [string, boolean][] = [];
  const transitions: [string, boolean][] = [];
  for (const { machine, collection, index } of model.resources) {
    if (!machine) continue;
    for (const state of machine.states) {
      states.push([`${collection}.${state}`, coverage.states.has(stateKey(index, state))]);
      const isCovered = (trigger: string): boolean => coverage.transitions.has(transitionKey(index, state, trigger));
      for (const trigger of machine.triggers())
        if (machine.canSend(state, trigger))
          transitions.push([`${collection}.${state} ${trigger}`, isCovered(trigger)]);
      for (const { delay, trigger } of machine.timersOf(state))
        transitions.push([`${collection}.${state} after ${delay}`, isCovered(trigger)]);
    }
  }
  return { states, transitions };
}

function within(names: Iterable<string>, covered: ReadonlySet<string>): CoverageNames {
  return [...names].map((name) => [name, covered.has(name)]);
}

function viewOf(names: CoverageNames): s.Shown<typeof CoveredSchema> {
  const covered = names.filter(([, is]) => is).map(([name]) => name);
  return { total: names.length, met: covered, missing: names.filter(([, is]) => !is).map(([name]) => name) };
}
