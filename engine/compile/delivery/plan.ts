import { BOOLEAN, frameOf, type Json, listOf, STRING } from '../../expression/index.js';
import { type DeliveryFile, inside, type Place } from '../../model/index.js';
import { type Command, type CompiledPack, compileMaker, compileSteps, rootScope } from '../../runtime/index.js';
import { parseDuration, type Row } from '../../world/index.js';
import { compileHttp, compileRecord, type HttpPlan } from './render.js';
import { type DeliveryScope, deliveryScope, endpointExpression, type OverEndpoint } from './scope.js';

/** A way of delivery, compiled. */
export type TransportPlan =
  | { readonly kind: 'http'; readonly http: HttpPlan }
  | { readonly kind: 'record'; readonly record: ReturnType<typeof compileRecord> };

/** `delivery` of a pack, compiled. */
export interface DeliveryPlan {
  readonly transports: ReadonlyMap<string, TransportPlan>;
  /** The name of an endpoint's transport. */
  readonly transportOf: OverEndpoint;
  /** Waits between attempts in milliseconds of the world's clock. */
  readonly retriesMs: readonly number[];
  /** What the vendor does when a delivery is given up; null: nothing. */
  readonly exhausted: ((command: Command, endpoint: Row) => void) | null;
  /** The field of event objects that holds the event's name. */
  readonly typeField: string;
}

const plans = new WeakMap<CompiledPack, DeliveryPlan | null>();

/** The pack's `delivery`, compiled once; null when it has none. Mistakes go to the model's problems. */
export function deliveryPlan(pack: CompiledPack): DeliveryPlan | null {
  let plan = plans.get(pack);
  if (plan === undefined) plans.set(pack, (plan = compileDelivery(pack)));
  return plan;
}

/** Compiles every expression, template and step of `delivery` and reports what is wrong with them. */
export function checkDelivery(pack: CompiledPack): void {
  const { model } = pack;
  const file = model.settings.delivery;
  const packFile = model.source.one('pack');
  if (!file || !packFile || deliveryPlan(pack) === null) return;
  const place: Place = { file: packFile, path: ['delivery', 'endpoint'] };
  const def = model.byName.get(file.endpoint.resource);
  if (!def) return;
  const scope = rootScope();
  for (const name of ['url', 'events', 'description']) scope.declare(name, name === 'events' ? listOf(STRING) : STRING);
  compileMaker({ compiler: pack.compiler, scope }, def, { with: file.endpoint.register }, inside(place, 'register'));
}

function compileDelivery(pack: CompiledPack): DeliveryPlan | null {
  const { model } = pack;
  const file = model.settings.delivery;
  const packFile = model.source.one('pack');
  if (!file || !packFile) return null;
  const place: Place = { file: packFile, path: ['delivery'] };
  const scope = deliveryScope(file, place, pack);
  if (!scope) return null;
  if (!pack.eventMaker)
    model.linking.problem(place, 'no-events', 'there is nothing to deliver without `events`', { at: 'key' });
  const transports = new Map<string, TransportPlan>();
  for (const [name, each] of Object.entries(file.transports)) {
    const at = inside(place, 'transports', name);
    transports.set(
      name,
      each.record === undefined
        ? { kind: 'http', http: compileHttp(each, at, scope) }
        : { kind: 'record', record: compileRecord(each.record, inside(at, 'record'), scope) },
    );
  }
  checkExpressions(file, place, scope);
  return {
    transports,
    transportOf: compileChoice(file, place, scope),
    retriesMs: (file.retries ?? []).map((wait) => parseDuration(wait) ?? 0),
    exhausted: compileExhausted(file, place, scope),
    typeField: typeField(pack, place),
  };
}

/** `active` and `events` are run by the endpoints; what they give is checked here. */
function checkExpressions(file: DeliveryFile, place: Place, scope: DeliveryScope): void {
  const { active, events } = file.endpoint;
  if (active !== undefined) endpointExpression(scope, active, inside(place, 'endpoint', 'active'), BOOLEAN);
  endpointExpression(scope, events, inside(place, 'endpoint', 'events'), listOf(STRING));
}

function compileChoice(file: DeliveryFile, place: Place, scope: DeliveryScope): DeliveryPlan['transportOf'] {
  const { linking } = scope.pack.model;
  const names = Object.keys(file.transports);
  const only = names.length === 1 ? names[0] : 'http';
  const { transport } = file.endpoint;
  if (transport === undefined) {
    if (!names.includes(only)) {
      linking.problem(
        inside(place, 'endpoint'),
        'no-transport',
        "with several transports, none of them 'http', `transport` says which",
      );
    }
    return () => only;
  }
  const at = inside(place, 'endpoint', 'transport');
  const { type, run } = endpointExpression(scope, transport, at, STRING);
  const values = type.kind === 'string' ? (type.values ?? []) : [];
  for (const value of values) if (!names.includes(value)) linking.unknown(at, 'transport', value, names);
  return run;
}

function compileExhausted(file: DeliveryFile, place: Place, delivery: DeliveryScope): DeliveryPlan['exhausted'] {
  const steps = file.endpoint.exhausted;
  if (!steps) return null;
  const scope = rootScope();
  const { slot } = scope.declare('endpoint', delivery.endpoint.type, true);
  const at = inside(place, 'endpoint', 'exhausted');
  const run = compileSteps(steps, at, { compiler: delivery.pack.compiler, scope: scope.child() });
  return (command, endpoint) => {
    const frame = frameOf(command, scope.layout.size);
    frame[slot] = endpoint;
    command.internal++;
    run(frame, command);
  };
}

/** The field that pack.yaml `events.with` fills with the event's name. */
function typeField({ model }: CompiledPack, place: Place): string {
  const filled = Object.entries(model.settings.events?.with ?? {}).find(([, value]) => isName(value));
  if (filled) return filled[0];
  const at: Place = { file: place.file, path: ['events', 'with'] };
  if (model.settings.events)
    model.linking.problem(at, 'no-event-type', 'no field of events is `${type}`, their name', { at: 'key' });
  return 'type';
}

function isName(value: Json): boolean {
  return typeof value === 'string' && /^\$\{\s*type\s*\}$/.test(value);
}
