import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { get } from '../api.js';
import { Search } from '../form.js';
import { labels } from '../labels.js';
import { live } from '../live.js';
import { fieldMoney } from '../money.js';
import { Empty, Id, Problem, Status, Time } from '../parts.js';
import { go, to } from '../router.js';
import { useAsked, useSettled, useStore } from '../store.js';
import { plural, shortText } from '../text.js';
import type { About, ObjectList, ObjectRow } from '../types.js';
import { VirtualList } from '../virtual.js';
import { resourceOf, useWorld } from '../world.js';

/** Number of objects that one request loads while the user scrolls. */
const PAGE = 500;
/** Maximum number of objects in the list; the filter finds others. */
const MOST = 10_000;

/** Lists all collections, and the objects of the selected one. */
export function ObjectsScreen({ collection }: { collection: string | undefined }): JSX.Element {
  useStore(live);
  const { pack } = useWorld();
  const { value: about } = useAsked(() => get<About>('/'), [live.changes]);
  const counts = about?.world.objects ?? {};
  const filled = pack.resources.filter((each) => (counts[each.collection] ?? 0) > 0);
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? pack.resources : filled;
  const chosen = collection ?? filled.find(({ machine }) => machine)?.collection ?? filled.at(0)?.collection;
  return (
    <div class="split narrow-left">
      <section class="pane" aria-label="Collections">
        <ul class="collections">
          {shown.map((each) => (
            <li key={each.collection}>
              <a href={to('objects', each.collection)} aria-current={each.collection === chosen ? 'true' : undefined}>
                <span>{each.collection}</span>{' '}
                <span class="muted">{(counts[each.collection] ?? 0).toLocaleString('en')}</span>
              </a>
            </li>
          ))}
        </ul>
        {filled.length === 0 && !showsAll && <Empty>No objects yet.</Empty>}
        <button type="button" class="quiet" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide empty collections' : `Show all ${pack.resources.length} collections`}
        </button>
      </section>
      <section class="pane list" aria-label={chosen ?? 'Objects'}>
        {chosen === undefined ? (
          <Empty>No objects yet. Call the API, or add seed data.</Empty>
        ) : (
          <List key={chosen} collection={chosen} />
        )}
      </section>
    </div>
  );
}

function List({ collection }: { collection: string }): JSX.Element {
  const { pack } = useWorld();
  useStore(labels);
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const search = useSettled(text);
  const [wanted, setWanted] = useState(PAGE);
  // Keeps loaded rows until the world changes; scrolling adds more.
  const come = useRef<{ readonly of: string; readonly rows: readonly ObjectRow[] }>({ of: '', rows: [] });
  const { value, error } = useAsked(async () => {
    const of = JSON.stringify([search, status, live.changes]);
    const list = await listOf(
      { resource: collection, search, status },
      wanted,
      of === come.current.of ? come.current.rows : [],
    );
    come.current = { of, rows: list.data };
    return withTenants(list);
  }, [collection, search, status, wanted, live.changes]);
  const states = resourceOf(pack, collection)?.machine?.states ?? [];
  const clear = (): void => {
    setText('');
    setStatus('');
  };
  const heightOf = useMemo(() => () => 34, []);
  return (
    <>
      <div class="bar">
        <h2>{collection}</h2>
        <Search label="Search" placeholder="Search by ID or text" value={text} onInput={setText} />
        {states.length > 0 && (
          <select aria-label="Status" value={status} onInput={({ currentTarget }) => setStatus(currentTarget.value)}>
            <option value="">All statuses</option>
            {states.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </div>
      <Problem error={error} />
      {value && value.data.length === 0 && (
        <Empty>
          {search === '' && status === '' ? (
            'No objects yet.'
          ) : (
            <>
              No results.{' '}
              <button type="button" class="quiet" onClick={clear}>
                Clear filters
              </button>
            </>
          )}
        </Empty>
      )}
      {value && value.data.length > 0 && (
        <>
          <Columns fields={value.fields} order={value.order} />
          <VirtualList
            items={value.data}
            keyOf={({ id, tenant = '' }) => `${id} ${tenant}`}
            heightOf={heightOf}
            label={collection}
            selected={null}
            onSelect={({ id, tenant }) => go('object', id, ...(tenant === undefined ? [] : [tenant]))}
            draw={(row) => <ObjectLine row={row} fields={value.fields} />}
            onEnd={() => {
              if (value.data.length < Math.min(value.total, MOST)) setWanted(value.data.length + PAGE);
            }}
          />
        </>
      )}
      <p class="foot" aria-live="polite">
        {value && value.total > MOST
          ? `Newest ${MOST.toLocaleString('en')} of ${value.total.toLocaleString('en')}`
          : value && plural(value.total, 'object')}
      </p>
    </>
  );
}

/** Requests the newest objects. @param come objects that are loaded already */
async function listOf(
  query: { readonly resource: string; readonly search: string; readonly status: string },
  most: number,
  come: readonly ObjectRow[],
): Promise<ObjectList> {
  const data = [...come];
  for (;;) {
    const next = await get<ObjectList>('/objects', { ...query, limit: PAGE, skip: data.length });
    data.push(...next.data);
    if (next.data.length === 0 || data.length >= Math.min(next.total, most)) return { ...next, data };
  }
}

/** Adds a column with the tenant to a list of objects. */
function withTenants(list: ObjectList): ObjectList {
  if (list.data.every(({ tenant }) => tenant === undefined)) return list;
  const data = list.data.map((row) => ({ ...row, fields: { tenant: row.tenant ?? null, ...row.fields } }));
  return { ...list, fields: ['tenant', ...list.fields], data };
}

/** Returns the column widths: fixed for ids, statuses and times; other columns share the rest. */
function widths(fields: readonly string[]): { gridTemplateColumns: string } {
  return {
    gridTemplateColumns: `minmax(0, 236px) minmax(0, 172px) ${'minmax(0, 1fr) '.repeat(fields.length)} 64px 140px`,
  };
}

/** Shows the column headings. */
function Columns({ fields, order }: { fields: readonly string[]; order: string | null }): JSX.Element {
  return (
    <div class="object-line columns-head" aria-hidden="true" style={widths(fields)}>
      {['id', 'status', ...fields, 'timers', order ?? ''].map((name) => (
        <span class="cell" key={name}>
          {name}
        </span>
      ))}
    </div>
  );
}

function ObjectLine({
  row: { id, status, at, timers, fields: values },
  fields,
}: {
  row: ObjectRow;
  fields: readonly string[];
}): JSX.Element {
  const currency = fields.some((name) => typeof values[name] === 'number') ? labels.of(id)?.currency : undefined;
  return (
    <div class="object-line" style={widths(fields)}>
      <span class="cell">
        <Id id={id} />
      </span>
      <span class="cell">
        <Status status={status} />
      </span>
      {fields.map((name) => (
        <span class="cell" key={name} title={`${name}: ${shortText(values[name], 100)}`}>
          <span class="hidden">{name} </span>
          {values[name] === null ? (
            <span class="null">–</span>
          ) : (
            (fieldMoney(name, values[name], currency) ?? shortText(values[name], 60))
          )}
        </span>
      ))}
      <span class="cell muted">{timers > 0 ? plural(timers, 'timer') : ''}</span>
      <span class="cell">
        <Time at={at} />
      </span>
    </div>
  );
}
