import { type Json, type JsonObject, member, toText } from '../values/index.js';

/** Thrown for a SELECT that can't be parsed or evaluated. */
export class WrongQuery extends Error {}

/** A column in the result of a SELECT: a field, or an aggregate of one. */
interface Column {
  readonly name: string;
  /** The aggregate function of the column; null: the column is a field. */
  readonly of: 'count' | 'sum' | 'min' | 'max' | 'avg' | null;
  readonly distinct: boolean;
  /** Path of the field in an object; empty: the whole row. */
  readonly path: readonly string[];
}

type Test = (row: JsonObject) => boolean;

/** A parsed SELECT. */
interface Select {
  readonly table: string;
  /** The selected columns; empty: every field. */
  readonly columns: readonly Column[];
  readonly where: Test;
  readonly groupBy: readonly string[];
  readonly orderBy: readonly { readonly name: string; readonly down: boolean }[];
  readonly limit: number;
}

const TOKEN = /\s*(?:('(?:[^']|'')*')|("[^"]*")|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w.]*)|(<>|!=|<=|>=|[=<>(),*;]))/y;
const AGGREGATES = ['count', 'sum', 'min', 'max', 'avg'] as const;
/** Length limit of a query, in characters. */
const LONGEST = 4_000;

/**
 * Parses `SELECT a, count(*) AS n FROM t WHERE b = 'x' AND c > 1 GROUP BY a ORDER BY n DESC LIMIT 5`: one table, conditions
 * joined by AND, no expressions.
 * @throws WrongQuery
 */
export function readSelect(text: string): Select {
  return new Reader(tokensOf(text)).select();
}

/** Evaluates a SELECT over a list of objects. */
export function selected(
  { columns, where, groupBy, orderBy, limit }: Select,
  objects: readonly JsonObject[],
): { readonly columns: readonly string[]; readonly rows: readonly JsonObject[] } {
  const kept = objects.filter(where);
  const isGrouped = groupBy.length > 0 || columns.some(({ of }) => of !== null);
  let rows: JsonObject[];
  if (columns.length === 0) rows = kept;
  else if (!isGrouped)
    rows = kept.map((row) => Object.fromEntries(columns.map(({ name, path }) => [name, valueAt(row, path)])));
  else {
    const groups = new Map<string, JsonObject[]>(groupBy.length === 0 ? [['[]', []]] : []);
    for (const row of kept) {
      const key = JSON.stringify(groupBy.map((name) => valueAt(row, name.split('.'))));
      const group = groups.get(key);
      if (group) group.push(row);
      else groups.set(key, [row]);
    }
    rows = [...groups.values()].map((group) =>
      Object.fromEntries(columns.map((column) => [column.name, aggregated(column, group)])),
    );
  }
  const sorted = [...rows].sort((one, other) => {
    for (const { name, down } of orderBy) {
      const order = compared(valueAt(one, [name]), valueAt(other, [name]));
      if (order !== 0) return down ? -order : order;
    }
    return 0;
  });
  const names =
    columns.length > 0 ? columns.map(({ name }) => name) : [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns: names, rows: sorted.slice(0, limit) };
}

function aggregated({ of, path, distinct }: Column, group: readonly JsonObject[]): Json {
  const values = group
    .map((row): Json => (path.length === 0 ? row : valueAt(row, path)))
    .filter((each) => each !== null);
  if (of === null) return values.at(0) ?? null;
  if (of === 'count') return distinct ? new Set(values.map((each) => JSON.stringify(each))).size : values.length;
  if (values.length === 0) return null;
  if (of === 'min' || of === 'max') return values.reduce((a, b) => (compared(a, b) < 0 === (of === 'min') ? a : b));
  const sum = values.reduce<number>((all, each) => all + (typeof each === 'number' ? each : 0), 0);
  return of === 'sum' ? sum : sum / values.length;
}

function valueAt(row: Json, path: readonly string[]): Json {
  return path.reduce<Json>(member, row);
}

function compared(one: Json, other: Json): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [toText(one), toText(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function tokensOf(text: string): string[] {
  if (text.length > LONGEST) throw new WrongQuery(`a query has at most ${LONGEST} characters`);
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new WrongQuery(`line 1:${at + 1}: mismatched input '${text.slice(at).trim().slice(0, 20)}'`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

class Reader {
  #at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  select(): Select {
    this.#need('select');
    const columns = this.#columns();
    this.#need('from');
    const table = this.#name();
    const tests: Test[] = [];
    if (this.#take('where'))
      do tests.push(this.#test());
      while (this.#take('and'));
    const groupBy: string[] = [];
    if (this.#take('group')) {
      this.#need('by');
      do groupBy.push(this.#name());
      while (this.#take(','));
    }
    const orderBy: { name: string; down: boolean }[] = [];
    if (this.#take('order')) {
      this.#need('by');
      do {
        const name = this.#name();
        const down = this.#take('desc');
        if (!down) this.#take('asc');
        orderBy.push({ name, down });
      } while (this.#take(','));
    }
    const limit = this.#take('limit') ? Number(this.#literal()) : Infinity;
    this.#take(';');
    if (this.#at < this.tokens.length) throw this.#unexpected();
    return { table, columns, where: (row) => tests.every((test) => test(row)), groupBy, orderBy, limit };
  }

  #columns(): Column[] {
    if (this.#take('*')) return [];
    const made: Column[] = [];
    do made.push(this.#column());
    while (this.#take(','));
    return made;
  }

  #column(): Column {
    const name = this.#name();
    const of = AGGREGATES.find((each) => each === name.toLowerCase()) ?? null;
    let path = name.split('.');
    let distinct = false;
    if (of !== null) {
      this.#need('(');
      distinct = this.#take('distinct');
      path = this.#take('*') ? [] : this.#name().split('.');
      this.#need(')');
    }
    const as = this.#take('as') ? this.#name() : undefined;
    return { name: as ?? (of === null ? name : of), of, distinct, path };
  }

  #test(): Test {
    const path = this.#name().split('.');
    const value = (row: JsonObject): Json => valueAt(row, path);
    if (this.#take('is')) {
      const not = this.#take('not');
      this.#need('null');
      return (row) => (value(row) === null) !== not;
    }
    if (this.#take('in')) {
      this.#need('(');
      const values: Json[] = [];
      do values.push(this.#literal());
      while (this.#take(','));
      this.#need(')');
      return (row) => values.includes(value(row));
    }
    if (this.#take('like')) {
      const parts = toText(this.#literal())
        .split('%')
        .map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      const pattern = new RegExp(`^${parts.join('.*')}$`, 's');
      return (row) => typeof value(row) === 'string' && pattern.test(toText(value(row)));
    }
    const sign = this.tokens[this.#at++] ?? '';
    if (!['=', '!=', '<>', '<', '>', '<=', '>='].includes(sign)) {
      this.#at--;
      throw this.#unexpected();
    }
    const other = this.#literal();
    return (row) => {
      const own = value(row);
      if (own === null) return false;
      const order = compared(own, other);
      return sign === '='
        ? order === 0
        : sign === '!=' || sign === '<>'
          ? order !== 0
          : sign.startsWith('<')
            ? order < 0 || (sign === '<=' && order === 0)
            : order > 0 || (sign === '>=' && order === 0);
    };
  }

  #literal(): Json {
    const token = this.tokens[this.#at++] ?? '';
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (/^-?\d/.test(token)) return Number(token);
    if (/^(?:true|false)$/i.test(token)) return token.toLowerCase() === 'true';
    this.#at--;
    throw this.#unexpected();
  }

  #name(): string {
    const token = this.tokens[this.#at] ?? '';
    if (!/^["A-Za-z_]/.test(token)) throw this.#unexpected();
    this.#at++;
    return token.replaceAll('"', '');
  }

  #take(word: string): boolean {
    if (this.tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at++;
    return true;
  }

  #need(word: string): void {
    if (!this.#take(word)) throw this.#unexpected(`. Expecting: '${word.toUpperCase()}'`);
  }

  #unexpected(more = ''): WrongQuery {
    return new WrongQuery(`mismatched input '${this.tokens[this.#at] ?? '<EOF>'}'${more}`);
  }
}
