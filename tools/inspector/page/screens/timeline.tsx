import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ORIGIN } from '../api.js';
import { Search } from '../form.js';
import { live } from '../live.js';
import { Empty, HttpStatus, Move, Tag } from '../parts.js';
import { go } from '../router.js';
import { useStore } from '../store.js';
import { plural, timeText } from '../text.js';
import { filtered, type Row } from '../timeline.js';
import { VirtualList } from '../virtual.js';
import { Details } from './details.js';

const DENSITIES = ['compact', 'normal', 'full'] as const;
type Density = (typeof DENSITIES)[number];

const LINE = 22;
/** Lines below a row's first one. */
const LINES: Readonly<Record<Density, number>> = { compact: 0, normal: 3, full: 40 };

const FILTERS = [
  ['all', ''],
  ['calls', 'call'],
  ['clock', 'clock'],
  ['external events', 'cause'],
  ['controls', 'control'],
] as const;

/** What happened, as it happens, and what is behind the row that is marked. */
export function TimelineScreen({ shown }: { shown: string | undefined }): JSX.Element {
  const { timeline } = live;
  const version = useStore(timeline);
  const [text, setText] = useState('');
  const [kind, setKind] = useState('');
  const [density, setDensity] = useState<Density>('normal');
  const [stop, setStop] = useState<number | null>(null);
  const rows = useMemo(() => {
    const all = stop === null ? timeline.rows : timeline.rows.slice(0, stop);
    const ofKind =
      kind === '' ? all : all.filter((row) => row.kind === kind || (kind === 'control' && row.kind === 'seed'));
    return filtered(ofKind, text).slice();
  }, [version, text, kind, stop]);
  const heightOf = useMemo(() => (row: Row) => 34 + LINE * linesOf(row, density), [density]);
  const selected = shown === undefined ? undefined : timeline.find(shown);
  const isPaused = stop !== null;
  return (
    <div class="split">
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
        {rows.length === 0 ? (
          <Empty>
            {timeline.rows.length === 0
              ? `No calls yet. Send one to ${ORIGIN}, and it appears here.`
              : `No match in the newest ${plural(timeline.rows.length, 'row')}.`}
          </Empty>
        ) : (
          <VirtualList
            items={rows}
            keyOf={keyOf}
            heightOf={heightOf}
            draw={(row) => <RowView row={row} lines={LINES[density]} />}
            label="Timeline"
            selected={selected?.key ?? null}
            onSelect={(row) => go('timeline', row.call?.trace ?? row.key)}
            followsEnd
          />
        )}
        <p class="foot" aria-live="polite">
          {plural(rows.length, 'row')}
          {rows.length < timeline.rows.length ? ` of ${timeline.rows.length.toLocaleString('en')}` : ''}
        </p>
      </section>
      <section class="pane details" aria-label="Details">
        {shown === undefined ? (
          <Empty>Select a call to see why it got this response.</Empty>
        ) : (
          <Details key={selected?.key ?? shown} shown={shown} row={selected} />
        )}
      </section>
    </div>
  );
}

function keyOf({ key }: Row): string {
  return key;
}

/** Lines that a row has below its first one. */
function linesOf(row: Row, density: Density): number {
  const { transitions, events, objects } = row;
  const own = transitions.length + (events.length > 0 || (transitions.length === 0 && objects.size > 0) ? 1 : 0);
  return Math.min(own, LINES[density]);
}

function RowView({ row, lines }: { row: Row; lines: number }): JSX.Element {
  const { transitions, events, objects } = row;
  const hasLast = events.length > 0 || (transitions.length === 0 && objects.size > 0);
  const moves = transitions.slice(0, hasLast ? Math.max(lines - 1, 0) : lines);
  return (
    <>
      <div class="line first">
        <time class="time">{timeText(row.at)}</time>
        <Head row={row} />
      </div>
      {moves.map((transition, at) => (
        <div class="line" key={at}>
          <Move transition={transition} withId={!row.call?.request.path.includes(transition.id)} />
          {at === moves.length - 1 && transitions.length > moves.length && (
            <span class="muted"> +{transitions.length - moves.length}</span>
          )}
        </div>
      ))}
      {lines > 0 && hasLast && (
        <div class="line muted">
          <LastLine row={row} />
        </div>
      )}
    </>
  );
}

function Head({ row }: { row: Row }): JSX.Element {
  const { call, kind, title, fired, eventsTotal } = row;
  if (call) {
    const [method, path] = [call.request.method, call.request.path];
    return (
      <>
        <HttpStatus status={call.status} />
        <span class="method">{method}</span>
        <span class="path" title={path}>
          {path}
        </span>
        {call.outcome !== 'normal' && <Tag tone="accent">{OUTCOMES[call.outcome] ?? call.outcome}</Tag>}
        {call.replayed && <Tag tone="accent">idempotent replay</Tag>}
        {call.error !== null && <span class="error">{call.error}</span>}
      </>
    );
  }
  return (
    <>
      <span class={`kind ${kind}`}>{KINDS[kind]}</span>
      <span class="path">{title === 'Clock advanced' ? `to ${timeText(row.at)}` : title}</span>
      {kind === 'clock' && (
        <span class="muted">
          {plural(fired, 'timer')}
          {eventsTotal > 0 ? `, ${plural(eventsTotal, 'event')}` : ''}
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

export const KINDS = {
  call: 'call',
  clock: 'clock',
  cause: 'external event',
  seed: 'seed',
  control: 'control',
  outside: 'outside',
  gap: 'gap',
} as const;

function LastLine({ row }: { row: Row }): JSX.Element {
  const { events, eventsTotal, objects } = row;
  const deliveries = live.timeline.deliveriesOf(row);
  const failed = deliveries.filter(({ status }) => status === 'failed').length;
  const waiting = deliveries.filter(({ status }) => status === 'pending').length;
  const names = [...new Set(events.map(({ type }) => type))];
  return (
    <>
      {events.length > 0 ? (
        <span class="events">
          {plural(eventsTotal, 'event')}: {names.slice(0, 4).join(', ')}
          {names.length > 4 ? ` +${names.length - 4}` : ''}
        </span>
      ) : (
        <span class="events">{objects.size === 1 ? [...objects][0] : plural(objects.size, 'change')}</span>
      )}
      {deliveries.length > 0 && (
        <span>
          {' · '}
          {plural(deliveries.length, 'delivery', 'deliveries')}
          {failed > 0 ? `, ${failed} failed ✗` : waiting > 0 ? `, ${waiting} pending` : ' ✓'}
        </span>
      )}
    </>
  );
}
