import { objectType, NUMBER, STRING, mapType } from '../../expression/index.js';
import { inside, type SourceLocation, type StepFile, type TransportFile } from '../../model/index.js';
import type { AttemptsPlan, OutcomeSteps, OutcomeTest } from '../../program/index.js';
import { type FunctionScope, functionScope, liveParameter, stepContext } from '../context.js';
import { compileSteps } from '../steps/index.js';
import type { DeliveryContext } from './endpoint.js';

/** Type of the receiver's response to a delivery: `body` is text. */
const RESPONSE = objectType(
  [
    ['status', NUMBER],
    ['headers', mapType(STRING)],
    ['body', STRING],
    ['error', STRING],
  ],
  'response',
);

/** Compiles a transport's rules for attempts and their outcomes. */
export function compileAttempts(
  name: string,
  file: TransportFile,
  place: SourceLocation,
  context: DeliveryContext,
): AttemptsPlan {
  const { model } = context.compiler;
  return {
    retries: model.settings.retriesOf.get(name) ?? null,
    givesUp: compileTest(file.gives_up, inside(place, 'gives_up'), context),
    onResponse: compileOutcome(file.on_response, inside(place, 'on_response'), context),
    onFailure: compileOutcome(file.on_failure, inside(place, 'on_failure'), context),
  };
}

/** The scope of expressions over the outcome of an attempt. */
function outcomeScope(place: SourceLocation, { compiler, event, endpoint }: DeliveryContext): FunctionScope {
  const seen = { event: liveParameter(event), endpoint: liveParameter(endpoint), response: RESPONSE };
  return functionScope(`delivery ${place.path.slice(2).join(' ')}`, place, compiler.env, seen);
}

function compileTest(source: string | undefined, place: SourceLocation, context: DeliveryContext): OutcomeTest | null {
  if (source === undefined) return null;
  const { scope, unit, parameters } = outcomeScope(place, context);
  return unit.expression(
    parameters,
    context.compiler.diagnostics.condition(place, source, scope, context.compiler.env),
  );
}

function compileOutcome(
  steps: readonly StepFile[] | undefined,
  place: SourceLocation,
  context: DeliveryContext,
): OutcomeSteps | null {
  if (steps === undefined) return null;
  const { compiler } = context;
  const { scope, unit, parameters } = outcomeScope(place, context);
  const lines = compileSteps(steps, place, { ...stepContext(compiler, scope), scope: scope.child() });
  return unit.function<OutcomeSteps>(parameters, ['x.internal++;', ...lines]);
}
