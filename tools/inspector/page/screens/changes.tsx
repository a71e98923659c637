import type { JSX } from 'preact';
import { Id, Tag, Value } from '../parts.js';
import { plural } from '../text.js';
import type { Diff } from '../types.js';
import { useWorld } from '../world.js';

const TONES = { created: 'good', deleted: 'bad', changed: 'accent' } as const;

/** Objects that differ between two moments, with each of their fields. */
export function FieldChanges({
  diff,
  from = 'Before',
  to = 'After',
}: {
  diff: Diff;
  from?: string;
  to?: string;
}): JSX.Element {
  const { pack } = useWorld();
  // Events only say once more what happened to the others.
  const shown = diff.objects.filter(({ collection }) => !pack.event_collections.includes(collection));
  const events = diff.objects.length - shown.length;
  return (
    <>
      <table class="changes">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">{from}</th>
            <th scope="col">{to}</th>
          </tr>
        </thead>
        {shown.map(({ collection, id, change, fields = [] }) => (
          <tbody key={`${collection} ${id}`}>
            <tr class="object">
              <th scope="rowgroup" colSpan={3}>
                <Id id={id} /> <span class="muted">{collection}</span> <Tag tone={TONES[change]}>{change}</Tag>
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
      {events > 0 && <p class="muted">{plural(events, 'more event')}</p>}
    </>
  );
}
