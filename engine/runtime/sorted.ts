import type { Json, JsonObject } from '../values/index.js';
import type { OrderedRows, Row } from '../world/index.js';

/** A position in a sort order of rows, taken from an object that may be deleted by now. */
export interface SortPosition {
  readonly order: number;
  readonly seq: number;
  readonly value: JsonObject;
}

/** Rows in a sort order, ascending. */
export interface Arranged {
  all(): readonly Row[];
  /** Index of the first row at or after a position. */
  indexFrom(place: SortPosition): number;
}

/** Sorts rows by a field, then by age; null comes first. O(rows log rows), since no index has this order. */
export function sortedBy(field: string, rows: Pick<OrderedRows, 'all'>): Arranged {
  return inOrderOf(rows.all(), (a, b) => inOrder(a.value[field] ?? null, b.value[field] ?? null) || a.seq - b.seq);
}

/** Wraps rows that are in the order of their collection already. */
export function arranged(rows: readonly Row[]): Arranged {
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
