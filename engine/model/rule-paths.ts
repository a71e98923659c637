import type { PathStep, RulePath, RuleScope, Schema } from './schema.js';
import type { SourceLocation } from './diagnostics.js';
import type { SchemaContext } from './schema-context.js';

/**
 * Resolves a path of a rule to the types along the path.
 * @param isSent whether the path refers to the call's parameters instead of the object
 * @returns undefined if the path doesn't exist, which is reported unless the operation inherits the rule
 */
export function linkPath(
  text: string,
  place: SourceLocation,
  isSent: boolean,
  scope: RuleScope,
  context: SchemaContext,
): RulePath | undefined {
  const { diagnostics, vars } = context;
  const isQuiet = scope.operation !== undefined;
  const [first, ...rest] = text.split('.');
  const found = { text, fallback: null, hasDefault: false, isOfLists: false, constant: null, schema: null };
  if (first === 'vars' && !scope.params.has('vars')) {
    const constant = diagnostics.find(place, 'variable', rest.join('.'), vars);
    if (constant === undefined) return undefined;
    return { ...found, root: 'vars', keys: rest, steps: [], constant };
  }
  if (first === 'self' && !scope.params.has('self') && scope.self !== null) {
    const walked = walk(rest, scope.self, isQuiet ? null : 'field', place, context);
    return walked && { ...found, ...walked, root: 'self', keys: rest };
  }
  const keys = [first, ...rest];
  if (!isSent && !scope.params.has(first) && scope.self?.has(first) === true) {
    // The operation doesn't have the parameter: the path refers to the object.
    const walked = walk(keys, scope.self, isQuiet ? null : 'field', place, context);
    return walked && { ...found, ...walked, root: 'self', keys };
  }
  const walked = walk(keys, scope.params, isQuiet ? null : 'parameter', place, context);
  if (walked === undefined) return undefined;
  const own = scope.self?.has(first) === true ? walk(keys, scope.self, null, place, context) : undefined;
  const hasDefault = scope.params.get(first)?.default !== undefined;
  return { ...found, ...walked, root: 'params', keys, fallback: own?.steps ?? null, hasDefault };
}

interface Walked {
  readonly isOfLists: boolean;
  readonly steps: readonly PathStep[];
  readonly schema: Schema | null;
}

/** Follows the keys of a path through types. @param what noun for the container in messages; null: no problem is reported */
function walk(
  keys: readonly string[],
  root: ReadonlyMap<string, Schema>,
  what: 'parameter' | 'field' | null,
  place: SourceLocation,
  context: SchemaContext,
): Walked | undefined {
  const { diagnostics } = context;
  const steps: PathStep[] = [];
  let isOfLists = false;
  let fields: readonly ReadonlyMap<string, Schema>[] | null = [root];
  let called: 'parameter' | 'field' | null = what;
  let schema: Schema | null = null;
  for (const [index, key] of keys.entries()) {
    if (fields === null) {
      // The path may continue with any key of a map.
      steps.push({ key, refs: null });
      schema = null;
      continue;
    }
    const found: readonly Schema[] = fields.flatMap((each) => each.get(key) ?? []);
    if (found.length === 0) {
      if (called !== null) diagnostics.unknown(place, called, key, new Set(fields.flatMap((each) => [...each.keys()])));
      return undefined;
    }
    schema = found[0];
    if (called === 'field' && found.some((each) => each.view !== undefined)) {
      diagnostics.problem(place, 'invalid-value', `'${key}' is computed for the response: a rule reads stored values`);
      return undefined;
    }
    const isLast = index === keys.length - 1;
    const refs: readonly string[] | null = isLast ? null : refsOf(schema);
    steps.push({ key, refs });
    if (isLast) break;
    isOfLists ||= schema.kind === 'array';
    if (refs !== null) {
      if (called !== null) called = 'field';
      fields = refs.flatMap((name) => context.fieldsOf(name) ?? []);
    } else fields = membersOf(found);
    if (fields?.length === 0) {
      if (called !== null)
        diagnostics.problem(place, 'no-fields', `'${keys.slice(0, index + 1).join('.')}' has no members`);
      return undefined;
    }
  }
  return { steps, schema, isOfLists };
}

function refsOf(schema: Schema): readonly string[] | null {
  switch (schema.kind) {
    case 'ref':
      return schema.refs;
    case 'array':
      return refsOf(schema.items);
    case 'one_of':
      return schema.options.map(refsOf).find((each) => each !== null) ?? null;
    default:
      return null;
  }
}

/** Collects the members that objects of the given types have, also through lists; null: any member is possible. */
function membersOf(schemas: readonly Schema[]): readonly ReadonlyMap<string, Schema>[] | null {
  const all = schemas.map((schema): readonly ReadonlyMap<string, Schema>[] | null => {
    switch (schema.kind) {
      case 'object':
        return schema.open === true ? null : [schema.fields];
      case 'map':
      case 'any':
        return null;
      case 'array':
        return membersOf([schema.items]);
      case 'one_of':
        return membersOf(schema.options);
      default:
        return [];
    }
  });
  return all.includes(null) ? null : all.flatMap((each) => each ?? []);
}
