import type { Json, JsonObject } from '../values/index.js';
import {
  access,
  bare,
  type Js,
  LastPut,
  objectLiteral,
  ownMember,
  type PlacedLine,
  scriptLiteral,
} from '../expression/index.js';
import {
  inside,
  keyIn,
  type SourceLocation,
  type ResourceDef,
  type Schema,
  schemaAt,
  storedFields,
} from '../model/index.js';
import type { StepContext } from './context.js';
import {
  type FieldValue,
  type ValueScope,
  always,
  byDefault,
  compileValue,
  mergeMaps,
  reportUnknown,
  fieldSource,
} from './field-values.js';

/** JavaScript that creates an object; after its lines the variable `made` contains the object. */
interface CompiledCreate {
  readonly lines: Js;
  readonly made: string;
  /** All members, and the variables that their values use; null if some members are set only after the object was created. */
  readonly parts: { readonly members: readonly GivenMember[]; readonly locals: readonly Local[] } | null;
}

/** A member of an object: its name and the JavaScript of its value. */
type GivenMember = readonly [name: string, js: string];

/** A variable of the compiled code that contains the value of a field. */
interface Local extends PlacedLine {
  readonly field: string;
  readonly local: string;
  /** JavaScript of the variable's value. */
  readonly value: string;
}

/** Compiles `create`: every field gets its value from `with`, else from the source variable, else its default. */
export function compileMaker(
  context: StepContext,
  def: ResourceDef,
  given: { readonly with?: JsonObject; readonly from?: string },
  place: SourceLocation,
  id: string,
  /** JavaScript of the id, from that of the field that decides its prefix; undefined if the id exists already. */
  makeId?: (kind: string | undefined) => string,
): CompiledCreate {
  const { unit } = context.scope;
  const { diagnostics } = context.compiler;
  const made = unit.identifier('made');
  const defaults = context.compiler.defaults(def);
  const sight: ValueScope = { context, defaults, over: defaults.scope(context.scope, made) };
  const source = fieldSource(context, given.from, place);
  const { direct, dotted } = splitPaths(given.with ?? {});
  const fields: (readonly [string, FieldValue])[] = [];
  for (const [name, schema] of def.schema.fields) {
    if (name !== 'id' && schema.view === undefined) fields.push([name, fieldValue(name, schema)]);
  }
  reportUnknown(context, def, [...direct.keys(), ...dotted.map(([path]) => path.split('.')[0])], inside(place, 'with'));
  const inner = dotted.map(([path, value]): PlacedLine => {
    const [name, ...below] = path.split('.');
    const at = inside(place, 'with', path);
    const { js } = compileValue(sight, schemaAt(def.schema, [name, ...below]), value, at);
    const field = made + access(name);
    return { place: at, js: `${field} = ${unit.refer(new LastPut(below), 'last')}.put(${field}, ${js});` };
  });

  function fieldValue(name: string, schema: Schema): FieldValue {
    const fieldPlace = inside(def.place, 'fields', name);
    if (name === def.status) {
      if (direct.has(name))
        diagnostics.problem(keyIn(place, 'with', name), 'status-set', `'${name}' is moved by the machine only`);
      return always(def.machine?.initial ?? null, place, context.scope);
    }
    const own = direct.get(name);
    if (own !== undefined) return compileValue(sight, schema, own, inside(place, 'with', name));
    const sequence = def.sequences.find(({ field }) => field === name);
    if (sequence !== undefined) {
      const js = `x.nextNumber(${unit.refer(sequence, 'sequence')}, ${made}${access(sequence.per)})`;
      return { type: schema.expr, js, place: fieldPlace };
    }
    const { parent } = context;
    if (parent?.resource === def && parent.field === name)
      return { type: schema.expr, js: `${parent.js}.id`, place: fieldPlace };
    const fallback = defaults.of(schema, fieldPlace, sight.over);
    const sent = source?.fields.has(name) ? source : undefined;
    if (!sent) {
      if (!fallback) diagnostics.problem(place, 'missing-field', `${def.title} needs a value for '${name}'`);
      return byDefault(fallback, place, context.scope);
    }
    if (!fallback) reportAbsent(context, def, name, given.from);
    const complete = defaults.completion(schema, fieldPlace);
    const brought = `${unit.refer(ownMember, 'ownMember')}(${sent.js}, ${scriptLiteral(name)})`;
    const otherwise = fallback?.js ?? 'null';
    const at = inside(place, 'from');
    const asIs = !schema.merge && !complete && (!schema.nullable || otherwise === 'null');
    if (asIs) return { type: schema.expr, js: `(${brought} ?? ${otherwise})`, place: at };
    const value = unit.temp(name);
    const kept = schema.merge
      ? `${unit.refer(mergeMaps, 'mergeMaps')}(${unit.constant(NOTHING)}, ${value})`
      : complete
        ? defaults.completed(complete, value, schema, sight.over).js
        : value;
    const absent = schema.nullable ? '=== undefined' : '== null';
    return { type: schema.expr, js: `((${value} = ${brought}) ${absent} ? ${otherwise} : ${kept})`, place: at };
  }

  // Fields with given values come first, so that defaults of the other fields may read them.
  const rank = (name: string): number =>
    direct.has(name) || name === def.status ? 0 : source?.fields.has(name) ? 1 : 2;
  const ordered = [...fields].sort(([a], [b]) => rank(a) - rank(b));
  // A value that reads the new object is computed after the object was created, as are all values after it.
  const early: Local[] = [];
  const late: PlacedLine[] = [];
  const values = new Map([['id', id]]);
  for (const [name, each] of ordered) {
    if (each.constant !== undefined) values.set(name, each.js);
    else if (late.length > 0 || each.js.includes(made))
      late.push({ place: each.place, js: `${made}${access(name)} = ${bare(each.js)};` });
    else {
      const local = unit.identifier(name);
      values.set(name, local);
      const value = bare(each.js);
      early.push({ place: each.place, js: `const ${local} = ${value};`, field: name, local, value });
    }
  }
  const { by } = def.file.id ?? {};
  const kind = by === undefined ? undefined : values.get(by);
  if (by !== undefined && kind === undefined)
    diagnostics.problem(
      place,
      'invalid-value',
      `'${by}' decides the id, so its value does not come from the object itself`,
    );
  const identified: Js = makeId === undefined ? [] : [{ place, js: `const ${id} = ${makeId(kind)};` }];
  const members = storedFields(def).map((name) => [name, values.get(name) ?? 'null'] as const);
  return {
    made,
    parts: late.length > 0 || inner.length > 0 ? null : { members, locals: early },
    // The id is drawn first, unless a field determines its prefix.
    lines: [
      ...(by === undefined ? [...identified, ...early] : [...early, ...identified]),
      { place, js: `const ${made} = ${bare(objectLiteral(members))};` },
      ...late,
      ...inner,
    ],
  };
}

/** JavaScript of the id of a numbered object, made of its parent's id and its number; null if its key isn't numbered. */
export function numberedId(def: ResourceDef, { parent, scope: { unit } }: StepContext): string | null {
  const key = def.file.id?.key;
  if (key === undefined || parent?.resource !== def || key.length !== parent.names.length + 1) return null;
  const sequence = def.sequences.find(({ per }) => per === parent.field);
  if (sequence === undefined || !parent.names.every((name, index) => key[index] === name)) return null;
  const number = `x.nextNumber(${unit.refer(sequence, 'sequence')}, ${parent.js}.id)`;
  return `x.ownId(${unit.refer(def, `def_${def.name}`)}, ${parent.js}.id + "/" + ${number})`;
}

const NOTHING: JsonObject = {};

/** Warns of an optional parameter that becomes a required field. */
function reportAbsent(
  { compiler, params }: StepContext,
  def: ResourceDef,
  name: string,
  from: string | undefined,
): void {
  const param = from === 'params' ? params?.get(name) : undefined;
  if (!param || param.required || param.default !== undefined) return;
  compiler.diagnostics.warning(
    keyIn(param.place),
    'missing-field',
    `${def.title} needs a value for '${name}', but this parameter may be left out`,
  );
}

function splitPaths(given: JsonObject): { direct: Map<string, Json>; dotted: [string, Json][] } {
  const entries = Object.entries(given);
  return {
    direct: new Map(entries.filter(([key]) => !key.includes('.'))),
    dotted: entries.filter(([key]) => key.includes('.')),
  };
}
