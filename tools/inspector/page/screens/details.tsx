import type { JSX } from 'preact';
import { ApiError, get, post } from '../api.js';
import { live } from '../live.js';
import { Action, Ago, Empty, HttpStatus, Id, Move, Problem, Section, Tag, Time, toneOf, Value } from '../parts.js';
import { go, to } from '../router.js';
import { useAsked } from '../store.js';
import { Table } from '../tables.js';
import { plural, sourceText, timeText } from '../text.js';
import type { Row } from '../timeline.js';
import type { Diff, EntryEvent, Exchange, Trace, Transition, World } from '../types.js';
import { useWorld } from '../world.js';
import { FieldChanges } from './changes.js';
import { EventStrip } from './strip.js';
import { KINDS } from '../labels.js';
import { Wire } from './wire.js';

/** Shows details of a row: for a call the reasons for its response, for other rows their effects. */
export function Details({ shown, row }: { shown: string; row: Row | undefined }): JSX.Element {
  if (shown.startsWith('trc_')) return <Explain trace={shown} />;
  return row ? <Happened row={row} /> : <Empty>This entry is no longer available.</Empty>;
}

/** Shows the reasons for a call's response. */
function Explain({ trace: id }: { trace: string }): JSX.Element {
  const { value: trace, error } = useAsked(() => get<Trace>(`/trace/${id}`), [id, live.timeline.version]);
  const { value: exchange } = useAsked(() => get<Exchange>(`/trace/${id}/exchange`).catch(() => null), [id]);
  const { value: own } = useAsked(() => ownEntry(id), [id]);
  if (error) return <Problem error={error} />;
  if (!trace) return <div aria-busy="true" />;
  const { request, status, transitions, events, deliveries } = trace;
  const before = own ? own.entry - 1 : trace.entry;
  return (
    <article class="explain" aria-label="Call">
      <header>
        <h2>
          <HttpStatus status={status} /> {request.method} <span class="path">{request.path}</span>
        </h2>
        <p class="muted">
          <Time at={trace.at} /> · {trace.operation ?? 'Unknown route'} · {trace.duration_ms} ms ·{' '}
          <Ago at={trace.real_time} />
          {own ? ` · entry ${own.entry}` : ' · no changes'}
        </p>
      </header>
      <Section title="Why this response" level={3}>
        <Resolution trace={trace} />
        {trace.error !== null && (
          <p>
            Error: <code>{trace.error}</code>
          </p>
        )}
      </Section>
      <Moves transitions={transitions} />
      {events.length > 0 && (
        <Section title="Events and webhooks" level={3}>
          <ul class="plain">
            {events.map((event) => (
              <li key={event.id}>
                <strong>{event.type}</strong> <Id id={event.id} />
                <ul class="plain inner">
                  {deliveries
                    .filter((delivery) => delivery.event.id === event.id)
                    .map((delivery) => (
                      <li key={delivery.id}>
                        <Tag tone={toneOf(delivery.status)}>{delivery.status}</Tag>{' '}
                        <a href={to('webhooks', delivery.id)}>{delivery.url ?? delivery.id}</a>{' '}
                        <span class="muted">{plural(delivery.attempts, 'attempt')}</span>
                      </li>
                    ))}
                </ul>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Outside trace={trace} />
      {own && <Changes from={own.entry - 1} to={own.entry} />}
      <Wire exchange={exchange} trace={trace} />
      <Section title="Go back" level={3}>
        <BackTo entry={before} />
      </Section>
    </article>
  );
}

/** Shows the first hundred state transitions of objects. */
function Moves({ transitions }: { transitions: readonly Transition[] }): JSX.Element | null {
  if (transitions.length === 0) return null;
  return (
    <Section title={`Transitions (${transitions.length})`} level={3}>
      <ul class="plain">
        {transitions.slice(0, 100).map((transition, at) => (
          <li key={at}>
            <Move transition={transition} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Number of values that are visible before the list is expanded. */
const SHOWN = 6;

/** Shows the external values that a call used: overridden ones, and the pack's defaults. */
function Outside({ trace: { exogenous } }: { trace: Trace }): JSX.Element | null {
  if (exogenous.length === 0) return null;
  const decided = exogenous.filter(({ source }) => source !== 'default');
  const usual = exogenous.filter(({ source }) => source === 'default');
  return (
    <Section title="External values" level={3}>
      {decided.length > 0 && <OutsideTable values={decided.slice(0, SHOWN)} />}
      {decided.length > SHOWN && (
        <details>
          <summary>Show {decided.length - SHOWN} more</summary>
          <OutsideTable values={decided.slice(SHOWN)} />
        </details>
      )}
      {usual.length > 0 && (
        <details>
          <summary>Show {plural(usual.length, 'default')}</summary>
          <OutsideTable values={usual} />
        </details>
      )}
    </Section>
  );
}

function OutsideTable({ values }: { values: Trace['exogenous'] }): JSX.Element {
  return (
    <Table
      kind="outside"
      heads={['Field', 'Value', 'Source']}
      rows={values.map(({ field_path, value, source }) => ({
        key: field_path,
        cells: [
          field_path,
          <Value value={value} />,
          <Tag tone={source === 'default' ? 'plain' : 'accent'}>{sourceText(source)}</Tag>,
        ],
      }))}
    />
  );
}

/** Finds the ledger entry of a call; null if the call changed nothing. */
async function ownEntry(trace: string): Promise<{ readonly entry: number } | null> {
  try {
    const entry = await get<EntryEvent>(`/ledger/${trace}`);
    return entry.trace === trace ? entry : null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Shows the four steps of resolving a call, with the deciding one marked. */
function Resolution({ trace }: { trace: Trace }): JSX.Element {
  const { outcome, fault, scenario, magic_values, stood_back, unsupported = [], replayed, request } = trace;
  const steps = [
    ['fault', 'Active fault', fault ?? 'No match'],
    ['scenario', 'Scenario header', scenario ?? 'No match'],
    ['magic_value', 'Test value', magic_values.length > 0 ? magic_values.join(', ') : 'No match'],
    ['normal', 'Normal behavior', trace.operation ?? 'No such operation in this API'],
  ] as const;
  const decided = steps.findIndex(([name]) => name === outcome);
  return (
    <>
      {replayed && (
        <p>
          Repeated idempotency key <code>{request.idempotency_key}</code>: this is the stored response.
        </p>
      )}
      <ol class="steps">
        {steps.map(([name, title, found], at) => (
          <li key={name} class={at === decided ? 'decided' : at > decided ? 'after' : ''}>
            <span class="step-title">{title}</span>
            <span class="step-found">
              {at > decided && name !== 'normal' ? 'Not evaluated' : found}{' '}
              {at === decided && <Tag tone="accent">✓ Decided the response</Tag>}
            </span>
          </li>
        ))}
      </ol>
      {unsupported.map(({ kind, name }) => (
        <p key={`${kind} ${name}`} class="muted">
          Not emulated: {kind.replace('_', ' ')} <code>{name}</code> has no effect.
        </p>
      ))}
      {stood_back.map(({ pin, id, path, value }) => (
        <p key={pin} class="muted">
          Pin on {path} (<Id id={id} />, {JSON.stringify(value)}) ignored: the test value takes precedence.
        </p>
      ))}
    </>
  );
}

/** Shows the differences between two ledger entries. */
function Changes({ from, to: until }: { from: number; to: number }): JSX.Element | null {
  const { value } = useAsked(() => get<Diff>('/diff', { from, to: until, limit: 50 }).catch(() => null), [from, until]);
  if (!value || value.objects.length === 0) return null;
  return (
    <Section title={`Changes (${plural(value.objects_total, 'object')})`} level={3}>
      <FieldChanges diff={value} />
    </Section>
  );
}

/** Shows buttons that return to a moment: by a fork, or by rewinding this world. */
function BackTo({ entry }: { entry: number }): JSX.Element {
  const { mayFork } = useWorld();
  const fork = async (): Promise<void> => {
    const made = await post<World>('/worlds', { from: { at: entry } });
    go('worlds', 'compare', 'main@', `${made.id}@`);
  };
  return (
    <div class="actions">
      {mayFork && (
        <Action run={fork} tone="primary" title={`Create a world from entry ${entry}`}>
          Fork here
        </Action>
      )}
      <Action run={() => post('/rewind', { to: entry })} title={`Rewind this world to entry ${entry}`}>
        Rewind to here
      </Action>
    </div>
  );
}

/** Shows the effects of an advance, external event or control call. */
function Happened({ row }: { row: Row }): JSX.Element {
  const { kind, title, at, entries, transitions, events, eventsTotal, first, last, fired } = row;
  return (
    <article class="explain" aria-label="Details">
      <header>
        <h2>
          <span class={`kind ${kind}`}>{KINDS[kind]}</span> {kind === 'clock' ? `to ${timeText(at)}` : title}
        </h2>
        <p class="muted">
          <Time at={at} /> · {first === last ? `entry ${last}` : `entries ${first}–${last}`}
          {fired > 0 ? ` · ${plural(fired, 'timer')}` : ''}
        </p>
      </header>
      <Emitted entries={entries} kind={kind} />
      {kind === 'clock' && events.length > 0 && (
        <Section title="Timeline" level={3}>
          <EventStrip entries={entries} />
        </Section>
      )}
      <Moves transitions={transitions} />
      {events.length > 0 && (
        <Section title={`Events (${eventsTotal.toLocaleString('en')})`} level={3}>
          <ul class="plain">
            {events.slice(0, 100).map(({ id, type }) => (
              <li key={id}>
                <strong>{type}</strong> <Id id={id} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {first > 0 && kind !== 'gap' && <Changes from={first - 1} to={last} />}
      {first > 0 && (
        <Section title="Go back" level={3}>
          <BackTo entry={first - 1} />
        </Section>
      )}
    </article>
  );
}

/** Shows the arguments of the command behind a row, such as an advance or a control call. */
function Emitted({ entries, kind }: { entries: readonly EntryEvent[]; kind: Row['kind'] }): JSX.Element | null {
  const args = kind === 'clock' ? entries.find(({ command }) => command === 'clock')?.args : entries.at(0)?.args;
  if (args === null || args === undefined || typeof args !== 'object') return null;
  return (
    <Section title="Sent to" level={3}>
      <Value value={args} />
    </Section>
  );
}
