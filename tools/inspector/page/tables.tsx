import type { ComponentChildren, JSX } from 'preact';
import { Empty, Problem } from './parts.js';
import type { Asked } from './store.js';

/** A row for `Table`. */
interface TableRow {
  /** The row's unique key. */
  readonly key: string;
  readonly cells: readonly ComponentChildren[];
  /** Buttons in the last cell of the row. */
  readonly actions?: ComponentChildren;
  /** CSS class that highlights the row. */
  readonly mark?: string;
}

/** Shows a table with headings; one cell of each row, the first by default, is its header. */
export function Table({
  heads = [],
  rows,
  name = 0,
  kind,
}: {
  heads?: readonly string[];
  rows: readonly TableRow[];
  name?: number;
  /** CSS class of the table. */
  kind?: string;
}): JSX.Element {
  const hasActions = rows.some(({ actions }) => actions !== undefined);
  return (
    <table class={kind}>
      {heads.length > 0 && (
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {hasActions && <td />}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(({ key, cells, actions, mark }) => (
          <tr key={key} class={mark}>
            {cells.map((cell, at) =>
              at === name ? (
                <th key={at} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={at}>{cell}</td>
              ),
            )}
            {hasActions && <td class="end">{actions}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows a table of requested rows, with messages for an empty result and errors. */
export function AskedTable<T>({
  asked: { value, error },
  empty,
  heads,
  rowOf,
}: {
  asked: Asked<{ readonly data: readonly T[] }>;
  empty: string;
  heads: readonly string[];
  rowOf: (item: T, at: number) => TableRow;
}): JSX.Element {
  return (
    <>
      <Problem error={error} />
      {value?.data.length === 0 && <Empty>{empty}</Empty>}
      {value && value.data.length > 0 && <Table heads={heads} rows={value.data.map(rowOf)} />}
    </>
  );
}

/** A name with its description. */
interface Term {
  readonly name: string;
  /** A short text beside the name. */
  readonly beside?: string;
  readonly text: ComponentChildren;
}

/** Lists names with their descriptions. */
export function Terms({ of }: { of: readonly Term[] }): JSX.Element {
  return (
    <dl class="list">
      {of.map(({ name, beside, text }) => (
        <div key={name}>
          <dt>
            <code>{name}</code> {beside}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Lists the headers of a message. */
export function Headers({ headers }: { headers: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <dl class="headers">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Lists names as code. */
export function Codes({ of }: { of: readonly string[] }): JSX.Element {
  return (
    <p class="codes">
      {of.map((name) => (
        <>
          <code key={name}>{name}</code>{' '}
        </>
      ))}
    </p>
  );
}
