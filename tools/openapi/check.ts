import type { Sandbox } from '../../engine/index.js';
import type { Received, DocumentedCall, Contract } from './contract.js';
import { Random } from './random.js';
import { depth, Session } from './session.js';

/** Results of the calls of one operation. */
export interface OperationReport {
  /** Method and path, such as `GET /pets/{petId}`. */
  readonly operation: string;
  /** Whether the pack has a route for it. */
  readonly served: boolean;
  calls: number;
  /** Number of successful responses that match the document. */
  valid: number;
  /** Number of responses by status. */
  readonly statuses: Record<string, number>;
  /** Returned statuses that the document doesn't declare. */
  readonly undocumented: Set<number>;
  /** Differences from the document, each with the first call that shows it. */
  readonly problems: Map<string, string>;
  /** A rejected call and its response, for the report. */
  rejected: string | undefined;
}

export interface ContractReport {
  readonly operations: readonly OperationReport[];
  /** Number of operations with a successful response and without differences. */
  readonly good: number;
}

/** Random calls per operation, and in total. */
const WALK = 2;
const MOST_WALK = 4000;
const MOST_PROBLEMS = 10;

/** Calls a pack in every way that its document allows, and compares each response with the document. */
export class ContractCheck {
  readonly #reports = new Map<DocumentedCall, OperationReport>();
  readonly #session: Session;
  readonly #byRoute: readonly (PathPattern & { readonly call: DocumentedCall })[];
  readonly #random: Random;

  constructor(
    sandbox: Sandbox,
    private readonly contract: Contract,
    seed: number,
  ) {
    this.#session = new Session(sandbox, contract, seed);
    for (const call of contract.calls)
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
    // If a name may contain slashes, a path can match several routes; the most specific one applies.
    this.#byRoute = contract.calls
      .map((call) => ({ call, ...patternOf(call, this.#session.base) }))
      .sort((a, b) => Number(a.several) - Number(b.several) || (a.several ? b.said - a.said : a.names - b.names));
    this.#random = new Random(seed + 1);
  }

  /** Calls each operation once, parents first, then random ones, and deletes at the end. */
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
    // Children are deleted before their parents.
    for (const call of deletes.reverse()) await this.#try(call, true);
    return this.report();
  }

  report(): ContractReport {
    const operations = [...this.#reports].map(([call, each]) => ({ ...each, served: this.#session.served.has(call) }));
    return { operations, good: operations.filter(isGood).length };
  }

  /**
   * Checks a response to a call made elsewhere, such as an example of the pack.
   * @returns whether it matches the document; undefined if the document doesn't have the operation
   */
  take(method: string, path: string, received: Received): boolean | undefined {
    const [bare] = path.split('?');
    const found = this.#byRoute.find(({ call, pattern }) => call.method === method.toLowerCase() && pattern.test(bare));
    return found && this.#judge(found.call, `${method} ${path}`, received);
  }

  async #try(call: DocumentedCall, plain: boolean): Promise<void> {
    const session = this.#session;
    await session.provideFor(call);
    const found = session.served.get(call);
    const report = this.#reports.get(call);
    const request = session.maker.make(call, found?.operation, found?.route.path ?? call.path, plain);
    const received = await session.send(request);
    this.#judge(call, `${request.method} ${request.path}`, received);
    // The document's example may name objects that don't exist, and generated values may be invalid: the other kind is tried next.
    if (report && report.valid === 0 && received.status >= 400) {
      const again = session.maker.make(call, found?.operation, found?.route.path ?? call.path, !plain);
      this.#judge(call, `${again.method} ${again.path}`, await session.send(again));
    }
  }

  #judge(call: DocumentedCall, said: string, received: Received): boolean | undefined {
    const report = this.#reports.get(call);
    if (!report) return undefined;
    const { documented, problems } = this.contract.judge(call, received);
    const { status } = received;
    report.calls++;
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    // An undeclared 4xx is only listed; any other undeclared status is an error.
    const wrong =
      documented || (status >= 400 && status < 500) ? problems : [`status ${status} is not in the document`];
    if (status >= 400) report.rejected = `${said}: ${status} ${received.text.slice(0, 200)}`;
    if (!documented) report.undocumented.add(status);
    else if (problems.length === 0 && status < 400) report.valid++;
    for (const each of wrong) if (report.problems.size < MOST_PROBLEMS) report.problems.set(`${status}: ${each}`, said);
    return wrong.length === 0;
  }
}

/** Whether an operation responded successfully and every response matched the document. */
export function isGood({ valid, problems }: OperationReport): boolean {
  return valid > 0 && problems.size === 0;
}

interface PathPattern {
  readonly pattern: RegExp;
  /** Number of names in its path. */
  readonly names: number;
  /** Number of literal characters in its path. */
  readonly said: number;
  /** A name may contain slashes. */
  readonly several: boolean;
}

function patternOf({ path, parameters }: DocumentedCall, base: string): PathPattern {
  const long = new Set(
    parameters.filter((each) => each['x-multi-segment'] === true).map(({ name }) => `{${String(name)}}`),
  );
  const parts = (base + path).replace(/[?#].*$/, '').split(/(\{[^{}]+\})/);
  const source = parts.map((part) =>
    long.has(part) ? '.+' : part.startsWith('{') ? '[^/]+' : part.replace(/[^\w/]/g, '\\$&'),
  );
  return {
    pattern: new RegExp(`^${source.join('')}/?$`),
    names: parts.filter((part) => part.startsWith('{')).length,
    said: parts.filter((part) => !part.startsWith('{')).join('').length,
    several: parts.some((part) => long.has(part)),
  };
}
