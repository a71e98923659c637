import { isObject, type Json, type JsonObject, lazy } from '../values/index.js';
import type { Engine } from '../runtime/index.js';
import {
  fileOf,
  nounOf,
  type Operation,
  operationTitle,
  pagingSchemas,
  parameterDescription,
  type Program,
  resourceSchema,
  resultSchema,
  ruleTexts,
  type OperationRoute,
  schemaOf,
  type ToolArgument,
} from '../program/index.js';

/** How tools are described. */
export interface Details {
  /** Levels of maps in parameters that are described; deeper ones are only said to be maps. */
  readonly depth: number;
  /** Without texts of parameters and without addresses. */
  readonly brief: boolean;
  /** What they return is described too. */
  readonly output: boolean;
}

/** What a tool does to the world, as MCP's annotations say it. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

/** A tool of the vendor's API for agents. */
export type Tool = OperationTool | DecidingTool;

interface ToolHead {
  readonly name: string;
  /** Finding them out reads the flows of the operation. */
  readonly hints: () => Hints;
  /** As `tools/list` shows it. */
  readonly definition: (details: Details) => JsonObject;
  /** Whether it requires the arguments of the context. */
  readonly inContext: boolean;
  /** The version of the API that it speaks; null: the account's. */
  readonly version: string | null;
}

/** An operation by one of its routes. */
export interface OperationTool extends ToolHead {
  readonly operation: Operation;
  readonly route: OperationRoute;
  /** The parameters of the operation that arguments give. */
  readonly given: (args: JsonObject) => JsonObject;
  /** The argument that gives a parameter of the operation. */
  readonly argumentOf: (parameter: string) => string;
  /** What it returns of a response that succeeded: JMESPath; null: all. */
  readonly show: string | null;
  /** Members that a response lacks where they are empty. */
  readonly omitted: ReadonlySet<string>;
}

/** A tool that responds by itself, or calls the operation that its arguments name. */
export interface DecidingTool extends ToolHead {
  /** It belongs to the way in which operations are found and called by ids. */
  readonly finds: boolean;
  readonly decide: (args: JsonObject, engine: Engine) => Decision;
}

/** What a call of a tool comes to. */
export type Decision =
  | { readonly value: Json }
  | { readonly problem: string }
  | {
      readonly tool: OperationTool;
      readonly args: JsonObject;
      /** What an agent reads of an error; null: the response. */
      readonly failed: ((error: Json) => string) | null;
    };

export function isOfOperation(tool: Tool): tool is OperationTool {
  return 'operation' in tool;
}

/** Lists of more values than this are left to the error of the vendor. */
const MOST_VALUES = 24;

/** Left out of parameters: errors say the same when it matters. */
const SILENT: ReadonlySet<string> = new Set(['pattern', 'maxLength', 'maxProperties', 'allOf']);

/** Rules between parameters that a description has at most. */
const MOST_RULES = 30;

/** Every operation as a tool, one for each of its routes, by names that are unique. */
export function generateTools(program: Program): OperationTool[] {
  const taken = new Set<string>();
  return program.operations.flatMap((operation) =>
    operation.routes.map((route): OperationTool => {
      const name = freshName(operation, route, taken);
      const hints = lazy(() => hintsOf(operation, route));
      return {
        name,
        operation,
        route,
        hints,
        definition: (details) => {
          const title = operationTitle(operation);
          return {
            name,
            title,
            description: descriptionOf(operation, route, details),
            inputSchema: toolInputSchema(toolParameters(program, operation, route), details),
            ...(details.output ? outputOf(program, operation) : {}),
            annotations: { ...(details.brief ? {} : { title }), ...hints(), openWorldHint: true },
          };
        },
        given: (args) => args,
        argumentOf: (parameter) => parameter,
        show: null,
        omitted: new Set(),
        inContext: false,
        version: program.mcp?.version ?? null,
      };
    }),
  );
}

/** A parameter as agents see it. */
export interface ToolParameter {
  readonly schema: Json;
  readonly required: boolean;
}

/** The parameters of an operation called by a route, by name: those in the path first. */
export function toolParameters(
  program: Program,
  operation: Operation,
  route: OperationRoute,
): ReadonlyMap<string, ToolParameter> {
  const { settings } = program.model;
  const made = new Map<string, ToolParameter>();
  for (const name of route.names) {
    const schema = operation.params().get(name);
    const own = schema ? schemaOf(schema, settings.time) : { type: 'string' };
    made.set(name, { schema: withDescription(own, name), required: true });
  }
  for (const [name, schema] of operation.params()) {
    // Of another route of the same operation.
    if (made.has(name) || operation.routes.some((each) => each.names.includes(name))) continue;
    const own = schemaOf(schema, settings.time);
    made.set(name, { schema: withDescription(own, name), required: schema.required === true });
  }
  for (const [name, schema] of pagingSchemas(operation, program.model))
    if (!made.has(name)) made.set(name, { schema, required: false });
  return made;

  function withDescription(own: Json, name: string): Json {
    const description = parameterDescription(operation, name, program.model);
    return isObject(own) && description !== undefined ? { ...own, description } : own;
  }
}

/** The schema of a tool's arguments. */
export function toolInputSchema(parameters: ReadonlyMap<string, ToolParameter>, { depth, brief }: Details): JsonObject {
  const required = [...parameters].filter(([, each]) => each.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      [...parameters].map(([name, { schema }]) => [name, pruned(brief ? withoutText(schema) : schema, depth - 1)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The schema of arguments as mcp.yaml says them. */
export function argumentSchema(params: ReadonlyMap<string, ToolArgument>) {
  const required = [...params].filter(([, { optional }]) => !optional).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...params].map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** What an operation returns, as far as it is known; an agent's client rejects what does not fit. */
export function outputOf(program: Program, operation: Operation): { readonly outputSchema?: JsonObject } {
  const { settings } = program.model;
  if (operation.content !== null || operation.stream !== null) return {};
  const object = resourceSchema(operation.resource, settings.time);
  const schema = resultSchema(operation, program.model, object);
  return isObject(schema) && schema['type'] === 'object' ? { outputSchema: schema } : {};
}

function descriptionOf(operation: Operation, route: OperationRoute, { brief }: Details): string {
  const own = fileOf(operation)?.description;
  if (brief && own !== undefined) return own;
  const call = `${route.method} ${route.path.replaceAll('+}', '}')}`;
  const what = own === undefined ? `${operationTitle(operation)} (${call}).` : `${own} (${call})`;
  return brief ? what : what + rulesOf(operation);
}

/** The rules between its parameters, as sentences. */
function rulesOf(operation: Operation): string {
  const rules = ruleTexts(operation);
  const texts = rules.slice(0, MOST_RULES).map(({ path, text }) => ` ${path === '' ? '' : `${path}: `}${text}.`);
  const more = rules.length - MOST_RULES;
  return texts.join('') + (more > 0 ? ` And ${more} more rules.` : '');
}

function hintsOf(operation: Operation, { method }: OperationRoute): Hints {
  const reads = method === 'GET' || operation.changesNothing();
  const deletes = method === 'DELETE' || operation.kind === 'delete';
  return { readOnlyHint: reads, destructiveHint: deletes, idempotentHint: reads || deletes };
}

/** `create_order`; where another tool has that name, the nearest word of the path distinguishes them: `create_order_of_table`. */
function freshName(operation: Operation, route: OperationRoute, taken: Set<string>): string {
  const preferred = `${operation.name}_${nounOf(operation)}`.replace(/[^\w.-]/g, '_');
  const words = route.path
    .split('/')
    .filter((each) => each !== '' && /^[a-z_-]+$/.test(each) && each !== operation.resource.collection)
    .reverse();
  const candidates = [preferred, ...words.map((word) => `${preferred}_of_${word.replace(/[^\w.-]/g, '_')}`)];
  let name = candidates.find((each) => !taken.has(each));
  for (let n = 2; name === undefined; n++) if (!taken.has(`${preferred}_${n}`)) name = `${preferred}_${n}`;
  taken.add(name);
  return name;
}

function withoutText(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { description: _, ...rest } = schema;
  return rest;
}

/** A schema without what makes it long. */
function pruned(schema: Json, depth: number): Json {
  if (!isObject(schema)) return schema;
  if (depth < 0 && schema['properties'] !== undefined) return { type: schema['type'] ?? 'object' };
  const made: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (SILENT.has(key) || (key === 'enum' && Array.isArray(value) && value.length > MOST_VALUES)) continue;
    if (key === 'properties' && isObject(value))
      made[key] = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, pruned(each, depth - 1)]));
    else if (key === 'items') made[key] = pruned(value, depth - 1);
    else if (key === 'additionalProperties') made[key] = pruned(value, depth - 1);
    else if (key === 'anyOf' && Array.isArray(value)) made[key] = value.map((each: Json) => pruned(each, depth));
    else made[key] = value;
  }
  return made;
}
