import { isObject, type Json, lazy } from '../values/index.js';
import { jmespathProblem } from '../codecs/index.js';
import { inside, type McpFile, type SourceLocation } from '../model/index.js';
import {
  type McpPlan,
  type Operation,
  pagingSchemas,
  type ToolAlias,
  type ToolAliasParameter,
} from '../program/index.js';
import type { Compiler } from './context.js';

type ToolFile = NonNullable<McpFile['tools']>[number];
type ParameterFile = NonNullable<ToolFile['params']>[string];

/** The toolset of a tool that names none. */
const USUAL = 'default';

/** Reads mcp.yaml: the tools of the vendor's own MCP server. Problems are reported. */
export function linkMcp(
  { server, version, default: defaults = [], renamed = {}, toolsets = {}, tools = [] }: McpFile,
  place: SourceLocation,
  operations: readonly Operation[],
  { model, diagnostics, passed }: Compiler,
): McpPlan {
  const byKey = new Map(operations.map((each) => [each.key, each]));
  const collections = new Set(operations.map(({ resource }) => resource.collection));
  const names = new Set<string>();
  const linked = lazy(() => tools.flatMap((tool, at) => linkTool(tool, inside(place, 'tools', at)) ?? []));
  if (!passed) checkNames();
  if (version !== undefined && model.settings.versions === null)
    diagnostics.problem(inside(place, 'version'), 'mcp-tool', 'the pack has no versions', { at: 'key' });
  return {
    name: server.name,
    title: server.title ?? server.name,
    hosts: new Set(server.hosts),
    path: server.path ?? '/',
    version: version ?? null,
    defaults,
    renamed: new Map(Object.entries(renamed)),
    toolsets: new Map(
      Object.entries(toolsets).map(([name, { description = '', operations: of = [] }]) => [
        name,
        {
          description,
          operations: new Set(
            of.flatMap((key, at) => operationsOf(key, inside(place, 'toolsets', name, 'operations', at))),
          ),
        },
      ]),
    ),
    get tools() {
      return linked();
    },
  };

  function checkNames(): void {
    const known = new Set([...Object.keys(toolsets), ...linked().map(({ toolset }) => toolset), ...collections, 'all']);
    for (const [at, name] of defaults.entries())
      if (!known.has(name)) diagnostics.unknown(inside(place, 'default', at), 'toolset', name, known);
    for (const [former, name] of Object.entries(renamed))
      if (!names.has(name)) diagnostics.unknown(inside(place, 'renamed', former), 'tool', name, names);
  }

  /** The operations of `collection.name` or `collection.*`. */
  function operationsOf(key: string, at: SourceLocation): readonly Operation[] {
    const [collection, name] = key.split('.');
    if (name !== '*') {
      const operation = byKey.get(key);
      if (!operation) diagnostics.unknown(at, 'operation', key, byKey.keys());
      return operation ? [operation] : [];
    }
    if (!collections.has(collection)) diagnostics.unknown(at, 'collection', collection, collections);
    return operations.filter(({ resource }) => resource.collection === collection);
  }

  function linkTool(tool: ToolFile, at: SourceLocation): ToolAlias | null {
    if (names.has(tool.name))
      diagnostics.problem(inside(at, 'name'), 'mcp-tool', `two tools are called '${tool.name}'`);
    names.add(tool.name);
    const problem = tool.show === undefined ? undefined : jmespathProblem(tool.show);
    if (problem !== undefined)
      diagnostics.problem(inside(at, 'show'), 'mcp-tool', `not a JMESPath expression: ${problem}`);
    const { toolset = USUAL } = tool;
    if (toolset !== USUAL && !Object.hasOwn(toolsets, toolset))
      diagnostics.unknown(inside(at, 'toolset'), 'toolset', toolset, [USUAL, ...Object.keys(toolsets)]);
    const operation = byKey.get(tool.operation);
    if (!operation) {
      diagnostics.unknown(inside(at, 'operation'), 'operation', tool.operation, byKey.keys());
      return null;
    }
    const parameters = new Set([
      ...operation.params().keys(),
      ...(operation.routes.at(0)?.names ?? []),
      ...pagingSchemas(operation, model).keys(),
    ]);
    const check = (name: string, where: SourceLocation, side: 'key' | 'value'): void => {
      if (!parameters.has(name)) diagnostics.unknown(where, 'parameter', name, parameters, side);
    };
    for (const name of Object.keys(tool.with ?? {})) check(name, inside(at, 'with', name), 'key');
    const params = Object.entries(tool.params ?? {}).map(([name, file]): [string, ToolAliasParameter] => {
      const where = inside(at, 'params', name);
      const { to = name } = file;
      if (isText(to))
        check(
          String(pathOf(to)[0]),
          file.to === undefined ? where : inside(where, 'to'),
          file.to === undefined ? 'key' : 'value',
        );
      else {
        for (const each of Object.keys(to)) check(each, inside(where, 'to', each), 'key');
        if (!JSON.stringify(to).includes('"${it}"'))
          diagnostics.problem(inside(where, 'to'), 'mcp-tool', "no value is '${it}', which stands for the argument", {
            at: 'key',
          });
      }
      return [name, parameterOf(file, to)];
    });
    const given = new Set(Object.keys(tool.with ?? {}));
    for (const [, { path, template }] of params) {
      if (path.length > 0) given.add(String(path[0]));
      else if (isObject(template)) for (const name of Object.keys(template)) given.add(name);
    }
    for (const name of operation.routes.at(0)?.names ?? [])
      if (!given.has(name))
        diagnostics.problem(
          inside(at, 'operation'),
          'mcp-tool',
          `nothing gives '${name}' of the path of ${operation.key}`,
        );
    return {
      name: tool.name,
      title: tool.title ?? null,
      description: tool.description ?? null,
      toolset,
      operation,
      params: new Map(params),
      fixed: tool.with ?? {},
      show: tool.show ?? null,
      hints: tool.hints ?? {},
    };
  }
}

function parameterOf(
  { optional = false, description, type, format, encode }: ParameterFile,
  to: Json,
): ToolAliasParameter {
  const schema = Object.fromEntries(
    Object.entries({ type, format, description }).filter((each): each is [string, string] => each[1] !== undefined),
  );
  const base64 = encode === 'base64';
  return isText(to)
    ? { path: pathOf(to), template: null, base64, schema, optional }
    : { path: [], template: to, base64, schema, optional };
}

/** `items[0][price]` as names and numbers. */
function pathOf(text: string): (string | number)[] {
  return text
    .split(/[[\]]+/)
    .filter((each) => each !== '')
    .map((each) => (/^\d+$/.test(each) ? Number(each) : each));
}

function isText(value: Json): value is string {
  return typeof value === 'string';
}
