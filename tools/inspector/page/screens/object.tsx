import type { JSX } from 'preact';
import { get, post } from '../api.js';
import { Diagram } from '../diagram.js';
import { labels } from '../labels.js';
import { live } from '../live.js';
import { moneyText } from '../money.js';
import { Action, Empty, Id, Problem, Section, Status, Tag, Time } from '../parts.js';
import { to } from '../router.js';
import { useAsked, useStore } from '../store.js';
import { Table } from '../tables.js';
import { durationOf, plural, spanText } from '../text.js';
import type { ObjectView } from '../types.js';
import { resourceOf, useWorld } from '../world.js';
import { CauseButton } from './cause.js';
import { FieldTable } from './fields.js';
import { LifeSection } from './life.js';
import { History } from './object-history.js';
import { InVersions } from './versions.js';

/** Shows all about one object: fields, state, possible events, history. @param whose its tenant, if several tenants have an object with this id */
export function ObjectScreen({ id, whose }: { id: string; whose?: string | undefined }): JSX.Element {
  useStore(live);
  useStore(labels);
  const { value: object, error } = useAsked(
    () => get<ObjectView>(`/objects/${encodeURIComponent(id)}`, { tenant: whose }),
    [id, whose, live.changes],
  );
  if (error) return <Problem error={error} />;
  if (!object || object.id !== id) return <div aria-busy="true" />;
  const { collection, status, deleted, tenant, also_of: also = [] } = object;
  const { name, amount, currency } = labels.of(id) ?? { name: null, amount: null, currency: null };
  return (
    <article class="object-page">
      <header class="object-head">
        <p class="crumbs">
          <a href={to('objects', collection)}>{collection}</a>
          {tenant !== undefined && (
            <>
              {' '}
              <span class="muted">of</span> <Id id={tenant} />
            </>
          )}
          {also.map((other) => (
            <>
              {' '}
              <a href={to('object', id, other ?? 'none')}>{other ?? 'no account'}</a>
            </>
          ))}
        </p>
        <h2>
          {name !== null && `${name} `}
          <code>{id}</code> <Status status={status} /> {deleted && <Tag tone="bad">Deleted</Tag>}
          {amount !== null && currency !== null && <span class="muted"> {moneyText(amount, currency)}</span>}
        </h2>
      </header>
      <LifeSection key={id} id={id} />
      <div class="columns">
        <div>
          <Next object={object} />
          <Timers object={object} />
          <FieldTable object={object} />
          <InVersions key={id} object={object} />
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
    <Section title="Possible events">
      {next.length === 0 ? (
        <Empty>No external events apply right now.</Empty>
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

function Timers({ object: { timers } }: { object: ObjectView }): JSX.Element | null {
  if (timers.length === 0) return null;
  return (
    <Section title="Timers">
      <Table
        heads={['Timer', 'Remaining', 'Due']}
        rows={timers.map(({ timer, due, in_ms }) => ({
          key: timer,
          cells: [timer, spanText(in_ms), <Time at={due} />],
          actions: (
            <Action
              tone="quiet"
              run={() => post('/clock/advance', { duration: durationOf(in_ms) })}
              title={`Advance to ${timer}`}
            >
              Advance to this
            </Action>
          ),
        }))}
      />
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
          As text: {plural(ways.length, 'transition')} from {String(status)}
        </summary>
        <ul class="plain">
          {ways.map(({ to: target, triggers, timers }) => (
            <li key={target}>
              to <strong>{target}</strong>{' '}
              <span class="muted">{[...triggers, ...timers.map((timer) => `when ${timer} ends`)].join(', ')}</span>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}
