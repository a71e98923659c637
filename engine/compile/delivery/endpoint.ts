import {
  accepts,
  ANY,
  BOOLEAN,
  describe,
  isList,
  type Json,
  listOf,
  type Scope,
  STRING,
  type Type,
} from '../../expression/index.js';
import { type DeliveryFile, inside, type Place, type ResourceDef } from '../../model/index.js';
import type { EndpointPlan, OverEndpoint } from '../../program/index.js';
import { type Compiler, programOf, rootScope, stepContext } from '../context.js';
import { compileMaker } from '../maker.js';
import { compileSteps } from '../steps/index.js';

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
  const { active, events, secret, version, tenants } = file.endpoint;
  const at = inside(place, 'endpoint');
  const isActive = active === undefined ? null : endpointExpression(context, active, inside(at, 'active'), BOOLEAN).run;
  const secrets =
    secret === undefined ? null : endpointExpression(context, secret, inside(at, 'secret'), STRING, listOf(STRING)).run;
  const transport = compileChoice(file, place, context);
  return {
    resource: context.endpoint,
    active: isActive === null ? () => true : (host, row) => isActive(host, row) === true,
    events: endpointExpression(context, events, inside(at, 'events'), listOf(STRING)).run,
    version: version === undefined ? null : endpointExpression(context, version, inside(at, 'version'), STRING).run,
    renderings: renderingsOf(version === undefined ? null : inside(at, 'version'), context),
    tenants: tenants === undefined ? null : endpointExpression(context, tenants, inside(at, 'tenants'), STRING).run,
    when: compileWhen(file.endpoint.when, inside(at, 'when'), context),
    secrets: secrets === null ? () => [] : (host, row) => texts(secrets(host, row)),
    transport,
    url: (host, row) => urls.get(String(transport(host, row)))?.(host, row) ?? null,
    register: compileRegister(file, inside(at, 'register'), context),
    exhausted: compileExhausted(file, inside(at, 'exhausted'), context),
  };
}

/** The field of events that holds them in other versions. @param version where the endpoint says its own; null: it has none */
function renderingsOf(version: Place | null, { compiler }: DeliveryContext): string | null {
  const { settings, byName, packPlace } = compiler.model;
  const name = settings.events?.renderings ?? null;
  if (version !== null && name === null)
    compiler.diagnostics.problem(version, 'no-renderings', 'pack.yaml says no `events.renderings`', { at: 'key' });
  const fields = byName.get(settings.events?.resource ?? '')?.schema.fields;
  if (name === null || fields === undefined) return name;
  const place = inside(packPlace, 'events', 'renderings');
  const field = fields.get(name);
  if (!field) compiler.diagnostics.unknown(place, 'field', name, fields.keys());
  else if (field.kind !== 'map' || field.hidden !== true)
    compiler.diagnostics.problem(place, 'wrong-type', `'${name}' is to be a hidden map`);
  return name;
}

/** Compiles what decides about an event and an endpoint. */
function compileWhen(
  source: string | undefined,
  place: Place,
  { compiler, endpoint, event }: DeliveryContext,
): EndpointPlan['when'] {
  if (source === undefined) return null;
  const { diagnostics, env } = compiler;
  const scope = rootScope('delivery when', place, env);
  const parameters = ['x', scope.declare('event', event, true).js, scope.declare('endpoint', endpoint.type, true).js];
  return scope.unit.expression(parameters, diagnostics.condition(place, source, scope, env));
}

/** Compiles an expression over an endpoint alone. */
export function endpointExpression(
  { compiler, endpoint }: DeliveryContext,
  source: string,
  place: Place,
  ...wanted: readonly Type[]
): { readonly type: Type; readonly run: OverEndpoint } {
  const { diagnostics, env } = compiler;
  const { scope, parameters } = endpointScope(endpoint, place, compiler);
  const compiled = diagnostics.bare(place, source, scope, env);
  const { type } = compiled;
  if (!wanted.some((each) => accepts(each, type))) {
    diagnostics.problem(
      place,
      'wrong-type',
      `this must be ${wanted.map(describe).join(' or ')}, it is ${describe(type)}`,
    );
  }
  return { type, run: scope.unit.expression(parameters, compiled) };
}

/** Reads the resource of endpoints; undefined when the pack has none of that name, which is reported. */
export function endpointContext(file: DeliveryFile, place: Place, compiler: Compiler): DeliveryContext | undefined {
  const { model, diagnostics } = compiler;
  const endpoint = model.byName.get(file.endpoint.resource);
  if (!endpoint) {
    const at = inside(place, 'endpoint', 'resource');
    diagnostics.unknown(at, 'resource', file.endpoint.resource, model.byName.keys());
    return undefined;
  }
  const event = model.byName.get(model.settings.events?.resource ?? '')?.type ?? ANY;
  return { compiler, endpoint, event };
}

function endpointScope(
  endpoint: ResourceDef,
  place: Place,
  { env }: Compiler,
): { readonly scope: Scope; readonly parameters: readonly string[] } {
  const scope = rootScope(`delivery ${String(place.path.at(-1))}`, place, env);
  return { scope, parameters: ['x', scope.declare('endpoint', endpoint.type, true).js] };
}

/** The transport of an endpoint: the only one there is, or what `transport` says. */
function compileChoice(file: DeliveryFile, place: Place, context: DeliveryContext): OverEndpoint {
  const { diagnostics } = context.compiler;
  const names = Object.keys(file.transports);
  const only = names.length === 1 ? names[0] : 'http';
  const { transport } = file.endpoint;
  if (transport === undefined) {
    if (!names.includes(only)) {
      diagnostics.problem(
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
  for (const value of values) if (!names.includes(value)) diagnostics.unknown(at, 'transport', value, names);
  return run;
}

function compileRegister(file: DeliveryFile, place: Place, context: DeliveryContext): EndpointPlan['register'] {
  const { compiler, endpoint: def } = context;
  const scope = rootScope('delivery register', place, compiler.env);
  const { unit } = scope;
  const parameters = ['x', unit.identifier('asked')];
  const asked = [
    ['url', STRING],
    ['events', listOf(STRING)],
    ['description', STRING],
  ] as const;
  const known = asked.map(([name, type]) => `const ${scope.declare(name, type).js} = ${parameters[1]}.${name};`);
  const id = unit.identifier('id');
  const steps = stepContext(compiler, scope);
  const { lines, made } = compileMaker(steps, def, { with: file.endpoint.register }, place, id);
  return unit.function(parameters, [
    ...known,
    `const ${id} = x.newId(${unit.refer(def, `def_${def.name}`)});`,
    ...lines,
    `return x.create(${programOf(def, steps)}, ${made});`,
  ]);
}

function compileExhausted(file: DeliveryFile, place: Place, context: DeliveryContext): EndpointPlan['exhausted'] {
  const { compiler, endpoint } = context;
  const steps = file.endpoint.exhausted;
  if (!steps) return null;
  const { scope, parameters } = endpointScope(endpoint, place, compiler);
  const lines = compileSteps(steps, place, { ...stepContext(compiler, scope), scope: scope.child() });
  return scope.unit.function(parameters, ['x.internal++;', ...lines]);
}

function texts(value: Json): string[] {
  return (isList(value) ? value : [value]).filter((each): each is string => typeof each === 'string' && each !== '');
}
