import { equal, isList, isObject, type Json, type JsonObject } from '../values/index.js';
import { type Collection, type OrderedRows, readInstant, type Row } from '../world/index.js';
import type { CommandExecution } from './command-execution.js';
import { fromToken, pageOffset, pagesOf } from './paging.js';
import { type Invocation, Rejection, type ListPage, type ListPlan } from '../program/index.js';

type Test = (row: Row) => boolean;

/**
 * Reads a page: newest first, after or before a cursor. An indexed filter costs O(page) plus the skipped rows; a cursor is
 * found in O(log n), also on a deleted object.
 */
export function readPage(command: CommandExecution, plan: ListPlan, invocation: Invocation): ListPage {
  const { params, path: url, given } = invocation;
  const { def, names } = plan;
  const collection = command.collection(def.index);
  const size = pageSize(plan, params[names.size]);
  const cursors = cursorsOf(plan, params);
  const { ascending, sort } = arrangement(plan, params, given);
  const { rows, tests } = select(command, plan, invocation, collection, sort);
  const keep: Test = (row) => tests.every((test) => test(row));
  // Looks up the cursors in order, so that the first unknown one is reported, before an error for two exclusive cursors.
  const places = cursors.map((each) => placeOf(plan, collection, each, invocation.parent));
  if (new Set(cursors.map((each) => each.before)).size > 1 && !plan.lenient)
    throw new Rejection('cursors_exclusive', { param: names.before });
  const [cursor] = cursors as readonly (ListCursor | undefined)[];
  const [place] = places;
  const before = cursor?.before === true && place !== undefined;
  const forward = before ? ascending : !ascending;
  if (plan.paging.kind === 'token') rejectUnknown(plan, params[plan.paging.param]);
  const offset = pageOffset(plan, params, size);
  const found = walk(rows, place, forward, offset + size + 1, keep);
  const hasMore = found.length > offset + size;
  const page = found.slice(offset, offset + size);
  if (before) page.reverse();
  const nextCursor = hasMore ? (page.at(-1)?.id ?? null) : null;
  const totalCount = (): number => rows.all().reduce((count, row) => count + (keep(row) ? 1 : 0), 0);
  return {
    rows: page,
    resource: plan.def.index,
    hasMore,
    nextCursor,
    url,
    envelope: 'list',
    each: plan.each === null ? null : (host, row) => plan.each?.(host, row, params) ?? null,
    own: plan.envelope?.() ?? null,
    totalCount,
    pages: () => pagesOf(plan, { offset, size, hasMore, nextCursor, totalCount }, url, given),
  };
}

/** Returns the sort field and direction that a call requests, or the list's own. */
function arrangement(
  { ascending, sort, asked }: ListPlan,
  params: JsonObject,
  given: JsonObject,
): { readonly ascending: boolean; readonly sort: string | null } {
  const { order } = asked;
  const value = String(params[asked.sort?.param ?? '']);
  const by = asked.sort?.values.get(value);
  const usual = order === null || Object.hasOwn(given, order.param) ? undefined : order.usual.get(value);
  return {
    ascending: by?.ascending ?? usual ?? order?.ascending.get(String(params[order.param])) ?? ascending,
    sort: by?.field ?? sort,
  };
}

/** Rejects a page token that no list returned. @throws Rejection */
function rejectUnknown({ lenient, def, paging }: ListPlan, token: Json | undefined): void {
  if (lenient || paging.kind !== 'token' || typeof token !== 'string' || fromToken(token) !== undefined) return;
  throw new Rejection('cursor_not_found', { param: paging.param, id: token, title: def.title, resource: def.name });
}

/** Collects up to `limit` rows that meet a condition, from a position towards older rows (`backward`) or newer ones. */
function walk(rows: Arranged, place: SortPosition | undefined, backward: boolean, limit: number, keep: Test): Row[] {
  const all = rows.all();
  const found: Row[] = [];
  if (backward) {
    for (
      let i = place === undefined ? all.length - 1 : rows.indexFrom(place) - 1;
      i >= 0 && found.length < limit;
      i--
    ) {
      if (keep(all[i])) found.push(all[i]);
    }
    return found;
  }
  let start = place === undefined ? 0 : rows.indexFrom(place);
  const first = all[start] as Row | undefined;
  if (place !== undefined && first?.seq === place.seq) start++;
  for (let i = start; i < all.length && found.length < limit; i++) if (keep(all[i])) found.push(all[i]);
  return found;
}

function pageSize(plan: ListPlan, given: Json | undefined): number {
  const { min, max, ignoresBelow } = plan.size;
  const size = typeof given !== 'number' || (ignoresBelow && given < min) ? plan.size.default : given;
  return Math.min(max, Math.max(min, size));
}

/** The cursor of a page: the object's id after which, or before which, the page begins. */
interface ListCursor {
  readonly id: string;
  readonly param: string;
  readonly before: boolean;
}

function cursorsOf({ names }: ListPlan, params: JsonObject): readonly ListCursor[] {
  const given = (param: string, before: boolean): ListCursor[] => {
    const id = params[param];
    return typeof id === 'string' ? [{ id, param, before }] : [];
  };
  const after = names.after.flatMap((param) => given(param, false));
  return [...after.slice(0, 1), ...(names.before === null ? [] : given(names.before, true))];
}

function placeOf(
  { def, lenient }: ListPlan,
  collection: Collection,
  { id, param }: ListCursor,
  parent: Row | null,
): SortPosition | undefined {
  // Lists below a parent may show only the last part of an id.
  const place = collection.placeOf(id) ?? (parent === null ? undefined : collection.placeOf(`${parent.id}/${id}`));
  if (place === undefined && !lenient)
    throw new Rejection('cursor_not_found', { param, id, title: def.title, resource: def.name });
  return place;
}

function select(
  command: CommandExecution,
  plan: ListPlan,
  { params, parent }: Invocation,
  collection: Collection,
  sort: string | null,
): { rows: Arranged; tests: Test[] } {
  const { over } = plan;
  const set = over === null ? null : rowsOf(over(command, params, parent?.value ?? null), collection);
  let rows: OrderedRows | undefined =
    set !== null || plan.parent === null || parent === null ? undefined : collection.ordered(plan.parent, parent.id);
  const tests: Test[] = [];
  for (const filter of plan.filters) {
    const value = params[filter.name];
    if (value === undefined || (value === null && !filter.where)) continue;
    const { where } = filter;
    if (where) {
      tests.push((row) => where(command, row, value, params));
    } else if (filter.schema.kind === 'one_of' && filter.schema.bound !== undefined && isObject(value)) {
      tests.push(rangeTest(filter.field, value));
    } else if (set === null && rows === undefined && collection.hasIndex(filter.field) && !Array.isArray(value)) {
      rows = collection.ordered(filter.field, value);
    } else {
      const { field } = filter;
      const list = Array.isArray(value) && filter.schema.kind === 'array';
      tests.push((row) =>
        list
          ? (value as readonly Json[]).some((each) => equal(row.value[field], each))
          : equal(row.value[field] ?? null, value),
      );
    }
  }
  const { where } = plan;
  if (where) tests.push((row) => where(command, row, null, params));
  const found = set === null ? (rows ?? collection.ordered()) : arranged(set);
  return { rows: sort === null ? found : sortedBy(sort, found), tests };
}

/** Finds the rows of a computed list of objects or ids, without duplicates. */
function rowsOf(set: Json, collection: Collection): Row[] {
  const ids = isList(set) ? set.map((each) => (isObject(each) ? each['id'] : each)) : [];
  return [...new Set(ids)].flatMap((id) => (typeof id === 'string' ? (collection.get(id) ?? []) : []));
}

function rangeTest(field: string, range: JsonObject): Test {
  const bound = (value: Json | undefined) => (value === undefined || value === null ? undefined : comparable(value));
  const [gt, gte, lt, lte] = [range['gt'], range['gte'], range['lt'], range['lte']].map(bound);
  return (row) => {
    const value = comparable(row.value[field] ?? null);
    return (
      (gt === undefined || value > gt) &&
      (gte === undefined || value >= gte) &&
      (lt === undefined || value < lt) &&
      (lte === undefined || value <= lte)
    );
  };
}

function comparable(value: Json): number {
  return typeof value === 'number' ? value : readInstant(value);
}

/** A position in a sort order of rows, taken from an object that may be deleted by now. */
interface SortPosition {
  readonly order: number;
  readonly seq: number;
  readonly value: JsonObject;
}

/** Rows in a sort order, ascending. */
interface Arranged {
  all(): readonly Row[];
  /** Returns the index of the first row at or after a position. */
  indexFrom(place: SortPosition): number;
}

/** Sorts rows by a field, then by age; null comes first. O(rows log rows), since no index has this order. */
function sortedBy(field: string, rows: Pick<OrderedRows, 'all'>): Arranged {
  return inOrderOf(rows.all(), (a, b) => inOrder(a.value[field] ?? null, b.value[field] ?? null) || a.seq - b.seq);
}

/** Wraps rows that are in the order of their collection already. */
function arranged(rows: readonly Row[]): Arranged {
  return inOrderOf(rows, (a, b) => a.order - b.order || a.seq - b.seq);
}

function inOrderOf(rows: readonly Row[], compare: (a: SortPosition, b: SortPosition) => number): Arranged {
  const sorted = [...rows].sort(compare);
  return {
    all: () => sorted,
    indexFrom: (place) => {
      const index = sorted.findIndex((row) => compare(row, place) >= 0);
      return index < 0 ? sorted.length : index;
    },
  };
}

function inOrder(a: Json, b: Json): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [String(a), String(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
