import type { ComponentChildren, JSX } from 'preact';
import { get, post, remove } from '../api.js';
import { type FormFields, ParamForm } from '../form.js';
import { live } from '../live.js';
import { Action, Section } from '../parts.js';
import { useAsked } from '../store.js';
import { AskedTable } from '../tables.js';
import type { JsonObject } from '../types.js';

/** A row of the table of faults. */
interface FaultRow {
  /** Name of the fault for screen readers. */
  readonly named: string;
  readonly cells: readonly ComponentChildren[];
}

/** Lists faults of calls or of deliveries, with a form that adds some and buttons that clear them. */
export function FaultSection<T extends { readonly id: string }>({
  title,
  path,
  empty,
  heads,
  rowOf,
  clear = 'Clear',
  add,
  fields,
  bodyOf,
}: {
  title: string;
  /** Path of the control API's routes for this kind of faults. */
  path: string;
  empty: string;
  heads: readonly string[];
  rowOf: (fault: T) => FaultRow;
  /** Label of the button that clears a fault. */
  clear?: string | ((fault: T) => string);
  add: string;
  fields: FormFields | ((texts: Readonly<Record<string, string>>) => FormFields);
  /** Converts the form's values to a body for the control API. */
  bodyOf: (filled: JsonObject) => JsonObject;
}): JSX.Element {
  const asked = useAsked(() => get<{ data: T[] }>(path), [live.changes]);
  return (
    <Section
      title={title}
      aside={
        asked.value && asked.value.data.length > 0 ? (
          <Action tone="quiet" run={() => remove(path)}>
            Clear all
          </Action>
        ) : undefined
      }
    >
      <AskedTable
        asked={asked}
        empty={empty}
        heads={heads}
        rowOf={(fault) => {
          const { named, cells } = rowOf(fault);
          const word = typeof clear === 'string' ? clear : clear(fault);
          return {
            key: fault.id,
            cells,
            actions: (
              <Action tone="quiet" run={() => remove(`${path}/${fault.id}`)} title={`${word.toLowerCase()} ${named}`}>
                {word}
              </Action>
            ),
          };
        }}
      />
      <details class="add">
        <summary>{add}</summary>
        <ParamForm fields={fields} button="Add fault" send={(filled) => post(path, bodyOf(filled))} />
      </details>
    </Section>
  );
}
