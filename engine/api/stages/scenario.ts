import type { ControlCode } from '../../codes.js';
import { didYouMean } from '../../pack/index.js';
import type { OperationResponse, Engine } from '../../runtime/index.js';
import { EMPTY, type Stage } from '../visit.js';

/** Finds the scenario that a header names. The test chose the name, so a wrong one gets the control API's envelope. */
export function scenario(engine: Engine): Stage {
  return (visit, next) => {
    const name = visit.req.headers['x-mock-scenario'];
    if (typeof name !== 'string' || name === '') return next(visit);
    const scenarios = engine.pack.scenarios();
    const found = scenarios.get(name);
    if (!found) {
      const near = engine.model.env.suggest(name, scenarios.keys());
      return rejected('unknown_scenario', `There is no scenario '${name}'${didYouMean(near)}`);
    }
    // One that means nothing to the call would pass unnoticed.
    if (found.operations?.has(visit.operation.key) === false) {
      const fitting = [...found.operations].join(', ');
      return rejected('scenario_not_here', `The scenario '${name}' is for other calls: ${fitting}.`);
    }
    visit.scenario = found;
    if (visit.fault === null) visit.outcome = 'scenario';
    return next(visit);
  };
}

function rejected(code: ControlCode, message: string): OperationResponse {
  return { ...EMPTY, status: 400, error: code, body: JSON.stringify({ error: { code, message } }) };
}
