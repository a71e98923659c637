import { frameOf, type Host, isList, type Json } from '../expression/index.js';
import { type DeliveryFile, glob, inside, type Model, type Place, type ResourceDef } from '../model/index.js';
import type { Row, World } from '../world/index.js';
import { rootScope } from '../compile/context.js';
import { lazy } from '../program/program.js';

/** Which objects receive events: the pack's endpoint resource read by the expressions of `delivery.endpoint`. */
export class Endpoints {
  readonly resource: ResourceDef;
  readonly #active: (row: Row) => boolean;
  readonly #events: (row: Row) => Json;
  readonly #secret: () => (row: Row) => Json;
  readonly #url: () => (row: Row) => Json;
  readonly #patterns = new Map<string, RegExp>();

  constructor(
    file: DeliveryFile,
    model: Model,
    private readonly world: World,
    host: Host,
    place: Place,
  ) {
    const def = model.byName.get(file.endpoint.resource);
    if (!def) {
      model.linking.unknown(
        inside(place, 'endpoint', 'resource'),
        'resource',
        file.endpoint.resource,
        model.byName.keys(),
      );
      throw new Error(`unknown endpoint resource '${file.endpoint.resource}'`);
    }
    this.resource = def;
    const over = (source: string, ...path: string[]): ((row: Row) => Json) => {
      const scope = rootScope();
      const endpoint = scope.declare('endpoint', def.type, true).slot;
      const compiled = model.linking.bare(inside(place, ...path), source, scope, model.env);
      return (row) => {
        const frame = frameOf(host, scope.layout.size);
        frame[endpoint] = row;
        return compiled.run(frame);
      };
    };
    const active = file.endpoint.active === undefined ? undefined : over(file.endpoint.active, 'endpoint', 'active');
    this.#active = active === undefined ? () => true : (row) => active(row) === true;
    this.#events = over(file.endpoint.events, 'endpoint', 'events');
    const { secret, transport } = file.endpoint;
    this.#secret = lazy(() => (secret === undefined ? () => null : over(secret, 'endpoint', 'secret')));
    this.#url = lazy(() => {
      const entries = Object.entries(file.transports);
      const urls = new Map(
        entries.flatMap(([name, { url }]) =>
          url === undefined ? [] : [[name, over(url, 'transports', name, 'url')] as const],
        ),
      );
      const usual = entries.length === 1 ? entries[0][0] : 'http';
      const choice = transport === undefined ? () => usual : over(transport, 'endpoint', 'transport');
      return (row) => urls.get(String(choice(row)))?.(row) ?? null;
    });
  }

  /** Endpoints that receive events of a type now, oldest first. */
  receivers(type: string): Row[] {
    const collection = this.world.collections[this.resource.index];
    if (collection.size === 0) return [];
    return collection
      .ordered()
      .all()
      .filter((row) => this.#active(row) && this.#wants(row, type));
  }

  count(type: string): number {
    return this.receivers(type).length;
  }

  /** The event types an endpoint asked for. */
  eventsOf(row: Row): Json {
    return this.#events(row);
  }

  /** What signs for an endpoint now: of several secrets the first; null when nothing is signed. */
  secretOf(row: Row): Json {
    const secret = this.#secret()(row);
    return isList(secret) ? (secret[0] ?? null) : secret;
  }

  /** Where an endpoint's events are sent; null when they are not sent by HTTP. */
  urlOf(row: Row): Json {
    return this.#url()(row);
  }

  isActive(row: Row): boolean {
    return this.#active(row);
  }

  #wants(row: Row, type: string): boolean {
    const events = this.#events(row);
    if (!isList(events)) return false;
    return events.some(
      (name) =>
        name === type ||
        name === '*' ||
        (typeof name === 'string' && name.includes('*') && this.#pattern(name).test(type)),
    );
  }

  #pattern(name: string): RegExp {
    let pattern = this.#patterns.get(name);
    if (pattern === undefined) this.#patterns.set(name, (pattern = glob(name)));
    return pattern;
  }
}
