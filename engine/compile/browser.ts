import { isObject, type Json, type JsonObject } from '../expression/index.js';
import { type BrowserFile, type BrowserMethodFile, inside, type Place } from '../model/index.js';
import type { BrowserLibrary, Operation, Page } from '../program/index.js';
import type { Compiler } from './context.js';

/** Reads browser.yaml: what pages in browsers call becomes operations of the pack. Mistakes are reported. */
export function linkBrowser(
  given: BrowserFile,
  place: Place,
  operations: readonly Operation[],
  pages: readonly Page[],
  { model, diagnostics }: Compiler,
): BrowserLibrary {
  const { settings } = model;
  const file = filled(given, model.fill) as unknown as BrowserFile;
  const keyPrefix = settings.auth.others.get(file.key);
  if (keyPrefix === undefined) diagnostics.unknown(inside(place, 'key'), 'key', file.key, settings.auth.others.keys());
  else if (!settings.auth.browserKeys.has(file.key))
    diagnostics.problem(
      inside(place, 'key'),
      'browser-key',
      `pages of other origins may not call with '${file.key}': it needs 'browsers: true'`,
    );
  const names = Object.keys(file.methods);
  const methods = names.map((name) => {
    const method = file.methods[name];
    const at = inside(place, 'methods', name);
    checkSources(method, at);
    if (method.again !== undefined && !names.includes(method.again))
      diagnostics.unknown(inside(at, 'again'), 'method', method.again, names);
    return [name, { ...targetOf(method, at), ...methodView(method), mounts: mountsOf(method, at) }] as const;
  });
  for (const path of Object.keys(file.versions ?? {}))
    if (!file.script.includes(path))
      diagnostics.problem(
        inside(place, 'versions', path),
        'browser-method',
        `the script has no path '${path}'; it has ${file.script.join(', ')}`,
        { at: 'key' },
      );
  return {
    paths: file.script,
    description: {
      script: file.script,
      global: file.global,
      versions: file.versions ?? {},
      keyPrefix: keyPrefix ?? '',
      encoding: settings.requests === 'json' ? 'json' : 'form',
      error: file.error ?? null,
      unreachable: file.unreachable ?? {},
      secret: file.secret ?? null,
      ignores: file.ignores ?? [],
      objects: file.objects ?? {},
      elements: file.elements ?? null,
      methods: Object.fromEntries(methods),
    },
  };

  /** The route of the operation or page of a method. */
  function targetOf({ operation: key, page: name, sends = {} }: BrowserMethodFile, at: Place): JsonObject {
    if ((key === undefined) === (name === undefined)) {
      diagnostics.problem(at, 'browser-method', "a method has either 'operation' or 'page'", { at: 'key' });
      return { method: null, path: '/' };
    }
    if (key === undefined) {
      const page = pages.find((each) => each.name === name);
      if (!page)
        diagnostics.unknown(
          inside(at, 'page'),
          'page',
          name ?? '',
          pages.map((each) => each.name),
        );
      return { method: null, path: page?.path ?? '/' };
    }
    const { operation, ...route } = routeOf(key, inside(at, 'operation'));
    for (const path of Object.keys(sends)) {
      const [param] = path.split('.');
      if (param !== '*' && operation && !operation.params.has(param))
        diagnostics.unknown(inside(at, 'sends', path), 'parameter', param, operation.params.keys(), 'key');
    }
    return route;
  }

  /** The operation of a name, which the pages' key has to open, and its route. */
  function routeOf(key: string, at: Place): { operation?: Operation; method: string; path: string } {
    const operation = operations.find((each) => each.key === key);
    const route = operation?.routes.at(0);
    if (!operation || !route) {
      diagnostics.unknown(
        at,
        'operation',
        key,
        operations.map((each) => each.key),
      );
      return { method: 'GET', path: '/' };
    }
    if (!operation.open && !operation.keys.has(file.key))
      diagnostics.problem(at, 'browser-key', `the key '${file.key}' does not open ${key}`);
    return { operation, method: route.method, path: route.path };
  }

  /** What a page in a frame needs; null where the browser goes to the page, or calls. */
  function mountsOf({ page: name, mounts }: BrowserMethodFile, method: Place): JsonObject | null {
    if (!mounts) return null;
    const at = inside(method, 'mounts');
    const page = pages.find((each) => each.name === name);
    if (name === undefined) diagnostics.problem(at, 'browser-method', "'mounts' shows a page: it needs 'page'");
    else if (page && !page.framed)
      diagnostics.problem(at, 'browser-method', `the page '${name}' is not 'framed', so no frame shows it`);
    const { path } = routeOf(mounts.watches, inside(at, 'watches'));
    const { to, when = {}, fills = {} } = mounts.leaves ?? { to: null };
    return { path, until: mounts.until, tells: mounts.tells ?? null, to, when, fills };
  }

  /** Every path in the arguments begins with one of them. */
  function checkSources({ takes, id, sends = {}, stays = {}, leaves, mounts }: BrowserMethodFile, at: Place): void {
    const check = (source: string, where: Place, side: 'key' | 'value' = 'value'): void => {
      const [first] = source.split('.');
      if (!takes.includes(first)) diagnostics.unknown(where, 'argument', first, takes, side);
    };
    for (const source of listOf(id)) check(source, inside(at, 'id'));
    for (const [param, sent] of Object.entries(sends)) {
      const { from } = sentOf(sent);
      for (const source of from) check(source, inside(at, 'sends', param));
    }
    for (const source of Object.keys(stays)) check(source, inside(at, 'stays', source), 'key');
    if (mounts?.tells !== undefined) check(mounts.tells, inside(at, 'mounts', 'tells'));
    if (!leaves) return;
    check(leaves.to, inside(at, 'leaves', 'to'));
    for (const source of Object.keys(leaves.unless ?? {})) check(source, inside(at, 'leaves', 'unless', source), 'key');
  }
}

function methodView({
  takes,
  id,
  sends = {},
  gives,
  next = [],
  again,
  fails_at,
  stays = {},
  leaves,
}: BrowserMethodFile): JsonObject {
  return {
    takes,
    id: listOf(id),
    sends: Object.entries(sends).map(([to, sent]) => ({ to, ...sentOf(sent) })),
    gives: gives ?? null,
    next,
    again: again ?? null,
    failsAt: fails_at ?? null,
    stays,
    leaves: leaves ? { to: leaves.to, unless: leaves.unless ?? {}, adds: leaves.adds ?? {} } : null,
  };
}

type Sent = NonNullable<BrowserMethodFile['sends']>[string];

function sentOf(sent: Sent) {
  const {
    from,
    is = null,
    when = null,
    with: also = null,
  } = typeof sent === 'string' || isList(sent) ? { from: sent } : sent;
  return { from: listOf(from), is, when, with: also };
}

function isList(value: Sent): value is readonly string[] {
  return Array.isArray(value);
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** A file with the pack's variables in its texts and keys. */
function filled(value: Json, fill: (text: string) => string): Json {
  if (typeof value === 'string') return value.includes('${') ? fill(value) : value;
  if (Array.isArray(value)) return value.map((each: Json) => filled(each, fill));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, fill)]));
}
