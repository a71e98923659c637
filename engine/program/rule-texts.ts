import type { Json } from '../values/index.js';
import type { Condition, ParamRule, RuleSet, Schema } from '../model/index.js';
import type { Operation } from './operation.js';

/** Maximum depth of nested parameters whose rules are described. */
const DEPTH = 4;

/** A rule between parameters as a sentence. */
interface RuleText {
  /** The path of the object whose parameters the rule concerns, such as `items[].price_data`; empty: the top level. */
  readonly path: string;
  readonly kind: ParamRule['kind'];
  readonly text: string;
}

/** Lists all rules between an operation's parameters, including those within objects, as sentences. */
export function ruleTexts(operation: Operation): readonly RuleText[] {
  const found = textsOf(operation.rules(), '');
  for (const [name, schema] of operation.params()) collect(schema, name, DEPTH, found);
  return found;
}

function collect(schema: Schema, path: string, depth: number, found: RuleText[]): void {
  if (depth === 0) return;
  switch (schema.kind) {
    case 'object':
      found.push(...textsOf(schema.rules?.() ?? null, path));
      for (const [name, each] of schema.fields) collect(each, `${path}.${name}`, depth - 1, found);
      break;
    case 'array':
      collect(schema.items, `${path}[]`, depth, found);
      break;
    case 'one_of':
      for (const option of schema.options) collect(option, path, depth, found);
      break;
    default:
  }
}

function textsOf(set: RuleSet | null, path: string): RuleText[] {
  return (set?.rules ?? []).map((rule) => ({ path, kind: rule.kind, text: ruleText(rule) }));
}

/** Writes a rule as a sentence: `change_fee needs fare: flex`. */
function ruleText(rule: ParamRule): string {
  const { given, each, members, file } = rule;
  const names = members.map(conditionText);
  const cause = [...given.map(conditionText), joined(each.map(conditionText), 'or')].filter((text) => text !== '');
  const where = cause.join(' and ');
  const own = sentence(rule, names, where);
  const since = file.since === undefined ? '' : ` (in versions with ${file.since})`;
  const until = file.until === undefined ? '' : ` (in versions before ${file.until})`;
  return own + since + until;
}

function sentence({ kind, limits }: ParamRule, names: readonly string[], where: string): string {
  const only = where === '' ? '' : `with ${where}: `;
  switch (kind) {
    case 'exclusive':
      return `${only}at most one of ${joined(names, 'and')}`;
    case 'exactly_one':
      return `${only}exactly one of ${joined(names, 'and')}`;
    case 'at_least_one':
      return `${only}at least one of ${joined(names, 'and')}`;
    case 'together':
      return `${only}${joined(names, 'and')} only together`;
    case 'needs':
      return where === '' ? `needs ${joined(names, 'and')}` : `${where} needs ${joined(names, 'and')}`;
    case 'never':
      return where === '' ? `never ${joined(names, 'or')}` : `${where} not with ${joined(names, 'or')}`;
    case 'ascending':
      return `${only}${joined(names, 'and')} in ascending order`;
    case 'last':
      return `${only}the last ${names[0]}`;
    case 'unique':
      return `${only}${joined(names, 'and')} without repetition`;
    case 'limits':
      return `${only}limits of ${names[0]} are those of table ${limits?.table.name ?? ''} for ${limits?.by.text ?? ''}`;
  }
}

function conditionText({ path, test }: Condition): string {
  if (test === null) return path.text;
  const values = test.values.map((value: Json) => (value === null ? 'none' : String(value)));
  return `${path.text}: ${test.isNegated ? 'not ' : ''}${joined(values, 'or')}`;
}

function joined(texts: readonly string[], word: 'and' | 'or'): string {
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} ${word} ${texts[texts.length - 1]}`;
}
