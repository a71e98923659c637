import { isObject, type Json, type JsonObject, lazy } from '../values/index.js';
import type { Program, ToolAlias, ToolAliasParameter, ChoiceTool } from '../program/index.js';
import { ownTool } from './own.js';
import {
  type generateTools,
  toolInputSchema,
  outputOf,
  toolParameters,
  type OperationTool,
  type Tool,
  type ToolParameter,
  argumentSchema,
  type DecidingTool,
} from './tool.js';
import { didYouMean, suggest } from '../pack/index.js';

/** Builds the tools of mcp.yaml, with the generated tools of their operations as defaults. */
export function aliasTools(program: Program, generated: ReturnType<typeof generateTools>): Map<string, Tool> {
  const { mcp } = program;
  const made = new Map<string, Tool>();
  if (mcp === null) return made;
  const byOperation = new Map(
    generated.map((each) => [each.operation, each]).reverse() as [OperationTool['operation'], OperationTool][],
  );
  const alias = (plan: ToolAlias): OperationTool | undefined => {
    const own = byOperation.get(plan.operation);
    const first = plan.first.flatMap(({ operation, ...step }) => {
      const tool = byOperation.get(operation);
      return tool ? [{ ...step, tool }] : [];
    });
    return own && aliasTool(program, plan, own, first);
  };
  for (const plan of mcp.tools) {
    const tool =
      plan.kind === 'operation'
        ? alias(plan)
        : plan.kind === 'choice'
          ? choiceTool(plan, alias)
          : ownTool(program, plan, generated);
    if (tool) made.set(plan.name, { ...tool, version: mcp.toolsets.get(plan.toolset)?.version ?? mcp.version });
  }
  return made;
}

function aliasTool(
  program: Program,
  alias: ToolAlias,
  own: OperationTool,
  first: OperationTool['first'],
): OperationTool {
  const { name, operation, show, omitted, fixed, from, headers, inContext } = alias;
  const hints = lazy(() => ({ ...own.hints(), ...alias.hints }));
  return {
    name,
    operation,
    route: own.route,
    hints,
    show,
    omitted,
    first,
    from,
    headers,
    inContext,
    version: own.version,
    definition: (details) => {
      const usual = own.definition(details);
      const { title = usual['title'], description = usual['description'] } = withoutNull(alias);
      return {
        name,
        title,
        description,
        inputSchema: toolInputSchema(argumentsOf(program, alias, own), { ...details, depth: Infinity }),
        ...(details.output && show === null && omitted.size === 0 ? outputOf(program, operation) : {}),
        annotations: { title, ...hints(), openWorldHint: true },
      };
    },
    argumentOf: (parameter) => [...alias.params].find(([, { path }]) => path[0] === parameter)?.[0] ?? parameter,
    given: (args) => {
      let given: Json = fixed;
      for (const [name, parameter] of alias.params)
        if (Object.hasOwn(args, name)) given = merged(given, placed(parameter, args[name]));
      // Unknown arguments are passed to the operation, which rejects them.
      const others = Object.entries(args).filter(([name]) => !alias.params.has(name) && !alias.others.has(name));
      return isObject(given) ? { ...given, ...Object.fromEntries(others) } : {};
    },
  };
}

function withoutNull({ title, description }: ToolAlias): { readonly title?: string; readonly description?: string } {
  return { ...(title === null ? {} : { title }), ...(description === null ? {} : { description }) };
}

function argumentsOf(program: Program, alias: ToolAlias, own: OperationTool): ReadonlyMap<string, ToolParameter> {
  const parameters = toolParameters(program, alias.operation, own.route);
  const taken = [...alias.params].map(([name, { path, schema, optional }]): [string, ToolParameter] => {
    const declared = schemaAt(parameters.get(String(path[0]))?.schema ?? {}, path.slice(1));
    const whole = isObject(declared) && schema['type'] === undefined ? { ...declared, ...schema } : schema;
    return [name, { schema: whole, required: !optional }];
  });
  const others = [...alias.others].map(
    ([name, { schema, optional }]) => [name, { schema, required: !optional }] as const,
  );
  return new Map([...taken, ...others]);
}

/** Finds the subschema at a path of a JSON Schema; `{}` if the schema doesn't declare it. */
function schemaAt(schema: Json, path: readonly (string | number)[]): Json {
  if (path.length === 0 || !isObject(schema)) return path.length === 0 ? schema : {};
  const [key, ...rest] = path;
  const { anyOf, items, properties } = schema;
  if (Array.isArray(anyOf)) {
    const found = anyOf
      .map((each: Json) => schemaAt(each, path))
      .find((each) => isObject(each) && Object.keys(each).length > 0);
    return found ?? {};
  }
  if (typeof key === 'number') return schemaAt(items ?? {}, rest);
  return schemaAt((isObject(properties) ? properties[key] : undefined) ?? {}, rest);
}

/** Builds the part of the operation's parameters that contains an argument's value at its path. */
function placed({ path, template, base64 }: ToolAliasParameter, given: Json): Json {
  const value = base64 && typeof given === 'string' ? Buffer.from(given).toString('base64') : given;
  if (path.length === 0) return filled(template, value);
  return path.reduceRight<Json>((inner, key) => {
    if (typeof key === 'string') return { [key]: inner };
    const list: Json[] = Array.from({ length: key + 1 }, () => null);
    list[key] = inner;
    return list;
  }, value);
}

function filled(template: Json, value: Json): Json {
  if (template === '${it}') return value;
  if (Array.isArray(template)) return template.map((each: Json) => filled(each, value));
  if (!isObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, filled(each, value)]));
}

/** Merges two values: maps and lists member by member; of other values, the second one wins. */
function merged(one: Json, other: Json): Json {
  if (Array.isArray(one) && Array.isArray(other)) {
    const [a, b]: readonly [readonly Json[], readonly Json[]] = [one, other];
    return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => merged(a[at] ?? null, b[at] ?? null));
  }
  if (isObject(one) && isObject(other)) {
    const made: JsonObject = one;
    return {
      ...made,
      ...Object.fromEntries(Object.entries(other).map(([key, each]) => [key, merged(made[key] ?? null, each)])),
    };
  }
  return other ?? one;
}

/** Builds a tool that calls one of several others, selected by an argument. */
function choiceTool(
  { name, title, description, by, cases, params, hints, inContext }: ChoiceTool,
  alias: (plan: ToolAlias) => OperationTool | undefined,
): DecidingTool {
  const tools = new Map<string, { readonly plan: ToolAlias; readonly tool: OperationTool }>();
  for (const [value, plan] of cases) {
    const tool = alias(plan);
    if (tool) tools.set(value, { plan, tool });
  }
  const all = [...tools.values()].map(({ tool }) => tool);
  const made = () => ({
    readOnlyHint: all.every((each) => each.hints().readOnlyHint),
    destructiveHint: all.some((each) => each.hints().destructiveHint),
    idempotentHint: all.every((each) => each.hints().idempotentHint),
    ...hints,
  });
  const usual = argumentSchema(params);
  const choice = { type: 'string', enum: [...tools.keys()], ...params.get(by)?.schema };
  const inputSchema = {
    ...usual,
    properties: { ...usual.properties, [by]: choice },
    required: [...new Set([by, ...(usual.required ?? [])])],
  };
  return {
    name,
    inContext,
    version: null,
    finds: false,
    hints: made,
    definition: () => ({
      name,
      title: title ?? name,
      description: description ?? '',
      inputSchema,
      annotations: { title: title ?? name, ...made(), openWorldHint: true },
    }),
    decide: (args) => {
      const { [by]: value = null } = args;
      if (value === null) return { problem: `missing required parameter: ${by}` };
      const chosen = typeof value === 'string' ? tools.get(value) : undefined;
      if (chosen === undefined) {
        const near = suggest(String(value), tools.keys());
        return { problem: `unknown ${by}: ${String(value)}${didYouMean(near)}` };
      }
      return { tool: chosen.tool, args: taken(args, chosen.plan), all: args, failed: null };
    },
  };
}

/** Selects the arguments that the chosen tool takes. */
function taken(args: JsonObject, { params }: ToolAlias): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => params.has(name)));
}
