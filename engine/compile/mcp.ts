import { isObject, type Json, keysOfBrackets, lazy } from '../values/index.js';
import { inside, keyIn, type McpFile, type SourceLocation } from '../model/index.js';
import {
  type McpPlan,
  type ServerTool,
  type Operation,
  type OwnArgument,
  pagingSchemas,
  type ToolAlias,
  type ToolAliasParameter,
  type ToolStep,
} from '../program/index.js';
import type { Compiler } from './context.js';
import { checkJmespath } from './jmespath.js';
import { contextOf, discoverPlan, withVars } from './mcp-discover.js';

type ToolFile = NonNullable<McpFile['tools']>[number];
type ParameterFile = NonNullable<ToolFile['params']>[string];
type CallFile = NonNullable<ToolFile['cases']>[string];

/** The toolset of tools that don't name one. */
const USUAL = 'default';

/** Reads mcp.yaml: the tools of the vendor's own MCP server. Problems are reported. */
export function linkMcp(
  { server, version, default: defaults = [], renamed = {}, toolsets = {}, tools = [], discover, context = {} }: McpFile,
  place: SourceLocation,
  operations: readonly Operation[],
  { model, diagnostics, passed }: Compiler,
): McpPlan {
  const byKey = new Map(operations.map((each) => [each.key, each]));
  const collections = new Set(operations.map(({ resource }) => resource.collection));
  const names = new Set<string>();
  const linked = lazy(() => tools.flatMap((tool, at) => linkTool(tool, inside(place, 'tools', at)) ?? []));
  const discovered = lazy(() => discoverPlan(discover, inside(place, 'discover'), byKey, { model, diagnostics }));
  if (!passed) {
    checkNames();
    discovered();
  }
  if (version !== undefined && model.settings.versions === null)
    diagnostics.problem(keyIn(place, 'version'), 'mcp-tool', 'the pack has no versions');
  return {
    name: server.name,
    title: server.title ?? server.name,
    hosts: new Set(server.hosts),
    path: server.path ?? '/',
    version: version ?? null,
    defaults,
    renamed: new Map(Object.entries(renamed)),
    toolsets: new Map(
      Object.entries(toolsets).map(([name, { description = '', operations: of = [], version: own = null }]) => [
        name,
        {
          description,
          version: own,
          operations: new Set(
            of.flatMap((key, at) => operationsOf(key, inside(place, 'toolsets', name, 'operations', at))),
          ),
        },
      ]),
    ),
    get tools() {
      return linked();
    },
    get discover() {
      return discovered();
    },
    context: contextOf(context, model),
  };

  function checkNames(): void {
    const known = new Set([...Object.keys(toolsets), ...linked().map(({ toolset }) => toolset), ...collections, 'all']);
    for (const [at, name] of defaults.entries())
      diagnostics.known(inside(place, 'default', at), 'toolset', name, known);
    for (const [former, name] of Object.entries(renamed))
      diagnostics.known(inside(place, 'renamed', former), 'tool', name, names);
  }

  /** The operations that `collection.name` or `collection.*` means. */
  function operationsOf(key: string, at: SourceLocation): readonly Operation[] {
    const [collection, name] = key.split('.');
    if (name !== '*') {
      const operation = diagnostics.find(at, 'operation', key, byKey);
      return operation ? [operation] : [];
    }
    diagnostics.known(at, 'collection', collection, collections);
    return operations.filter(({ resource }) => resource.collection === collection);
  }

  function linkTool(tool: ToolFile, at: SourceLocation): ServerTool | null {
    if (names.has(tool.name))
      diagnostics.problem(inside(at, 'name'), 'mcp-tool', `two tools are called '${tool.name}'`);
    names.add(tool.name);
    const { toolset = USUAL } = tool;
    if (toolset !== USUAL && !Object.hasOwn(toolsets, toolset))
      diagnostics.unknown(inside(at, 'toolset'), 'toolset', toolset, [USUAL, ...Object.keys(toolsets)]);
    if (tool.operation !== undefined) {
      const all = Object.entries(tool.params ?? {});
      const own = tool.from === undefined ? all : all.filter(takenBy(byKey.get(tool.operation)));
      const others = all.filter((each) => !own.includes(each));
      return linkAlias(tool, { ...tool, operation: tool.operation }, own, at, at, others);
    }
    const head = headOf(tool);
    if (tool.cases !== undefined) {
      const cases = new Map<string, ToolAlias>();
      for (const [name, one] of Object.entries(tool.cases)) {
        const where = inside(at, 'cases', name);
        const own = one.to ?? {};
        for (const each of Object.keys(own))
          if (!Object.hasOwn(tool.params ?? {}, each))
            diagnostics.unknown(keyIn(where, 'to', each), 'parameter', each, Object.keys(tool.params ?? {}));
        const given = Object.entries(tool.params ?? {})
          .map(([each, file]) => [each, Object.hasOwn(own, each) ? { ...file, to: own[each] } : file] as const)
          .filter(takenBy(byKey.get(one.operation)));
        const linkedCase = linkAlias(tool, one, given, where, at);
        if (linkedCase !== null) cases.set(name, linkedCase);
      }
      const params = Object.entries(tool.params ?? {}).map(([name, file]): [string, ToolAliasParameter] => [
        name,
        parameterOf(file, file.to ?? name),
      ]);
      return { ...head, kind: 'choice', by: tool.by ?? '', cases, params: new Map(params) };
    }
    checkShow(tool.show, at);
    const params = Object.entries(tool.params ?? {}).map(([name, file]): [string, OwnArgument] => {
      const { schema, optional } = parameterOf(file, name);
      const { to = name, values = {} } = file;
      return [name, { to: isText(to) ? to : name, values, schema, optional }];
    });
    return {
      ...head,
      kind: 'own',
      does: tool.does ?? 'constant',
      params: new Map(params),
      show: tool.show === undefined ? null : model.fill(tool.show),
      constant: withVars(tool.returns ?? null, model),
    };
  }

  function headOf({
    name,
    title,
    description,
    toolset = USUAL,
    hints,
    context: inContext = true,
    does,
    returns,
  }: ToolFile) {
    const texts = { title: title ?? null, description: description ?? null };
    return { name, ...texts, toolset, hints: hints ?? {}, inContext: inContext && (does ?? returns) !== undefined };
  }

  function checkShow(show: string | undefined, at: SourceLocation): void {
    if (show !== undefined) checkJmespath(show, inside(at, 'show'), 'mcp-tool', diagnostics);
  }

  function parametersOf(operation: Operation | undefined): ReadonlySet<string> {
    if (operation === undefined) return new Set();
    return new Set([
      ...operation.params().keys(),
      ...(operation.routes.at(0)?.names ?? []),
      ...pagingSchemas(operation, model).keys(),
    ]);
  }

  /** Returns a test whether an operation has the parameters that an argument of a tool fills. */
  function takenBy(operation: Operation | undefined) {
    const takes = parametersOf(operation);
    return ([name, { to = name }]: readonly [string, ParameterFile]): boolean =>
      isText(to) ? takes.has(String(pathOf(to)[0])) : Object.keys(to).every((key) => takes.has(key));
  }

  /** Links `first`: the calls that a tool makes before its main call. */
  function linkSteps(steps: CallFile['first'] & object, at: SourceLocation): ToolStep[] {
    return steps.flatMap(({ as, operation: key, with: given = {} }, index) => {
      const where = inside(at, 'first', index);
      const operation = diagnostics.find(inside(where, 'operation'), 'operation', key, byKey);
      if (!operation) return [];
      return [{ as, operation, with: linkPaths(given, operation, inside(where, 'with')) }];
    });
  }

  /** Checks the parameters of a call, each a JMESPath expression, and fills in the pack's variables. */
  function linkPaths(paths: Readonly<Record<string, string>>, operation: Operation, at: SourceLocation) {
    const parameters = parametersOf(operation);
    for (const [name, path] of Object.entries(paths)) {
      diagnostics.known(keyIn(at, name), 'parameter', name, parameters);
      checkJmespath(path, inside(at, name), 'mcp-tool', diagnostics);
    }
    return new Map(Object.entries(paths).map(([name, path]) => [name, model.fill(path)]));
  }

  /**
   * Links a tool that calls one operation.
   * @param at location of the operation, its `with` and `show`
   * @param of the tool, with its arguments
   * @param others arguments that only `from` reads
   */
  function linkAlias(
    tool: ToolFile,
    { operation: key, with: fixed = {}, show, first = [], from = {}, headers = {} }: CallFile,
    given: readonly (readonly [string, ParameterFile])[],
    at: SourceLocation,
    of: SourceLocation,
    others: readonly (readonly [string, ParameterFile])[] = [],
  ): ToolAlias | null {
    checkShow(show, at);
    const operation = diagnostics.find(inside(at, 'operation'), 'operation', key, byKey);
    if (!operation) return null;
    const parameters = parametersOf(operation);
    const check = (name: string, where: SourceLocation): void => {
      diagnostics.known(where, 'parameter', name, parameters);
    };
    for (const name of Object.keys(fixed)) check(name, keyIn(at, 'with', name));
    const params = given.map(([name, file]): [string, ToolAliasParameter] => {
      const where = inside(of, 'params', name);
      const { to = name } = file;
      if (isText(to)) check(String(pathOf(to)[0]), file.to === undefined ? keyIn(where) : inside(where, 'to'));
      else {
        for (const each of Object.keys(to)) check(each, keyIn(where, 'to', each));
        if (!JSON.stringify(to).includes('"${it}"'))
          diagnostics.problem(keyIn(where, 'to'), 'mcp-tool', "no value is '${it}', which stands for the argument");
      }
      return [name, parameterOf(file, to)];
    });
    const filledIn = new Set([...Object.keys(fixed), ...Object.keys(from)]);
    for (const [, { path, template }] of params) {
      if (path.length > 0) filledIn.add(String(path[0]));
      else if (isObject(template)) for (const name of Object.keys(template)) filledIn.add(name);
    }
    for (const name of operation.routes.at(0)?.names ?? [])
      if (!filledIn.has(name))
        diagnostics.problem(
          inside(at, 'operation'),
          'mcp-tool',
          `nothing gives '${name}' of the path of ${operation.key}`,
        );
    return {
      ...headOf(tool),
      kind: 'operation',
      operation,
      params: new Map(params),
      fixed,
      first: linkSteps(first, at),
      from: linkPaths(from, operation, inside(at, 'from')),
      others: new Map(others.map(([name, file]) => [name, parameterOf(file, name)])),
      headers,
      show: show === undefined ? null : model.fill(show),
      omitted: new Set(tool.omit_empty),
    };
  }
}

function parameterOf(
  { optional = false, description, type, format, schema: more = {}, encode }: ParameterFile,
  to: Json,
): ToolAliasParameter {
  const said = Object.entries({ type, format, description });
  const schema = {
    ...Object.fromEntries(said.filter((each): each is [string, string] => each[1] !== undefined)),
    ...more,
  };
  const base64 = encode === 'base64';
  return isText(to)
    ? { path: pathOf(to), template: null, base64, schema, optional }
    : { path: [], template: to, base64, schema, optional };
}

/** Splits a path such as `items[0][price]` into names and numbers. */
function pathOf(text: string): (string | number)[] {
  return keysOfBrackets(text).map((each) => (/^\d+$/.test(each) ? Number(each) : each));
}

function isText(value: Json): value is string {
  return typeof value === 'string';
}
