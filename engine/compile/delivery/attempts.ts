import { objectType, NUMBER, STRING, mapType } from '../../expression/index.js';
import { inside, type SourceLocation, type StepFile, type TransportFile } from '../../model/index.js';
import type { AttemptsPlan, OutcomeSteps } from '../../program/index.js';
import { functionScope, liveParameter, stepContext } from '../context.js';
import { compileSteps } from '../steps/index.js';
import type { DeliveryContext } from './endpoint.js';

/** What came of a delivery: `body` is text. */
const RESPONSE = objectType(
  [
    ['status', NUMBER],
    ['headers', mapType(STRING)],
    ['body', STRING],
    ['error', STRING],
  ],
  'response',
);

/** Compiles what a transport says of its attempts and of what came of them. */
export function compileAttempts(
  name: string,
  file: TransportFile,
  place: SourceLocation,
  context: DeliveryContext,
): AttemptsPlan {
  const { model } = context.compiler;
  return {
    retries: model.settings.retriesOf.get(name) ?? null,
    onResponse: compileOutcome(file.on_response, inside(place, 'on_response'), context),
    onFailure: compileOutcome(file.on_failure, inside(place, 'on_failure'), context),
  };
}

function compileOutcome(
  steps: readonly StepFile[] | undefined,
  place: SourceLocation,
  { compiler, event: type, endpoint: of }: DeliveryContext,
): OutcomeSteps | null {
  if (steps === undefined) return null;
  const seen = { event: liveParameter(type), endpoint: liveParameter(of), response: RESPONSE };
  const name = `delivery ${place.path.slice(2).join(' ')}`;
  const { scope, unit, parameters } = functionScope(name, place, compiler.env, seen);
  const lines = compileSteps(steps, place, { ...stepContext(compiler, scope), scope: scope.child() });
  return unit.function<OutcomeSteps>(parameters, ['x.internal++;', ...lines]);
}
