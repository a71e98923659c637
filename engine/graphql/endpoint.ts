import type { Request, RequestHandler, Response } from 'express';
import type { ASTNode, DocumentNode, GraphQLError, GraphQLResolveInfo, GraphQLOutputType } from 'graphql';
import { Keys } from '../api/index.js';
import { decodeJsonValue, graphqlLibrary, jmespath } from '../codecs/index.js';
import { beforeLarge, bodyReader, type Guard, type Plane, pathOf, requestError } from '../http/index.js';
import { LIMITS } from '../limits.js';
import { callerOf } from '../mcp/index.js';
import type { Facts, GraphqlPlan } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import { isObject, type Json, type JsonObject, lazy } from '../values/index.js';
import { Calls } from './calls.js';
import { connectionOf } from './connection.js';
import { tooMuch } from './budget.js';
import { introspectionValues } from './introspection.js';
import { type MissingMember, missingMembers } from './missing.js';

/**
 * Serves the GraphQL endpoint of graphql.yaml. Its fields call operations of the vendor API.
 * @param vendor the vendor API; also serves all requests to other paths
 */
export function graphqlEndpoint(engine: Engine, guard: Guard, vendor: Plane): Plane {
  const { graphql: plan } = engine.pack;
  if (plan === null) return vendor;
  const keys = new Keys(engine, guard);
  const readBody = bodyReader(LIMITS.body.value);
  const schema = lazy(() => graphqlLibrary().buildSchema(plan.schema));
  const handler: RequestHandler = (req, res, next) => {
    if (req.method !== 'POST' || pathOf(req.url) !== plan.path) return vendor.handler(req, res, next);
    const caller = callerOf(keys, engine.model, req);
    if (caller === null) {
      send(res, 401, { message: "send a key of this world: 'Authorization: Bearer <key>'" });
      return;
    }
    readBody(req, res, (error?: unknown) => {
      if (error) return failed(error, req, res);
      const calls = new Calls(engine, plan, vendor, { req, res, caller });
      respond(req.body, calls)
        .then(
          (result) => send(res, 200, result),
          (thrown: unknown) => failed(thrown, req, res),
        )
        .finally(() => calls.budget.end())
        .catch(() => undefined);
    });
  };
  return { ...vendor, handler };

  async function respond(body: unknown, calls: Calls): Promise<unknown> {
    const { execute, GraphQLError: Problem, parse, validate } = graphqlLibrary();
    const decoded = Buffer.isBuffer(body) ? decodeJsonValue(body) : null;
    const asked = decoded?.ok === true && isObject(decoded.value) ? decoded.value : {};
    const { query, variables = null, operationName = null } = asked;
    if (typeof query !== 'string') return { errors: [{ message: 'the body is JSON with a `query`' }] };
    let document: DocumentNode;
    try {
      document = parse(query, { maxTokens: LIMITS.graphqlTokens.value });
    } catch (thrown) {
      if (!(thrown instanceof Problem)) throw thrown;
      return { errors: [shown(thrown)] };
    }
    const much = tooMuch(document);
    if (much !== null) return { errors: [{ message: much }] };
    const wrong = validate(schema(), document, undefined, { maxErrors: 20 });
    if (wrong.length > 0) return { errors: rejected(wrong, document, calls) };
    const { budget } = calls;
    try {
      await budget.values(introspectionValues(schema(), document));
    } catch (thrown) {
      if (!(thrown instanceof Problem)) throw thrown;
      return { errors: [shown(thrown)] };
    }
    const { data, errors } = await execute({
      schema: schema(),
      document,
      contextValue: calls,
      variableValues: isObject(variables) ? variables : {},
      operationName: typeof operationName === 'string' ? operationName : undefined,
      fieldResolver: (source: unknown, args: unknown, context: Calls, info) =>
        counted(plan as GraphqlPlan, source, plainJson(args), context, info),
      typeResolver: (value: unknown, _context, { schema: all }, abstract) =>
        typeOf(
          plan as GraphqlPlan,
          value,
          all.getPossibleTypes(abstract).map(({ name }) => name),
        ),
    });
    if (budget.exceeded !== null) return { errors: [{ message: budget.exceeded }] };
    return { ...(data === undefined ? {} : { data }), ...(errors ? { errors: errors.map(shown) } : {}) };
  }

  /** Returns the errors of an invalid document; reports members that the vendor has and the pack doesn't emulate. */
  function rejected(wrong: readonly GraphQLError[], document: DocumentNode, calls: Calls): readonly JsonObject[] {
    const missing = missingMembers(schema(), document);
    const uses = [...missing.values()].filter((each) => isDocumented(each, engine.pack.facts));
    calls.report(uses.map((each) => ({ kind: 'field', name: memberName(each) })));
    const { invalid } = plan as GraphqlPlan;
    return wrong.map((error) => {
      const found = missing.get(error.nodes?.[0] as ASTNode);
      if (found === undefined || invalid === null) return shown(error);
      const said = jmespath(invalid, { ...found, message: error.message });
      return { ...shown(error), ...(isObject(said) ? withoutNull(said) : {}) };
    });
  }

  function failed(thrown: unknown, req: Request, res: Response): void {
    if (res.headersSent) return void res.destroy();
    const { kind } = requestError(thrown);
    if (kind === 'defect') engine.options.onDefect(thrown, `${req.method} ${pathOf(req.url)}`);
    send(res, kind === 'defect' ? 500 : kind === 'body_too_large' ? 413 : 400, { errors: [{ message: kind }] });
  }
}

/** Whether the vendor has a member that the pack's schema lacks. */
function isDocumented({ type, field, argument }: MissingMember, facts: Facts | null): boolean {
  if (facts === null) return false;
  if (field === null) return facts.hasType(type);
  return facts.hasMember(type, argument === null ? field : `${field}(${argument})`);
}

function memberName({ type, field, argument }: MissingMember): string {
  return field === null ? type : `${type}.${field}${argument === null ? '' : `(${argument})`}`;
}

function withoutNull(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

/** Returns the value of a field, and counts it against the document's budget. */
async function counted(
  plan: GraphqlPlan,
  source: unknown,
  args: JsonObject,
  calls: Calls,
  info: GraphQLResolveInfo,
): Promise<Json> {
  const { budget } = calls;
  if (budget.exceeded !== null) return null;
  const value = await resolved(plan, source, args, calls, info);
  const library = graphqlLibrary();
  await budget.field(library.isLeafType(library.getNamedType(info.returnType)) ? value : undefined);
  return value;
}

/**
 * The value of a field: from its binding in graphql.yaml, else a member of its object, where an id is replaced by its object.
 */
async function resolved(
  plan: GraphqlPlan,
  source: unknown,
  args: JsonObject,
  calls: Calls,
  info: GraphQLResolveInfo,
): Promise<Json> {
  const { parentType, fieldName, returnType, schema } = info;
  for (const name of ['first', 'last'])
    if (Number(args[name] ?? 0) < 0) throw new (graphqlLibrary().GraphQLError)(`\`${name}\` is less than 0`);
  const bound = plan.fields.get(`${parentType.name}.${fieldName}`);
  const self = isObject(source) ? source : null;
  if (bound) {
    const seen = { self, args };
    if (!('value' in bound)) return calls.field(bound, seen);
    const found = jmespath(bound.value, seen);
    const isConnection = graphqlLibrary().getNamedType(returnType).name.endsWith('Connection');
    return Array.isArray(found) && isConnection ? connectionOf(found as readonly Json[], args) : found;
  }
  if (parentType === schema.getQueryType() && fieldName === 'node') return byId(plan, args['id'], calls);
  const member = self?.[fieldName] ?? self?.[fieldName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
  if (member === undefined && plan.isRestEmpty) return emptyField(calls, args, info);
  const retrieve = plan.types.get(graphqlLibrary().getNamedType(returnType).name)?.retrieve;
  if (!retrieve) return member ?? null;
  if (Array.isArray(member))
    return Promise.all(
      member.map((each: Json) => (typeof each === 'string' ? calls.object(retrieve, each) : Promise.resolve(each))),
    );
  return typeof member === 'string' ? calls.object(retrieve, member) : (member ?? null);
}

function byId(plan: GraphqlPlan, id: Json | undefined, calls: Calls): Promise<Json> {
  if (plan.node !== null) return calls.node(id);
  const name = typeof id === 'string' ? typeOf(plan, { id }, [...plan.types.keys()]) : undefined;
  const retrieve = plan.types.get(name ?? '')?.retrieve;
  return retrieve ? calls.object(retrieve, String(id)) : Promise.resolve(null);
}

/** The type that an object names, else the one with its id's prefix. */
function typeOf(plan: GraphqlPlan, value: unknown, possible: readonly string[]): string | undefined {
  const { __typename: own, id } = isObject(value) ? value : {};
  if (typeof own === 'string') return own;
  const length = (name: string): number => plan.types.get(name)?.prefix.length ?? 0;
  return possible
    .filter((name) => length(name) > 0 && String(id).startsWith(plan.types.get(name)?.prefix ?? ''))
    .sort((a, b) => length(b) - length(a))[0];
}

/** An error in the response, with the members that graphql.yaml adds. */
function shown(error: GraphQLError): JsonObject {
  const { extensions: _, ...rest } = plainJson(error.toJSON());
  const { members } = error.extensions;
  return { ...rest, ...(isObject(members) ? members : {}) };
}

function plainJson(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

function send(res: Response, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  beforeLarge(bytes.length);
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) });
  res.end(bytes);
}

/**
 * The value of a field without a source: null, or an empty value of its type. A missing field of a root type is reported, since
 * it may have effects.
 */
function emptyField(calls: Calls, args: JsonObject, info: GraphQLResolveInfo): Json {
  const { parentType, fieldName, returnType, schema } = info;
  if (parentType === schema.getQueryType() || parentType === schema.getMutationType())
    calls.report([{ kind: 'field', name: `${parentType.name}.${fieldName}` }]);
  const { isNonNullType } = graphqlLibrary();
  return isNonNullType(returnType) ? emptyOf(returnType.ofType, args, info, calls.now) : null;
}

function emptyOf(type: GraphQLOutputType, args: JsonObject, { schema }: GraphQLResolveInfo, now: Json): Json {
  const { isAbstractType, isEnumType, isListType, isObjectType, isScalarType } = graphqlLibrary();
  if (isListType(type)) return [];
  if (isObjectType(type)) return type.name.endsWith('Connection') ? connectionOf([], args) : {};
  if (isAbstractType(type)) return { __typename: schema.getPossibleTypes(type)[0]?.name ?? null };
  if (isEnumType(type)) return type.getValues()[0]?.name ?? null;
  if (!isScalarType(type)) return null;
  if (type.name === 'Int' || type.name === 'Float') return 0;
  if (type.name === 'Boolean') return false;
  // Times need a valid value, since clients parse the vendor's own scalars.
  return /date|time/i.test(type.name) ? now : '';
}
