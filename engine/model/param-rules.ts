import {
  type Condition,
  LIMIT_KINDS,
  type LimitKind,
  type Limits,
  type ParamRule,
  RULE_KINDS,
  type RulePath,
  type RuleScope,
  type RuleSet,
  type Schema,
} from './schema.js';
import { holdsOf } from './broken-rules.js';
import { isObject, type Json, type JsonObject, packPattern, type TextPattern } from '../values/index.js';
import type { RuleConditionsFile, RuleFile, RuleMemberFile, RuleTestFile } from './files.js';
import { inside, keyIn, type SourceLocation } from './diagnostics.js';
import { linkPath } from './rule-paths.js';
import type { SchemaContext } from './schema-context.js';

/** Groups rules by the parameters that trigger them. */
export function ruleSet(rules: readonly ParamRule[], declared: readonly RuleFile[]): RuleSet {
  const byName = new Map<string, ParamRule[]>();
  for (const rule of rules)
    for (const name of rule.triggers ?? []) byName.set(name, [...(byName.get(name) ?? []), rule]);
  return { rules, declared, byName, always: rules.filter(({ triggers }) => triggers === null) };
}

/** Links rules and reports problems. Leaves out rules that are switched off, or that no call of the operation can break. */
export function linkRules(
  files: readonly RuleFile[],
  place: SourceLocation,
  scope: RuleScope,
  context: SchemaContext,
): ParamRule[] {
  return files.flatMap((file, index) => linkRule(file, inside(place, index), scope, context) ?? []);
}

/** Links one rule. @returns undefined if it is invalid or switched off, or the inheriting operation can't break it */
export function linkRule(
  file: RuleFile,
  place: SourceLocation,
  scope: RuleScope,
  context: SchemaContext,
): ParamRule | undefined {
  const { diagnostics } = context;
  const kinds = RULE_KINDS.filter((each) => file[each] !== undefined);
  const [kind] = kinds;
  if (kinds.length > 1)
    diagnostics.problem(keyIn(place, kinds[1]), 'invalid-value', `a rule has '${kind}' or '${kinds[1]}', not both`);
  if (scope.operation !== undefined && file.in !== undefined && ![file.in].flat().includes(scope.operation))
    return undefined;
  for (const key of ['since', 'until'] as const) {
    const name = file[key];
    if (name !== undefined) diagnostics.known(inside(place, key), 'switch', name, context.switches);
  }
  const link = new RuleLinker(scope, context);
  const given = file.given === undefined ? [] : link.conditions(file.given, inside(place, 'given'));
  const isEach = Array.isArray(file.given) || typeof file.given === 'string';
  const members = link.conditions(file[kind] ?? [], inside(place, kind));
  const limits = kind === 'limits' ? link.limits(file, place) : null;
  if (link.isBroken) return undefined;
  if (scope.operation !== undefined) {
    const isGiven = isEach ? given.length > 0 : given.length === countOf(file.given);
    const isOfSome = ['exclusive', 'ascending'].includes(kind) && typeof file[kind] !== 'string';
    const least = isOfSome ? 2 : kind === 'never' ? 1 : countOf(file[kind]);
    if (!isGiven || members.length < least) return undefined;
  }
  const constant = given.filter(({ path }) => path.root === 'vars');
  if (!constant.every((each) => holdsOf(each.path.constant ?? null, each))) return undefined;
  const rest = given.filter(({ path }) => path.root !== 'vars');
  const made = {
    kind,
    file,
    place,
    given: isEach ? [] : rest,
    each: isEach ? rest : [],
    members,
    limits,
    error: typeof file.error === 'string' ? file.error : null,
    args: (file.with ?? {}) as JsonObject,
  };
  return { ...made, triggers: triggersOf(made) };
}

/** Counts the conditions in the declaration of a rule. */
function countOf(file: RuleConditionsFile | readonly RuleMemberFile[] | undefined): number {
  if (file === undefined) return 0;
  return typeof file === 'string' ? 1 : Object.keys(file).length;
}

/** Returns parameters of which a call must send at least one to break the rule; null: any call may break it. */
function triggersOf({ kind, given, each, members }: Omit<ParamRule, 'triggers'>): readonly string[] | null {
  const names = (conditions: readonly Condition[]): readonly string[] | null =>
    conditions.every(isOfSent) ? [...new Set(conditions.map(({ path }) => path.keys[0]))] : null;
  if (each.length > 0) return names(each);
  const sent = given.find(isOfSent);
  if (sent !== undefined) return [sent.path.keys[0]];
  switch (kind) {
    case 'exclusive':
    case 'together':
    case 'never':
    case 'ascending':
    case 'unique':
    case 'limits':
      return names(members);
    case 'last':
      return members.map(({ path }) => path.keys[0]);
    case 'exactly_one':
    case 'at_least_one':
    case 'needs':
      return null;
  }
}

/** Whether a condition can hold only if the call sends the condition's parameter. */
function isOfSent({ path, test }: Condition): boolean {
  if (path.root !== 'params') return false;
  return test === null || (path.fallback === null && !path.hasDefault && test.values.includes(null) === test.isNegated);
}

class RuleLinker {
  isBroken = false;

  constructor(
    private readonly scope: RuleScope,
    private readonly context: SchemaContext,
  ) {}

  conditions(file: RuleConditionsFile | readonly RuleMemberFile[], place: SourceLocation): Condition[] {
    if (typeof file === 'string') return this.#one(file, null, place);
    if (Array.isArray(file))
      return (file as readonly RuleMemberFile[]).flatMap((each, index) => this.conditions(each, inside(place, index)));
    return Object.entries(file as Readonly<Record<string, RuleTestFile>>).flatMap(([text, test]) =>
      this.#one(text, test, inside(place, text)),
    );
  }

  #one(text: string, file: RuleTestFile | null, place: SourceLocation): Condition[] {
    const isKey = place.path.at(-1) === text;
    const isNegated = isObject(file);
    const values = toList(isNegated ? (file['not'] ?? null) : file);
    const isSent = !isKey || (isNegated && values.length === 1 && values[0] === null);
    const path = linkPath(text, isKey ? keyIn(place) : place, isSent, this.scope, this.context);
    if (path === undefined) {
      this.isBroken ||= this.scope.operation === undefined;
      return [];
    }
    if (isSent) return [{ path, test: null }];
    for (const value of values) this.#possible(value, path, place);
    return [{ path, test: { values, isNegated } }];
  }

  /** Reports a value in a rule that the parameter at the path never has. */
  #possible(value: Json, { schema, text }: RulePath, place: SourceLocation): void {
    if (value === null || schema === null) return;
    const { diagnostics } = this.context;
    const known = possibleValues(schema);
    if (known !== null && !known.includes(String(value))) {
      diagnostics.unknown(place, 'value', String(value), known);
      this.isBroken = true;
    } else if (!fits(schema, value)) {
      diagnostics.problem(place, 'wrong-type', `'${text}' is never ${JSON.stringify(value)}: it is a ${schema.kind}`);
      this.isBroken = true;
    }
  }

  limits(file: RuleFile, place: SourceLocation): Limits | null {
    const { diagnostics, tables } = this.context;
    const by = linkPath(file.by ?? '', inside(place, 'by'), false, this.scope, this.context);
    const name = file.table ?? '';
    const table = diagnostics.find(inside(place, 'table'), 'table', name, tables());
    if (by === undefined || table === undefined) {
      // The rule is invalid, or its operation lacks the parameter that selects the row.
      this.isBroken = true;
      return null;
    }
    const named = file.columns ?? {};
    for (const [limit, column] of Object.entries(named))
      diagnostics.known(inside(place, 'columns', limit), 'column', column, table.columns);
    const columns = LIMIT_KINDS.flatMap((limit): [LimitKind, string][] => {
      const column = named[limit] ?? (file.columns === undefined ? limit : undefined);
      return column !== undefined && table.columns.has(column) ? [[limit, column]] : [];
    });
    if (columns.length === 0 && file.columns === undefined)
      diagnostics.problem(
        inside(place, 'table'),
        'no-bounds',
        `table '${name}' has no column that limits: ${LIMIT_KINDS.join(', ')}; \`columns\` names others`,
      );
    const { key } = table;
    if (key === undefined)
      diagnostics.problem(inside(place, 'table'), 'missing-key', `table '${name}' has no key that chooses a row`);
    const patterns = new Map<string, TextPattern>();
    return {
      by,
      table,
      key: key ?? '',
      columns,
      errors: typeof file.error === 'object' ? file.error : {},
      pattern: (source) => {
        const known = patterns.get(source) ?? packPattern(source);
        patterns.set(source, known);
        return known;
      },
    };
  }
}

function toList(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}

/** Lists all values of a type as texts; null: the type allows any value. */
function possibleValues(schema: Schema): readonly string[] | null {
  switch (schema.kind) {
    case 'enum':
      return schema.values;
    case 'const':
      return [String(schema.constant)];
    case 'boolean':
      return ['true', 'false'];
    case 'array':
      return possibleValues(schema.items);
    case 'one_of': {
      const all = schema.options.map(possibleValues);
      return all.includes(null) ? null : all.flatMap((each) => each ?? []);
    }
    default:
      return null;
  }
}

function fits(schema: Schema, value: Json): boolean {
  switch (schema.kind) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'string':
    case 'ref':
    case 'enum':
      return typeof value === 'string';
    case 'array':
      return fits(schema.items, value);
    case 'map':
    case 'object':
      return false;
    default:
      return true;
  }
}
