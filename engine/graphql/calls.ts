import type { Request, Response } from 'express';
import { UNSUPPORTED_HEADER, unsupportedText } from '../api/index.js';
import { decodeJsonValue, graphqlLibrary, jmespath } from '../codecs/index.js';
import { callWithin, type Plane } from '../http/index.js';
import { LIMITS } from '../limits.js';
import { type Caller, MissingInPath, NotSendable, requestOf } from '../mcp/index.js';
import type { GraphqlCall, GraphqlPlan, Operation } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import type { UnsupportedUse } from '../world/index.js';
import { DocumentBudget } from './budget.js';
import { connectionOf } from './connection.js';

/** The vendor API calls of one document, one after the other, so that their effects don't depend on timing. */
export class Calls {
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();
  readonly budget = new DocumentBudget();

  constructor(
    private readonly engine: Engine,
    private readonly plan: GraphqlPlan,
    private readonly vendor: Plane,
    private readonly outer: { readonly req: Request; readonly res: Response; readonly caller: Caller },
  ) {}

  /** The simulated time. */
  get now(): Json {
    return this.engine.world.now;
  }

  /** Reports requests of the document that the pack doesn't emulate. */
  report(uses: readonly UnsupportedUse[]): void {
    if (uses.length === 0) return;
    const { req } = this.outer;
    this.#name(unsupportedText(uses));
    this.engine.noteUnsupported(uses, null, `${req.method} ${this.plan.path}`);
  }

  /** Adds names of unsupported parts to the header `X-Mock-Unsupported`, without duplicates. */
  #name(text: string): void {
    const { res } = this.outer;
    if (this.engine.model.realistic) return;
    const named = res.getHeader(UNSUPPORTED_HEADER);
    const known = typeof named === 'string' ? named.split(', ') : [];
    res.setHeader(UNSUPPORTED_HEADER, [...new Set([...known, ...text.split(', ')])].join(', '));
  }

  /** Returns the value of a field that is bound to an operation. @param seen what its JMESPath expressions read */
  async field(call: GraphqlCall, seen: JsonObject): Promise<Json> {
    try {
      return await this.#field(call, seen);
    } catch (error) {
      if (call.absent && error instanceof graphqlLibrary().GraphQLError && error.extensions['status'] === 404)
        return null;
      throw error;
    }
  }

  async #field(call: GraphqlCall, seen: JsonObject): Promise<Json> {
    const id = call.of === null ? null : jmespath(call.of, seen);
    const of = await this.node(id);
    const named = await this.#named(evaluated(call.named, seen));
    const given = evaluated(call.with, { ...seen, of, named });
    const returned = await this.#ordered(call.operation, given);
    if (returned === undefined) return null;
    const response = call.again ? await this.node(id) : returned;
    if (call.items === null) return call.show === null ? response : jmespath(call.show, response);
    const shown = call.items;
    const itemsOf = (page: Json): readonly Json[] => listOf(jmespath(shown, page));
    // If the response is a list itself, its length counts: the field may show only some of its items.
    const sizeOf = (page: Json): number => (Array.isArray(page) ? page : itemsOf(page)).length;
    const items = [...itemsOf(response)];
    for (let page = response; call.more !== null && jmespath(call.more, page) === true;) {
      const following = await this.#ordered(call.operation, { ...given, ...evaluated(call.next, page) });
      if (following === undefined) break;
      items.push(...itemsOf((page = following)));
    }
    for (
      let page = 2, size = sizeOf(response), found = size;
      call.pages !== null && size > 0 && found === size;
      page++
    ) {
      const following = (await this.#ordered(call.operation, { ...given, [call.pages]: page })) ?? [];
      found = sizeOf(following);
      items.push(...itemsOf(following));
    }
    const { args } = seen;
    const { filter, reverse } = call;
    const chosen = filter === null ? items : items.filter((item) => jmespath(filter, { ...seen, item }) === true);
    if (reverse !== null && jmespath(reverse, seen) === true) chosen.reverse();
    return connectionOf(chosen, isObject(args) ? args : {});
  }

  /** Fetches the object with an id by the operation in `node` of graphql.yaml; null if there is none. */
  async node(id: Json | undefined): Promise<Json> {
    const { node } = this.plan;
    if (node === null || typeof id !== 'string') return null;
    return (await this.#ordered(node.operation, evaluated(node.with, { id }))) ?? null;
  }

  /** Fetches the objects of ids and of lists of ids, by name. */
  async #named(ids: JsonObject): Promise<JsonObject> {
    const found: Record<string, Json> = {};
    for (const [name, id] of Object.entries(ids))
      found[name] = await (Array.isArray(id) ? Promise.all(id.map((each: Json) => this.node(each))) : this.node(id));
    return found;
  }

  /** Fetches the object with an id by its `retrieve` operation. */
  async object(operation: Operation, id: string): Promise<Json> {
    const [name = 'id'] = operation.routes[0].names;
    return (await this.#ordered(operation, { [name]: id })) ?? null;
  }

  #ordered(operation: Operation, given: JsonObject): Promise<Json | undefined> {
    const made = this.#last.then(() => this.#call(operation, given));
    this.#last = made.catch(() => undefined);
    return made;
  }

  /** Calls the operation of a field; undefined: a value in its path is missing. */
  async #call(operation: Operation, given: JsonObject): Promise<Json | undefined> {
    const { GraphQLError } = graphqlLibrary();
    const { req, res, caller } = this.outer;
    let call;
    try {
      call = requestOf(this.engine.pack.model, operation, operation.routes[0], given, caller.headers);
    } catch (error) {
      if (!(error instanceof NotSendable)) throw error;
      if (!(error instanceof MissingInPath)) throw new GraphQLError(error.message);
      return undefined;
    }
    if (++this.#count > LIMITS.graphqlCalls.value)
      throw new GraphQLError(`The document calls more than ${LIMITS.graphqlCalls.value} operations`);
    const { parameter } = caller;
    if (parameter !== null) {
      const query = `${encodeURIComponent(parameter.name)}=${encodeURIComponent(parameter.value)}`;
      call = { ...call, url: `${call.url}${call.url.includes('?') ? '&' : '?'}${query}` };
    }
    const response = await callWithin(this.vendor.handler, this.vendor.onError, { req, res }, call);
    if (response === null) throw new GraphQLError('The connection was lost before the response came');
    const missing = response.headers[UNSUPPORTED_HEADER.toLowerCase()] as string | undefined;
    if (missing !== undefined) this.#name(missing);
    await this.budget.read(response.body.length);
    const decoded = decodeJsonValue(response.body);
    const body = decoded.ok ? decoded.value : null;
    if (response.status < 400) return body;
    const { error } = this.plan;
    const said = error === null ? null : jmespath(error, { status: response.status, body });
    const { message, ...rest } = isObject(said) ? said : {};
    throw new GraphQLError(typeof message === 'string' ? message : response.body.toString('utf8'), {
      extensions: { status: response.status, members: rest },
    });
  }
}

/** Evaluates JMESPath expressions by name; omits null results. */
function evaluated(texts: Readonly<Record<string, string>>, seen: Json): JsonObject {
  const all = Object.entries(texts).map(([name, text]): [string, Json] => [name, jmespath(text, seen)]);
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
