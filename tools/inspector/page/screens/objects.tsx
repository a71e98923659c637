import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { get, post } from '../api.js';
import { ParamForm } from '../form.js';
import { live } from '../live.js';
import { Action, Diagram, Empty, Id, Problem, Section, Status, Tag, Time, Value } from '../parts.js';
import { go, to } from '../router.js';
import { useAsked, useRested, useStore } from '../store.js';
import { durationOf, plural, shortText, sourceText, spanText, triggerText } from '../text.js';
import type { About, Fields, Json, ObjectList, ObjectRow, ObjectStep, ObjectView, Possible } from '../types.js';
import { VirtualList } from '../virtual.js';
import { resourceOf, useWorld } from '../world.js';

/** Objects that one question brings. */
const PAGE = 1_000;
/** Objects that a list shows; the filter finds the rest. */
const MOST = 10_000;

/** Collections, and the objects of one. */
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
        {filled.length === 0 && !showsAll && <Empty>There are no objects yet.</Empty>}
        <button type="button" class="quiet" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Only those with objects' : `All ${pack.resources.length} collections`}
        </button>
      </section>
      <section class="pane list" aria-label={chosen ?? 'Objects'}>
        {chosen === undefined ? (
          <Empty>Objects that calls make, or a seed brings, appear here.</Empty>
        ) : (
          <List key={chosen} collection={chosen} />
        )}
      </section>
    </div>
  );
}

function List({ collection }: { collection: string }): JSX.Element {
  const { pack } = useWorld();
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const search = useRested(text);
  const { value, error } = useAsked(
    () => listOf(collection, search, status),
    [collection, search, status, live.changes],
  );
  const states = resourceOf(pack, collection)?.machine?.states ?? [];
  const heightOf = useMemo(() => () => 34, []);
  return (
    <>
      <div class="bar">
        <h2>{collection}</h2>
        <input
          type="search"
          placeholder="Find: id or any text"
          aria-label="Find"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {states.length > 0 && (
          <select aria-label="Status" value={status} onInput={({ currentTarget }) => setStatus(currentTarget.value)}>
            <option value="">all statuses</option>
            {states.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </div>
      <Problem error={error} />
      {value && value.data.length === 0 && <Empty>Nothing here.</Empty>}
      {value && value.data.length > 0 && (
        <>
          <Columns fields={value.fields} order={value.order} />
          <VirtualList
            items={value.data}
            keyOf={({ id }) => id}
            heightOf={heightOf}
            label={collection}
            selected={null}
            onSelect={({ id }) => go('object', id)}
            draw={(row) => <ObjectLine row={row} fields={value.fields} />}
          />
        </>
      )}
      <p class="foot" aria-live="polite">
        {value ? plural(value.total, 'object') : ''}
        {value && value.total > value.data.length
          ? `, the newest ${value.data.length.toLocaleString('en')} are shown`
          : ''}
      </p>
    </>
  );
}

async function listOf(resource: string, search: string, status: string): Promise<ObjectList> {
  const first = await get<ObjectList>('/objects', { resource, search, status, limit: PAGE });
  const data = [...first.data];
  while (data.length < Math.min(first.total, MOST)) {
    const next = await get<ObjectList>('/objects', { resource, search, status, limit: PAGE, skip: data.length });
    if (next.data.length === 0) break;
    data.push(...next.data);
  }
  return { ...first, data };
}

/** Ids, statuses and times are as wide as they are; what is between shares the rest. */
function widths(fields: readonly string[]): { gridTemplateColumns: string } {
  return { gridTemplateColumns: `236px 172px ${'minmax(0, 1fr) '.repeat(fields.length)} 64px 140px` };
}

/** Names of what stands below each other. */
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
          {values[name] === null ? <span class="null">–</span> : shortText(values[name], 60)}
        </span>
      ))}
      <span class="cell muted">{timers > 0 ? plural(timers, 'timer') : ''}</span>
      <span class="cell">
        <Time at={at} />
      </span>
    </div>
  );
}

/** All about one object: what it is, where it stands, what can happen next, how it came about. */
export function ObjectScreen({ id }: { id: string }): JSX.Element {
  useStore(live);
  const { value: object, error } = useAsked(
    () => get<ObjectView>(`/objects/${encodeURIComponent(id)}`),
    [id, live.changes],
  );
  if (error) return <Problem error={error} />;
  if (!object || object.id !== id) return <div aria-busy="true" />;
  const { collection, status, deleted } = object;
  return (
    <article class="object-page">
      <header class="object-head">
        <p class="crumbs">
          <a href={to('objects', collection)}>{collection}</a>
        </p>
        <h2>
          <code>{id}</code> <Status status={status} /> {deleted && <Tag tone="bad">deleted</Tag>}
        </h2>
      </header>
      <div class="columns">
        <div>
          <Next object={object} />
          <Timers object={object} />
          <FieldTable object={object} />
        </div>
        <div>
          <Machine object={object} />
          <Relations object={object} />
          <History object={object} />
        </div>
      </div>
    </article>
  );
}

function Next({ object: { next, deleted } }: { object: ObjectView }): JSX.Element | null {
  if (deleted) return null;
  return (
    <Section title="What can happen next">
      {next.length === 0 ? (
        <Empty>Nothing from outside can happen to it now.</Empty>
      ) : (
        <div class="causes">
          {next.map((possible) => (
            <CauseButton key={possible.cause} possible={possible} />
          ))}
        </div>
      )}
    </Section>
  );
}

/** Something that can happen: at a press, or after its parameters are given. */
export function CauseButton({ possible: { cause, params, description } }: { possible: Possible }): JSX.Element {
  const { pack } = useWorld();
  const variants = pack.causes.find((each) => each.cause === cause)?.variants ?? [];
  const variant =
    variants.find(({ subject }) => subject !== null && Object.hasOwn(params, subject.param)) ?? variants.at(0);
  const fields: Fields = variant?.params ?? {};
  const fire = (more: Readonly<Record<string, Json>>): Promise<unknown> =>
    post('/world/events', { cause, params: { ...params, ...more } });
  const isNeeded = Object.values(fields).some(({ required }) => required);
  const hasFields = Object.keys(fields).length > 0;
  return (
    <div class="cause">
      {!isNeeded && (
        <Action run={() => fire({})} title={description}>
          {cause}
        </Action>
      )}
      {hasFields && (
        <details>
          <summary>{isNeeded ? cause : 'with …'}</summary>
          <ParamForm fields={fields} button={`Let it happen: ${cause}`} send={fire} />
        </details>
      )}
      {description !== '' && <p class="muted">{description}</p>}
    </div>
  );
}

function Timers({ object: { timers } }: { object: ObjectView }): JSX.Element | null {
  if (timers.length === 0) return null;
  return (
    <Section title="Timers">
      <table>
        <thead>
          <tr>
            <th scope="col">Timer</th>
            <th scope="col">Time left</th>
            <th scope="col">Due</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {timers.map(({ timer, due, in_ms }) => (
            <tr key={timer}>
              <th scope="row">{timer}</th>
              <td>{spanText(in_ms)}</td>
              <td>
                <Time at={due} />
              </td>
              <td>
                <Action
                  tone="quiet"
                  run={() => post('/clock/advance', { duration: durationOf(in_ms) })}
                  title={`advance to ${timer}`}
                >
                  advance to it
                </Action>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function FieldTable({ object }: { object: ObjectView }): JSX.Element {
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
          {showsEmpty ? 'Leave empty ones out' : `${left} empty`}
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
                  {types?.[name]?.type === 'timestamp' && typeof each === 'number' && <Time at={each} />}{' '}
                  {changed.has(name) && <Tag tone="accent">changed last</Tag>}{' '}
                  {pins.some(({ path }) => path === name) && <Tag tone="warn">pinned</Tag>}{' '}
                  {source !== undefined && source !== 'default' && <Tag>{sourceText(source)}</Tag>}
                  {asked === name && <Why id={object.id} field={name} />}
                </td>
                <td class="end">
                  <button
                    type="button"
                    class="quiet"
                    aria-expanded={asked === name}
                    aria-label={`why ${name}`}
                    onClick={() => setAsked(asked === name ? null : name)}
                  >
                    why
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

/** How a value came about: who wrote it, and what led there. */
function Why({ id, field }: { id: string; field: string }): JSX.Element {
  const { value, error } = useAsked(
    () => get<{ chain: Link[]; earlier: Link[] }>('/why', { object: id, field }),
    [id, field, live.changes],
  );
  if (error) return <Problem error={error} />;
  if (!value) return <span aria-busy="true" />;
  if (value.chain.length === 0) return <p class="why muted">It has been so as far back as the ledger reaches.</p>;
  return (
    <ol class="why">
      {value.chain.map(({ did, entry, at, command, trace, transition, source }, index) => (
        <li key={index}>
          {did === 'wrote' ? 'written by' : did === 'pinned' ? 'pinned by' : `${did}:`}{' '}
          {trace ? <a href={to('timeline', trace)}>{command}</a> : <strong>{command}</strong>}
          {transition?.trigger ? ` (${triggerText(transition.trigger)})` : ''}
          {source ? `, value from ${sourceText(source)}` : ''}{' '}
          <span class="muted">
            <Time at={at} /> · entry {entry}
          </span>
        </li>
      ))}
      {value.earlier.length > 0 && <li class="muted">{plural(value.earlier.length, 'earlier change')}</li>}
    </ol>
  );
}

function Machine({ object: { collection, status } }: { object: ObjectView }): JSX.Element | null {
  const { pack } = useWorld();
  const machine = resourceOf(pack, collection)?.machine;
  if (!machine) return null;
  const ways = machine.transitions.filter(({ from }) => from === status);
  return (
    <Section title="States">
      <Diagram collection={collection} state={status} />
      <details>
        <summary>
          In words: {plural(ways.length, 'way')} out of {String(status)}
        </summary>
        <ul class="plain">
          {ways.map(({ to: target, triggers, timers }) => (
            <li key={target}>
              to <strong>{target}</strong>{' '}
              <span class="muted">{[...triggers, ...timers.map((timer) => `after ${timer}`)].join(', ')}</span>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

function Relations({ object: { names, named_by } }: { object: ObjectView }): JSX.Element | null {
  if (names.length === 0 && named_by.length === 0) return null;
  return (
    <Section title="Related">
      <ul class="plain">
        {names.map(({ path, id, collection }) => (
          <li key={path}>
            <span class="muted">{path}</span> <Id id={id} /> <span class="muted">{collection}</span>
          </li>
        ))}
        {named_by.map(({ collection, field, ids, total }) => (
          <li key={`${collection} ${field}`}>
            <span class="muted">
              {field} of {total > 1 ? `${total.toLocaleString('en')} ` : ''}
              {collection}
            </span>{' '}
            {ids.slice(0, 5).map((id) => (
              <>
                <Id key={id} id={id} />{' '}
              </>
            ))}
            {total > 5 && <span class="muted">…</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function History({ object: { history } }: { object: ObjectView }): JSX.Element {
  return (
    <Section title="History">
      <ol class="history">
        {history.map((step) => (
          <Step key={step.entry} step={step} />
        ))}
      </ol>
    </Section>
  );
}

function Step({ step: { entry, at, command, trace, change, fields, args } }: { step: ObjectStep }): JSX.Element {
  const trigger =
    typeof args === 'object' && args !== null && 'trigger' in args ? triggerText(String(args['trigger'])) : '';
  return (
    <li>
      <div>
        <Time at={at} /> {trace ? <a href={to('timeline', trace)}>{command}</a> : <strong>{command}</strong>}{' '}
        <span class="muted">
          {trigger} {change === 'changed' ? '' : change} · entry {entry}
        </span>
      </div>
      {fields.length > 0 && (
        <ul class="plain inner">
          {fields.slice(0, 6).map(({ field, from, to: target }) => (
            <li key={field}>
              <span class="muted">{field}</span> {shortText(from, 30)} → {shortText(target, 60)}
            </li>
          ))}
          {fields.length > 6 && <li class="muted">and {fields.length - 6} more</li>}
        </ul>
      )}
    </li>
  );
}
