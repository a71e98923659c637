import {
  inside,
  linkRule,
  type ResourceDef,
  type RuleFile,
  type RuleSet,
  type Schema,
  type SourceLocation,
  visitSchema,
} from '../../model/index.js';
import { isObject, type Json } from '../../values/index.js';
import type { Operation } from '../../program/index.js';
import { checkErrorUse } from '../error-use.js';
import type { CompiledPack } from '../pack.js';

/** Arguments that the engine passes to the error of a broken rule even without `with`. */
const GIVEN = ['param', 'value', 'other', 'other_value', 'object'];
const GIVEN_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  exclusive: ['first', 'second', 'params'],
  exactly_one: ['first', 'second', 'params'],
  at_least_one: ['params'],
  needs: ['values'],
  limits: ['limit', 'kind', 'format'],
};

/** Reports rules between parameters with unknown names, unsuitable errors, or that no call can break. */
export function checkRules(pack: CompiledPack): void {
  const reached = new Set<RuleFile>();
  const use = (set: RuleSet | null | undefined): void => set?.declared.forEach((file) => reached.add(file));
  const seen = new Set<Schema>();
  for (const operation of pack.operations) {
    use(operation.rules());
    for (const params of paramsOf(operation, pack))
      for (const schema of params.values())
        visitSchema(schema, (each) => each.kind === 'object' && use(each.rules?.()), seen);
  }
  for (const { def } of pack.resources) checkShared(def, pack, reached);
  for (const { file, place } of rulesOfFiles(pack)) {
    checkErrors(file, place, pack);
    if (reached.has(file)) continue;
    const message = 'no call can break this rule: no operation takes the parameters that it names';
    pack.model.diagnostics.warning(place, 'unreachable-rule', message);
  }
}

/** The parameters of an operation, including those of versions. */
function paramsOf(operation: Operation, { versions }: CompiledPack): ReadonlyMap<string, Schema>[] {
  const ofVersions = (versions?.all ?? []).flatMap(({ calls }) => calls.get(operation.key)?.params ?? []);
  return [operation.params(), ...ofVersions];
}

/** Reports names in a resource's rules that none of its operations takes. */
function checkShared(def: ResourceDef, pack: CompiledPack, reached: Set<RuleFile>): void {
  const { model } = pack;
  const rules = def.file.rules ?? [];
  if (rules.length === 0) return;
  const own = pack.operations.filter(({ resource }) => resource === def);
  const params = new Map<string, Schema>();
  for (const [name, schema] of own.flatMap((each) => paramsOf(each, pack)).flatMap((each) => [...each])) {
    const known = params.get(name);
    // If operations declare a parameter with different types, rules see a union of them.
    params.set(name, known === undefined ? schema : { ...schema, kind: 'one_of', options: [known, schema] });
  }
  const place = inside(def.place, 'rules');
  rules.forEach((file, index) => {
    for (const [at, name] of [file.in ?? []].flat().entries()) {
      const path = Array.isArray(file.in) ? ['in', at] : ['in'];
      if (own.some((each) => each.name === name)) continue;
      reached.add(file);
      model.diagnostics.unknown(
        inside(place, index, ...path),
        'operation',
        name,
        own.map((each) => each.name),
      );
    }
    // An invalid rule, or one that is switched off, doesn't show whether an operation has the names.
    if (linkRule(file, inside(place, index), { params, self: def.schema.fields }, model.context) === undefined)
      reached.add(file);
  });
}

/** The rules of all files: of types, resources and operations. */
function* rulesOfFiles({
  model,
}: CompiledPack): Generator<{ readonly file: RuleFile; readonly place: SourceLocation }> {
  for (const file of model.source.files)
    if (file.kind === 'types' || file.kind === 'resource') yield* rulesBelow(file.data, { file, path: [] });
}

function* rulesBelow(
  value: Json,
  place: SourceLocation,
): Generator<{ readonly file: RuleFile; readonly place: SourceLocation }> {
  if (Array.isArray(value)) {
    const isOfRules = place.path.at(-1) === 'rules';
    for (const [index, each] of (value as readonly Json[]).entries())
      if (isOfRules && isObject(each)) yield { file: each, place: inside(place, index) };
      else yield* rulesBelow(each, inside(place, index));
  } else if (isObject(value))
    for (const [key, each] of Object.entries(value)) yield* rulesBelow(each, inside(place, key));
}

/** Checks that the errors of a rule get the arguments that they need. */
function checkErrors(file: RuleFile, place: SourceLocation, { compiler, model }: CompiledPack): void {
  const kind = Object.keys(GIVEN_BY_KIND).find((each) => Object.hasOwn(file, each)) ?? '';
  const given = [...GIVEN, ...(GIVEN_BY_KIND[kind] ?? []), ...Object.keys(file.with ?? {})];
  const at = typeof file.error === 'object' ? inside(place, 'error') : place;
  const names = typeof file.error === 'object' ? file.error : { error: file.error };
  for (const [key, name] of Object.entries(names)) {
    if (name === undefined) continue;
    checkErrorUse(name, typeof file.error === 'object' ? undefined : file.with, at, key, compiler);
    for (const [arg, schema] of model.errors.get(name)?.args ?? [])
      if (!given.includes(arg) && !schema.nullable && schema.default === undefined)
        model.diagnostics.problem(
          inside(at, key),
          'missing-argument',
          `error ${name} needs '${arg}': a rule gives it by \`with\``,
        );
  }
}
