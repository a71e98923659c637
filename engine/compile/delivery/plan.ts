import type { Json } from '../../values/index.js';
import { ANY, objectType, NUMBER, STRING, mapType } from '../../expression/index.js';
import {
  type DeliveryFile,
  inside,
  keyIn,
  type SourceLocation,
  type StepFile,
  type TransportFile,
} from '../../model/index.js';
import type {
  Cause,
  DeliveryPlan,
  OverDelivery,
  TransportPlan,
  AttemptsPlan,
  OutcomeSteps,
  OutcomeTest,
} from '../../program/index.js';
import { type Compiler, type FunctionScope, functionScope, liveParameter, stepContext } from '../context.js';
import { compileEndpoint, type DeliveryContext, endpointContext } from './endpoint.js';
import { compileSocket, type SocketFile } from './socket.js';
import { compileHttp, compileRecord } from './transport.js';
import { compileSteps } from '../steps/index.js';

/** Compiles `delivery` of pack.yaml; null if the pack has none. Problems are reported. */
export function compileDelivery(causes: ReadonlyMap<string, Cause>, compiler: Compiler): DeliveryPlan | null {
  const { model } = compiler;
  const file = model.settings.delivery;
  if (!file) return null;
  const place = inside(model.packPlace, 'delivery');
  const whole = endpointContext(file, place, compiler);
  if (!whole) return null;
  if (!model.settings.events)
    model.diagnostics.problem(keyIn(place), 'no-events', 'there is nothing to deliver without `events`');
  const transports = new Map<string, TransportPlan>();
  const urls = new Map<string, OverDelivery>();
  const kinds = new Map<string, string>();
  for (const [name, each] of Object.entries(file.transports)) {
    const at = inside(place, 'transports', name);
    if (each.events !== undefined) kinds.set(name, each.events);
    const context = ofKind(each.events, at, whole);
    if (each.record !== undefined) {
      for (const key of ['retries', 'gives_up', 'on_response', 'on_failure'] as const)
        if (each[key] !== undefined)
          model.diagnostics.problem(
            keyIn(at, key),
            'invalid-value',
            'a recorded event has no receiver that could respond',
          );
      transports.set(name, { kind: 'record', record: compileRecord(each.record, inside(at, 'record'), context) });
      continue;
    }
    if (each.socket) checkShared(each.socket, inside(at, 'socket'), file, compiler);
    const attempts = compileAttempts(name, each, at, context);
    const http = compileHttp(each, at, file.endpoint.secret !== undefined, context);
    transports.set(
      name,
      each.socket
        ? { kind: 'socket', http, socket: compileSocket(each.socket, inside(at, 'socket'), causes, context), attempts }
        : { kind: 'http', http, attempts },
    );
    if (each.url !== undefined && !http.hasOwnUrls) urls.set(name, http.url);
  }
  return {
    endpoint: compileEndpoint(file, place, { urls, kinds }, whole),
    transports,
    retries: model.settings.retries,
    retryAfter: file.retry_after ?? false,
    typeField: typeField(compiler, place),
  };
}

/** Keys that all sockets of one path must have in common, since their listeners share connections. */
const SHARED = ['protocol', 'opened', 'closed', 'refused', 'reply', 'greeting', 'share'] as const;

/** Reports keys of a socket that differ from the first socket of the same path. */
function checkShared(
  socket: SocketFile,
  place: SourceLocation,
  { transports }: DeliveryFile,
  { diagnostics }: Compiler,
): void {
  const all = Object.values(transports).flatMap((each) => (each.socket ? [each.socket] : []));
  const first = all.find(({ path }) => path === socket.path);
  for (const key of SHARED) {
    if (first && JSON.stringify(first[key]) !== JSON.stringify(socket[key]))
      diagnostics.problem(
        inside(place, key),
        'invalid-value',
        `'${key}' is another one at the first socket of this path`,
      );
  }
}

/** Returns the context for a transport's templates: `event` has the type of the events that the transport sends. */
function ofKind(kind: string | undefined, place: SourceLocation, context: DeliveryContext): DeliveryContext {
  if (kind === undefined) return context;
  const { model, diagnostics } = context.compiler;
  const known = model.settings.events?.kinds ?? new Map<string, { readonly resource: string }>();
  const found = diagnostics.find(inside(place, 'events'), 'event-kind', kind, known);
  return { ...context, event: model.byName.get(found?.resource ?? '')?.type ?? ANY };
}

/** The field that `events.with` of pack.yaml fills with the event's name; kinds of events without it are reported. */
function typeField({ model }: Compiler, place: SourceLocation): string {
  const filled = Object.entries(model.settings.events?.with ?? {}).find(([, value]) => isName(value));
  for (const kind of filled ? (model.settings.events?.kinds.values() ?? []) : []) {
    const at: SourceLocation = { file: place.file, path: ['events', 'kinds', kind.name, 'with'] };
    if (filled && !isName(kind.with[filled[0]] ?? null))
      model.diagnostics.problem(
        keyIn(at),
        'no-event-type',
        `'${filled[0]}' is to be \`\${type}\`, as of ordinary events`,
      );
  }
  if (filled) return filled[0];
  const at: SourceLocation = { file: place.file, path: ['events', 'with'] };
  if (model.settings.events)
    model.diagnostics.problem(keyIn(at), 'no-event-type', 'no field of events is `${type}`, their name');
  return 'type';
}

function isName(value: Json): boolean {
  return typeof value === 'string' && /^\$\{\s*type\s*\}$/.test(value);
}

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
function compileAttempts(
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
