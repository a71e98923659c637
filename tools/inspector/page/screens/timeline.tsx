import { KINDS } from '../labels.js';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ORIGIN } from '../api.js';
import { Search } from '../form.js';
import { useHistory } from '../history.js';
import { live } from '../live.js';
import { Action, Ago, Empty, HttpStatus, Move, Problem, Tag } from '../parts.js';
import { past } from '../past.js';
import { go } from '../router.js';
import { Say } from '../say.js';
import { useSettled, useStore } from '../store.js';
import { plural, timeText } from '../text.js';
import type { Row } from '../timeline.js';
import { VirtualList } from '../virtual.js';
import { Details } from './details.js';

const DENSITIES = ['compact', 'normal', 'full'] as const;
type Density = (typeof DENSITIES)[number];

const LINE = 22;
/** Maximum number of lines with effects below a row, by density. */
const LINES: Readonly<Record<Density, number>> = { compact: 0, normal: 1, full: 40 };

const FILTERS = [
  ['all', ''],
  ['failed calls', 'failed'],
  ['calls', 'call'],
  ['clock', 'clock'],
  ['external events', 'cause'],
  ['controls', 'control'],
] as const;

/** Shows the timeline, updated live, with details of the selected row. */
export function TimelineScreen({ shown }: { shown: string | undefined }): JSX.Element {
  const { timeline } = live;
  const version = useStore(timeline);
  useStore(live);
  useStore(past);
  const [text, setText] = useState('');
  const [kind, setKind] = useState('');
  const [density, setDensity] = useState<Density>('normal');
  const [stop, setStop] = useState<number | null>(null);
  const search = useSettled(text.trim());
  const newest = useMemo(() => (stop === null ? timeline.rows.slice() : timeline.rows.slice(0, stop)), [version, stop]);
  const { rows, total, of, earlier, error, isAsking, loadEarlier } = useHistory(search, kind, newest);
  const heightOf = useMemo(() => (row: Row) => 34 + LINE * linesOf(row, density), [density]);
  const selected = shown === undefined ? undefined : (rows.find(({ key }) => key === shown) ?? timeline.find(shown));
  // Selects the newest failure if the user hasn't selected a row.
  const failure = rows.findLast(({ call }) => call !== null && call.status >= 400);
  const isPaused = stop !== null;
  const isFiltered = search !== '' || kind !== '';
  const clear = (): void => {
    setText('');
    setKind('');
  };
  return (
    <div class={shown === undefined ? 'split' : 'split opened'}>
      <section class="pane list" aria-label="Timeline">
        <div class="bar">
          <Search
            label="Filter"
            placeholder="Filter by object, call, event, or status:402"
            value={text}
            onInput={setText}
          />
          <select aria-label="Kind" value={kind} onInput={({ currentTarget }) => setKind(currentTarget.value)}>
            {FILTERS.map(([label, value]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <div class="choices" role="group" aria-label="Row height">
            {DENSITIES.map((each) => (
              <button key={each} type="button" aria-pressed={each === density} onClick={() => setDensity(each)}>
                {each}
              </button>
            ))}
          </div>
          <button type="button" aria-pressed={isPaused} onClick={() => setStop(isPaused ? null : timeline.rows.length)}>
            {isPaused ? `Resume (${timeline.rows.length - (stop ?? 0)} new)` : 'Pause'}
          </button>
        </div>
        <Problem error={error} />
        {earlier > 0 && (
          <p class="earlier">
            <Action tone="quiet" run={loadEarlier}>
              Load {Math.min(earlier, 200).toLocaleString('en')} earlier
            </Action>{' '}
            <span class="muted">{earlier.toLocaleString('en')} before these</span>
          </p>
        )}
        {rows.length === 0 ? (
          <Empty>
            {isAsking && isFiltered ? (
              'Searching…'
            ) : isFiltered ? (
              <>
                No match in {plural(of, 'call and change', 'calls and changes')}.{' '}
                <button type="button" class="quiet" onClick={clear}>
                  Clear filters
                </button>
              </>
            ) : (
              `No calls yet. Send one to ${ORIGIN}, and it appears here.`
            )}
          </Empty>
        ) : (
          <VirtualList
            key={`${search} ${kind}`}
            items={rows}
            keyOf={keyOf}
            heightOf={heightOf}
            draw={(row) => <RowView row={row} lines={linesOf(row, density)} />}
            label="Timeline"
            selected={selected?.key ?? null}
            onSelect={({ key }) => go('timeline', key)}
            onBegin={() => {
              if (earlier > 0) void loadEarlier();
            }}
            followsEnd
          />
        )}
        <p class="foot" aria-live="polite">
          {isFiltered
            ? `${total.toLocaleString('en')} of ${plural(of, 'call and change', 'calls and changes')}`
            : plural(rows.length, 'row') + (earlier > 0 ? ` of ${(rows.length + earlier).toLocaleString('en')}` : '')}
        </p>
      </section>
      <section class="pane details" aria-label="Details">
        {shown === undefined ? (
          failure?.call ? (
            <Details key={failure.key} shown={failure.key} row={failure} />
          ) : (
            <Empty>Select a call to see why it got this response.</Empty>
          )
        ) : (
          <>
            <button type="button" class="quiet back" onClick={() => go('timeline')}>
              Back to the list
            </button>
            <Details key={selected?.key ?? shown} shown={shown} row={selected} />
          </>
        )}
      </section>
    </div>
  );
}

function keyOf({ key }: Row): string {
  return key;
}

/** Returns the number of lines with effects below a row. */
function linesOf({ transitions }: Row, density: Density): number {
  return Math.min(1 + transitions.length, LINES[density]);
}

function RowView({ row, lines }: { row: Row; lines: number }): JSX.Element {
  const { transitions, call, kind } = row;
  const moves = transitions.slice(0, Math.max(lines - 1, 0));
  return (
    <>
      <div class="line first">
        {call ? <HttpStatus status={call.status} /> : <span class={`kind ${kind}`}>{KINDS[kind]}</span>}
        <Say row={row} />
        <time class="time end" title={timeText(row.at)}>
          {timeText(row.at).slice(0, 16)}
        </time>
      </div>
      {lines > 0 && (
        <div class="line muted">
          <Wire row={row} />
        </div>
      )}
      {moves.map((transition, at) => (
        <div class="line" key={at}>
          <Move transition={transition} withId={!call?.request.path.includes(transition.id)} />
          {at === moves.length - 1 && transitions.length > moves.length && (
            <span class="muted"> +{transitions.length - moves.length}</span>
          )}
        </div>
      ))}
    </>
  );
}

/** Shows the request of a call, or the name of an event, with the result. */
function Wire({ row }: { row: Row }): JSX.Element {
  const { call, kind, title, fired, events, objects } = row;
  return (
    <>
      {call ? (
        <>
          <span class="method">{call.request.method}</span>
          <span class="path" title={call.request.path}>
            {call.request.path}
          </span>
          {call.outcome !== 'normal' && <Tag tone="accent">{OUTCOMES[call.outcome] ?? call.outcome}</Tag>}
          {call.replayed && <Tag tone="accent">idempotent replay</Tag>}
        </>
      ) : kind === 'clock' ? (
        <span>{plural(fired, 'timer')}</span>
      ) : (
        <span class="path">{title}</span>
      )}
      {events.length > 0 && <Events row={row} />}
      {!call && events.length === 0 && objects.size > 0 && (
        <span>{objects.size === 1 ? [...objects][0] : plural(objects.size, 'object')}</span>
      )}
      {call && (
        <span class="end">
          <Ago at={call.real_time} /> <span class="dot">·</span> {call.duration_ms} ms
        </span>
      )}
    </>
  );
}

const OUTCOMES: Readonly<Record<string, string>> = {
  fault: 'fault',
  scenario: 'scenario',
  magic_value: 'test value',
};

function Events({ row }: { row: Row }): JSX.Element {
  const { events, eventsTotal } = row;
  const deliveries = live.timeline.deliveriesOf(row);
  const failed = deliveries.filter(({ status }) => status === 'failed').length;
  const waiting = deliveries.filter(({ status }) => status === 'pending').length;
  const names = [...new Set(events.map(({ type }) => type))];
  return (
    <>
      <span class="events">
        {plural(eventsTotal, 'event')}: {names.slice(0, 4).join(', ')}
        {names.length > 4 ? ` +${names.length - 4}` : ''}
      </span>
      {deliveries.length > 0 && (
        <span>
          {plural(deliveries.length, 'webhook')}
          {failed > 0 ? `, ${failed} failed ✗` : waiting > 0 ? `, ${waiting} pending` : ' ✓'}
        </span>
      )}
    </>
  );
}
