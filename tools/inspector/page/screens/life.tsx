import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { get } from '../api.js';
import { labels } from '../labels.js';
import { live } from '../live.js';
import { Problem, Section, Status, toneOf } from '../parts.js';
import { past } from '../past.js';
import { to } from '../router.js';
import { Who } from '../say.js';
import { useAsked, useStore } from '../store.js';
import { dayText, msOf, plural, timeText } from '../text.js';
import { causeTitle, objectTitle, sentence, wordsOf } from '../titles.js';
import type { Instant, Json, Life } from '../types.js';
import { useWorld } from '../world.js';
import { type Axis, axisOf, type Bar, type Lane, lanesOf } from './lanes.js';

const ROW = 26;
/** Minimum width of a bar with text, and minimum distance of separate event marks, in percent. */
const WORD = 8;
const NEAR = 3;

const GLYPHS: Readonly<Record<string, string>> = { good: '✓', bad: '✕', warn: '•' };

/** Shows the history of an object and related objects, from its creation to now, on one time axis. */
export function LifeSection({ id }: { id: string }): JSX.Element | null {
  useStore(live);
  useStore(labels);
  const { pack } = useWorld();
  const { value: life, error } = useAsked(
    () => get<Life>(`/objects/${encodeURIComponent(id)}/life`),
    [id, live.changes],
  );
  const [chosen, setChosen] = useState<Bar | null>(null);
  const axis = useMemo(() => (life ? axisOf(life) : null), [life]);
  const lanes = useMemo(() => (life && axis ? lanesOf(life, axis) : []), [life, axis]);
  // Hides the chart of a deleted object, which the server rejects.
  if (error) return past.at === null ? null : <Problem error={error} />;
  if (!life || !axis) return <div class="life" aria-busy="true" />;
  return (
    <Section title="Life">
      <div class="life-scroll" tabIndex={0} role="group" aria-label="Life of the object and of those around it">
        <div class="life-grid">
          <div class="lane axis" aria-hidden="true">
            <div class="lane-name" />
            <div class="lane-track">
              {axis.ticks.map(({ x, text }) => (
                <span key={text} class="tick" style={{ left: `${x}%` }}>
                  {text}
                </span>
              ))}
            </div>
          </div>
          <Causes life={life} axis={axis} />
          {lanes.map((lane) => (
            <LaneView key={lane.collection} lane={lane} axis={axis} own={id} chosen={chosen} onChoose={setChosen} />
          ))}
          <Events life={life} axis={axis} />
        </div>
      </div>
      {chosen ? (
        <Chosen
          bar={chosen}
          lane={lanes.find(({ objects }) => objects.some((each) => each.id === chosen.id))}
          life={life}
        />
      ) : (
        <p class="muted life-hint">Select a bar to see what set it off.</p>
      )}
    </Section>
  );

  function Causes({ life: { causes }, axis: { x } }: { life: Life; axis: Axis }): JSX.Element | null {
    if (causes.length === 0) return null;
    return (
      <div class="lane">
        <div class="lane-name">
          <span class="lane-title">External events</span>
        </div>
        <div class="lane-track" style={{ height: `${ROW}px` }}>
          {causes.map(({ entry, at, command }) => {
            const title = causeTitle(pack, command.replace(/^cause /, ''));
            return (
              <span
                key={entry}
                class="cause-mark"
                style={{ left: `${x(msOf(at))}%` }}
                title={`${title}, ${timeText(at)}`}
              >
                <span aria-hidden="true">⚡ </span>
                {title}
              </span>
            );
          })}
        </div>
      </div>
    );
  }
}

function LaneView({
  lane: { collection, objects, rows, more },
  axis,
  own,
  chosen,
  onChoose,
}: {
  lane: Lane;
  axis: Axis;
  own: string;
  chosen: Bar | null;
  onChoose: (bar: Bar) => void;
}): JSX.Element {
  const { pack } = useWorld();
  const title = objectTitle(pack, collection);
  const only = objects.length === 1 ? objects[0].id : undefined;
  return (
    <div class={objects.some(({ id }) => id === own) ? 'lane own' : 'lane'}>
      <div class="lane-name">
        <span class="lane-title">{only === undefined ? plural(objects.length, title) : sentence(title)}</span>
        <span class="lane-label muted">
          {only === undefined ? summaryOf(objects) : (labels.of(only)?.name ?? only)}
        </span>
      </div>
      <div class="lane-track" style={{ height: `${rows.length * ROW}px` }}>
        {axis.ticks.map(({ x, text }) => (
          <i key={text} class="grid-line" style={{ left: `${x}%` }} />
        ))}
        {rows.flatMap((row, line) =>
          row.map((bar) => {
            const { id, span, left, width } = bar;
            const tone = toneOf(span.status);
            const word = span.status === null ? (labels.of(id)?.name ?? title) : stateText(span.status);
            return (
              <button
                key={`${id} ${span.entry}`}
                type="button"
                class={`state-bar ${tone}`}
                aria-pressed={chosen?.span.entry === span.entry && chosen.id === id}
                style={{ left: `${left}%`, width: `${width}%`, top: `${line * ROW + 3}px` }}
                aria-label={`${GLYPHS[tone] ?? ''}${width < WORD ? '' : word} ${title} ${id}: ${word} since ${timeText(span.from)}`}
                title={`${title} ${id}: ${word} since ${dayText(span.from)}`}
                onClick={() => onChoose(bar)}
              >
                <span aria-hidden="true">{GLYPHS[tone] ?? ''}</span>
                {width < WORD ? '' : ` ${word}`}
              </button>
            );
          }),
        )}
      </div>
      {more > 0 && <p class="lane-more muted">{plural(more, 'more row')}</p>}
    </div>
  );
}

/** Shows how many events were emitted over time; close ones share a mark. */
function Events({ life: { events }, axis: { x } }: { life: Life; axis: Axis }): JSX.Element | null {
  const total = events.reduce((sum, { count }) => sum + count, 0);
  const marks: { x: number; count: number; types: string[] }[] = [];
  for (const { at, count, types } of events) {
    const place = x(msOf(at));
    const last = marks.at(-1);
    if (last && place - last.x < NEAR) {
      last.count += count;
      last.types.push(...types);
    } else marks.push({ x: place, count, types: [...types] });
  }
  if (total === 0) return null;
  return (
    <div class="lane">
      <div class="lane-name">
        <span class="lane-title">{plural(total, 'event')}</span>
      </div>
      <div class="lane-track" style={{ height: `${ROW}px` }}>
        {marks.map(({ x: left, count, types }) => (
          <span key={left} class="event-mark" style={{ left: `${left}%` }} title={types.join('\n')}>
            {count}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Shows what caused the selected state. */
function Chosen({ bar: { id, span }, lane, life }: { bar: Bar; lane: Lane | undefined; life: Life }): JSX.Element {
  const { pack } = useWorld();
  const { status, from, entry, origin, command, trace } = span;
  const ordered =
    origin === 'clock' ? life.causes.findLast((each) => each.entry < entry && msOf(each.at) <= msOf(from)) : undefined;
  return (
    <div class="life-chosen" role="status">
      <p>
        <strong>{sentence(objectTitle(pack, lane?.collection))}</strong> <Who id={id} />{' '}
        {status === null ? 'was created' : <Status status={status} />} on {timeText(from)}
      </p>
      <p>
        {origin === 'call' && trace !== null ? (
          <>
            Set off by <a href={to('timeline', trace)}>a call</a>.
          </>
        ) : origin === 'clock' ? (
          'Set off by a timer.'
        ) : origin === 'cause' ? (
          `Set off by an external event: ${causeTitle(pack, command.replace(/^cause /, ''))}.`
        ) : (
          `Set off by ${wordsOf(command)}.`
        )}
        {ordered &&
          ` The last external event before: ${causeTitle(pack, ordered.command.replace(/^cause /, ''))}, ${dayText(ordered.at)}.`}{' '}
        <LookThere entry={entry} at={from} />
      </p>
    </div>
  );
}

function LookThere({ entry, at }: { entry: number; at: Instant }): JSX.Element {
  return (
    <button type="button" class="quiet" onClick={() => past.look(entry, at)}>
      View that moment
    </button>
  );
}

function stateText(status: Json): string {
  return wordsOf(String(status));
}

function summaryOf(objects: Lane['objects']): string {
  const counts = new Map<string, number>();
  for (const { spans } of objects) {
    const status = spans.at(-1)?.status ?? null;
    if (status !== null) counts.set(stateText(status), (counts.get(stateText(status)) ?? 0) + 1);
  }
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}
