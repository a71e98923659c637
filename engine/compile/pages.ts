import {
  accepts,
  ANY,
  BOOLEAN,
  type Compiled,
  describe,
  type Frame,
  frameOf,
  isList,
  isObject,
  type Json,
  type Scope,
  STRING,
  toText,
} from '../expression/index.js';
import {
  inside,
  type PageFieldFile,
  type PageFile,
  type PageFormFile,
  type PagePartFile,
  type Place,
  type ResourceDef,
  type Schema,
} from '../model/index.js';
import {
  type Cause,
  type CauseVariant,
  type FieldView,
  type FormView,
  lazy,
  type Page,
  type PartView,
} from '../program/index.js';
import { type Compiler, rootScope } from './context.js';

/** What a part adds to a page. */
type Show = (frame: Frame, out: PartView[]) => void;

/** Where the parts of a page stand. */
interface Context {
  readonly compiler: Compiler;
  readonly page: ResourceDef;
  readonly causes: ReadonlyMap<string, Cause>;
  readonly scope: Scope;
}

const KINDS = ['heading', 'text', 'alert', 'rows', 'link', 'form', 'for'] as const;

/** Reads one page of the pack. Null when it cannot be served at all; the mistake is reported. */
export function linkPage(
  file: PageFile,
  place: Place,
  causes: ReadonlyMap<string, Cause>,
  compiler: Compiler,
): Page | null {
  const { model, linking } = compiler;
  const resource = model.byName.get(file.resource);
  if (!resource) linking.unknown(inside(place, 'resource'), 'resource', file.resource, model.byName.keys());
  const route = /^GET (\/(?:[\w.~-]+\/)*(?:[\w.~-]*\{id\}[\w.~-]*)(?:\/[\w.~-]+)*)$/.exec(model.fill(file.route));
  if (!route)
    linking.problem(
      inside(place, 'route'),
      'bad-route',
      `'${file.route}' is not the route of a page, such as 'GET /pay/{id}'`,
    );
  if (!resource || !route) return null;
  const program = lazy(() => {
    const scope = rootScope();
    const self = scope.declare('self', resource.type, true).slot;
    const context: Context = { compiler, page: resource, causes, scope };
    const title = textOf(file.title, inside(place, 'title'), context);
    const show = linkParts(file.body, inside(place, 'body'), context);
    return { scope, self, title, show };
  });
  return {
    name: file.page,
    place,
    resource,
    path: route[1],
    format: file.format ?? 'html',
    check: () => void program(),
    view(host, row) {
      const { scope, self, title, show } = program();
      const frame = frameOf(host, scope.layout.size);
      frame[self] = row;
      const parts: PartView[] = [];
      show(frame, parts);
      return { title: title(frame) ?? '', parts };
    },
  };
}

function linkParts(files: readonly PagePartFile[], place: Place, context: Context): Show {
  const shows = files.map((file, index) => linkPart(file, inside(place, index), context));
  return (frame, out) => {
    for (const show of shows) show(frame, out);
  };
}

function linkPart(file: PagePartFile, place: Place, context: Context): Show {
  const { linking } = context.compiler;
  const kinds = KINDS.filter((kind) => file[kind] !== undefined);
  if (kinds.length > 1)
    linking.problem(
      inside(place, kinds[1]),
      'two-parts',
      `a part is one thing, this one has '${kinds[0]}' and '${kinds[1]}'`,
      { at: 'key' },
    );
  for (const key of ['in', 'parts'] as const) {
    if (file.for !== undefined && file[key] === undefined)
      linking.problem(place, 'missing-key', `a loop needs the key '${key}'`);
    if (file.for === undefined && file[key] !== undefined)
      linking.problem(inside(place, key), 'unknown-key', `'${key}' belongs to a loop ('for')`, { at: 'key' });
  }
  const show = partOf(file, place, context);
  if (file.when === undefined) return show;
  const when = conditionOf(file.when, inside(place, 'when'), context);
  return (frame, out) => {
    if (when(frame)) show(frame, out);
  };
}

function partOf(file: PagePartFile, place: Place, context: Context): Show {
  for (const kind of ['heading', 'text', 'alert'] as const) {
    const source = file[kind];
    if (source === undefined) continue;
    const text = textOf(source, inside(place, kind), context);
    return (frame, out) => {
      const made = text(frame);
      if (made !== null && made !== '') out.push({ kind, text: made });
    };
  }
  if (file.rows) {
    const rows = Object.entries(file.rows).map(
      ([label, value]) => [label, textOf(value, inside(place, 'rows', label), context)] as const,
    );
    return (frame, out) => {
      const made = rows.flatMap(([label, value]) => {
        const text = value(frame);
        return text === null ? [] : [[label, text] as const];
      });
      if (made.length > 0) out.push({ kind: 'rows', rows: made });
    };
  }
  if (file.link) {
    const text = textOf(file.link.text, inside(place, 'link', 'text'), context);
    const to = textOf(file.link.to, inside(place, 'link', 'to'), context);
    return (frame, out) => {
      const url = to(frame);
      if (url !== null) out.push({ kind: 'link', text: text(frame) ?? url, to: url });
    };
  }
  if (file.form) return linkForm(file.form, inside(place, 'form'), context);
  return linkLoop(file, place, context);
}

function linkLoop(file: PagePartFile, place: Place, context: Context): Show {
  const { linking, env } = context.compiler;
  if (file.for === undefined || file.in === undefined) return () => undefined;
  const list = linking.bare(inside(place, 'in'), file.in, context.scope, env);
  if (list.type.kind !== 'list' && list.type.kind !== 'any')
    linking.problem(inside(place, 'in'), 'not-a-list', `this is no list, it is ${describe(list.type)}`);
  const scope = context.scope.child();
  const { slot } = scope.declare(file.for, list.type.kind === 'list' ? list.type.of : ANY);
  const show = linkParts(file.parts ?? [], inside(place, 'parts'), { ...context, scope });
  return (frame, out) => {
    const items = list.run(frame);
    if (!isList(items)) return;
    for (const item of items) {
      // Each round has a frame of its own: what a form does later must see its own item.
      const round: Frame = [...frame];
      round[slot] = item;
      show(round, out);
    }
  };
}

function linkForm(file: PageFormFile, place: Place, context: Context): Show {
  const { linking } = context.compiler;
  const cause = context.causes.get(file.cause);
  if (!cause) linking.unknown(inside(place, 'cause'), 'cause', file.cause, context.causes.keys());
  const named = [...Object.keys(file.with ?? {}), ...Object.keys(file.fields ?? {})];
  const variant = cause && variantOf(cause, named, context.page);
  if (variant) checkParams(file, place, variant, named, context);
  const given = Object.entries(file.with ?? {}).map(([name, value]) => {
    const at = inside(place, 'with', name);
    const made = template(value, at, context);
    const wanted = variant && paramOf(variant, name);
    if (wanted && !accepts(wanted, made.type))
      linking.problem(
        at,
        'wrong-type',
        `'${name}' of '${file.cause}' is ${describe(wanted)}, not ${describe(made.type)}`,
      );
    return [name, made] as const;
  });
  const subject =
    variant?.subject && !named.includes(variant.subject.param) && variant.subject.resource === context.page
      ? variant.subject.param
      : null;
  const self = template('${self.id}', place, context);
  const button = textOf(file.button, inside(place, 'button'), context);
  const then = file.then === undefined ? () => null : textOf(file.then, inside(place, 'then'), context);
  const stays = file.stay === undefined ? () => false : conditionOf(file.stay, inside(place, 'stay'), context);
  const fields = Object.entries(file.fields ?? {}).map(([name, field]) =>
    linkField(name, field, inside(place, 'fields', name), context),
  );
  const key = JSON.stringify(place.path);
  return (frame, out) => {
    const params: Record<string, Json> = subject === null ? {} : { [subject]: self.run(frame) };
    for (const [name, { run }] of given) {
      const value = run(frame);
      if (value !== null) params[name] = value;
    }
    const form: FormView = {
      key: `${key} ${JSON.stringify(params)}`,
      button: button(frame) ?? '',
      style: file.style ?? 'main',
      fields: fields.flatMap((field) => field(frame) ?? []),
      cause: file.cause,
      given: params,
      then: () => then(frame),
      stays: () => stays(frame),
    };
    out.push({ kind: 'form', form });
  };
}

/** The variant of a cause that a form fires: of the subject that it names, else about the page's own object. */
function variantOf(cause: Cause, named: readonly string[], page: ResourceDef): CauseVariant | undefined {
  const { variants } = cause;
  const told = variants.find(({ subject }) => subject !== null && named.includes(subject.param));
  return (
    told ??
    variants.find(({ subject }) => subject?.resource === page) ??
    variants.find(({ subject }) => subject === null)
  );
}

function checkParams(
  file: PageFormFile,
  place: Place,
  variant: CauseVariant,
  named: readonly string[],
  { compiler }: Context,
): void {
  const known = [...variant.params.keys(), ...(variant.subject ? [variant.subject.param] : [])];
  for (const part of ['with', 'fields'] as const) {
    for (const name of Object.keys(file[part] ?? {})) {
      if (!known.includes(name)) compiler.linking.unknown(inside(place, part, name), 'parameter', name, known, 'key');
      if (part === 'fields' && file.with && name in file.with)
        compiler.linking.problem(
          inside(place, part, name),
          'duplicate-key',
          `'${name}' is decided by the page already`,
          { at: 'key' },
        );
    }
  }
  for (const [name, schema] of variant.params) {
    if (schema.required && !named.includes(name))
      compiler.linking.problem(place, 'missing-argument', `'${file.cause}' needs '${name}'`);
  }
}

function paramOf(variant: CauseVariant, name: string): Schema['expr'] | undefined {
  return variant.subject?.param === name ? STRING : variant.params.get(name)?.expr;
}

function linkField(
  name: string,
  file: PageFieldFile,
  place: Place,
  context: Context,
): (frame: Frame) => FieldView | undefined {
  const { linking } = context.compiler;
  const type = file.type ?? (file.options === undefined ? 'text' : 'select');
  if (type === 'select' && file.options === undefined)
    linking.problem(place, 'missing-key', "a select needs the key 'options'");
  if (type !== 'select' && file.options !== undefined)
    linking.problem(inside(place, 'options'), 'unknown-key', 'only a select has options', { at: 'key' });
  const when = file.when === undefined ? () => true : conditionOf(file.when, inside(place, 'when'), context);
  const label = textOf(file.label, inside(place, 'label'), context);
  const hint = textOf(file.hint ?? '', inside(place, 'hint'), context);
  const value = textOf(file.value ?? '', inside(place, 'value'), context);
  const options = template(file.options ?? null, inside(place, 'options'), context);
  return (frame) => {
    if (!when(frame)) return undefined;
    const choices = options.run(frame);
    return {
      name,
      label: label(frame) ?? name,
      type,
      options: choicesOf(choices),
      value: value(frame) ?? '',
      hint: hint(frame) ?? '',
      required: file.required ?? false,
    };
  };
}

/** What a select offers: a map of value to text, or a list of values. */
function choicesOf(choices: Json): [string, string][] {
  if (isList(choices)) return choices.map((value) => [toText(value), toText(value)]);
  return isObject(choices) ? Object.entries(choices).map(([key, text]) => [key, toText(text)]) : [];
}

function template(value: Json, place: Place, { compiler, scope }: Context): Compiled {
  return compiler.linking.template(place, value, scope, compiler.env);
}

/** A value as text; null stays null. */
function textOf(value: Json, place: Place, context: Context): (frame: Frame) => string | null {
  const { run } = template(value, place, context);
  return (frame) => {
    const made = run(frame);
    return made === null ? null : toText(made);
  };
}

function conditionOf(source: string, place: Place, { compiler, scope }: Context): (frame: Frame) => boolean {
  const { type, run } = compiler.linking.bare(place, source, scope, compiler.env);
  if (!accepts(BOOLEAN, type))
    compiler.linking.problem(place, 'not-boolean', `this must be true or false, it is ${describe(type)}`);
  return (frame) => run(frame) === true;
}
