import type { JsonObject } from '../../values/index.js';
import { stateKey, transitionKey } from '../../runtime/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';

/** Names of a kind, each with whether it was met. */
type CoverageNames = readonly (readonly [name: string, met: boolean])[];

/** What of the pack this world's calls have met, and what not. */
export function coverageRoutes({ engine }: ControlContext): ControlRoute[] {
  const { coverage, pack } = engine;
  return [
    route('GET /coverage', {}, () => {
      const { states, transitions } = machines();
      const magic = pack.magic.families.flatMap(({ values }) => [...values().keys()]);
      const kinds: Readonly<Record<string, CoverageNames>> = {
        states,
        transitions,
        events: within(pack.eventTypes, coverage.events),
        errors: within(engine.model.errors.keys(), coverage.errors),
        causes: within(pack.causes.keys(), coverage.causes),
        magic_values: within(magic, coverage.magicValues),
        scenarios: within(pack.scenarios().keys(), coverage.scenarios),
      };
      return { body: Object.fromEntries(Object.entries(kinds).map(([kind, names]) => [kind, viewOf(names)])) };
    }),
  ];

  function machines(): { readonly states: CoverageNames; readonly transitions: CoverageNames } {
    const states: [string, boolean][] = [];
    const transitions: [string, boolean][] = [];
    for (const { machine, collection, index } of engine.model.resources) {
      if (!machine) continue;
      for (const state of machine.states) {
        states.push([`${collection}.${state}`, coverage.states.has(stateKey(index, state))]);
        const met = (trigger: string): boolean => coverage.transitions.has(transitionKey(index, state, trigger));
        for (const trigger of machine.triggers())
          if (machine.canSend(state, trigger)) transitions.push([`${collection}.${state} ${trigger}`, met(trigger)]);
        for (const { delay, trigger } of machine.timersOf(state))
          transitions.push([`${collection}.${state} after ${delay}`, met(trigger)]);
      }
    }
    return { states, transitions };
  }
}

function within(names: Iterable<string>, met: ReadonlySet<string>): CoverageNames {
  return [...names].map((name) => [name, met.has(name)]);
}

function viewOf(names: CoverageNames): JsonObject {
  const met = names.filter(([, is]) => is).map(([name]) => name);
  return { total: names.length, met, missing: names.filter(([, is]) => !is).map(([name]) => name) };
}
