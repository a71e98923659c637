import { define, isList, isObject, type Json, lazy, toText } from '../values/index.js';
import {
  accepts,
  ANY,
  type Compiled,
  describeType,
  type Js,
  scriptLiteral,
  objectLiteral,
  type Scope,
  STRING,
} from '../expression/index.js';
import {
  inside,
  type PageFieldFile,
  type PageFile,
  type PageFormFile,
  type PagePartFile,
  type SourceLocation,
  type ResourceDef,
  type Schema,
} from '../model/index.js';
import type { Cause, CauseVariant, FieldView, FormView, BrowserPage, PartView } from '../program/index.js';
import { type Compiler, functionScope, liveParameter, placed } from './context.js';

/** Where the parts of a page are. */
interface Context {
  readonly compiler: Compiler;
  readonly page: ResourceDef;
  readonly causes: ReadonlyMap<string, Cause>;
  readonly scope: Scope;
  /** What the text calls the list of parts. */
  readonly out: string;
}

const KINDS = ['heading', 'text', 'alert', 'rows', 'link', 'form', 'for'] as const;

/** Reads one page of the pack. Null when it cannot be served at all; the problem is reported. */
export function linkPage(
  file: PageFile,
  place: SourceLocation,
  causes: ReadonlyMap<string, Cause>,
  compiler: Compiler,
): BrowserPage | null {
  const { model, diagnostics } = compiler;
  const resource = model.byName.get(file.resource);
  if (!resource) diagnostics.unknown(inside(place, 'resource'), 'resource', file.resource, model.byName.keys());
  const route = /^GET (\/(?:[\w.~-]+\/)*(?:[\w.~-]*\{id\}[\w.~-]*)(?:\/[\w.~-]+)*)$/.exec(model.fill(file.route));
  if (!route)
    diagnostics.problem(
      inside(place, 'route'),
      'bad-route',
      `'${file.route}' is not the route of a page, such as 'GET /pay/{id}'`,
    );
  if (!resource || !route) return null;
  const program = lazy((): BrowserPage['view'] => {
    const seen = { self: liveParameter(resource.type) };
    const { scope, unit, parameters } = functionScope(`page ${file.page}`, place, compiler.env, seen);
    const out = unit.identifier('parts');
    const context: Context = { compiler, page: resource, causes, scope, out };
    const title = textOf(file.title, inside(place, 'title'), context);
    const posts = template(file.posts ?? null, inside(place, 'posts'), context);
    const parts = linkParts(file.body, inside(place, 'body'), context);
    return unit.function(parameters, [
      `const ${out} = [];`,
      ...parts,
      `return { title: ${title} ?? "", parts: ${out}, posts: ${posts.js} };`,
    ]);
  });
  const mayBeFramed = lazy((): ((...of: Parameters<BrowserPage['mayBeFramed']>) => Json) => {
    const { framed = false } = file;
    if (typeof framed === 'boolean') return () => framed;
    const at = inside(place, 'framed');
    const seen = { self: liveParameter(resource.type) };
    const { scope, unit, parameters } = functionScope(`page ${file.page} framed`, at, compiler.env, seen);
    const condition = diagnostics.condition(at, framed, scope, compiler.env);
    return unit.expression(parameters, condition);
  });
  return {
    name: file.page,
    place,
    resource,
    path: route[1],
    format: file.format ?? 'html',
    framed: file.framed !== undefined && file.framed !== false,
    mayBeFramed: (host, row) => mayBeFramed()(host, row) === true,
    check: () => {
      program();
      mayBeFramed();
    },
    view: (host, row) => program()(host, row),
  };
}

function linkParts(files: readonly PagePartFile[], place: SourceLocation, context: Context): Js {
  return files.flatMap((file, index) => linkPart(file, inside(place, index), context));
}

function linkPart(file: PagePartFile, place: SourceLocation, context: Context): Js {
  const { diagnostics } = context.compiler;
  const kinds = KINDS.filter((kind) => file[kind] !== undefined);
  if (kinds.length > 1)
    diagnostics.problem(
      inside(place, kinds[1]),
      'two-parts',
      `a part is one thing, this one has '${kinds[0]}' and '${kinds[1]}'`,
      { at: 'key' },
    );
  for (const key of ['in', 'parts'] as const) {
    if (file.for !== undefined && file[key] === undefined)
      diagnostics.problem(place, 'missing-key', `a loop needs the key '${key}'`);
    if (file.for === undefined && file[key] !== undefined)
      diagnostics.problem(inside(place, key), 'unknown-key', `'${key}' belongs to a loop ('for')`, { at: 'key' });
  }
  const lines = placed(place, ...partOf(file, place, context));
  if (file.when === undefined) return lines;
  const at = inside(place, 'when');
  return placed(at, `if (${conditionOf(file.when, at, context)}) {`, lines, '}');
}

function partOf(file: PagePartFile, place: SourceLocation, context: Context): Js {
  const { out, scope } = context;
  const { unit } = scope;
  for (const kind of ['heading', 'text', 'alert'] as const) {
    const source = file[kind];
    if (source === undefined) continue;
    const text = unit.identifier(kind);
    return [
      `const ${text} = ${textOf(source, inside(place, kind), context)};`,
      `if (${text}) ${out}.push({ kind: "${kind}", text: ${text} });`,
    ];
  }
  if (file.rows) {
    const rows = Object.entries(file.rows).map(
      ([label, value]) => `[${scriptLiteral(label)}, ${textOf(value, inside(place, 'rows', label), context)}]`,
    );
    return [`${unit.refer(showRows, 'showRows')}(${out}, [${rows.join(', ')}]);`];
  }
  if (file.link) {
    const text = textOf(file.link.text, inside(place, 'link', 'text'), context);
    const to = unit.identifier('to');
    return [
      `const ${to} = ${textOf(file.link.to, inside(place, 'link', 'to'), context)};`,
      `if (${to} !== null) ${out}.push({ kind: "link", text: ${text} ?? ${to}, to: ${to} });`,
    ];
  }
  if (file.form) return linkForm(file.form, inside(place, 'form'), context);
  return linkLoop(file, place, context);
}

function showRows(out: PartView[], rows: readonly (readonly [string, string | null])[]): void {
  const shown = rows.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]));
  if (shown.length > 0) out.push({ kind: 'rows', rows: shown });
}

function linkLoop(file: PagePartFile, place: SourceLocation, context: Context): Js {
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

function linkForm(file: PageFormFile, place: SourceLocation, context: Context): Js {
  const { diagnostics } = context.compiler;
  const cause = context.causes.get(file.cause);
  if (!cause) diagnostics.unknown(inside(place, 'cause'), 'cause', file.cause, context.causes.keys());
  const sent = Object.entries(file.fields ?? {}).flatMap(([name, { unsent }]) => (unsent === true ? [] : [name]));
  const named = [...Object.keys(file.with ?? {}), ...sent];
  const variant = cause && variantOf(cause, named, context.page);
  if (variant) checkParams(file, place, variant, named, context);
  const given = Object.entries(file.with ?? {}).map(([name, value]) => {
    const at = inside(place, 'with', name);
    const made = template(value, at, context);
    const wanted = variant && paramOf(variant, name);
    if (wanted && !accepts(wanted, made.type))
      diagnostics.problem(
        at,
        'wrong-type',
        `'${name}' of '${file.cause}' is ${describeType(wanted)}, not ${describeType(made.type)}`,
      );
    return [name, made] as const;
  });
  const subject =
    variant?.subject && !named.includes(variant.subject.param) && variant.subject.resource === context.page
      ? variant.subject.param
      : null;
  const self = template('${self.id}', place, context);
  const button = textOf(file.button, inside(place, 'button'), context);
  const then = file.then === undefined ? 'null' : textOf(file.then, inside(place, 'then'), context);
  const stays = file.stay === undefined ? 'false' : conditionOf(file.stay, inside(place, 'stay'), context);
  const fields = Object.entries(file.fields ?? {}).map(([name, field]) =>
    linkField(name, field, inside(place, 'fields', name), context),
  );
  const { unit } = context.scope;
  const form = unit.refer({ key: JSON.stringify(place.path), style: file.style ?? 'main', cause: file.cause }, 'form');
  const params = [
    ...(subject === null ? [] : [`[${scriptLiteral(subject)}, ${self.js}, true]`]),
    ...given.map(([name, { js }]) => `[${scriptLiteral(name)}, ${js}, false]`),
  ];
  return [
    `${context.out}.push(${unit.refer(formView, 'formView')}(${form}, [${params.join(', ')}], {`,
    [`button: ${button} ?? "",`, `fields: [${fields.join(', ')}],`, `then: () => ${then},`, `stays: () => ${stays},`],
    '}));',
  ];
}

/** A form; of its parameters null stands for nothing, unless they are marked. */
function formView(
  { key, style, cause }: Pick<FormView, 'key' | 'style' | 'cause'>,
  params: readonly (readonly [name: string, value: Json, always: boolean])[],
  { fields, ...rest }: Pick<FormView, 'button' | 'then' | 'stays'> & { readonly fields: readonly (FieldView | null)[] },
): PartView {
  const given: Record<string, Json> = {};
  for (const [name, value, always] of params) if (always || value !== null) define(given, name, value);
  const shown = fields.filter((field): field is FieldView => field !== null);
  return {
    kind: 'form',
    form: { key: `${key} ${JSON.stringify(given)}`, style, cause, given, fields: shown, ...rest },
  };
}

/** The variant of a cause that a form fires: of the subject that it names, else about the page's own object. */
function variantOf(cause: Cause, named: readonly string[], page: ResourceDef): CauseVariant | undefined {
  const { variants } = cause;
  const variant = variants.find(({ subject }) => subject !== null && named.includes(subject.param));
  return (
    variant ??
    variants.find(({ subject }) => subject?.resource === page) ??
    variants.find(({ subject }) => subject === null)
  );
}

function checkParams(
  file: PageFormFile,
  place: SourceLocation,
  variant: CauseVariant,
  named: readonly string[],
  { compiler }: Context,
): void {
  const known = [...variant.params.keys(), ...(variant.subject ? [variant.subject.param] : [])];
  for (const part of ['with', 'fields'] as const) {
    for (const name of Object.keys(file[part] ?? {})) {
      const isUnsent = part === 'fields' && file.fields?.[name].unsent === true;
      if (!known.includes(name) && !isUnsent)
        compiler.diagnostics.unknown(inside(place, part, name), 'parameter', name, known, 'key');
      if (part === 'fields' && file.with && name in file.with)
        compiler.diagnostics.problem(
          inside(place, part, name),
          'duplicate-key',
          `'${name}' is decided by the page already`,
          { at: 'key' },
        );
    }
  }
  for (const [name, schema] of variant.params) {
    if (schema.required && !named.includes(name))
      compiler.diagnostics.problem(place, 'missing-argument', `'${file.cause}' needs '${name}'`);
  }
}

function paramOf(variant: CauseVariant, name: string): Schema['expr'] | undefined {
  return variant.subject?.param === name ? STRING : variant.params.get(name)?.expr;
}

function linkField(name: string, file: PageFieldFile, place: SourceLocation, context: Context): string {
  const { diagnostics } = context.compiler;
  const { unit } = context.scope;
  const type = file.type ?? (file.options === undefined ? 'text' : 'select');
  if (type === 'select' && file.options === undefined)
    diagnostics.problem(place, 'missing-key', "a select needs the key 'options'");
  if (type !== 'select' && file.options !== undefined)
    diagnostics.problem(inside(place, 'options'), 'unknown-key', 'only a select has options', { at: 'key' });
  const when = file.when === undefined ? undefined : conditionOf(file.when, inside(place, 'when'), context);
  const label = textOf(file.label, inside(place, 'label'), context);
  const hint = textOf(file.hint ?? '', inside(place, 'hint'), context);
  const value = textOf(file.value ?? '', inside(place, 'value'), context);
  const options = template(file.options ?? null, inside(place, 'options'), context);
  const field = objectLiteral([
    ['options', `${unit.refer(choicesOf, 'choicesOf')}(${options.js})`],
    ['name', scriptLiteral(name)],
    ['label', `${label} ?? ${scriptLiteral(name)}`],
    ['type', scriptLiteral(type)],
    ['value', `${value} ?? ""`],
    ['hint', `${hint} ?? ""`],
    ['required', scriptLiteral(file.required ?? false)],
    ['input', scriptLiteral(file.input ?? name)],
    ['testId', scriptLiteral(file.test_id ?? null)],
    ['unsent', scriptLiteral(file.unsent ?? false)],
  ]);
  return when === undefined ? field : `(${when} ? ${field} : null)`;
}

/** What a select offers: a map of value to text, or a list of values or of `[value, text]`. */
function choicesOf(choices: Json): [string, string][] {
  if (isList(choices))
    return choices.map((each) => {
      const [value, text = value] = isList(each) ? each : [each];
      return [toText(value), toText(text)];
    });
  return isObject(choices) ? Object.entries(choices).map(([key, text]) => [key, toText(text)]) : [];
}

function template(value: Json, place: SourceLocation, { compiler, scope }: Context): Compiled {
  return compiler.diagnostics.template(place, value, scope, compiler.env);
}

/** A value as text; null stays null. */
function textOf(value: Json, place: SourceLocation, context: Context): string {
  const { js, gives } = template(value, place, context);
  return gives === 'string' ? js : `${context.scope.unit.refer(textOrNull, 'textOrNull')}(${js})`;
}

function textOrNull(value: Json): string | null {
  return value === null ? null : toText(value);
}

function conditionOf(source: string, place: SourceLocation, { compiler, scope }: Context): string {
  const { js } = compiler.diagnostics.condition(place, source, scope, compiler.env);
  return `(${js} === true)`;
}
