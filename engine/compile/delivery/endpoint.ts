import {
  accepts,
  ANY,
  BOOLEAN,
  describe,
  frameOf,
  isList,
  type Json,
  listOf,
  type Scope,
  STRING,
  type Type,
} from '../../expression/index.js';
import { type DeliveryFile, inside, type Place, type ResourceDef } from '../../model/index.js';
import type { EndpointPlan, OverEndpoint } from '../../program/index.js';
import { type Compiler, rootScope } from '../context.js';
import { compileMaker } from '../maker.js';
import { compileSteps } from '../steps.js';

/** What the templates of `delivery` have in common. */
export interface DeliveryContext {
  readonly compiler: Compiler;
  /** The resource of endpoints. */
  readonly endpoint: ResourceDef;
  /** The type of event objects. */
  readonly event: Type;
}

/** Compiles `delivery.endpoint`: who receives events, what signs for them, how one is made and what becomes of lost ones. */
export function compileEndpoint(
  file: DeliveryFile,
  place: Place,
  urls: ReadonlyMap<string, OverEndpoint>,
  context: DeliveryContext,
): EndpointPlan {
  const { active, events, secret } = file.endpoint;
  const at = inside(place, 'endpoint');
  const isActive = active === undefined ? null : endpointExpression(context, active, inside(at, 'active'), BOOLEAN).run;
  const secrets =
    secret === undefined ? null : endpointExpression(context, secret, inside(at, 'secret'), STRING, listOf(STRING)).run;
  const transport = compileChoice(file, place, context);
  return {
    resource: context.endpoint,
    active: isActive === null ? () => true : (host, row) => isActive(host, row) === true,
    events: endpointExpression(context, events, inside(at, 'events'), listOf(STRING)).run,
    secrets: secrets === null ? () => [] : (host, row) => texts(secrets(host, row)),
    transport,
    url: (host, row) => urls.get(String(transport(host, row)))?.(host, row) ?? null,
    register: compileRegister(file, inside(at, 'register'), context),
    exhausted: compileExhausted(file, inside(at, 'exhausted'), context),
  };
}

/** Compiles an expression over an endpoint alone. */
export function endpointExpression(
  { compiler, endpoint }: DeliveryContext,
  source: string,
  place: Place,
  ...wanted: readonly Type[]
): { readonly type: Type; readonly run: OverEndpoint } {
  const { linking, env } = compiler;
  const { scope, slot } = endpointScope(endpoint);
  const { type, run } = linking.bare(place, source, scope, env);
  if (!wanted.some((each) => accepts(each, type))) {
    linking.problem(place, 'wrong-type', `this must be ${wanted.map(describe).join(' or ')}, it is ${describe(type)}`);
  }
  return {
    type,
    run: (host, row) => {
      const frame = frameOf(host, scope.layout.size);
      frame[slot] = row;
      return run(frame);
    },
  };
}

/** Reads the resource of endpoints; undefined when the pack has none of that name, which is reported. */
export function endpointContext(file: DeliveryFile, place: Place, compiler: Compiler): DeliveryContext | undefined {
  const { model, linking } = compiler;
  const endpoint = model.byName.get(file.endpoint.resource);
  if (!endpoint) {
    const at = inside(place, 'endpoint', 'resource');
    linking.unknown(at, 'resource', file.endpoint.resource, model.byName.keys());
    return undefined;
  }
  const event = model.byName.get(model.settings.events?.resource ?? '')?.type ?? ANY;
  return { compiler, endpoint, event };
}

function endpointScope(endpoint: ResourceDef): { readonly scope: Scope; readonly slot: number } {
  const scope = rootScope();
  return { scope, slot: scope.declare('endpoint', endpoint.type, true).slot };
}

/** The transport of an endpoint: the only one there is, or what `transport` says. */
function compileChoice(file: DeliveryFile, place: Place, context: DeliveryContext): OverEndpoint {
  const { linking } = context.compiler;
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
  const { type, run } = endpointExpression(context, transport, at, STRING);
  const values = type.kind === 'string' ? (type.values ?? []) : [];
  for (const value of values) if (!names.includes(value)) linking.unknown(at, 'transport', value, names);
  return run;
}

function compileRegister(file: DeliveryFile, place: Place, context: DeliveryContext): EndpointPlan['register'] {
  const { compiler, endpoint: def } = context;
  const scope = rootScope();
  const slots = {
    url: scope.declare('url', STRING).slot,
    events: scope.declare('events', listOf(STRING)).slot,
    description: scope.declare('description', STRING).slot,
  };
  const make = compileMaker({ compiler, scope }, def, { with: file.endpoint.register }, place);
  return (execution, { url, events, description }) => {
    const frame = frameOf(execution, scope.layout.size);
    frame[slots.url] = url;
    frame[slots.events] = events;
    frame[slots.description] = description;
    return execution.create(execution.program(def), make(frame, execution, execution.newId(def)));
  };
}

function compileExhausted(file: DeliveryFile, place: Place, context: DeliveryContext): EndpointPlan['exhausted'] {
  const steps = file.endpoint.exhausted;
  if (!steps) return null;
  const { scope, slot } = endpointScope(context.endpoint);
  const run = compileSteps(steps, place, { compiler: context.compiler, scope: scope.child() });
  return (execution, endpoint) => {
    const frame = frameOf(execution, scope.layout.size);
    frame[slot] = endpoint;
    execution.internal++;
    run(frame, execution);
  };
}

function texts(value: Json): string[] {
  return (isList(value) ? value : [value]).filter((each): each is string => typeof each === 'string' && each !== '');
}
