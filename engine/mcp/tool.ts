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

/** How much detail the definitions of tools contain. */
export interface Details {
  /** Levels of nested parameters in schemas; deeper ones are maps of any content. */
  readonly depth: number;
  /** Whether descriptions of parameters and addresses are left out. */
  readonly brief: boolean;
  /** Whether tools are listed with the schemas of their results. */
  readonly output: boolean;
}

/** The effects of a tool, as MCP annotations. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

/** A tool that agents can call. */
export type Tool = OperationTool | DecidingTool;

interface ToolHead {
  readonly name: string;
  /** The effects of the tool (`annotations`), computed when first needed, since that reads the operation's flows. */
  readonly hints: () => Hints;
  /** Builds the tool's definition, as `tools/list` returns it. */
  readonly definition: (details: Details) => JsonObject;
  /** Whether the tool requires the arguments of `context`. */
  readonly inContext: boolean;
  /** The API version in which the tool calls operations; null: the account's. */
  readonly version: string | null;
}

/** A tool for an operation and one of its routes. */
export interface OperationTool extends ToolHead {
  readonly operation: Operation;
  readonly route: OperationRoute;
  /** Converts a call's arguments to the operation's parameters. */
  readonly given: (args: JsonObject) => JsonObject;
  /** Returns the name of the argument for a parameter of the operation. */
  readonly argumentOf: (parameter: string) => string;
  /** JMESPath over a successful response; null: the whole response. */
  readonly show: string | null;
  /** Names of members that are removed from responses if their value is empty. */
  readonly omitted: ReadonlySet<string>;
  /** Preliminary calls before the operation's, in order. */
  readonly first: readonly FirstCall[];
  /** JMESPath expressions, over `args` and the responses of `first`, for parameters of the operation, by name. */
  readonly from: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
}

/** A preliminary call of a tool, whose response later calls take parameters from. */
interface FirstCall {
  readonly as: string;
  readonly tool: OperationTool;
  readonly with: ReadonlyMap<string, string>;
}

/** A tool that decides by its arguments: it returns a result itself, or selects an operation to call. */
export interface DecidingTool extends ToolHead {
  /** Whether the tool belongs to discovery: it finds operations, or calls them by id. */
  readonly finds: boolean;
  readonly decide: (args: JsonObject, engine: Engine) => Decision;
}

/** What a `DecidingTool` decides: a result, a problem for the agent, or a tool to call with given arguments. */
export type Decision =
  | { readonly value: Json }
  | { readonly problem: string }
  | {
      readonly tool: OperationTool;
      readonly args: JsonObject;
      /** Arguments for the tool's preliminary calls (default: `args`). */
      readonly all?: JsonObject;
      /** Formats a vendor error as text for the agent; null: the agent gets the error response unchanged. */
      readonly failed: ((error: Json) => string) | null;
    };

export function isOfOperation(tool: Tool): tool is OperationTool {
  return 'operation' in tool;
}

/** Maximum number of values of an enum in a schema; longer enums are left out, and the vendor's error lists them. */
const MOST_VALUES = 24;

/** Schema keywords that tools don't list, since the vendor's errors report the same limits. */
const SILENT: ReadonlySet<string> = new Set(['pattern', 'maxLength', 'maxProperties', 'allOf']);

/** Maximum number of rules between parameters in a tool's description. */
const MOST_RULES = 30;

/** Generates a tool for each route of every operation, with unique names. */
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
        first: [],
        from: new Map(),
        headers: {},
        inContext: false,
        version: program.mcp?.version ?? null,
      };
    }),
  );
}

/** A parameter of an operation, as the input schema of its tool shows it. */
export interface ToolParameter {
  readonly schema: Json;
  readonly required: boolean;
}

/** Lists the parameters of an operation on a route, by name; those in the path come first. */
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
    // The parameter is in the path of another route of the operation only.
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

/** Builds the input schema of a tool from the operation's parameters. */
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

/** Builds the input schema of a tool from its arguments in mcp.yaml. */
export function argumentSchema(params: ReadonlyMap<string, ToolArgument>) {
  const required = [...params].filter(([, { optional }]) => !optional).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...params].map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Returns the output schema of an operation as far as it is certain, since clients reject results that don't match. */
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

/** Describes the rules between an operation's parameters as sentences, at most `MOST_RULES`. */
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

/** Makes a unique tool name: `create_order`, or, if that is taken, with a word of the path: `create_order_of_table`. */
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

/** Shortens a schema for agents: removes keywords, long enums and levels below `depth`. */
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
