import { define, isList, isObject, type Json, toText } from '../values/index.js';
import {
  accepts,
  type Compiled,
  describeType,
  type Js,
  objectLiteral,
  type Scope,
  scriptLiteral,
  STRING,
} from '../expression/index.js';
import {
  inside,
  keyIn,
  type PageButtonFile,
  type PageFieldFile,
  type PageFormFile,
  type PagePartFile,
  type ResourceDef,
  type Schema,
  type SourceLocation,
} from '../model/index.js';
import type {
  ButtonView,
  Cause,
  CauseVariant,
  FieldType,
  FieldView,
  FormView,
  Operation,
  PartView,
} from '../program/index.js';
import type { Compiler } from './context.js';

/** The possible targets of forms. */
export interface Targets {
  readonly causes: ReadonlyMap<string, Cause>;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** The context of a page's parts. */
export interface PageContext {
  readonly compiler: Compiler;
  readonly page: ResourceDef;
  readonly targets: Targets;
  readonly scope: Scope;
  /** JavaScript name of the list of parts. */
  readonly out: string;
}

/** The target of a form, with its parameters. */
interface Target {
  readonly title: string;
  readonly params: ReadonlyMap<string, Pick<Schema, 'expr' | 'required'>>;
  /** The parameter that gets the page's object by default. */
  readonly subject: string | null;
  /** JavaScript of the member `does` of a `FormView`: what submitting the form does. */
  readonly does: string;
}

/** Whether a page has forms and each of them calls an operation. */
export function callsOnly(parts: readonly PagePartFile[]): boolean {
  const formsOf = (each: readonly PagePartFile[]): readonly PageFormFile[] =>
    each.flatMap(({ form, parts: inner = [] }) => [...(form === undefined ? [] : [form]), ...formsOf(inner)]);
  const forms = formsOf(parts);
  return forms.length > 0 && forms.every(({ operation }) => operation !== undefined);
}

/** Marks the operations that the forms of a page call: other sites must not call them in the name of the signed-in person. */
export function markOperations(parts: readonly PagePartFile[], { operations }: Targets): void {
  for (const { form, parts: inner = [] } of parts) {
    const operation = form?.operation === undefined ? undefined : operations.get(form.operation);
    if (operation !== undefined) operation.ofPages = true;
    markOperations(inner, { causes: new Map(), operations });
  }
}

export function linkForm(file: PageFormFile, place: SourceLocation, context: PageContext): Js {
  const { diagnostics } = context.compiler;
  const sent = Object.entries(file.fields ?? {}).flatMap(([name, { unsent }]) => (unsent === true ? [] : [name]));
  const pressed = [file, ...(file.buttons ?? [])].flatMap(({ sends = {} }) => Object.keys(sends));
  const named = [...Object.keys(file.with ?? {}), ...sent, ...pressed];
  if (file.cause !== undefined && file.operation !== undefined)
    diagnostics.problem(keyIn(place, 'operation'), 'two-parts', `the form triggers '${file.cause}' already`);
  const target =
    file.cause === undefined
      ? operationTarget(file, file.operation ?? '', place, named, context)
      : causeTarget(file.cause, place, named, context);
  if (target) checkParams(file, place, target, named, context);
  const given = Object.entries(file.with ?? {}).map(([name, value]) => {
    const at = inside(place, 'with', name);
    const made = template(value, at, context);
    const wanted = target?.params.get(name)?.expr;
    if (wanted && !accepts(wanted, made.type))
      diagnostics.problem(
        at,
        'wrong-type',
        `'${name}' of '${target.title}' is ${describeType(wanted)}, not ${describeType(made.type)}`,
      );
    return [name, made] as const;
  });
  const subject = target?.subject != null && !named.includes(target.subject) ? target.subject : null;
  const self = template('${self.id}', place, context);
  const then = file.then === undefined ? 'null' : pageText(file.then, inside(place, 'then'), context);
  const stays = file.stay === undefined ? 'false' : conditionOf(file.stay, inside(place, 'stay'), context);
  const fields = Object.entries(file.fields ?? {}).map(([name, field]) =>
    linkField(name, field, inside(place, 'fields', name), context),
  );
  const buttons = [
    buttonOf({ ...file, when: undefined, style: file.style ?? 'main' }, place, context),
    ...(file.buttons ?? []).map((each, at) => buttonOf(each, inside(place, 'buttons', at), context)),
  ];
  const { unit } = context.scope;
  const params = [
    ...(subject === null ? [] : [`[${scriptLiteral(subject)}, ${self.js}, true]`]),
    ...given.map(([name, { js }]) => `[${scriptLiteral(name)}, ${js}, false]`),
  ];
  const key = scriptLiteral(JSON.stringify(place.path));
  return [
    `${context.out}.push(${unit.refer(formView, 'formView')}(${key}, [${params.join(', ')}], {`,
    [
      `does: ${target?.does ?? 'null'},`,
      `buttons: [${buttons.join(', ')}],`,
      `fields: [${fields.join(', ')}],`,
      `onward: ${String(file.onward ?? false)},`,
      `then: () => ${then},`,
      `stays: () => ${stays},`,
    ],
    '}));',
  ];
}

/** A call of an operation whose path still contains placeholders. */
interface CallTemplate {
  readonly kind: 'call';
  readonly method: string;
  readonly base: string;
  readonly path: string;
  readonly names: readonly string[];
}

/** Compiles a form. Parameters that are null are left out, unless they are marked to be always sent. */
function formView(
  key: string,
  params: readonly (readonly [name: string, value: Json, always: boolean])[],
  {
    fields,
    buttons,
    does,
    ...rest
  }: Pick<FormView, 'onward' | 'then' | 'stays'> & {
    readonly does: Extract<FormView['does'], { readonly kind: 'cause' }> | CallTemplate;
    readonly fields: readonly (FieldView | null)[];
    readonly buttons: readonly (ButtonView | null)[];
  },
): PartView {
  const given: Record<string, Json> = {};
  for (const [name, value, always] of params) if (always || value !== null) define(given, name, value);
  const form = {
    key: `${key} ${JSON.stringify(given)}`,
    fields: fields.filter((field): field is FieldView => field !== null),
    buttons: buttons.filter((button): button is ButtonView => button !== null),
    ...rest,
  };
  if (does.kind === 'cause') return { kind: 'form', form: { ...form, does, given } };
  const { method, base, names } = does;
  const path = does.path.replace(/\{(\w+)\+?\}/g, (_, name: string) => encodeURIComponent(toText(given[name] ?? null)));
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
  return { kind: 'form', form: { ...form, does: { kind: 'call', method, path: `${base}${path}` }, given: others } };
}

function causeTarget(
  name: string,
  place: SourceLocation,
  named: readonly string[],
  { compiler, page, targets }: PageContext,
): Target | undefined {
  const cause = compiler.diagnostics.find(inside(place, 'cause'), 'cause', name, targets.causes);
  const variant = cause && variantOf(cause, named, page);
  if (variant === undefined) return undefined;
  const { subject } = variant;
  const params = new Map<string, Pick<Schema, 'expr' | 'required'>>(variant.params);
  if (subject) params.set(subject.param, { expr: STRING });
  return {
    title: name,
    params,
    subject: subject?.resource === page ? subject.param : null,
    does: `{ kind: "cause", cause: ${scriptLiteral(name)} }`,
  };
}

/** The target of a form that calls an operation: the person's browser sends no key, and encodes as forms do. */
function operationTarget(
  file: PageFormFile,
  name: string,
  place: SourceLocation,
  named: readonly string[],
  context: PageContext,
): Target | undefined {
  const { compiler, page, targets } = context;
  const { diagnostics, model } = compiler;
  const at = inside(place, 'operation');
  const operation = diagnostics.find(at, 'operation', name, targets.operations);
  if (!operation) return undefined;
  for (const key of ['then', 'stay'] as const)
    if (file[key] !== undefined)
      diagnostics.problem(keyIn(place, key), 'unknown-key', `the response of '${name}' decides where it leads`);
  if (!operation.open)
    diagnostics.problem(at, 'bad-form', `browsers send no key: '${name}' has to be open (\`open: true\`)`);
  const route = operation.routes.find(({ method }) => method === 'POST' || method === 'GET');
  if (route === undefined) {
    diagnostics.problem(
      at,
      'bad-route',
      `forms can call GET and POST only: '${name}' is ${operation.routes[0].method}`,
    );
    return undefined;
  }
  const { requests } = operation.resource.file;
  const takesForms = requests === undefined ? model.settings.encodings.has('form') : requests === 'form';
  if (route.method === 'POST' && !takesForms)
    diagnostics.problem(at, 'bad-form', `'${name}' takes no forms: \`encoding.requests\` of pack.yaml has no 'form'`);
  const isOwn = operation.resource === page && route.names.includes('id');
  const missing = route.names.find((each) => !(each === 'id' && isOwn) && !(file.with && each in file.with));
  if (missing !== undefined && named.includes(missing))
    diagnostics.problem(
      place,
      'missing-argument',
      `'${missing}' is in the path of '${name}': only \`with\` can give it`,
    );
  const params = new Map<string, Pick<Schema, 'expr' | 'required'>>(operation.params());
  for (const each of route.names) params.set(each, { expr: STRING, required: !(each === 'id' && isOwn) });
  const base = template('${base_url}', place, context);
  return {
    title: name,
    params,
    subject: isOwn ? 'id' : null,
    does: objectLiteral([
      ['kind', scriptLiteral('call')],
      ['method', scriptLiteral(route.method)],
      ['base', base.js],
      ['path', scriptLiteral(route.path)],
      ['names', JSON.stringify(route.names)],
    ]),
  };
}

/** The variant of a cause that a form fires: the one of the named subject, else of the page's own object. */
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
  { title, params }: Target,
  named: readonly string[],
  { compiler: { diagnostics } }: PageContext,
): void {
  const known = (name: string, ...path: (string | number)[]): void => {
    diagnostics.known(keyIn(place, ...path, name), 'parameter', name, params);
  };
  for (const part of ['with', 'fields'] as const) {
    for (const name of Object.keys(file[part] ?? {})) {
      if (!(part === 'fields' && file.fields?.[name].unsent === true)) known(name, part);
      if (part === 'fields' && file.with && name in file.with)
        diagnostics.problem(keyIn(place, part, name), 'duplicate-key', `'${name}' is decided by the page already`);
    }
  }
  for (const name of Object.keys(file.sends ?? {})) known(name, 'sends');
  for (const [at, { sends }] of (file.buttons ?? []).entries())
    for (const name of Object.keys(sends)) known(name, 'buttons', at, 'sends');
  for (const [name, { required }] of params)
    if (required === true && !named.includes(name))
      diagnostics.problem(place, 'missing-argument', `'${title}' needs '${name}'`);
}

function buttonOf(
  file: Omit<PageButtonFile, 'sends'> & Pick<PageFormFile, 'sends'>,
  place: SourceLocation,
  context: PageContext,
): string {
  const text = pageText(file.button, inside(place, 'button'), context);
  const [name, value] = Object.entries(file.sends ?? {}).at(0) ?? [];
  const sent =
    name === undefined
      ? 'null'
      : `[${scriptLiteral(name)}, ${pageText(value ?? '', inside(place, 'sends', name), context)} ?? ""]`;
  const button = objectLiteral([
    ['text', `${text} ?? ""`],
    ['style', scriptLiteral(file.style ?? 'plain')],
    ['testId', file.test_id === undefined ? 'null' : pageText(file.test_id, inside(place, 'test_id'), context)],
    ['sends', sent],
    ['unfilled', scriptLiteral(file.unfilled ?? false)],
  ]);
  if (file.when === undefined) return button;
  return `(${conditionOf(file.when, inside(place, 'when'), context)} ? ${button} : null)`;
}

/** Types of fields with options. */
const CHOICES: ReadonlySet<FieldType> = new Set<FieldType>(['select', 'radio']);

function linkField(name: string, file: PageFieldFile, place: SourceLocation, context: PageContext): string {
  const { diagnostics } = context.compiler;
  const { unit } = context.scope;
  const type = file.type ?? (file.options === undefined ? 'text' : 'select');
  if (CHOICES.has(type) && file.options === undefined)
    diagnostics.problem(place, 'missing-key', `a ${type} needs the key 'options'`);
  if (!CHOICES.has(type) && file.options !== undefined)
    diagnostics.problem(keyIn(place, 'options'), 'unknown-key', 'only a select or radio has options');
  const when = file.when === undefined ? undefined : conditionOf(file.when, inside(place, 'when'), context);
  const label = pageText(file.label, inside(place, 'label'), context);
  const hint = pageText(file.hint ?? '', inside(place, 'hint'), context);
  const value = pageText(file.value ?? '', inside(place, 'value'), context);
  const options = template(file.options ?? null, inside(place, 'options'), context);
  const field = objectLiteral([
    ['options', `${unit.refer(choicesOf, 'choicesOf')}(${options.js})`],
    ['name', scriptLiteral(name)],
    ['label', `${label} ?? ${scriptLiteral(name)}`],
    ['type', scriptLiteral(type)],
    ['value', `${value} ?? ""`],
    ['hint', `${hint} ?? ""`],
    ['required', scriptLiteral(file.required ?? false)],
    ['autocomplete', scriptLiteral(file.autocomplete ?? null)],
    ['input', scriptLiteral(file.input ?? name)],
    ['testId', scriptLiteral(file.test_id ?? null)],
    ['unsent', scriptLiteral(file.unsent ?? false)],
  ]);
  return when === undefined ? field : `(${when} ? ${field} : null)`;
}

/** The options of a select: a map of value to text, or a list of values or `[value, text]`. */
function choicesOf(choices: Json): [string, string][] {
  if (isList(choices))
    return choices.map((each) => {
      const [value, text = value] = isList(each) ? each : [each];
      return [toText(value), toText(text)];
    });
  return isObject(choices) ? Object.entries(choices).map(([key, text]) => [key, toText(text)]) : [];
}

export function template(value: Json, place: SourceLocation, { compiler, scope }: PageContext): Compiled {
  return compiler.diagnostics.template(place, value, scope, compiler.env);
}

/** Compiles a value to text; null stays null. */
export function pageText(value: Json, place: SourceLocation, context: PageContext): string {
  const { js, gives } = template(value, place, context);
  return gives === 'string' ? js : `${context.scope.unit.refer(pageTextOrNull, 'pageTextOrNull')}(${js})`;
}

export function pageTextOrNull(value: Json): string | null {
  return value === null ? null : toText(value);
}

export function conditionOf(source: string, place: SourceLocation, { compiler, scope }: PageContext): string {
  const { js } = compiler.diagnostics.condition(place, source, scope, compiler.env);
  return `(${js} === true)`;
}
