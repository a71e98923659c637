import type { Build } from './build.js';
import { stubResponse } from './responses.js';
import type { DocumentedCall } from './contract.js';
import { objectOr, textOr } from './document.js';
import { freeName, singular, snake } from './names.js';
import { paramsOf, routeOf, takesMembers } from './params.js';

/** Files of calls that keep nothing: they return what the document shows. */
export function buildStubs(
  build: Build,
  calls: readonly DocumentedCall[],
  taken: Set<string>,
): { readonly files: Record<string, Record<string, unknown>>; readonly notes: string[] } {
  const notes: string[] = [];
  const groups = new Map<string, DocumentedCall[]>();
  for (const call of calls) {
    const group = groupOf(call.path);
    groups.set(group, [...(groups.get(group) ?? []), call]);
  }
  const files: Record<string, Record<string, unknown>> = {};
  for (const [group, members] of groups) {
    const name = freeName(`${group}_calls`, taken);
    const names = new Set<string>();
    const operations: Record<string, unknown> = {};
    for (const call of members) operations[freeName(nameOf(call), names)] = stub(build, call, notes);
    files[name] = {
      resource: name,
      collection: name,
      description: 'Calls that keep nothing: they return what the document shows.',
      fields: {},
      operations,
    };
  }
  return { files, notes };
}

function stub(build: Build, call: DocumentedCall, notes: string[]): Record<string, unknown> {
  const { params, names } = paramsOf(build, call);
  if (!takesMembers(build, call))
    notes.push(`${call.method.toUpperCase()} ${call.path}: its body is a list, which packs do not take`);
  const { security } = call.operation;
  const open =
    build.secured && Array.isArray(security) && security.every((each) => Object.keys(objectOr(each)).length === 0);
  const response = stubResponse(build, call, notes);
  const summary = textOr(call.operation['summary'])
    .split('\n')[0]
    .replaceAll('${', () => '$ {')
    .slice(0, 100);
  return {
    kind: 'action',
    route: routeOf(build, call, names),
    ...(summary === '' ? {} : { description: summary }),
    ...(open ? { open: true } : {}),
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...response,
  };
}

/** The first word of a path that is neither a version nor a name. */
function groupOf(path: string): string {
  const words = path
    .split('/')
    .filter((part) => part !== '' && !part.includes('{') && !/^(?:v\d[\w.]*|api|rest)$/i.test(part));
  return singular(snake((words[0] ?? 'other').replace(/\..*$/, '')));
}

function nameOf({ method, path, operation }: DocumentedCall): string {
  const id = textOr(operation['operationId']).replace(/^.*\//, '');
  return snake(id === '' ? `${method}_${path}` : id);
}
