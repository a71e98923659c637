import { keyHeaders, type Sandbox } from '../../engine/index.js';
import { type Operation, type OperationRoute, routeShape } from '../../engine/program/index.js';
import { CallMaker, type Request } from './calls.js';
import type { DocumentedCall, Contract, Received } from './contract.js';
import type { Random } from './random.js';

/** Longer than the window of most rate limits. */
const LIMITS_OVER = '1h';

/** An operation of a pack and its route for a call of the document. */
interface ServedOperation {
  readonly operation: Operation;
  readonly route: OperationRoute;
}

/** Calls a served pack through its document: finds the operation of each call, and creates the objects that its route needs. */
export class Session {
  readonly served = new Map<DocumentedCall, ServedOperation>();
  /** The base path of the pack's routes before the document's paths. */
  readonly base: string;
  readonly maker: CallMaker;
  readonly #making = new Set<string>();

  constructor(
    readonly sandbox: Sandbox,
    readonly contract: Contract,
    seed: number,
  ) {
    const routes = new Map<string, ServedOperation>();
    for (const operation of sandbox.engine.pack.operations)
      for (const route of operation.routes) routes.set(shapeOf(route.method, route.path), { operation, route });
    this.base = baseOf(contract, routes);
    for (const call of contract.calls) {
      const found = routes.get(shapeOf(call.method, this.base + call.path));
      if (found) this.served.set(call, found);
    }
    this.maker = new CallMaker(
      contract,
      seed,
      (resources, random) => this.#idOf(resources, random),
      (operation, own) => this.#parentOf(operation, own),
    );
  }

  /** Creates objects for the ids in a call's route, if there are none. */
  async provideFor(call: DocumentedCall): Promise<void> {
    const found = this.served.get(call);
    if (found) for (const resource of needs(found)) await this.#provide(resource);
  }

  /** Sends a call. If a rate limit of the pack rejects it, sends it again after the limit's window. */
  async send(request: Request): Promise<Received> {
    const received = await this.#fetch(request);
    if (received.status !== 429 || this.sandbox.engine.pack.rateLimits.length === 0) return received;
    await this.sandbox.control.advance(LIMITS_OVER);
    return this.#fetch(request);
  }

  async #fetch({ method, path, headers, body }: Request): Promise<Received> {
    const { url, key, engine } = this.sandbox;
    const response = await fetch(url + path, {
      method,
      headers: { ...keyHeaders(engine.model.settings.auth, key), ...headers },
      body,
      redirect: 'manual',
    });
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      text: await response.text(),
    };
  }

  /** Creates an object of a resource, unless there is one. */
  async #provide(resource: string): Promise<void> {
    if (this.#making.has(resource) || this.#idOf([resource], this.maker.random) !== undefined) return;
    this.#making.add(resource);
    const maker = [...this.served].find(
      ([call, { operation, route }]) =>
        operation.resource.name === resource &&
        (call.method === 'post' || call.method === 'put') &&
        (operation.kind === 'create' ||
          (operation.kind === 'action' && !route.names.includes('id') && operation.idKey === null)),
    );
    if (maker) {
      const [call, { operation, route }] = maker;
      await this.provideFor(call);
      const { status } = await this.send(this.maker.make(call, operation, route.path, true));
      // The document's example may name objects that don't exist.
      if (status >= 400) await this.send(this.maker.make(call, operation, route.path, false));
    }
    this.#making.delete(resource);
  }

  #idOf(resources: readonly string[], random: Random): string | undefined {
    const { world, pack } = this.sandbox.engine;
    const ids = pack.resources
      .filter(({ def }) => resources.includes(def.name))
      .flatMap(({ index }) => world.objects(index).map((each) => String(each['id'])));
    return ids.length === 0 ? undefined : ids[random.below(ids.length)];
  }

  #parentOf({ resource, parent }: Operation, own: string): string | undefined {
    const { world, pack } = this.sandbox.engine;
    const index = pack.resources.find(({ def }) => def.name === resource.name)?.index;
    if (index === undefined || parent === null) return undefined;
    const id = world.objects(index).find((each) => each['id'] === own)?.[parent.field];
    return typeof id === 'string' ? id : undefined;
  }
}

/** Resources whose ids a route contains, parents first. */
function* needs({ operation, route }: ServedOperation): Iterable<string> {
  if (operation.parent?.names.some((name) => route.names.includes(name)) === true) yield operation.parent.resource.name;
  for (const name of route.names) {
    const schema = operation.params().get(name);
    if (schema?.kind === 'ref') yield schema.refs[0];
  }
  if (route.names.includes('id') || operation.idKey !== null) yield operation.resource.name;
}

/** The method, and the path without its parameter names: equal for calls with the same route. */
export function shapeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${routeShape(path.replace(/[?#].*$/, '')).replace(/\/$/, '')}`;
}

/** The base path of the pack's routes: the path of the document's server. */
function baseOf(contract: Contract, routes: ReadonlyMap<string, unknown>): string {
  const candidates = new Set<string>();
  for (const shape of routes.keys()) {
    const [, path] = shape.split(' ');
    const parts = path.split('/');
    for (let length = 1; length <= Math.min(4, parts.length); length++) {
      const base = parts.slice(0, length).join('/');
      if (!base.includes('{')) candidates.add(base);
    }
  }
  let best = '';
  let most = -1;
  for (const base of candidates) {
    const hits = contract.calls.filter((call) => routes.has(shapeOf(call.method, base + call.path))).length;
    if (hits > most) [best, most] = [base, hits];
  }
  return best;
}

/** Sort key: calls with fewer path parameters first, then shorter paths. */
export function depth({ path }: DocumentedCall): number {
  return path.split('{').length * 100 + path.split('/').length;
}
