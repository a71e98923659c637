import { isObject, type Json, type JsonObject, member } from '../values/index.js';
import type { Row } from '../world/index.js';
import type { CommandExecution } from './command-execution.js';
import { pagesOf } from './paging.js';
import { type Invocation, Rejection, type ListPage, type SearchPlan } from '../program/index.js';

type Operator = ':' | '~' | '>' | '>=' | '<' | '<=';

interface Clause {
  readonly field: string;
  readonly key: string | null;
  readonly operator: Operator;
  readonly value: string | number | null;
  readonly negated: boolean;
}

const CLAUSE =
  /\s*(-?)([A-Za-z_][\w.]*)(?:\[(?:"([^"]*)"|'([^']*)')\])?\s*(:|~|>=|<=|>|<)\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"']+))/y;
const JOINER = /\s+(AND|OR)\s+|\s+(?=\S)/iy;
const MAX_CLAUSES = 10;

/** Returns one page of a search's results, newest first. @throws Rejection for an invalid query */
export function searchPage(
  command: CommandExecution,
  plan: SearchPlan,
  { params, parent, path: url, given: sent }: Invocation,
): ListPage {
  const { clauses, any } = parseQuery(String(params[plan.param] ?? ''), plan);
  const given = params[plan.sizeParam];
  const size = Math.min(plan.size.max, Math.max(plan.size.min, typeof given === 'number' ? given : plan.size.default));
  const start = offsetOf(params[plan.page]);
  const { where } = plan;
  const matches = (row: Row) =>
    (any ? clauses.some((clause) => holds(clause, row.value)) : clauses.every((clause) => holds(clause, row.value))) &&
    (where === null || where(command, row, null, params));
  const collection = command.collection(plan.def.index);
  const within = plan.parent === null || parent === null ? [] : [plan.parent, parent.id];
  const found = [...collection.ordered(...within).all()].reverse().filter(matches);
  const hasMore = found.length > start + size;
  const totalCount = (): number => found.length;
  const nextCursor = hasMore ? Buffer.from(String(start + size)).toString('base64url') : null;
  const place = { offset: start, size, hasMore, nextCursor, totalCount };
  return {
    rows: found.slice(start, start + size),
    resource: plan.def.index,
    hasMore,
    nextCursor,
    url,
    envelope: 'search',
    each: null,
    own: plan.envelope?.() ?? null,
    totalCount,
    pages: () => pagesOf(plan, place, url, sent),
  };
}

function offsetOf(page: Json | undefined): number {
  if (typeof page !== 'string') return 0;
  const offset = Number(Buffer.from(page, 'base64url').toString());
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new Rejection('search_query_invalid', { reason: 'the page token is not valid' });
  return offset;
}

/** Parses a query such as `field:"value" AND metadata["key"]:"value" AND created>123`; `-` negates, `~` matches a part. */
function parseQuery(query: string, plan: SearchPlan): { clauses: Clause[]; any: boolean } {
  const clauses: Clause[] = [];
  const joiners = new Set<string>();
  let at = 0;
  for (;;) {
    CLAUSE.lastIndex = at;
    const match = CLAUSE.exec(query);
    if (!match)
      throw new Rejection('search_query_invalid', { reason: `we could not read the query at character ${at + 1}` });
    clauses.push(clauseOf(match, plan));
    at = CLAUSE.lastIndex;
    if (query.slice(at).trim() === '') break;
    JOINER.lastIndex = at;
    const joiner = JOINER.exec(query);
    if (!joiner)
      throw new Rejection('search_query_invalid', { reason: `we could not read the query at character ${at + 1}` });
    joiners.add((joiner[1] ?? 'AND').toUpperCase());
    at = JOINER.lastIndex;
    if (clauses.length >= MAX_CLAUSES)
      throw new Rejection('search_query_invalid', { reason: `a query has at most ${MAX_CLAUSES} clauses` });
  }
  if (joiners.size > 1) throw new Rejection('search_query_invalid', { reason: 'a query can have AND or OR, not both' });
  return { clauses, any: joiners.has('OR') };
}

function clauseOf(match: RegExpExecArray, plan: SearchPlan): Clause {
  const [, minus, field, key1, key2, operator, quoted1, quoted2, bare] = match;
  const schema = plan.fields.get(field);
  if (!schema)
    throw new Rejection('search_query_invalid', { reason: `Field \`${field}\` is an unsupported search field` });
  const quoted = (quoted1 ?? quoted2)?.replace(/\\(.)/g, '$1');
  const text = quoted ?? bare;
  const numeric = schema.kind === 'integer' || schema.kind === 'number' || schema.kind === 'timestamp';
  const isNull = quoted === undefined && text === 'null';
  if (!isNull && numeric && !Number.isFinite(Number(text)))
    throw new Rejection('search_query_invalid', { reason: `Field \`${field}\` needs a number` });
  if (!numeric && (operator.startsWith('>') || operator.startsWith('<'))) {
    throw new Rejection('search_query_invalid', { reason: `Field \`${field}\` cannot be compared with ${operator}` });
  }
  if (operator === '~' && (numeric || schema.kind === 'boolean'))
    throw new Rejection('search_query_invalid', { reason: `Field \`${field}\` cannot be compared with ~` });
  if (operator === '~' && text.length < plan.shortest)
    throw new Rejection('search_query_invalid', { reason: `~ needs at least ${plan.shortest} characters` });
  return {
    field,
    key: key1 ?? key2 ?? null,
    operator: operator as Operator,
    value: isNull ? null : numeric ? Number(text) : text,
    negated: minus === '-',
  };
}

function holds(clause: Clause, object: JsonObject): boolean {
  const value = clause.field.split('.').reduce<Json>(member, object);
  const actual = clause.key === null ? value : isObject(value) ? member(value, clause.key) : null;
  return compare(clause, actual) !== clause.negated;
}

function compare({ operator, value }: Clause, actual: Json): boolean {
  if (value === null) return actual === null;
  if (actual === null) return false;
  switch (operator) {
    case ':':
      return typeof value === 'string' ? String(actual).toLowerCase() === value.toLowerCase() : actual === value;
    case '~':
      return String(actual).toLowerCase().includes(String(value).toLowerCase());
    case '>':
      return actual > value;
    case '>=':
      return actual >= value;
    case '<':
      return actual < value;
    case '<=':
      return actual <= value;
  }
}
