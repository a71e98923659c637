import { ControlError } from '../control/client.cjs';
import { requestNamed, sendRequest } from '../mcp/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import type { Member, ServedCompany } from './company.js';
import type { CompanyPlan, CompanyStep } from './plan.js';
import type { Names } from './values.js';

/** A step of a company's beginning that a vendor rejects. */
class BeginningRejected extends RangeError {}

/**
 * Lets a new company begin: seed data, people, and what happens before the first call.
 * @returns what was kept, by name
 * @throws BeginningRejected
 */
export async function begin(
  { steps, people }: CompanyPlan,
  { vendors }: Pick<ServedCompany, 'vendors'>,
): Promise<Names> {
  const names: Names = { people: structuredClone(people) };
  for (const step of steps) await run(step, vendors[step.vendor], names);
  return names;
}

async function run(step: CompanyStep, member: Member, names: Names): Promise<void> {
  const { engine, control } = member;
  try {
    switch (step.kind) {
      case 'call':
        return step.keep(await call(step.operation, objectOf(step.given(names, engine)), member), names);
      case 'cause':
        return void (await control.call('POST', '/world/events', {
          cause: step.cause,
          params: step.given(names, engine),
        }));
      case 'seed': {
        const body = step.body(names);
        if (!step.fields) return void (await control.call('POST', '/seed', body));
        const object = step.fields(names, engine);
        await control.call('POST', '/seed', { ...body, objects: [object] });
        return step.keep?.(object, names);
      }
    }
  } catch (error) {
    if (error instanceof ControlError) throw new BeginningRejected(`${step.place}: ${error.message}`);
    if (error instanceof Error) throw new BeginningRejected(`${step.place}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Calls an operation as an application does. */
async function call(key: string, given: JsonObject, { url, key: apiKey, engine }: Member): Promise<Json> {
  const request = requestNamed(engine.pack, key, given, apiKey);
  if (!request) throw new Error(`there is no operation '${key}'`);
  const response = await sendRequest(url, request);
  const text = await response.text();
  // Some vendors return 200 with an error in it.
  const [trace] = engine.world.traces.newest(1);
  if (!response.ok || (trace?.error ?? null) !== null) throw new Error(`${key} returned ${response.status}: ${text}`);
  return text === '' ? null : (JSON.parse(text) as Json);
}

function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : {};
}
