import type { Given } from './command.js';

/** A column: a heading, and the path of the value or a function of the row. */
export type Column = readonly [heading: string, value: string | ((row: Given) => unknown)];

/** Maximum width of cells in characters; the last column has no limit. */
const WIDEST = 48;

/** Returns the value at a path of names; undefined if there is none. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => (isGiven(found) ? found[name] : undefined), value);
}

/** Returns the items of the list in a response. */
export function rowsOf(value: unknown): readonly Given[] {
  return Array.isArray(value) ? value.filter(isGiven) : [];
}

export function isGiven(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats rows as a table with headings. @param none line that is returned if there are no rows */
export function textTable(rows: readonly Given[], columns: readonly Column[], none: string): string[] {
  if (rows.length === 0) return [none];
  const cells = rows.map((row) =>
    columns.map(([, value]) => shownValue(typeof value === 'string' ? at(row, value) : value(row))),
  );
  // Omits columns without any text.
  const kept = columns.map((_, index) => index).filter((index) => cells.some((row) => row[index] !== ''));
  const all = [columns.map(([heading]) => heading), ...cells].map((row) =>
    kept.map((index) => (index === kept.at(-1) ? row[index] : cut(row[index]))),
  );
  const widths = kept.map((_, index) => Math.max(...all.map((row) => row[index].length)));
  return all.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index]))
      .join('  ')
      .trimEnd(),
  );
}

/** Formats the members with a value as lines `name  value`. */
export function fields(value: Given): string[] {
  const entries = Object.entries(value).filter(([, each]) => shownValue(each) !== '');
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  return entries.map(([name, each]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${shownValue(each)}`);
}

/** Formats a value on one line; empty if it is missing. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return JSON.stringify(value);
}

/** Formats an instant, in any pack's format, as ISO 8601. */
export function instantText(value: unknown): string {
  if (typeof value !== 'number') return shownValue(value);
  return new Date(value * 1000).toISOString().replace('.000Z', 'Z');
}

function cut(text: string): string {
  return text.length > WIDEST ? `${text.slice(0, WIDEST - 3)}...` : text;
}
