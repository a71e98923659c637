import {
  type DispatchFile,
  inside,
  type OperationFile,
  type OperationKind,
  type SourceLocation,
  type ResourceDef,
} from '../../model/index.js';
import type { DispatchRule, OperationRoute, Parent } from '../../program/index.js';
import type { Compiler } from '../context.js';

/** The routes of an operation: its own, or the usual ones of its kind. */
export function linkRoutes(
  name: string,
  kind: OperationKind,
  file: OperationFile,
  def: ResourceDef,
  place: SourceLocation,
  compiler: Compiler,
): OperationRoute[] {
  const { settings } = compiler.model;
  const base = def.file.path ?? `${settings.basePath}/${def.collection}`;
  const names = (def.file.id?.key ?? ['id']).map((name) => `{${name}}`).filter((name) => !base.includes(name));
  const one = def.singleton ? base : [base, ...names].join('/');
  const usual: Record<OperationKind, string> = {
    create: `POST ${base}`,
    retrieve: `GET ${one}`,
    update: `${settings.updateMethod} ${one}`,
    delete: `DELETE ${one}`,
    list: `GET ${base}`,
    search: `GET ${base}/search`,
    action: `POST ${one}/${name}`,
  };
  const given =
    file.route === undefined
      ? [usual[kind]]
      : Array.isArray(file.route)
        ? (file.route as readonly string[])
        : [String(file.route)];
  const namesOf = (path: string, index: number): string[] => {
    const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map((each) => each[1]);
    const twice = names.find((each, at) => names.indexOf(each) !== at);
    const problem = (message: string): void => {
      const at = Array.isArray(file.route) ? inside(place, 'route', index) : inside(place, 'route');
      compiler.diagnostics.problem(at, 'bad-route', message);
    };
    if (twice !== undefined) problem(`'{${twice}}' stands twice in ${path}`);
    if (/\{\w+\+\}./.test(path)) problem(`a parameter for all further segments, such as {path+}, must be at the end`);
    return names;
  };
  return given.map((text, index) => {
    const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(compiler.model.fill(text));
    if (!match) {
      const at = Array.isArray(file.route) ? inside(place, 'route', index) : inside(place, 'route');
      compiler.diagnostics.problem(at, 'bad-route', `'${text}' is not a route such as 'POST /things/{id}/close'`);
      return { method: 'GET', path: '/', names: [] };
    }
    return { method: match[1], path: match[2], names: namesOf(match[2], index) };
  });
}

/** Reads `dispatch`: what distinguishes the calls of an operation from those of others on the same route. */
export function linkDispatch({ dispatch = [] }: OperationFile, { model }: Compiler): DispatchRule[] {
  const files = Array.isArray(dispatch) ? (dispatch as readonly DispatchFile[]) : [dispatch as DispatchFile];
  return files.map(({ header, query, param, is = null }) => {
    const value = is === null ? null : model.fill(is);
    if (header !== undefined) return { in: 'header', name: model.fill(header).toLowerCase(), is: value };
    if (query !== undefined) return { in: 'query', name: query, is: value };
    return { in: 'param', name: String(param), is: value };
  });
}

/** The names in an operation's routes that together form the id of its object; null if there are none, or `{id}`. */
export function keyOf(routes: readonly OperationRoute[], { file }: ResourceDef): readonly string[] | null {
  const key = file.id?.key;
  return key !== undefined && routes.every(({ names }) => key.every((name) => names.includes(name))) ? key : null;
}

/** Whether every route contains the parent's names. @param name a name that must be among the parent's */
export function isNamed({ names }: Parent, routes: readonly OperationRoute[], name?: string): boolean {
  return (
    (name === undefined || names.includes(name)) &&
    routes.every((route) => names.every((each) => route.names.includes(each)))
  );
}
