import type { Build } from './build.js';
import { stubResponse } from './responses.js';
import type { DocumentedCall } from './contract.js';
import type { DeclaredParams } from './declared-params.js';
import { objectOr, textOr } from './document.js';
import { freeName, singular, snake, STANDARD } from './names.js';
import { paramsOf, routeOf } from './params.js';
import { streamKeys } from './streams.js';

/** Builds the files of stateless operations, which return the documented response. */
export function buildStubs(
  build: Build,
  calls: readonly DocumentedCall[],
  taken: Set<string>,
  declarations: DeclaredParams,
): {
  readonly files: Record<string, Record<string, unknown>>;
  /** Keys of operations by method and path. */
  readonly keys: ReadonlyMap<string, string>;
  readonly notes: string[];
} {
  const notes: string[] = [];
  const keys = new Map<string, string>();
  const groups = new Map<string, DocumentedCall[]>();
  const common = commonWords(build.contract.calls.map(({ path }) => path));
  for (const call of calls) {
    const group = groupOf(call.path, common);
    groups.set(group, [...(groups.get(group) ?? []), call]);
  }
  const files: Record<string, Record<string, unknown>> = {};
  for (const [group, members] of groups) {
    const name = freeName(`${group}_calls`, taken);
    const names = new Set<string>();
    const operations: Record<string, unknown> = {};
    for (const call of members) {
      const own = freeName(nameOf(call, common), names);
      const made = stub(build, call, own, notes);
      declarations.declare(call, own, made, {});
      operations[own] = made;
      keys.set(`${call.method} ${call.path}`, `${name}.${own}`);
    }
    files[name] = {
      resource: name,
      collection: name,
      description: 'Calls that keep nothing: they return what the document shows.',
      fields: {},
      operations,
    };
  }
  return { files, keys, notes };
}

function stub(build: Build, call: DocumentedCall, name: string, notes: string[]): Record<string, unknown> {
  const { params, names, body } = paramsOf(build, call);
  const { security } = call.operation;
  const open =
    build.secured && Array.isArray(security) && security.every((each) => Object.keys(objectOr(each)).length === 0);
  const { content, ...whole } = stubResponse(build, call, notes);
  const streamed = streamKeys(build, call, params, false);
  const summary = textOr(call.operation['summary'])
    .split('\n')[0]
    .replaceAll('${', () => '$ {')
    .slice(0, 100);
  // A summary that only repeats the name is omitted.
  const isSaid = snake(summary)
    .split('_')
    .every((word) => name.split('_').includes(word));
  return {
    ...(STANDARD.has(name) ? { kind: 'action' } : {}),
    route: routeOf(build, call, names),
    ...(summary === '' || isSaid ? {} : { description: summary }),
    ...(open ? { open: true } : build.scopesOf(call)),
    ...body,
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...whole,
    ...(streamed ?? (content === undefined ? {} : { content })),
    ...unknownId(build, call, names),
  };
}

/** Rejects ids other than the documented ones, for a stub that returns one object. */
function unknownId(
  build: Build,
  call: DocumentedCall,
  names: ReadonlyMap<string, string>,
): { readonly do?: readonly unknown[] } {
  const name = /\/\{([^{}]+)\}$/.exec(call.path)?.[1];
  const own = names.get(name ?? '');
  if (call.method !== 'get' || name === undefined || own === undefined) return {};
  const parameter = call.parameters.find((each) => each['in'] === 'path' && each['name'] === name) ?? {};
  const shown = [
    parameter['example'],
    ...Object.values(objectOr(parameter['examples'])).map((each) => objectOr(each)['value']),
  ];
  const ids = [
    build.sampler.of(
      parameter['schema'],
      shown.filter((each) => each !== undefined),
    ),
    ...shown,
    ...build.examplesOf(call).map(({ response }) => objectOr(response)['id'] ?? objectOr(response)[snake(name)]),
  ];
  const written = ids.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each).replaceAll('/', '-')] : [],
  );
  const isShown = ids.slice(1).some((each) => typeof each === 'string' || typeof each === 'number');
  const known = [...new Set(written.filter((each) => /^[^'\\${}]{1,100}$/.test(each)))];
  if (!isShown || known.length === 0) return {};
  const list = known.map((each) => `'${each}'`).join(', ');
  const title = singular(snake(wordsOf(call.path).at(-1) ?? 'object')).replaceAll('_', ' ');
  return {
    do: [
      {
        fail: 'not_found',
        when: `!(params.${own} in [${list}])`,
        with: { title, id: `\${params.${own}}`, param: own },
      },
    ],
  };
}

/** The number of words at the beginning that nearly all paths share. */
function commonWords(paths: readonly string[]): number {
  const all = paths.map(wordsOf);
  const first = all[0] ?? [];
  let count = 0;
  while (all.filter((words) => words.length > count + 1 && words[count] === first[count]).length > all.length * MOST)
    count++;
  return count;
}

/** Share of paths that counts as nearly all. */
const MOST = 0.9;

function wordsOf(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '' && !part.includes('{') && !/^(?:v\d[\w.]*|api|rest)$/i.test(part));
}

/** The first literal word of a path that isn't a version or shared by all paths. */
function groupOf(path: string, common = 0): string {
  const words = wordsOf(path);
  return singular(snake((words[common] ?? words[0] ?? 'other').replace(/\..*$/, '')));
}

function nameOf({ method, path, operation }: DocumentedCall, common: number): string {
  const id = textOr(operation['operationId']).replace(/^.*\//, '');
  const parts = path.split('/').filter((part) => part !== '');
  const words = wordsOf(path).slice(common);
  const rest = words.length === 0 ? parts : parts.slice(parts.indexOf(words[0]));
  return snake(id === '' ? `${method}_${rest.join('_')}` : id);
}
