import {
  accepts,
  ANY,
  describe,
  frameOf,
  type Host,
  isList,
  type Json,
  listOf,
  type Scope,
  STRING,
  type Type,
} from '../../expression/index.js';
import { type DeliveryFile, inside, type Place, type ResourceDef } from '../../model/index.js';
import { type CompiledPack, rootScope } from '../../runtime/index.js';
import type { Row } from '../../world/index.js';

/** What the templates of `delivery` have in common: what they can see, and what signs. */
export interface DeliveryScope {
  readonly pack: CompiledPack;
  /** The resource of endpoints. */
  readonly endpoint: ResourceDef;
  /** The type of event objects. */
  readonly event: Type;
  readonly hasSecret: boolean;
  readonly root: () => Scope;
  /** The secrets that sign for an endpoint, the current one first. */
  readonly secrets: (host: Host, endpoint: Row) => readonly string[];
}

/** Something computed of an endpoint alone. */
export type OverEndpoint = (host: Host, endpoint: Row) => Json;

/** Reads who receives events and what signs for them. */
export function deliveryScope(file: DeliveryFile, place: Place, pack: CompiledPack): DeliveryScope | null {
  const { model } = pack;
  const { endpoint } = file;
  const def = model.byName.get(endpoint.resource);
  if (!def) {
    model.linking.unknown(inside(place, 'endpoint', 'resource'), 'resource', endpoint.resource, model.byName.keys());
    return null;
  }
  const event = pack.eventMaker?.resource.def.type ?? ANY;
  const base = { pack, endpoint: def, event, hasSecret: endpoint.secret !== undefined, root: rootScope };
  if (endpoint.secret === undefined) return { ...base, secrets: () => [] };
  const at = inside(place, 'endpoint', 'secret');
  const secret = endpointExpression({ ...base, secrets: () => [] }, endpoint.secret, at, STRING, listOf(STRING));
  return { ...base, secrets: (host, row) => texts(secret.run(host, row)) };
}

/** Compiles an expression over an endpoint alone. */
export function endpointExpression(
  { pack, endpoint }: DeliveryScope,
  source: string,
  place: Place,
  ...wanted: readonly Type[]
): { readonly type: Type; readonly run: OverEndpoint } {
  const { linking, env } = pack.model;
  const scope = rootScope();
  const { slot } = scope.declare('endpoint', endpoint.type, true);
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

function texts(value: Json): string[] {
  return (isList(value) ? value : [value]).filter((each): each is string => typeof each === 'string' && each !== '');
}
