import type { JSX } from 'preact';
import { Id, Tag, Value } from '../parts.js';
import { plural } from '../text.js';
import type { Diff } from '../types.js';
import { useWorld } from '../world.js';

type Changed = Diff['objects'][number];

/**
 * Shows objects that differ between two moments, by collection: changed ones with both values of each field, then those that exist at only one
 * moment.
 */
export function FieldChanges({
  diff,
  from = 'Before',
  to = 'After',
  onlyFrom = 'Deleted',
  onlyTo = 'Created',
}: {
  diff: Diff;
  from?: string;
  to?: string;
  /** Labels of objects that exist only at the first or the second moment. */
  onlyFrom?: string;
  onlyTo?: string;
}): JSX.Element {
  const { pack } = useWorld();
  // Hides event objects, which only repeat changes of other objects.
  const shown = diff.objects.filter(({ collection }) => !pack.event_collections.includes(collection));
  const events = diff.objects.length - shown.length;
  const changed = shown.filter(({ change }) => change === 'changed');
  return (
    <>
      {changed.length > 0 && (
        <table class="changes">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">{from}</th>
              <th scope="col">{to}</th>
            </tr>
          </thead>
          {changed.map(({ collection, id, fields = [] }) => (
            <tbody key={`${collection} ${id}`}>
              <tr class="object">
                <th scope="rowgroup" colSpan={3}>
                  <Id id={id} /> <span class="muted">{collection}</span>
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
      )}
      <OfOne title={onlyFrom} tone="bad" objects={shown.filter(({ change }) => change === 'deleted')} />
      <OfOne title={onlyTo} tone="good" objects={shown.filter(({ change }) => change === 'created')} />
      {events > 0 && <p class="muted">{plural(events, 'more event')}</p>}
    </>
  );
}

/** Number of ids per collection that are visible before the list is expanded. */
const MOST = 8;

/** Shows the ids of objects that exist at only one of two moments. */
function OfOne({
  title,
  tone,
  objects,
}: {
  title: string;
  tone: 'good' | 'bad';
  objects: readonly Changed[];
}): JSX.Element | null {
  if (objects.length === 0) return null;
  const collections = [...new Set(objects.map(({ collection }) => collection))];
  return (
    <table class="changes of-one">
      <caption>
        <Tag tone={tone}>{title}</Tag>
      </caption>
      <tbody>
        {collections.map((collection) => {
          const all = objects.filter((each) => each.collection === collection);
          return (
            <tr key={collection}>
              <th scope="row">
                {collection} <span class="muted">{all.length}</span>
              </th>
              <td>
                <Ids objects={all.slice(0, MOST)} />
                {all.length > MOST && (
                  <details>
                    <summary>{all.length - MOST} more</summary>
                    <Ids objects={all.slice(MOST)} />
                  </details>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Ids({ objects }: { objects: readonly Changed[] }): JSX.Element {
  return (
    <>
      {objects.map(({ id }) => (
        <span key={id}>
          <Id id={id} />{' '}
        </span>
      ))}
    </>
  );
}
