import type { JSX } from 'preact';
import { Id, Tag, Value } from '../parts.js';
import type { Diff } from '../types.js';

const TONES = { created: 'good', deleted: 'bad', changed: 'accent' } as const;

/** Objects that two moments tell differently, with each of their fields. */
export function FieldChanges({ diff, from = 'Before', to = 'After' }: { diff: Diff; from?: string; to?: string }): JSX.Element {
  return (
    <table class="changes">
      <thead>
        <tr>
          <th scope="col">Object and field</th>
          <th scope="col">{from}</th>
          <th scope="col">{to}</th>
        </tr>
      </thead>
      {diff.objects.map(({ collection, id, change, fields = [] }) => (
        <tbody key={`${collection} ${id}`}>
          <tr class="object">
            <th scope="rowgroup" colSpan={3}>
              <Id id={id} /> <span class="muted">{collection}</span>{' '}
              <Tag tone={TONES[change as keyof typeof TONES] ?? 'plain'}>{change}</Tag>
            </th>
          </tr>
          {fields.map((each) => (
            <tr key={each.field}>
              <th scope="row">{each.field}</th>
              <td>
                <Value value={each.from} />
              </td>
              <td>
                <Value value={each.to} />
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
