import type { JsonObject } from '../values/index.js';
import { didYouMean, suggest } from '../pack/index.js';
import type { ChoiceTool, ToolAlias } from '../program/index.js';
import { argumentSchema, type DecidingTool, type OperationTool } from './tool.js';

/** A tool that calls one of several others, selected by an argument. */
export function choiceTool(
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
