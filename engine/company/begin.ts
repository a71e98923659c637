import { ControlError } from '../control/client.cjs';
import { ControlRejection } from '../control/index.js';
import { requestNamed, sendRequest } from '../mcp/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import type { Member, ServedCompany } from './parts.js';
import type { CompanyPlan, CompanyStep } from './program.js';
import type { Names } from './values.js';

/** A step of a company file that a vendor rejects. */
export class StepRejected extends RangeError {
  /** @param code the vendor's name of the error, or that of the control API */
  constructor(
    message: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Throws what the caller who wanted a further world gets: with its time or seed the company's file can't begin. */
export function rejectBeginning(error: unknown): never {
  throw error instanceof StepRejected ? new ControlRejection(400, 'invalid_value', error.message) : error;
}

/**
 * Lets a new company begin: seed data, people, and what happens before the first call.
 * @returns what was kept, by name
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

/** Does what a company file says. @param names what was kept so far, and is by this @throws StepRejected */
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

/** A call that a vendor rejects. */
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
  // Some vendors return 200 with an error in it.
  const [trace] = engine.world.traces.newest(1);
  if (response.status >= 400 || (trace?.error ?? null) !== null)
    throw new CallRejected(`${key} returned ${response.status}: ${text}`, trace?.error ?? String(response.status));
  return text === '' ? null : (JSON.parse(text) as Json);
}

function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : {};
}
