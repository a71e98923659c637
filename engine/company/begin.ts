import { ControlError } from '../control/client.cjs';
import { ControlRejection } from '../control/index.js';
import { requestNamed, sendRequest } from '../mcp/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import type { Member, ServedCompany } from './parts.js';
import type { CompanyPlan, CompanyStep } from './program.js';
import type { Names } from './values.js';

/** Thrown if a vendor rejects a step of a company file. */
export class StepRejected extends RangeError {
  /** @param code the vendor's error name, or the control API's */
  constructor(
    message: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Throws the error for a new world with a time or seed that makes the company's setup fail. */
export function rejectBeginning(error: unknown): never {
  throw error instanceof StepRejected ? new ControlRejection(400, 'invalid_value', error.message) : error;
}

/**
 * Sets up a new company: seed data, people, and the steps of `begin`.
 * @returns saved responses, by name
 * @throws StepRejected
 */
export async function begin(
  { steps, people }: CompanyPlan,
  { vendors }: Pick<ServedCompany, 'vendors'>,
): Promise<Names> {
  const names: Names = { people: structuredClone(people) };
  for (const step of steps) await runStep(step, vendors[step.vendor], names);
  return names;
}

/** Runs a step of a company file. @param names saved responses so far; receives the step's result @throws StepRejected */
export async function runStep(step: CompanyStep, member: Member, names: Names): Promise<void> {
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
      case 'endpoint':
        return void (await control.call('POST', '/webhooks/endpoints', { url: step.url }));
      case 'seed': {
        const body = step.body(names);
        if (!step.fields) return void (await control.call('POST', '/seed', body));
        const object = step.fields(names, engine);
        await control.call('POST', '/seed', { ...body, objects: [object] });
        return step.keep?.(object, names);
      }
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new StepRejected(`${step.place}: ${error.message}`, codeOf(error), { cause: error });
  }
}

/** Thrown if a vendor rejects a call. */
class CallRejected extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

function codeOf(error: Error): string {
  if (error instanceof CallRejected) return error.code;
  const body = error instanceof ControlError ? error.body : null;
  const said = isObject(body) ? body['error'] : null;
  return isObject(said) ? String(said['code']) : 'invalid_value';
}

/** Calls an operation as an application does. */
async function call(key: string, given: JsonObject, { url, key: apiKey, engine }: Member): Promise<Json> {
  const request = requestNamed(engine.pack, key, given, apiKey);
  if (!request) throw new Error(`there is no operation '${key}'`);
  const response = await sendRequest(url, request);
  const text = await response.text();
  // Some vendors return errors with status 200, so the error in the call's trace counts too.
  const [trace] = engine.world.traces.newest(1);
  if (response.status >= 400 || (trace?.error ?? null) !== null)
    throw new CallRejected(`${key} returned ${response.status}: ${text}`, trace?.error ?? String(response.status));
  return text === '' ? null : (JSON.parse(text) as Json);
}

function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : {};
}
