import type { JSX, TargetedInputEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { get, post } from '../api.js';
import { live } from '../live.js';
import { Empty, Id, Problem, Section, Time } from '../parts.js';
import { useAsked, useStore } from '../store.js';
import { Table } from '../tables.js';
import { dayText, durationOf, msOf, plural, spanText, timeText } from '../text.js';
import type { Clock, DueTimer, EntryEvent, Instant } from '../types.js';
import { useWorld } from '../world.js';
import { EventStrip } from './strip.js';

interface Advanced {
  readonly now: Instant;
  readonly fired: number;
  readonly events_total: number;
  readonly failed_total?: number;
}

interface Done {
  readonly from: Instant;
  readonly advanced: Advanced;
  readonly row: string | undefined;
}

const AMOUNTS = [
  ['1 hour', '1h'],
  ['1 day', '1d'],
  ['1 week', '7d'],
  ['1 month', '31d'],
  ['1 year', '365d'],
] as const;

/** Shows the clock: current time, due timers, and ways to advance it. */
export function ClockScreen(): JSX.Element {
  useStore(live);
  const { pack } = useWorld();
  const { value: clock } = useAsked(() => get<Clock>('/clock'), [live.changes, live.now]);
  const { value: due } = useAsked(
    () => get<{ data: DueTimer[]; total: number }>('/clock/timers', { limit: 200 }),
    [live.changes, live.now],
  );
  const [done, setDone] = useState<Done | null>(null);
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const advance = async (body: object): Promise<void> => {
    setBusy(true);
    setError(undefined);
    setDone(null);
    const from = live.now ?? 0;
    try {
      const advanced = await post<Advanced>('/clock/advance', body);
      // Waits for the remaining events of the stream, which arrive after the response.
      await new Promise((resolve) => setTimeout(resolve, 80));
      const row = live.timeline.rows.findLast(({ kind }) => kind === 'clock');
      setDone({ from, advanced, row: row?.key });
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error(String(reason)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="page">
      <Section title="Advance the clock">
        <div class="actions">
          {AMOUNTS.map(([label, duration]) => (
            <button key={duration} type="button" disabled={isBusy} onClick={() => void advance({ duration })}>
              {label}
            </button>
          ))}
        </div>
        <div class="forms">
          <MoveForm
            label="By"
            isBusy={isBusy}
            move={(amount) => advance({ duration: amount.trim() })}
            draw={(field) => <input {...field} placeholder="3d12h" />}
          />
          <MoveForm
            label="To (UTC)"
            isBusy={isBusy}
            move={(instant) => advance({ to: `${instant}${instant.includes('T') ? 'Z' : ''}` })}
            draw={(field) => <input {...field} type="datetime-local" step="1" />}
          />
          <MoveForm
            label="Until event"
            isBusy={isBusy}
            move={(event) => advance({ until: { event } })}
            draw={(field) => <input {...field} placeholder={pack.events.at(0)} list="events" />}
          />
          <datalist id="events">
            {pack.events.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </div>
        <Progress />
        <Problem error={error} />
        {done && <Summary done={done} />}
      </Section>
      <Section title={`Timers (${(due?.total ?? 0).toLocaleString('en')})`}>
        {due && due.data.length === 0 && <Empty>No timers.</Empty>}
        {due && due.data.length > 0 && (
          <Table
            kind="due"
            heads={['Remaining', 'Due', 'Timer', 'Object']}
            name={2}
            rows={due.data.map(({ id, collection, timer, due: at, in_ms }) => ({
              key: `${id} ${timer}`,
              cells: [
                spanText(in_ms),
                <Time at={at} />,
                timer,
                <>
                  <Id id={id} /> <span class="muted">{collection}</span>
                </>,
              ],
              actions: (
                <button
                  type="button"
                  class="quiet"
                  disabled={isBusy}
                  onClick={() => void advance({ duration: durationOf(in_ms) })}
                >
                  Advance to this
                  <span class="hidden">
                    {' '}
                    ({timer} of {id})
                  </span>
                </button>
              ),
            }))}
          />
        )}
        {due && due.total > due.data.length && (
          <p class="muted">{(due.total - due.data.length).toLocaleString('en')} more</p>
        )}
      </Section>
      {clock && clock.failed.length > 0 && (
        <Section title="Failed timers">
          <ul class="plain">
            {clock.failed.slice(-20).map(({ object, timer, at, error: failure }, index) => (
              <li key={index}>
                <Time at={at} /> {timer} of <Id id={object} />: {failure.message}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {clock && (
        <p class="muted">
          Started at {timeText(clock.t0)}.{' '}
          {clock.mode === 'frozen' ? 'The clock is frozen until you advance it.' : 'The clock follows real time.'}
        </p>
      )}
    </div>
  );
}

/** HTML attributes for the input of a way to advance the clock. */
interface MoveField {
  readonly id: string;
  readonly value: string;
  readonly required: true;
  readonly onInput: (event: TargetedInputEvent<HTMLInputElement>) => void;
}

/** Shows the input and the button of one way to advance the clock. */
function MoveForm({
  label,
  isBusy,
  move,
  draw,
}: {
  label: string;
  isBusy: boolean;
  move: (text: string) => Promise<void>;
  draw: (field: MoveField) => JSX.Element;
}): JSX.Element {
  const id = useId();
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void move(text);
      }}
    >
      <label for={id}>{label}</label>
      {draw({ id, value: text, required: true, onInput: ({ currentTarget }) => setText(currentTarget.value) })}
      <button type="submit" disabled={isBusy}>
        Advance
      </button>
    </form>
  );
}

/** Shows the progress of a running advance. */
function Progress(): JSX.Element | null {
  const { advancing, now } = live;
  const [start] = useState({ from: now });
  if (!advancing) return null;
  const [from, at, end] = [msOf(start.from ?? 0), msOf(now ?? 0), msOf(advancing.to)];
  return (
    <p role="status">
      <progress max={1} value={(at - from) / Math.max(end - from, 1)} aria-label="Advance" /> {timeText(now)},{' '}
      {plural(advancing.fired, 'timer')} fired
    </p>
  );
}

/** Shows the result of an advance. */
function Summary({ done: { from, advanced, row: key } }: { done: Done }): JSX.Element {
  const row = key === undefined ? undefined : live.timeline.find(key);
  const counts = new Map<string, number>();
  const entries: readonly EntryEvent[] = row?.entries ?? [];
  for (const { to } of row?.transitions ?? []) counts.set(to, (counts.get(to) ?? 0) + 1);
  const failed = advanced.failed_total ?? 0;
  return (
    <div class="summary" role="status">
      <p>
        <strong>
          {dayText(from)} → {dayText(advanced.now)}
        </strong>{' '}
        {plural(advanced.fired, 'timer')}, {plural(advanced.events_total, 'event')}.
        {counts.size > 0 ? ` ${[...counts].map(([to, count]) => `${count} ${to}`).join(', ')}.` : ''}
        {failed > 0 ? ` ${plural(failed, 'timer')} failed.` : ''}
      </p>
      <EventStrip entries={entries} />
    </div>
  );
}
