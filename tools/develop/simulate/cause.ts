import { ControlError, type Sandbox } from '../../../engine/index.js';
import type { JsonObject } from '../../../engine/values/index.js';
import type { Dice } from './dice.js';
import type { SimulationStep } from './story.js';

/** Triggers a random external event that is possible now. */
export async function anyCause(control: Sandbox['control'], dice: Dice): Promise<SimulationStep> {
  const { causes } = (await control.call('GET', '/world/next?limit=300')) as unknown as {
    readonly causes: readonly {
      readonly cause: string;
      readonly params: JsonObject;
      readonly also_needs?: unknown;
    }[];
  };
  const possible = causes.filter(({ also_needs: more }) => more === undefined);
  // Chooses the event first, then its object; otherwise the most frequent objects would dominate.
  const name = dice.maybe([...new Set(possible.map(({ cause }) => cause))]);
  if (name === undefined) return { said: 'nothing', broken: [] };
  const { cause, params } = dice.one(possible.filter((each) => each.cause === name));
  const said = `${cause} ${JSON.stringify(params)}`;
  try {
    await control.event(cause, params);
    return { said, broken: [] };
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    // An event may be rejected for a condition that it doesn't declare, but it must not cause a defect.
    const broken = error.status >= 500 ? [{ law: 'no call fails', what: error.message }] : [];
    return { said: `${said} -> ${error.status}`, broken };
  }
}
