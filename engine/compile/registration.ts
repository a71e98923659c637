import { frameOf, listOf, STRING } from '../expression/index.js';
import { inside } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Command } from '../runtime/command.js';
import { rootScope } from './context.js';
import { compileMaker } from './maker.js';
import type { CompiledPack } from './pack.js';

/** What a test says of an endpoint. */
export interface EndpointRequest {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
}

/** Makes an object of the endpoints' resource. */
export type Register = (command: Command, request: EndpointRequest) => Row;

/** Compiles `delivery.endpoint.register`; null when the pack delivers nothing. */
export function compileRegistration({ model, compiler }: CompiledPack): Register | null {
  const { delivery } = model.settings;
  const file = model.source.one('pack');
  const def = delivery && model.byName.get(delivery.endpoint.resource);
  if (!delivery || !file || !def) return null;
  const scope = rootScope();
  const slots = {
    url: scope.declare('url', STRING).slot,
    events: scope.declare('events', listOf(STRING)).slot,
    description: scope.declare('description', STRING).slot,
  };
  const place = inside({ file, path: [] }, 'delivery', 'endpoint', 'register');
  const make = compileMaker({ compiler, scope }, def, { with: delivery.endpoint.register }, place);
  return (command, { url, events, description }) => {
    const frame = frameOf(command, scope.layout.size);
    frame[slots.url] = url;
    frame[slots.events] = events;
    frame[slots.description] = description;
    const value = make(frame, command, command.newId(def));
    return command.create(command.runtime.resources[def.index], value);
  };
}
