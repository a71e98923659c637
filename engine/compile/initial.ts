import { type Json, type JsonObject } from '../values/index.js';
import {
  accepts,
  addressIn,
  bare,
  type Compiled,
  describeType,
  scriptLiteral,
  objectLiteral,
} from '../expression/index.js';
import { inside, keyIn, misfit, type SourceLocation, type ResourceDef, type Schema } from '../model/index.js';
import { suggest } from '../pack/index.js';
import type { Program } from '../program/index.js';
import { type Compiler, rootScope } from './context.js';

/** Compiles the objects that every world has from the start (`initial` of resources). */
export function compileInitial(compiler: Compiler): Program['initial'] {
  const { model } = compiler;
  const having = model.resources.filter(({ file }) => file.initial !== undefined);
  if (having.length === 0) return null;
  const scope = rootScope('initial objects', model.packPlace, model.env);
  const compiled = having.map((def) => {
    const objects = (def.file.initial ?? []).map((object, index) =>
      Object.entries(object).map(([name, value]) => {
        const at = inside(def.place, 'initial', index, name);
        return { name, at, value: compiler.diagnostics.template(at, value, scope, model.env) };
      }),
    );
    return { def, objects };
  });
  const known = new Map(
    compiled.map(({ def, objects }) => {
      const ids = objects.map((object) => String(object.find(({ name }) => name === 'id')?.value.constant));
      return [def.name, ids] as const;
    }),
  );
  const lists = compiled.map(({ def, objects }): [string, string] => {
    const made = objects.map((object, index) => {
      for (const { name, at, value } of object) check(def, name, value, at, known, compiler);
      if (!compiler.passed)
        checkWhole(def, def.file.initial?.[index] ?? {}, inside(def.place, 'initial', index), compiler);
      return bare(objectLiteral(object.map(({ name, value }): [string, string] => [name, value.js])));
    });
    return [def.collection, `[${made.map((js) => `(${js})`).join(', ')}]`];
  });
  const members = lists.map(([collection, js]) => `${scriptLiteral(collection)}: ${js}`).join(', ');
  return scope.unit.function(['x'], [`return { ${members} };`]);
}

/** Checks that a given value fits its field, and that references name other initial objects. */
function check(
  def: ResourceDef,
  name: string,
  { constant, type }: Compiled,
  at: SourceLocation,
  known: ReadonlyMap<string, readonly string[]>,
  { diagnostics, model }: Compiler,
): void {
  const schema: Schema | undefined = def.schema.fields.get(name);
  if (schema === undefined) {
    diagnostics.unknown(keyIn(at), 'field', name, def.schema.fields.keys());
    return;
  }
  if (schema.view !== undefined) {
    diagnostics.problem(keyIn(at), 'view-set', `'${name}' is computed for the response`);
    return;
  }
  if (addressIn(type) === 'computed')
    diagnostics.problem(
      at,
      'stored-address',
      `'${name}' of an object of the beginning cannot be computed from the address, which is known when the world is served: compute it in a \`view\` or in the response`,
    );
  if (constant === undefined) {
    if (!accepts(schema.expr, type))
      diagnostics.problem(at, 'wrong-type', `'${name}' is ${describeType(schema.expr)}, not ${describeType(type)}`);
    return;
  }
  const wrong = misfit(schema, constant, name, model.settings.time);
  if (wrong !== undefined) diagnostics.problem(at, 'invalid-value', `${wrong.path} ${wrong.message}`);
  else if (name === 'id' && typeof constant === 'string' && !def.ids.pattern.test(constant))
    diagnostics.problem(
      at,
      'invalid-value',
      `'${constant}' is not an id of ${def.collection} (${def.ids.pattern.source})`,
    );
  else if (schema.kind === 'ref' && typeof constant === 'string') {
    const there = schema.refs.flatMap((each) => [
      ...(known.get(each) ?? []),
      ...(model.byName.get(each)?.singleton === true ? [each] : []),
    ]);
    const message = `no object of the start has the id '${constant}'`;
    if (!there.includes(constant))
      diagnostics.problem(at, 'invalid-value', message, { suggestion: suggest(constant, there) });
  }
}

/** Checks that fields without a default are given; those that `seeded` computes may be missing. */
function checkWhole(def: ResourceDef, object: JsonObject, place: SourceLocation, compiler: Compiler): void {
  const { diagnostics } = compiler;
  const given = (name: string): Json | undefined => object[name];
  if (given('id') === undefined) diagnostics.problem(place, 'missing-field', `an initial ${def.title} needs an 'id'`);
  if (def.file.seeded !== undefined) return;
  for (const { name, required } of compiler.defaults(def).stored())
    if (name !== 'id' && given(name) === undefined && required())
      diagnostics.problem(place, 'missing-field', `an initial ${def.title} needs a value for '${name}'`);
}
