import type { Sandbox } from '../../engine/index.js';
import { keyHeaders } from '../../engine/index.js';
import type { Operation, Route } from '../../engine/program/index.js';
import { Random } from './random.js';
import { CallMaker, type Request } from './calls.js';
import type { Received, Call, Contract } from './contract.js';

/** What became of the calls of one operation of the document. */
export interface OperationReport {
  /** Such as `GET /pets/{petId}`. */
  readonly operation: string;
  /** The pack has a route for it. */
  readonly served: boolean;
  calls: number;
  /** Answers that the document knows as successes and has nothing against. */
  valid: number;
  /** How often each status was answered. */
  readonly statuses: Record<string, number>;
  /** Statuses that the document does not know. */
  readonly undocumented: Set<number>;
  /** What the document has against answers, each once, with a call that shows it. */
  readonly problems: Map<string, string>;
  /** A call that was rejected, and what was answered. */
  rejected: string | undefined;
}

export interface ContractReport {
  readonly operations: readonly OperationReport[];
  /** Operations with a valid success and no response that the document has something against. */
  readonly good: number;
}

/** Calls of the walk for each operation of the document, and the most of all. */
const WALK = 2;
const MOST_WALK = 4000;
const MOST_PROBLEMS = 10;

/** Calls a pack as its document allows, and compares every response with the document. */
export class ContractCheck {
  readonly #reports = new Map<Call, OperationReport>();
  readonly #served = new Map<Call, { readonly operation: Operation; readonly route: Route }>();
  readonly #byRoute: readonly { readonly pattern: RegExp; readonly call: Call; readonly names: number }[];
  readonly #maker: CallMaker;
  readonly #random: Random;
  readonly #making = new Set<string>();

  constructor(
    private readonly sandbox: Sandbox,
    private readonly contract: Contract,
    seed: number,
  ) {
    const routes = new Map<string, { readonly operation: Operation; readonly route: Route }>();
    for (const operation of sandbox.engine.pack.operations)
      for (const route of operation.routes) routes.set(shapeOf(route.method, route.path), { operation, route });
    const bases = basesOf(contract, routes);
    for (const call of contract.calls) {
      this.#reports.set(call, {
        operation: `${call.method.toUpperCase()} ${call.path}`,
        served: false,
        calls: 0,
        valid: 0,
        statuses: {},
        undocumented: new Set(),
        problems: new Map(),
        rejected: undefined,
      });
      const found = routes.get(shapeOf(call.method, bases + call.path));
      if (found) this.#served.set(call, found);
    }
    this.#byRoute = contract.calls
      .map((call) => ({ call, names: call.path.split('{').length, pattern: patternOf(call, bases) }))
      .sort((a, b) => a.names - b.names);
    this.#maker = new CallMaker(contract, seed, (resources, random) => this.#idOf(resources, random));
    this.#random = new Random(seed + 1);
  }

  /** Every operation once, objects first; a random walk; then what deletes. */
  async run(): Promise<ContractReport> {
    const calls = [...this.contract.calls].sort((a, b) => depth(a) - depth(b));
    const makes = calls.filter((call) => call.method === 'post' || call.method === 'put');
    const deletes = calls.filter((call) => call.method === 'delete');
    const others = calls.filter((call) => !makes.includes(call) && !deletes.includes(call));
    for (const call of makes) await this.#try(call, true);
    for (const call of others) await this.#try(call, true);
    for (let n = Math.min(MOST_WALK, calls.length * WALK); n > 0; n--) {
      const call = calls[this.#random.below(calls.length)];
      if (call.method !== 'delete' || this.#random.below(4) === 0) await this.#try(call, false);
    }
    for (const call of deletes) await this.#try(call, true);
    return this.report();
  }

  report(): ContractReport {
    const operations = [...this.#reports].map(([call, each]) => ({ ...each, served: this.#served.has(call) }));
    return { operations, good: operations.filter(isGood).length };
  }

  /** Takes a response that something else got, such as an example of the pack. */
  take(method: string, path: string, received: Received): void {
    const [bare] = path.split('?');
    const found = this.#byRoute.find(({ call, pattern }) => call.method === method.toLowerCase() && pattern.test(bare));
    if (found) this.#judge(found.call, `${method} ${path}`, received);
  }

  async #try(call: Call, plain: boolean): Promise<void> {
    const found = this.#served.get(call);
    if (found) {
      const needed = [...this.#needs(found.operation, found.route)];
      for (const resource of needed) await this.#provide(resource);
    }
    const report = this.#reports.get(call);
    const request = this.#maker.make(call, found?.operation, found?.route.path ?? call.path, plain);
    const received = await this.#send(request);
    this.#judge(call, `${request.method} ${request.path}`, received);
    // What a document's example names may not exist here; what is made up may be rejected where its example is not.
    if (report && report.valid === 0 && received.status >= 400) {
      const again = this.#maker.make(call, found?.operation, found?.route.path ?? call.path, !plain);
      this.#judge(call, `${again.method} ${again.path}`, await this.#send(again));
    }
  }

  /** Resources whose objects a route names. */
  *#needs(operation: Operation, route: Route): Iterable<string> {
    for (const name of route.names) {
      const schema = operation.params.get(name);
      if (schema?.kind === 'ref') yield schema.refs[0];
    }
    if (route.names.includes('id') || operation.idKey !== null) yield operation.resource.name;
  }

  /** Makes an object where there is none, by a call that makes one. */
  async #provide(resource: string): Promise<void> {
    if (this.#making.has(resource) || this.#idOf([resource], this.#random) !== undefined) return;
    this.#making.add(resource);
    const maker = [...this.#served].find(
      ([call, { operation, route }]) =>
        operation.resource.name === resource &&
        (call.method === 'post' || call.method === 'put') &&
        (operation.kind === 'create' ||
          (operation.kind === 'action' && !route.names.includes('id') && operation.idKey === null)),
    );
    if (maker) await this.#try(maker[0], true);
    this.#making.delete(resource);
  }

  #idOf(resources: readonly string[], random: Random): string | undefined {
    const { world, pack } = this.sandbox.engine;
    const ids = pack.resources
      .filter(({ def }) => resources.includes(def.name))
      .flatMap(({ index }) => world.objects(index).map((each) => String(each['id'])));
    return ids.length === 0 ? undefined : ids[random.below(ids.length)];
  }

  async #send({ method, path, headers, body }: Request): Promise<Received> {
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

  #judge(call: Call, said: string, received: Received): void {
    const report = this.#reports.get(call);
    if (!report) return;
    const { documented, problems } = this.contract.judge(call, received);
    const { status } = received;
    report.calls++;
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    // A rejection that the document forgot is told; a success that it does not know is wrong, and so is a defect.
    const wrong =
      documented || (status >= 400 && status < 500) ? problems : [`status ${status} is not in the document`];
    if (status >= 400) report.rejected = `${said}: ${status} ${received.text.slice(0, 200)}`;
    if (!documented) report.undocumented.add(status);
    else if (problems.length === 0 && status < 400) report.valid++;
    for (const each of wrong) if (report.problems.size < MOST_PROBLEMS) report.problems.set(`${status}: ${each}`, said);
  }
}

/** Whether the document has nothing against what an operation answers, and it does answer. */
export function isGood({ valid, problems }: OperationReport): boolean {
  return valid > 0 && problems.size === 0;
}

function depth({ path }: Call): number {
  return path.split('{').length * 100 + path.split('/').length;
}

function shapeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path
    .replace(/[?#].*$/, '')
    .replace(/\{[^{}]+\}/g, '{}')
    .replace(/\/$/, '')}`;
}

/** What the pack's paths have before those of the document: the path of its server. */
function basesOf(contract: Contract, routes: ReadonlyMap<string, unknown>): string {
  const candidates = new Map<string, number>();
  for (const shape of routes.keys()) {
    const [, path] = shape.split(' ');
    const parts = path.split('/');
    for (let length = 1; length <= Math.min(4, parts.length); length++) {
      const base = parts.slice(0, length).join('/');
      if (!base.includes('{')) candidates.set(base, 0);
    }
  }
  let best = '';
  let most = -1;
  for (const base of candidates.keys()) {
    const hits = contract.calls.filter((call) => routes.has(shapeOf(call.method, base + call.path))).length;
    if (hits > most) [best, most] = [base, hits];
  }
  return best;
}

function patternOf({ path }: Call, base: string): RegExp {
  const source = (base + path)
    .replace(/[?#].*$/, '')
    .split(/(\{[^{}]+\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replace(/[^\w/]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}/?$`);
}
