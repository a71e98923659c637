import { isList, type Json, lazy } from '../values/index.js';
import {
  ANY,
  type Compiled,
  describeType,
  type Js,
  objectType,
  type Scope,
  scriptLiteral,
  STRING,
  type Type,
} from '../expression/index.js';
import { inside, keyIn, type PageFile, type PagePartFile, type SourceLocation } from '../model/index.js';
import type { BrowserPage, PageView, PartView } from '../program/index.js';
import { type Compiler, functionScope, liveParameter, placed } from './context.js';
import {
  callsOnly,
  conditionOf,
  linkForm,
  markOperations,
  type PageContext,
  type Targets,
  template,
  pageText,
  pageTextOrNull,
} from './page-forms.js';

/** Paths of pages that name an object, and of those that don't. */
const WITH_ID = /^GET (\/(?:[\w.~-]+\/)*(?:[\w.~-]*\{id\}[\w.~-]*)(?:\/[\w.~-]+)*)$/;
const WITHOUT_ID = /^GET ((?:\/[\w.~-]+)+)$/;

const KINDS = ['heading', 'text', 'alert', 'rows', 'link', 'source', 'frame', 'form', 'for'] as const;

/** Reads one page of the pack; null if it can't be served at all, which is reported. */
export function linkPage(
  file: PageFile,
  place: SourceLocation,
  targets: Targets,
  compiler: Compiler,
): BrowserPage | null {
  const { model, diagnostics } = compiler;
  const resource = diagnostics.find(inside(place, 'resource'), 'resource', file.resource, model.byName);
  const pattern = file.object === undefined ? WITH_ID : WITHOUT_ID;
  const route = pattern.exec(model.fill(file.route));
  if (!route)
    diagnostics.problem(
      inside(place, 'route'),
      'bad-route',
      file.object === undefined
        ? `'${file.route}' is not the route of a page, such as 'GET /pay/{id}'`
        : `'${file.route}' is not the route of a page that 'object' finds something for, such as 'GET /account'`,
    );
  if (file.object === undefined && file.otherwise !== undefined)
    diagnostics.problem(keyIn(place, 'otherwise'), 'unknown-key', "'otherwise' belongs to a page with 'object'");
  if (!resource || !route) return null;
  markOperations(file.body, targets);
  const query = file.query ?? [];
  const names = query.map((name): [string, Type] => [name, STRING]);
  const visit = { request: compiler.env.request, query: objectType(names, 'query') };
  // The type of an object is large, and a start doesn't need it.
  const self = lazy(() => ({ self: liveParameter(resource.type) }));
  const both = (): NonNullable<Parameters<typeof functionScope>[3]> => ({ ...self(), ...visit });
  /** Compiles an expression of a page to a function. @param seen names that the expression sees, such as the page's object */
  const made = (key: string, seen: Parameters<typeof functionScope>[3], compile: (scope: Scope) => Compiled) => {
    const at = inside(place, key);
    const { scope, unit, parameters } = functionScope(`page ${file.page} ${key}`, at, compiler.env, seen);
    return unit.expression<readonly unknown[]>(parameters, compile(scope));
  };
  const url = (key: 'otherwise' | 'redirect', seen: () => Parameters<typeof functionScope>[3]) =>
    lazy(() =>
      made(key, seen(), (scope) => diagnostics.template(inside(place, key), file[key] ?? null, scope, compiler.env)),
    );
  const [otherwise, redirect] = [url('otherwise', () => visit), url('redirect', both)];
  const object = lazy(() =>
    made('object', visit, (scope) => {
      const found = diagnostics.bare(inside(place, 'object'), file.object ?? 'null', scope, compiler.env);
      const isRight = found.type.kind === 'object' ? found.type.resource === resource.name : found.type.kind === 'any';
      if (!isRight && found.type.kind !== 'null')
        diagnostics.problem(
          inside(place, 'object'),
          'wrong-type',
          `an object of '${resource.name}' is needed here, this is ${describeType(found.type)}`,
        );
      return found;
    }),
  );
  const program = lazy((): ((...given: readonly unknown[]) => PageView) => {
    const { scope, unit, parameters } = functionScope(`page ${file.page}`, place, compiler.env, both());
    const out = unit.identifier('parts');
    const context: PageContext = { compiler, page: resource, targets, scope, out };
    const title = pageText(file.title, inside(place, 'title'), context);
    const posts = template(file.posts ?? null, inside(place, 'posts'), context);
    const parts = linkParts(file.body, inside(place, 'body'), context);
    return unit.function(parameters, [
      `const ${out} = [];`,
      ...parts,
      `return { title: ${title} ?? "", parts: ${out}, posts: ${posts.js} };`,
    ]);
  });
  const mayBeFramed = lazy((): ((...given: readonly unknown[]) => Json) => {
    const { framed = false } = file;
    if (typeof framed === 'boolean') return () => framed;
    return made('framed', both(), (scope) =>
      diagnostics.condition(inside(place, 'framed'), framed, scope, compiler.env),
    );
  });
  return {
    name: file.page,
    place,
    resource,
    path: route[1],
    format: file.format ?? 'html',
    takesForms: (file.format ?? 'html') === 'html' && !callsOnly(file.body),
    query,
    framed: file.framed !== undefined && file.framed !== false,
    object: file.object === undefined ? null : (host, { request, query }) => object()(host, request, query),
    otherwise: (host, { request, query }) => pageTextOrNull(otherwise()(host, request, query)),
    redirect: (host, row, { request, query }) => pageTextOrNull(redirect()(host, row, request, query)),
    mayBeFramed: (host, row, { request, query }) => mayBeFramed()(host, row, request, query) === true,
    check: () => {
      for (const part of [program, mayBeFramed, object, otherwise, redirect]) part();
    },
    view: (host, row, { request, query }) => program()(host, row, request, query),
  };
}

function linkParts(files: readonly PagePartFile[], place: SourceLocation, context: PageContext): Js {
  return files.flatMap((file, index) => linkPart(file, inside(place, index), context));
}

function linkPart(file: PagePartFile, place: SourceLocation, context: PageContext): Js {
  const { diagnostics } = context.compiler;
  const kinds = KINDS.filter((kind) => file[kind] !== undefined);
  if (kinds.length > 1)
    diagnostics.problem(
      keyIn(place, kinds[1]),
      'two-parts',
      `a part is one thing, this one has '${kinds[0]}' and '${kinds[1]}'`,
    );
  for (const key of ['in', 'parts'] as const) {
    if (file.for !== undefined && file[key] === undefined)
      diagnostics.problem(place, 'missing-key', `a loop needs the key '${key}'`);
    if (file.for === undefined && file[key] !== undefined)
      diagnostics.problem(keyIn(place, key), 'unknown-key', `'${key}' belongs to a loop ('for')`);
  }
  const lines = placed(place, ...partOf(file, place, context));
  if (file.when === undefined) return lines;
  const at = inside(place, 'when');
  return placed(at, `if (${conditionOf(file.when, at, context)}) {`, lines, '}');
}

function partOf(file: PagePartFile, place: SourceLocation, context: PageContext): Js {
  const { out, scope } = context;
  const { unit } = scope;
  for (const kind of ['heading', 'text', 'alert', 'source'] as const) {
    const source = file[kind];
    if (source === undefined) continue;
    const text = unit.identifier(kind);
    return [
      `const ${text} = ${pageText(source, inside(place, kind), context)};`,
      `if (${text}) ${out}.push({ kind: "${kind}", text: ${text} });`,
    ];
  }
  if (file.rows) {
    const rows = Object.entries(file.rows).map(
      ([label, value]) => `[${scriptLiteral(label)}, ${pageText(value, inside(place, 'rows', label), context)}]`,
    );
    return [`${unit.refer(showRows, 'showRows')}(${out}, [${rows.join(', ')}]);`];
  }
  if (file.link) {
    const text = pageText(file.link.text, inside(place, 'link', 'text'), context);
    const to = unit.identifier('to');
    return [
      `const ${to} = ${pageText(file.link.to, inside(place, 'link', 'to'), context)};`,
      `if (${to} !== null) ${out}.push({ kind: "link", text: ${text} ?? ${to}, to: ${to} });`,
    ];
  }
  if (file.frame) {
    const title = pageText(file.frame.title, inside(place, 'frame', 'title'), context);
    const html = unit.identifier('html');
    return [
      `const ${html} = ${pageText(file.frame.html, inside(place, 'frame', 'html'), context)};`,
      `if (${html} !== null) ${out}.push({ kind: "frame", title: ${title} ?? "", html: ${html} });`,
    ];
  }
  if (file.form) return linkForm(file.form, inside(place, 'form'), context);
  return linkLoop(file, place, context);
}

function showRows(out: PartView[], rows: readonly (readonly [string, string | null])[]): void {
  const shown = rows.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]));
  if (shown.length > 0) out.push({ kind: 'rows', rows: shown });
}

function linkLoop(file: PagePartFile, place: SourceLocation, context: PageContext): Js {
  const { diagnostics, env } = context.compiler;
  if (file.for === undefined || file.in === undefined) return [];
  const list = diagnostics.bare(inside(place, 'in'), file.in, context.scope, env);
  if (list.type.kind !== 'list' && list.type.kind !== 'any')
    diagnostics.problem(inside(place, 'in'), 'wrong-type', `a list is needed here, this is ${describeType(list.type)}`);
  const scope = context.scope.child();
  const { js } = scope.declare(file.for, list.type.kind === 'list' ? list.type.of : ANY);
  const parts = linkParts(file.parts ?? [], inside(place, 'parts'), { ...context, scope });
  return [`for (const ${js} of ${scope.unit.refer(itemsIn, 'itemsIn')}(${list.js})) {`, parts, '}'];
}

function itemsIn(value: Json): readonly Json[] {
  return isList(value) ? value : [];
}
