import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { get } from '../api.js';
import { live } from '../live.js';
import { fieldMoney } from '../money.js';
import { Id, Problem, Section, Tag, Time, Value } from '../parts.js';
import { to } from '../router.js';
import { useAsked } from '../store.js';
import { plural, sourceText, triggerText } from '../text.js';
import type { Json, ObjectView } from '../types.js';
import { resourceOf, useWorld } from '../world.js';

/** Shows the fields of an object: values, last changes, overrides, and origins. */
export function FieldTable({ object }: { object: ObjectView }): JSX.Element {
  const { value, history, pins, exogenous, names } = object;
  const types = resourceOf(useWorld().pack, object.collection)?.fields;
  const [showsEmpty, setShowsEmpty] = useState(false);
  const [asked, setAsked] = useState<string | null>(null);
  const changed = new Set(
    history.at(0)?.change === 'changed' ? history[0].fields.map(({ field }) => field.split('.')[0]) : [],
  );
  const rows = Object.entries(value).filter(([, each]) => showsEmpty || !isEmpty(each));
  const left = Object.keys(value).length - rows.length;
  return (
    <Section
      title="Fields"
      aside={
        <button type="button" class="quiet" aria-pressed={showsEmpty} onClick={() => setShowsEmpty(!showsEmpty)}>
          {showsEmpty ? 'Hide empty fields' : `Show ${plural(left, 'empty field')}`}
        </button>
      }
    >
      <table class="fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, each]) => {
            const link = names.find(({ path, id }) => path === name && id === each);
            const source = exogenous.find(({ field_path }) => field_path === name)?.source;
            return (
              <tr key={name} class={changed.has(name) ? 'changed' : ''}>
                <th scope="row">{name}</th>
                <td>
                  {link ? <Id id={link.id} /> : <Value value={each} />}{' '}
                  {fieldMoney(name, each, value['currency']) !== null && (
                    <span class="muted">{fieldMoney(name, each, value['currency'])}</span>
                  )}{' '}
                  {types?.[name]?.type === 'timestamp' && typeof each === 'number' && <Time at={each} />}{' '}
                  {changed.has(name) && <Tag tone="accent">changed</Tag>}{' '}
                  {pins.some(({ path }) => path === name) && <Tag tone="warn">overridden</Tag>}{' '}
                  {source !== undefined && source !== 'default' && <Tag>{sourceText(source)}</Tag>}
                  {asked === name && <Why id={object.id} tenant={object.tenant} field={name} />}
                </td>
                <td class="end">
                  <button
                    type="button"
                    class="quiet"
                    aria-expanded={asked === name}
                    aria-label={`Why ${name}?`}
                    onClick={() => setAsked(asked === name ? null : name)}
                  >
                    Why?
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

interface Link {
  readonly did: string;
  readonly entry: number;
  readonly at: number | string;
  readonly command: string;
  readonly trace: string | null;
  readonly transition?: { readonly from: Json; readonly to: Json; readonly trigger: string | null } | null;
  readonly source?: string | null;
}

/** Shows the origin of a value: who wrote it, and why. */
function Why({ id, tenant, field }: { id: string; tenant: string | undefined; field: string }): JSX.Element {
  const { value, error } = useAsked(
    () => get<{ chain: Link[]; earlier: Link[] }>('/why', { object: id, tenant, field }),
    [id, tenant, field, live.changes],
  );
  if (error) return <Problem error={error} />;
  if (!value) return <span aria-busy="true" />;
  if (value.chain.length === 0) return <p class="why muted">Unchanged since the start of the history.</p>;
  return (
    <ol class="why">
      {value.chain.map(({ did, entry, at, command, trace, transition, source }, index) => (
        <li key={index}>
          {did === 'wrote' ? 'Set by' : did === 'pinned' ? 'Overridden by' : `${did}:`}{' '}
          {trace ? <a href={to('timeline', trace)}>{command}</a> : <strong>{command}</strong>}
          {transition?.trigger ? ` (${triggerText(transition.trigger)})` : ''}
          {source ? `, source: ${sourceText(source)}` : ''}{' '}
          <span class="muted">
            <Time at={at} /> · entry {entry}
          </span>
        </li>
      ))}
      {value.earlier.length > 0 && <li class="muted">{plural(value.earlier.length, 'previous change')}</li>}
    </ol>
  );
}
