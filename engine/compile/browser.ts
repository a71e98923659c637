import { isObject, type Json, type JsonObject, lazy } from '../values/index.js';
import {
  type BrowserFile,
  type BrowserMethodFile,
  type BrowserSessionFile,
  inside,
  keyIn,
  type SourceLocation,
} from '../model/index.js';
import type { BrowserLibrary, Operation, BrowserPage } from '../program/index.js';
import { suggest } from '../pack/index.js';
import type { Compiler } from './context.js';
import { oneOrMore, methodView, postedOf, sentOf } from './browser-method.js';

/** Keys of methods that call an operation. */
const OF_CALLS = ['sends', 'gives', 'next', 'again', 'fails_at', 'stays', 'leaves'] as const;

/**
 * Reads browser.yaml: each method of the vendor's browser library becomes a call of an operation or a page. Problems are
 * reported.
 */
export function linkBrowser(
  given: BrowserFile,
  place: SourceLocation,
  operations: readonly Operation[],
  pages: readonly BrowserPage[],
  compiler: Compiler,
): BrowserLibrary {
  const paths = given.script.map(compiler.model.fill);
  const description = lazy(() => describe({ ...given, script: paths }, place, operations, pages, compiler));
  if (!compiler.passed) description();
  return {
    paths,
    get description() {
      return description();
    },
  };
}

function describe(
  given: BrowserFile,
  place: SourceLocation,
  operations: readonly Operation[],
  pages: readonly BrowserPage[],
  { model, diagnostics }: Compiler,
): JsonObject {
  const { settings } = model;
  const file = filled(given, model.fill) as unknown as BrowserFile;
  const keyPrefix = file.key === undefined ? null : settings.auth.others.get(file.key);
  if (file.key === undefined) checkKeyless();
  else if (keyPrefix === undefined)
    diagnostics.unknown(inside(place, 'key'), 'key', file.key, settings.auth.others.keys());
  else if (!settings.auth.browserKeys.has(file.key))
    diagnostics.problem(
      inside(place, 'key'),
      'browser-key',
      `pages of other origins may not call with '${file.key}': it needs 'browsers: true'`,
    );
  const names = Object.keys(file.methods);
  const methods = names.map((name) => [name, methodOf(file.methods[name], inside(place, 'methods', name))] as const);
  const sessions = Object.entries(file.sessions ?? {}).map(
    ([name, session]) => [name, sessionOf(session, inside(place, 'sessions', name))] as const,
  );
  checkNames();
  for (const path of Object.keys(file.versions ?? {}))
    if (!file.script.includes(path))
      diagnostics.problem(
        keyIn(place, 'versions', path),
        'browser-method',
        `the script has no path '${path}'; it has ${file.script.join(', ')}`,
      );
  return {
    script: file.script,
    global: file.global,
    versions: file.versions ?? {},
    keyPrefix: keyPrefix ?? (file.key === undefined ? null : ''),
    encoding: settings.requests === 'json' ? 'json' : 'form',
    error: file.error ?? null,
    unreachable: file.unreachable ?? {},
    secret: file.secret ?? null,
    ignores: file.ignores ?? [],
    objects: file.objects ?? {},
    elements: elementsOf(),
    unsupported: file.unsupported ?? {},
    methods: Object.fromEntries(methods),
    sessions: Object.fromEntries(sessions),
  };

  /** The description of a library method. @param more arguments that don't come from the page */
  function methodOf(method: BrowserMethodFile, at: SourceLocation, more: readonly string[] = []): JsonObject {
    checkSources({ ...method, takes: [...method.takes, ...more] }, at);
    checkKeys(method, at);
    checkAgain(method, at);
    return { ...targetOf(method, at), ...methodView(method), mounts: mountsOf(method, at), opens: opensOf(method, at) };
  }

  function sessionOf(session: BrowserSessionFile, at: SourceLocation): JsonObject {
    const { id, again, loads, shows, may, elements, actions } = session;
    const kinds = Object.keys(file.elements?.kinds ?? {});
    for (const [name, kind] of Object.entries(elements))
      diagnostics.known(inside(at, 'elements', name), 'element-kind', kind, kinds);
    diagnostics.known(inside(at, 'again'), 'method', again, names);
    const linked = Object.entries(actions).map(
      ([name, action]) => [name, methodOf(action, inside(at, 'actions', name), ['session', 'elements'])] as const,
    );
    const gives = file.methods[again]?.gives ?? '';
    return {
      id: oneOrMore(id),
      again,
      gives,
      loads,
      shows,
      may: may ?? null,
      elements,
      actions: Object.fromEntries(linked),
    };
  }

  /** Returns the elements of the browser library; options of inputs that name a table are read from it. */
  function elementsOf(): JsonObject | null {
    const { elements } = file;
    if (!elements) return null;
    const kinds = Object.entries(elements.kinds).map(([name, kind]) => {
      const inputs = Object.entries(kind.inputs).map(([input, about]) => {
        const at = inside(place, 'elements', 'kinds', name, 'inputs', input);
        return [input, about.options ? { ...about, options: optionsOf(about.options, inside(at, 'options')) } : about];
      });
      return [name, { ...kind, inputs: Object.fromEntries(inputs) as JsonObject }];
    });
    return { ...elements, kinds: Object.fromEntries(kinds) as JsonObject };
  }

  /** Returns the options of an input: those written in the file, or the pairs in two columns of a table. */
  function optionsOf(options: Readonly<Record<string, string>>, at: SourceLocation): JsonObject {
    const { table: name, value, label } = options;
    if (name === undefined) return options;
    const table = diagnostics.find(inside(at, 'table'), 'table', name, model.tables);
    for (const column of ['value', 'label'] as const)
      if (table && !(options[column] in (table.rows[0] ?? {})))
        diagnostics.unknown(inside(at, column), 'column', options[column] ?? '', Object.keys(table.rows[0] ?? {}));
    return Object.fromEntries((table?.rows ?? []).map((row) => [String(row[value]), row[label]]));
  }

  /** Reports a browser library without a publishable key: pages then can't call anything. */
  function checkKeyless(): void {
    for (const [name, { operation, mounts }] of Object.entries(file.methods))
      if (operation !== undefined || mounts !== undefined)
        diagnostics.problem(
          inside(place, 'methods', name, operation === undefined ? 'mounts' : 'operation'),
          'browser-key',
          `this calls an operation: say with 'key' which key pages have`,
        );
  }

  /** The route of the method's operation or page. */
  function targetOf(method: BrowserMethodFile, at: SourceLocation): JsonObject {
    const { operation: key, page: name, sends = {} } = method;
    if ((key === undefined) === (name === undefined)) {
      diagnostics.problem(keyIn(at), 'browser-method', "a method has either 'operation' or 'page'");
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
      if (page) checkPath(page.path, method, at);
      return { method: null, path: page?.path ?? '/' };
    }
    const { operation, ...route } = routeOf(key, inside(at, 'operation'));
    if (operation) {
      checkPath(route.path, method, at);
      checkResult(operation, method, at);
    }
    for (const path of Object.keys(sends)) {
      const [param] = path.split('.');
      if (param !== '*' && operation)
        diagnostics.known(keyIn(at, 'sends', path), 'parameter', param, operation.params());
    }
    return route;
  }

  /** The named operation and its route; reports one that the publishable key doesn't admit. */
  function routeOf(key: string, at: SourceLocation): { operation?: Operation; method: string; path: string } {
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
    if (file.key !== undefined && !operation.open && !operation.keys.has(file.key))
      diagnostics.problem(at, 'browser-key', `the key '${file.key}' does not open ${key}`);
    return { operation, method: route.method, path: route.path };
  }

  /** Reports a page in a frame that doesn't allow framing. */
  function checkFramed(key: 'mounts' | 'opens', name: string | undefined, at: SourceLocation): void {
    const page = pages.find((each) => each.name === name);
    if (name === undefined) diagnostics.problem(at, 'browser-method', `'${key}' shows a page: it needs 'page'`);
    else if (page && !page.framed)
      diagnostics.problem(at, 'browser-method', `the page '${name}' is not 'framed', so no frame shows it`);
  }

  /** How the library opens a page above the current one; null if the method opens none. */
  function opensOf({ page, mounts, opens }: BrowserMethodFile, method: SourceLocation): JsonObject | null {
    if (!opens) return null;
    const at = inside(method, 'opens');
    checkFramed('opens', page, at);
    if (mounts) diagnostics.problem(keyIn(at), 'browser-method', "a method has either 'mounts' or 'opens'");
    const { methods, ready = null, calls, ends = [], opened = null, left = null } = opens;
    const named = [
      ...ends.map((name, i) => [name, inside(at, 'ends', i)] as const),
      ...(opened ? [[opened.call, inside(at, 'opened', 'call')] as const] : []),
      ...(left ? [[left.call, inside(at, 'left', 'call')] as const] : []),
    ];
    for (const [name, where] of named)
      if (!Object.hasOwn(calls, name)) diagnostics.unknown(where, 'method', name, Object.keys(calls));
    return { methods, ready, calls, ends, opened: postedOf(opened), left: postedOf(left) };
  }

  /** How the library mounts a page in a frame; null if the browser navigates to it, or the method calls an operation. */
  function mountsOf({ page: name, mounts }: BrowserMethodFile, method: SourceLocation): JsonObject | null {
    if (!mounts) return null;
    const at = inside(method, 'mounts');
    checkFramed('mounts', name, at);
    const watches = inside(at, 'watches');
    const { operation, path, method: verb } = routeOf(mounts.watches, watches);
    const { to, when = {}, fills = {} } = mounts.leaves ?? { to: null };
    if (operation && verb !== 'GET')
      diagnostics.problem(watches, 'browser-method', `a frame asks by GET, and ${mounts.watches} is a ${verb}`);
    if (operation) {
      const leaves = inside(at, 'leaves');
      for (const source of Object.keys(mounts.until)) checkField(operation, source, keyIn(at, 'until', source));
      if (to !== null) checkField(operation, to, inside(leaves, 'to'));
      for (const source of Object.keys(when)) checkField(operation, source, keyIn(leaves, 'when', source));
      for (const [text, source] of Object.entries(fills)) checkField(operation, source, inside(leaves, 'fills', text));
    }
    return { path, until: mounts.until, tells: mounts.tells ?? null, to, when, fills };
  }

  /** Reports placeholders in a path other than `{id}`, the only one that the library fills from the arguments. */
  function checkPath(path: string, { id }: BrowserMethodFile, at: SourceLocation): void {
    const report = (message: string): void => diagnostics.problem(keyIn(at), 'browser-method', message);
    if (path.includes('{id}') && id === undefined)
      report(`${path} is of one object: say with 'id' which argument names it`);
    const others = (path.match(/\{\w+\}/g) ?? []).filter((each) => each !== '{id}');
    if (others.length > 0) report(`pages fill {id} of a path only, and ${path} has ${others.join(', ')}`);
  }

  /** Checks the paths that a method reads from the response. */
  function checkResult(
    operation: Operation,
    { next = [], fails_at, leaves }: BrowserMethodFile,
    at: SourceLocation,
  ): void {
    for (const [i, { at: path }] of next.entries()) checkField(operation, path, inside(at, 'next', i, 'at'));
    if (fails_at !== undefined) checkField(operation, fails_at, inside(at, 'fails_at'));
    for (const [param, path] of Object.entries(leaves?.adds ?? {}))
      if (!path.startsWith('=')) checkField(operation, path, inside(at, 'leaves', 'adds', param));
  }

  /** Checks a path in an operation's result; results other than an object of the resource are not checked. */
  function checkField({ resource, name }: Operation, path: string, at: SourceLocation): void {
    const [field] = path.split('.');
    const fields = ['id', ...resource.schema.fields.keys()];
    if (fields.includes(field)) return;
    const { operations: all = {} } = resource.file;
    const own = Array.isArray(all) ? undefined : (all as Readonly<Record<string, object | null>>)[name];
    const returnsItsOwn = JSON.stringify(own ?? null).includes('"return":');
    if (!returnsItsOwn) return diagnostics.unknown(at, 'field', field, fields);
    // Results may have more members than the object, so only names close to a field are reported as misspelt.
    const suggestion = suggest(field, fields);
    if (suggestion !== undefined) diagnostics.warning(at, 'unknown-field', `unknown field '${field}'`, { suggestion });
  }

  /** Checks `again`: it names the method that retrieves the object once more, by an operation. A frame needs it. */
  function checkAgain({ again, next = [] }: BrowserMethodFile, at: SourceLocation): void {
    if (again === undefined) {
      const frame = next.findIndex(({ opens }) => opens === 'frame');
      if (frame >= 0)
        diagnostics.problem(
          inside(at, 'next', frame, 'opens'),
          'browser-method',
          "when the frame is done, the object is looked at again: say with 'again' by which method",
        );
    } else if (!names.includes(again)) diagnostics.unknown(inside(at, 'again'), 'method', again, names);
    else if (file.methods[again].page !== undefined)
      diagnostics.problem(inside(at, 'again'), 'browser-method', `'${again}' opens a page, and looks at no object`);
  }

  /** Reports request and response keys of a method that navigates to a page and calls nothing. */
  function checkKeys(method: BrowserMethodFile, at: SourceLocation): void {
    if (method.page === undefined || method.operation !== undefined) return;
    for (const key of OF_CALLS)
      if (method[key] !== undefined)
        diagnostics.problem(keyIn(at, key), 'key-not-read', `a method with 'page' has no ${key}: it calls nothing`);
  }

  /** Reports names that the library exports twice. */
  function checkNames(): void {
    const taken = new Map(names.map((name) => [name, 'a method']));
    const take = (name: string, what: string, where: SourceLocation): void => {
      const other = taken.get(name);
      if (other !== undefined) diagnostics.problem(where, 'browser-method', `'${name}' is ${other} already`);
      taken.set(name, what);
    };
    for (const [i, name] of (file.ignores ?? []).entries())
      take(name, 'a method that does nothing', inside(place, 'ignores', i));
    for (const name of Object.keys(file.unsupported ?? {}))
      take(name, 'a method that is not emulated', keyIn(place, 'unsupported', name));
    for (const name of Object.keys(file.sessions ?? {}))
      take(name, 'a method that returns a session', keyIn(place, 'sessions', name));
    for (const name of Object.keys(file.objects ?? {}))
      take(name, 'a method that returns an object', keyIn(place, 'objects', name));
    if (file.elements) take(file.elements.method, 'the method of elements', inside(place, 'elements', 'method'));
  }

  /** Reports paths that don't begin with the name of an argument of the method. */
  function checkSources(
    { takes, id, sends = {}, stays = {}, leaves, mounts, opens }: BrowserMethodFile,
    at: SourceLocation,
  ): void {
    const check = (source: string, where: SourceLocation): void => {
      const [first] = source.split('.');
      diagnostics.known(where, 'argument', first, takes);
    };
    for (const source of oneOrMore(id)) check(source, inside(at, 'id'));
    for (const [param, sent] of Object.entries(sends)) {
      const { from } = sentOf(sent);
      for (const source of from) check(source, inside(at, 'sends', param));
    }
    for (const source of Object.keys(stays)) check(source, keyIn(at, 'stays', source));
    if (mounts?.tells !== undefined) check(mounts.tells, inside(at, 'mounts', 'tells'));
    if (opens?.ready !== undefined) check(opens.ready, inside(at, 'opens', 'ready'));
    for (const [name, source] of Object.entries(opens?.calls ?? {})) check(source, inside(at, 'opens', 'calls', name));
    if (!leaves) return;
    check(leaves.to, inside(at, 'leaves', 'to'));
    for (const source of Object.keys(leaves.unless ?? {})) check(source, keyIn(at, 'leaves', 'unless', source));
  }
}

/** Replaces the pack's variables in the texts and keys of a file. */
function filled(value: Json, fill: (text: string) => string): Json {
  if (typeof value === 'string') return value.includes('${') ? fill(value) : value;
  if (Array.isArray(value)) return value.map((each: Json) => filled(each, fill));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, fill)]));
}
