import { type JsonObject, lazy } from '../values/index.js';
import { access, ANY, bare, objectLiteral, objectType, STRING } from '../expression/index.js';
import { inside, type SourceLocation, type ResourceDef } from '../model/index.js';
import type { EventKind, EventMaker, LateMaker } from '../program/index.js';
import { type Compiler, rootScope, stepContext } from './context.js';
import { compileMaker } from './maker.js';

/** Compiles `events` of pack.yaml: how ordinary events are created; null if the pack has none. */
export function linkEventMaker(compiler: Compiler): EventMaker | null {
  const { events } = compiler.model.settings;
  return events && linkMaker(events, inside(compiler.model.packPlace, 'events'), false, compiler);
}

/** Compiles `events.kinds`: events of other kinds, by their names. */
export function linkEventKinds(compiler: Compiler): ReadonlyMap<string, EventKind> {
  const { model, eventOwners } = compiler;
  const place = inside(model.packPlace, 'events', 'kinds');
  const found = new Map<string, EventKind>();
  for (const kind of model.settings.events?.kinds.values() ?? []) {
    const maker = linkMaker(kind, inside(place, kind.name), true, compiler);
    if (maker === null) continue;
    const reported = new Map<string, string>();
    for (const name of eventOwners.keys()) {
      const as = kind.nameFor(name);
      if (as !== null && !eventOwners.has(as)) reported.set(as, name);
    }
    found.set(kind.name, { name: kind.name, maker, reported });
  }
  return found;
}

/**
 * Compiles the creation of events.
 * @param ofKind for events of other kinds, whose fields also see the object's location and the ordinary event
 */
function linkMaker(
  { resource, with: fields }: { readonly resource: string; readonly with: JsonObject },
  place: SourceLocation,
  ofKind: boolean,
  compiler: Compiler,
): EventMaker | null {
  const { model, programs } = compiler;
  const def = model.diagnostics.find(inside(place, 'resource'), 'resource', resource, model.byName);
  if (!def) return null;
  const compiled = lazy(() => compileMake(def, fields, place, ofKind, compiler));
  const maker: { -readonly [Key in keyof EventMaker]: EventMaker[Key] } = {
    resource: programs[def.index],
    check: () => void compiled(),
    make: (...given) => (maker.make = compiled().make)(...given),
    late: lazy(() => compiled().late()),
  };
  return maker;
}

function compileMake(
  def: ResourceDef,
  fields: JsonObject,
  place: SourceLocation,
  ofKind: boolean,
  compiler: Compiler,
): Pick<EventMaker, 'make' | 'late'> {
  const { model } = compiler;
  const scope = rootScope('event', place, model.env);
  const { unit } = scope;
  // The object may be of any resource, so that expressions may read the fields of all resources.
  const all = model.resources.flatMap((each) =>
    compiler.passed ? ['id', ...Object.keys(each.file.fields ?? {})] : [...each.type.fields.keys()],
  );
  const object = objectType(
    all.map((name) => [name, ANY] as const),
    "an event's object",
  );
  const types = { type: STRING, object, snapshot: ANY, previous: ANY };
  const parameters = Object.entries(types).map(([name, type]) => scope.declare(name, type).js);
  const request = scope.declare('request', model.env.request).js;
  const [id, common, own] = ['event_id', 'common', 'own'].map((name) => unit.identifier(name));
  const version = scope.declare('version', STRING).js;
  const ordinary = model.byName.get(model.settings.events?.resource ?? '')?.type ?? ANY;
  const more = ofKind ? [scope.declare('path', STRING).js, scope.declare('event', ordinary).js] : [];
  const { lines, made, parts } = compileMaker(stepContext(compiler, scope), def, { with: fields }, place, id);
  // Events of steps that the engine runs by itself, such as those of timers, don't name the request as their cause.
  const asked = `const ${request} = x.internal > 0 ? { ...x.request, id: null, idempotency_key: null } : x.request;`;
  const [type, about, snapshot, previous] = parameters;
  const late = (): LateMaker | null => {
    if (ofKind || parts === null) return null;
    const { members, locals } = parts;
    // An event stores its time, and `id` and `idempotency_key` of its request, so they are available later too.
    const kept = new RegExp(`(?<![\\w$])(?:x\\.now|${request}\\??\\.(?:id|idempotency_key))(?![\\w$])`, 'g');
    const ofCommand = locals.filter(
      ({ value }) => !uses(value.replaceAll(kept, ''), ['x', request, ...parameters, id, version]),
    );
    const ofName = locals.filter((each) => !ofCommand.includes(each) && !uses(each.value, [snapshot, previous, id]));
    const rest = locals.filter((each) => !ofCommand.includes(each) && !ofName.includes(each));
    const others = [...ofCommand, ...ofName].map(({ local }) => local);
    if (rest.some(({ value }) => uses(value, ['x', request, ...others]))) return null;
    const partOf = (list: typeof locals): string =>
      `return ${bare(objectLiteral(list.map(({ field, local }) => [field, local])))};`;
    const valueOf = ([name, js]: (typeof members)[number]): [string, string] => {
      const has = (list: typeof locals): boolean => list.some(({ local }) => local === js);
      return [name, has(ofCommand) ? common + access(name) : has(ofName) ? own + access(name) : js];
    };
    const whole = bare(objectLiteral(members.map(valueOf)));
    return {
      common: unit.function(['now', request], ['const x = { now };', ...ofCommand, partOf(ofCommand)]),
      own: unit.function(['x', type, about, version], [asked, ...ofName, partOf(ofName)]),
      write: unit.function([common, own, ...parameters, id, version], [...rest, `return ${whole};`]),
    };
  };
  return {
    make: unit.function(['x', ...parameters, id, version, ...more], [asked, ...lines, `return ${made};`]),
    late,
  };
}

/** Whether JavaScript contains one of these names; names inside strings count too. */
function uses(js: string, names: readonly string[]): boolean {
  return names.some((name) => new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}(?![\\w$])`).test(js));
}
