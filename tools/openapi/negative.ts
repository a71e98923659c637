import qs from 'qs';
import { keyHeaders, type Sandbox } from '../../engine/index.js';
import type { FactsFile } from '../../engine/model/index.js';
import { routeShape } from '../../engine/program/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { type BrokenKind, brokenParams } from './broken.js';
import type { OperationFacts } from './facts.js';

/** A request. */
export interface SentCall {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

/** A call that violates a constraint, and its result. */
interface BrokenCall {
  readonly kind: BrokenKind;
  readonly param: string;
  readonly status: number;
}

/** Results for one documented operation. */
export interface NegativeReport {
  /** Method and path, such as `POST /pets`. */
  readonly operation: string;
  /** Whether a call succeeded, whose constraints could then be violated. */
  readonly valid: boolean;
  readonly broken: number;
  readonly accepted: readonly BrokenCall[];
  /** Accepted calls that the pack's facts declare as accepted by the vendor too. */
  readonly lenient: readonly BrokenCall[];
  /** Calls with a response status of 500 or above. */
  readonly failed: readonly BrokenCall[];
}

/** Longer than the window of most rate limits. */
const LIMITS_OVER = '1h';

interface Probed {
  broken: number;
  readonly accepted: BrokenCall[];
  readonly lenient: BrokenCall[];
  readonly failed: BrokenCall[];
}

/** Violates the constraints of a pack's calls one at a time, each from the same state of the world. */
export class NegativeCheck {
  readonly #facts: ReadonlyMap<string, { readonly route: string; readonly facts: OperationFacts }>;
  readonly #probed = new Map<string, Probed>();
  /** Number of the last ledger entry when the state was last restored. */
  #restored = 0;

  /**
   * @param facts of the document's operations, by method and path
   * @param differs where the vendor's behavior differs from its document
   */
  constructor(
    facts: ReadonlyMap<string, OperationFacts>,
    private readonly differs: NonNullable<FactsFile['differs']>,
  ) {
    this.#facts = new Map([...facts].map(([route, each]) => [routeShape(route), { route, facts: each }]));
  }

  /** Whether the constraints of a call's operation haven't been tested yet. */
  needs(sandbox: Sandbox, method: string, path: string): boolean {
    const route = this.#routeOf(sandbox, method, path);
    return route !== undefined && !this.#probed.has(route);
  }

  /** Sends a call and, if it succeeds, its invalid variants. Restores the world afterwards. @returns whether the call succeeded */
  async probe(sandbox: Sandbox, call: SentCall): Promise<boolean> {
    const route = this.#routeOf(sandbox, call.method, call.path);
    if (route === undefined || this.#probed.has(route)) return false;
    const { facts = {} } = this.#facts.get(routeShape(route)) ?? {};
    const moment = (this.#restored = sandbox.engine.world.ledger.count);
    const first = await this.#send(sandbox, call);
    await this.#restore(sandbox, moment);
    if (!first.succeeded) return false;
    const probed: Probed = { broken: 0, accepted: [], lenient: [], failed: [] };
    this.#probed.set(route, probed);
    const parts = partsOf(call);
    const valid = { ...parts.query, ...parts.body };
    for (const { kind, param, params } of brokenParams(facts, valid, parts.isText)) {
      const sent = await this.#send(sandbox, withParams(call, parts, params));
      probed.broken++;
      const broken = { kind, param, status: sent.status };
      if (sent.status >= 500) probed.failed.push(broken);
      else if (sent.succeeded) probed[this.#isLenient(route, broken) ? 'lenient' : 'accepted'].push(broken);
      await this.#restore(sandbox, moment);
    }
    return true;
  }

  /** Results for every operation of the document that the pack serves. */
  report(sandbox: Sandbox): readonly NegativeReport[] {
    const served = new Set(
      sandbox.engine.pack.operations.flatMap(({ routes }) =>
        routes.map(({ method, path }) => routeShape(`${method} ${path}`)),
      ),
    );
    return [...this.#facts]
      .filter(([shape]) => served.has(shape))
      .map(([, { route }]) => {
        const probed = this.#probed.get(route);
        return {
          operation: route,
          valid: probed !== undefined,
          ...(probed ?? { broken: 0, accepted: [], lenient: [], failed: [] }),
        };
      });
  }

  /** The document's route for a call, if an operation of the pack serves it. */
  #routeOf({ engine }: Sandbox, method: string, path: string): string | undefined {
    const match = engine.pack.routes.match(method, path);
    if (match.kind !== 'operation') return undefined;
    for (const route of match.operation.routes) {
      const found = this.#facts.get(routeShape(`${route.method} ${route.path}`));
      if (found !== undefined) return found.route;
    }
    return undefined;
  }

  #isLenient(route: string, { kind, param }: BrokenCall): boolean {
    return this.differs.some(
      ({ params, rules, operations }) =>
        params.includes(param) && rules.includes(kind) && operations?.includes(route) !== false,
    );
  }

  async #restore({ control, engine }: Sandbox, moment: number): Promise<void> {
    const { ledger } = engine.world;
    if (ledger.count === this.#restored) return;
    await control.rewind(moment);
    this.#restored = ledger.count;
  }

  async #send(sandbox: Sandbox, call: SentCall): Promise<{ status: number; succeeded: boolean }> {
    let response = await sent(sandbox, call);
    if (response.status === 429) {
      await sandbox.control.advance(LIMITS_OVER);
      response = await sent(sandbox, call);
    }
    await response.arrayBuffer();
    const trace = sandbox.engine.world.traces.get(response.headers.get('x-mock-resolution-trace') ?? '');
    return { status: response.status, succeeded: trace !== undefined && trace.error === null };
  }
}

function sent({ url, key, engine }: Sandbox, { method, path, contentType, body }: SentCall): Promise<Response> {
  const headers = {
    ...keyHeaders(engine.model.settings.auth, key),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  };
  return fetch(url + path, { method, headers, body, redirect: 'manual' });
}

/** The parameters of a call by location. */
interface CallParts {
  readonly query: JsonObject;
  readonly body: JsonObject | null;
  /** All parameters are sent as text. */
  readonly isText: boolean;
}

const JSON_TYPE = /[/+]json\b/;

function partsOf({ path, contentType = '', body }: SentCall): CallParts {
  const query = parsed(path.split('?')[1] ?? '');
  if (body === undefined) return { query, body: null, isText: true };
  if (!JSON_TYPE.test(contentType)) return { query, body: parsed(body), isText: true };
  let data: Json = null;
  try {
    data = JSON.parse(body) as Json;
  } catch {
    // The body isn't JSON, so it has no parameters.
  }
  return { query, body: isObject(data) ? data : {}, isText: false };
}

function parsed(text: string): JsonObject {
  return qs.parse(text) as unknown as JsonObject;
}

/** Copies a call with other parameters, each in its original location. */
function withParams(call: SentCall, parts: CallParts, params: JsonObject): SentCall {
  const entries = Object.entries(params);
  const inQuery = entries.filter(([name]) => parts.body === null || Object.hasOwn(parts.query, name));
  const inBody = Object.fromEntries(entries.filter((each) => !inQuery.includes(each)));
  const query = qs.stringify(Object.fromEntries(inQuery), { arrayFormat: 'repeat' });
  const path = `${call.path.split('?')[0]}${query === '' ? '' : `?${query}`}`;
  if (parts.body === null) return { ...call, path };
  return {
    ...call,
    path,
    body: parts.isText ? qs.stringify(inBody, { arrayFormat: 'repeat' }) : JSON.stringify(inBody),
  };
}
