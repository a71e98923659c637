import { isList, isObject, type Json, type JsonObject } from '../../values/index.js';
import {
  accepts,
  ANY,
  BOOLEAN,
  describeType,
  join,
  listType,
  mapType,
  objectType,
  STRING,
  type Type,
  WatchedScope,
} from '../../expression/index.js';
import {
  type DeliveryFile,
  endpointNames,
  inside,
  keyIn,
  type SourceLocation,
  type ResourceDef,
} from '../../model/index.js';
import { suggest } from '../../pack/index.js';
import type { EndpointPlan, OverDelivery, OverEndpoint } from '../../program/index.js';
import {
  type Compiler,
  functionScope,
  type FunctionScope,
  liveParameter,
  definitionOf,
  rootScope,
  stepContext,
} from '../context.js';
import { compileMaker } from '../maker.js';
import { compileSteps } from '../steps/index.js';

/** Context that the templates of `delivery` share. */
export interface DeliveryContext {
  readonly compiler: Compiler;
  /** The resources of endpoints; the control API registers endpoints of the first one. */
  readonly endpoints: readonly [ResourceDef, ...ResourceDef[]];
  /** The type of endpoints; with several resources, the members that any of them has. */
  readonly endpoint: Type;
  /** The type of event objects. */
  readonly event: Type;
  /** The type of events of any kind. */
  readonly anyEvent: Type;
}

/** Settings of a pack's transports that depend on the endpoint, by the transport's name. */
interface EndpointTransports {
  /** Compiled URLs of HTTP transports. */
  readonly urls: ReadonlyMap<string, OverDelivery>;
  /** The kind of events that a transport sends, if it isn't the ordinary kind. */
  readonly kinds: ReadonlyMap<string, string>;
}

/**
 * Compiles `delivery.endpoint`: which endpoints receive an event, their signing secrets, how one is registered, and what
 * happens after failures.
 */
export function compileEndpoint(
  file: DeliveryFile,
  place: SourceLocation,
  transports: EndpointTransports,
  context: DeliveryContext,
): EndpointPlan {
  const { active, events, secret, version, tenants } = file.endpoint;
  const at = inside(place, 'endpoint');
  const isActive = active === undefined ? null : endpointExpression(context, active, inside(at, 'active'), BOOLEAN).run;
  const secrets =
    secret === undefined
      ? null
      : endpointExpression(context, secret, inside(at, 'secret'), STRING, listType(ANY), mapType(ANY)).run;
  const transport = compileChoice(file, place, context);
  const { kinds, urls } = transports;
  return {
    resources: context.endpoints,
    active: isActive === null ? () => true : (host, row) => isActive(host, row) === true,
    events: endpointExpression(context, events, inside(at, 'events'), listType(STRING)).run,
    version: version === undefined ? null : endpointExpression(context, version, inside(at, 'version'), STRING).run,
    renderings: renderingsOf(version === undefined ? null : inside(at, 'version'), context),
    tenants: tenants === undefined ? null : endpointExpression(context, tenants, inside(at, 'tenants'), STRING).run,
    when: compileWhen(file.endpoint.when, inside(at, 'when'), context),
    secrets: secrets === null ? () => [] : (host, row) => texts(secrets(host, row)),
    transport,
    kind: kinds.size === 0 ? null : (host, row) => kinds.get(String(transport(host, row, null))) ?? null,
    url: (host, row) => urls.get(String(transport(host, row, null)))?.(host, row, null) ?? null,
    register: compileRegister(context.endpoints[0], file.endpoint.register, inside(at, 'register'), context),
    registerKinds: compileRegisterKinds(file.endpoint.register_kinds ?? {}, inside(at, 'register_kinds'), context),
    exhausted: compileExhausted(file, inside(at, 'exhausted'), context),
  };
}

/**
 * The field of events that stores how other API versions show them; null: none.
 * @param version location of the endpoint's own version; null if endpoints have none
 */
function renderingsOf(version: SourceLocation | null, { compiler }: DeliveryContext): string | null {
  const { settings, byName, packPlace } = compiler.model;
  const name = settings.events?.renderings ?? null;
  if (version !== null && name === null)
    compiler.diagnostics.problem(keyIn(version), 'no-renderings', 'pack.yaml has no `events.renderings`');
  const fields = byName.get(settings.events?.resource ?? '')?.schema.fields;
  if (name === null || fields === undefined) return name;
  const place = inside(packPlace, 'events', 'renderings');
  const field = compiler.diagnostics.find(place, 'field', name, fields);
  if (field)
    if (field.kind !== 'map' || field.hidden !== true)
      compiler.diagnostics.problem(place, 'wrong-type', `'${name}' is to be a hidden map`);
  return name;
}

/** Compiles `when`: the condition under which an endpoint receives an event. */
function compileWhen(
  source: string | undefined,
  place: SourceLocation,
  { compiler, endpoint, anyEvent }: DeliveryContext,
): EndpointPlan['when'] {
  if (source === undefined) return null;
  const { diagnostics, env } = compiler;
  const seen = { event: liveParameter(anyEvent), endpoint: liveParameter(endpoint) };
  const { scope, unit, parameters } = functionScope('delivery when', place, env, seen);
  return unit.expression(parameters, diagnostics.condition(place, source, scope, env));
}

/** Compiles an expression over an endpoint alone. */
export function endpointExpression(
  { compiler, endpoint }: DeliveryContext,
  source: string,
  place: SourceLocation,
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
      `this must be ${wanted.map(describeType).join(' or ')}, it is ${describeType(type)}`,
    );
  }
  return { type, run: scope.unit.expression(parameters, compiled) };
}

/** Compiles a text over an endpoint and an event for it. */
export function deliveryExpression(
  { compiler, endpoint }: DeliveryContext,
  event: Type,
  source: string,
  place: SourceLocation,
): { readonly type: Type; readonly run: OverDelivery; readonly seesEvent: boolean } {
  const { diagnostics, env } = compiler;
  const { scope, parameters } = endpointScope(endpoint, place, compiler);
  const all = [...parameters, scope.declare('event', event, true).js];
  const watched = new WatchedScope(scope);
  const compiled = diagnostics.bare(place, source, watched, env);
  const { type } = compiled;
  if (!accepts(STRING, type))
    diagnostics.problem(place, 'wrong-type', `this must be ${describeType(STRING)}, it is ${describeType(type)}`);
  return { type, run: scope.unit.expression(all, compiled), seesEvent: watched.read.has('event') };
}

/** Reads the resources of endpoints; undefined if the pack lacks one, which is reported. */
export function endpointContext(
  file: DeliveryFile,
  place: SourceLocation,
  compiler: Compiler,
): DeliveryContext | undefined {
  const { model, diagnostics } = compiler;
  const at = inside(place, 'endpoint', 'resource');
  const found = endpointNames(file).flatMap((name, index) => {
    const def = model.byName.get(name);
    if (def) return [def];
    diagnostics.unknown(
      typeof file.endpoint.resource === 'string' ? at : inside(at, index),
      'resource',
      name,
      model.byName.keys(),
    );
    return [];
  });
  const [first, ...more] = found;
  if (first === undefined || found.length < endpointNames(file).length) return undefined;
  const { events } = model.settings;
  const event = model.byName.get(events?.resource ?? '')?.type ?? ANY;
  const others = [...(events?.kinds.values() ?? [])].flatMap(({ resource }) => model.byName.get(resource)?.type ?? []);
  const anyEvent = event.kind === 'object' ? anyOf([event, ...others]) : ANY;
  return { compiler, endpoints: [first, ...more], endpoint: anyOf(found.map(({ type }) => type)), event, anyEvent };
}

/** The members that any of several types has. */
function anyOf(types: readonly Extract<Type, { kind: 'object' }>[]): Type {
  if (types.length === 1) return types[0];
  const fields = new Map<string, Type>();
  for (const type of types)
    for (const [name, field] of type.fields) {
      const known = fields.get(name);
      fields.set(name, known === undefined ? field : join(known, field));
    }
  return objectType(fields, types.map(({ name = 'object' }) => name).join(' or '));
}

function endpointScope(endpoint: Type, place: SourceLocation, { env }: Compiler): FunctionScope {
  return functionScope(`delivery ${String(place.path.at(-1))}`, place, env, { endpoint: liveParameter(endpoint) });
}

/** Compiles the choice of an event's transport: the only one, or what `transport` returns. */
function compileChoice(file: DeliveryFile, place: SourceLocation, context: DeliveryContext): OverDelivery {
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
  const { type, run } = deliveryExpression(context, context.anyEvent, transport, at);
  const values = type.kind === 'string' ? (type.values ?? []) : [];
  for (const value of values) {
    if (names.includes(value)) continue;
    const message = `unknown transport '${value}'`;
    const offset = Math.max(0, transport.search(new RegExp(`['"]${value}['"]`)));
    diagnostics.problem(at, 'unknown-transport', message, { suggestion: suggest(value, names), offset });
  }
  return run;
}

/** Compiles the registration of endpoints for events of other kinds. */
function compileRegisterKinds(
  files: NonNullable<DeliveryFile['endpoint']['register_kinds']>,
  place: SourceLocation,
  context: DeliveryContext,
): EndpointPlan['registerKinds'] {
  const { diagnostics, model } = context.compiler;
  const known = model.settings.events?.kinds ?? new Map<string, unknown>();
  const names = context.endpoints.map(({ name }) => name);
  return new Map(
    Object.entries(files).flatMap(([kind, { resource, with: fields }]) => {
      const at = inside(place, kind);
      diagnostics.known(keyIn(at), 'event-kind', kind, known);
      const def = context.endpoints.find(({ name }) => name === resource);
      if (def) return [[kind, compileRegister(def, fields, at, context)] as const];
      diagnostics.unknown(inside(at, 'resource'), 'resource', resource, names);
      return [];
    }),
  );
}

function compileRegister(
  def: ResourceDef,
  fields: JsonObject,
  place: SourceLocation,
  { compiler }: DeliveryContext,
): EndpointPlan['register'] {
  const scope = rootScope('delivery register', place, compiler.env);
  const { unit } = scope;
  const parameters = ['x', unit.identifier('asked')];
  const asked = [
    ['url', STRING],
    ['events', listType(STRING)],
    ['description', STRING],
  ] as const;
  const known = asked.map(([name, type]) => `const ${scope.declare(name, type).js} = ${parameters[1]}.${name};`);
  const id = unit.identifier('id');
  const steps = stepContext(compiler, scope);
  const shape = unit.refer(def, `def_${def.name}`);
  const makeId = (kind?: string): string => `x.newId(${shape}${kind === undefined ? '' : `, ${kind}`})`;
  const { lines, made } = compileMaker(steps, def, { with: fields }, place, id, makeId);
  return unit.function(parameters, [...known, ...lines, `return x.create(${definitionOf(def, steps)}, ${made});`]);
}

function compileExhausted(
  file: DeliveryFile,
  place: SourceLocation,
  context: DeliveryContext,
): EndpointPlan['exhausted'] {
  const { compiler, endpoint } = context;
  const steps = file.endpoint.exhausted;
  if (!steps) return null;
  const { scope, parameters } = endpointScope(endpoint, place, compiler);
  const lines = compileSteps(steps, place, { ...stepContext(compiler, scope), scope: scope.child() });
  return scope.unit.function(parameters, ['x.internal++;', ...lines]);
}

function texts(value: Json): string[] {
  // A secret that is a JWK becomes JSON text.
  return (isList(value) ? value : [value])
    .map((each) => (isObject(each) ? JSON.stringify(each) : each))
    .filter((each): each is string => typeof each === 'string' && each !== '');
}
