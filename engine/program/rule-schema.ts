import type { Json, JsonObject } from '../values/index.js';
import type { Condition, ParamRule, RuleSet } from '../model/index.js';

/**
 * Converts rules between parameters to JSON Schema. Leaves out conditions that JSON Schema can't express: states, other
 * objects, tables, order.
 */
export function ruleKeywords(set: RuleSet | null | undefined): { readonly allOf?: Json[] } {
  const all = (set?.rules ?? []).flatMap(ruleSchema);
  return all.length === 0 ? {} : { allOf: all };
}

function ruleSchema({ kind, given, each, members, file }: ParamRule): JsonObject[] {
  if (['ascending', 'unique', 'last', 'limits'].includes(kind) || file.since !== undefined || file.until !== undefined)
    return [];
  if (![...given, ...each, ...members].every(isSayable)) return [];
  const rule = groupSchema(kind, members.map(conditionSchema));
  if (given.length + each.length === 0) return rule;
  const conditions = [...given.map(conditionSchema), ...(each.length > 0 ? [anyOf(each.map(conditionSchema))] : [])];
  return [{ if: allOf(conditions), then: allOf(rule) }];
}

function groupSchema(kind: ParamRule['kind'], members: readonly JsonObject[]): JsonObject[] {
  switch (kind) {
    case 'exclusive':
      return members.flatMap((one, at) => members.slice(at + 1).map((other) => ({ not: { allOf: [one, other] } })));
    case 'exactly_one':
      return [{ oneOf: [...members] }];
    case 'at_least_one':
      return [{ anyOf: [...members] }];
    case 'together':
      return [{ anyOf: [allOf(members), { not: anyOf(members) }] }];
    case 'needs':
      return [...members];
    case 'never':
      return [{ not: anyOf(members) }];
    case 'ascending':
    case 'unique':
    case 'last':
    case 'limits':
      return [];
  }
}

/** Whether JSON Schema can express a condition, since it concerns only what the call sends. */
function isSayable({ path, test }: Condition): boolean {
  const isInBody = path.root === 'params' && path.steps.every(({ refs }) => refs === null) && !path.isOfLists;
  return isInBody && (test === null || (path.fallback === null && !path.hasDefault));
}

function conditionSchema({ path, test }: Condition): JsonObject {
  if (test === null) return atPath(path.keys, null);
  const values = test.values.filter((value) => value !== null);
  // In a rule, the value null means that the parameter wasn't sent.
  const isSent = atPath(path.keys, values.length === 1 ? { const: values[0] } : { enum: values });
  const holds = test.values.includes(null)
    ? anyOf([...(values.length > 0 ? [isSent] : []), { not: atPath(path.keys, null) }])
    : isSent;
  return test.isNegated ? { not: holds } : holds;
}

function atPath([key, ...rest]: readonly string[], schema: JsonObject | null): JsonObject {
  const inner = rest.length > 0 ? atPath(rest, schema) : schema;
  return { required: [key], ...(inner === null ? {} : { properties: { [key]: inner } }) };
}

function allOf(schemas: readonly JsonObject[]): JsonObject {
  return schemas.length === 1 ? schemas[0] : { allOf: [...schemas] };
}

function anyOf(schemas: readonly JsonObject[]): JsonObject {
  return schemas.length === 1 ? schemas[0] : { anyOf: [...schemas] };
}
