import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { get, post } from './api.js';
import { live } from './live.js';
import { Action } from './parts.js';
import { past } from './past.js';
import { go } from './router.js';
import { type Laid, laidOut, type Stop } from './stops.js';
import { useAsked, useStore } from './store.js';
import { timeText } from './text.js';
import type { World } from './types.js';
import { useWorld } from './world.js';

const HEIGHT = 34;
/** Milliseconds after a change of the world until the marks are reloaded. */
const REST_MS = 400;

/** Shows a slider over the world's history. Dragging shows a moment; only a fork or a rewind changes anything. */
export function Scrubber(): JSX.Element {
  useStore(past);
  useStore(live);
  const { pack, mayFork } = useWorld();
  const [width, setWidth] = useState(0);
  const [hover, setHover] = useState<Stop | null>(null);
  const track = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const { value: worlds } = useAsked(
    () => (mayFork ? get<{ data: World[] }>('/worlds') : Promise.resolve({ data: [] })),
    [past.marks],
  );
  useEffect(() => {
    if (past.at !== null) return;
    timer.current ??= setTimeout(
      () => {
        timer.current = null;
        past.read().catch(() => undefined);
      },
      past.marks === null ? 0 : REST_MS,
    );
  }, [live.changes, live.timeline.version]);
  useEffect(() => {
    if (!track.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry.contentRect.width));
    observer.observe(track.current);
    return () => observer.disconnect();
  }, []);
  const laid = useMemo(() => (past.marks ? laidOut(past.marks, pack, width) : null), [past.marks, width]);
  const stops = laid?.stops ?? [];
  const last = stops.length - 1;
  const current = placeOf(stops);
  const lookAt = (index: number): void => {
    const place = Math.max(0, Math.min(last, index));
    const stop = stops.at(place);
    if (!stop || place === last) past.look(null);
    else past.look(stop.entry, stop.at, place);
  };
  const nearest = (clientX: number): number => {
    const x = clientX - (track.current?.getBoundingClientRect().left ?? 0);
    return stops.reduce((best, stop, at) => (Math.abs(stop.x - x) <= Math.abs(stops[best].x - x) ? at : best), 0);
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const to = keyed(event, stops, current);
    if (to === undefined) return;
    event.preventDefault();
    lookAt(to);
  };
  const stop = stops.at(current);
  const isPast = past.at !== null;
  return (
    <div class={isPast ? 'scrubber is-past' : 'scrubber'}>
      <div
        class="track"
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label="Moment that all screens show"
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={Math.max(current, 0)}
        aria-valuetext={isPast && stop ? `${timeText(stop.at)}, after ${stop.title}` : 'now'}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          event.currentTarget.focus();
          lookAt(nearest(event.clientX));
        }}
        onPointerMove={(event) => {
          const at = nearest(event.clientX);
          setHover(stops[at] ?? null);
          if (event.buttons === 1) lookAt(at);
        }}
        onPointerLeave={() => setHover(null)}
      >
        {laid && <Line laid={laid} width={width} current={stop} forks={forksOf(worlds?.data ?? [], stops)} />}
        {hover && (
          <div class="scrub-tip" style={{ left: `${Math.max(90, Math.min(width - 90, hover.x))}px` }}>
            <strong>{hover.title}</strong>
            <span>{timeText(hover.at)}</span>
          </div>
        )}
      </div>
      {isPast && <PastBar stop={stop} />}
    </div>
  );
}

/** Returns the index of the shown moment among the stops. */
function placeOf(stops: readonly Stop[]): number {
  const { at, stop } = past;
  if (at === null) return stops.length - 1;
  if (stop !== null && stops.at(stop)?.entry === at) return stop;
  return Math.max(
    0,
    stops.findLastIndex(({ entry }) => entry <= at),
  );
}

/** Returns the stop that a key selects: arrows the next one, with Shift the next failure. */
function keyed(event: KeyboardEvent, stops: readonly Stop[], current: number): number | undefined {
  if (event.metaKey || event.ctrlKey || event.altKey) return undefined;
  const failure = (step: 1 | -1): number => {
    for (let at = current + step; at >= 0 && at < stops.length; at += step) if (stops[at].isFailed) return at;
    return current;
  };
  switch (event.key) {
    case 'ArrowLeft':
      return event.shiftKey ? failure(-1) : current - 1;
    case 'ArrowRight':
      return event.shiftKey ? failure(1) : current + 1;
    case 'PageDown':
      return current - 10;
    case 'PageUp':
      return current + 10;
    case 'Home':
      return 0;
    case 'End':
    case 'Escape':
      return stops.length - 1;
    default:
      return undefined;
  }
}

/** Returns the slider positions at which other worlds were forked. */
function forksOf(
  worlds: readonly World[],
  stops: readonly Stop[],
): readonly { readonly name: string; readonly x: number }[] {
  const own = worlds.at(0)?.id;
  return worlds.flatMap(({ name, from }) => {
    const stop = from && from.world === own ? stops.findLast(({ entry }) => entry <= from.entry) : undefined;
    return stop ? [{ name, x: stop.x }] : [];
  });
}

function Line({
  laid: { stops, spans },
  width,
  current,
  forks,
}: {
  laid: Laid;
  width: number;
  current: Stop | undefined;
  forks: readonly { readonly name: string; readonly x: number }[];
}): JSX.Element {
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      <line class="rail" x1="0" x2={width} y1="17" y2="17" />
      {spans.map(({ x, width: wide, text, isFailed }) => (
        <g key={x}>
          <rect class={isFailed ? 'span failed' : 'span'} x={x} y="11" width={wide} height="12" rx="6" />
          {wide > text.length * 6.2 + 10 && (
            <text class="span-text" x={x + wide / 2} y="20.5">
              {text}
            </text>
          )}
        </g>
      ))}
      {forks.map(({ name, x }) => (
        <path key={name} class="fork" d={`M${x} 17c0 12 6 13 14 13h16`}>
          <title>{name}</title>
        </path>
      ))}
      {stops.map(({ x, kind, isFailed }, at) => {
        if (kind === 'clock' && !isFailed) return null;
        const height = isFailed ? 24 : kind === 'cause' ? 18 : 12;
        return (
          <rect
            key={at}
            class={`mark ${kind}${isFailed ? ' failed' : ''}`}
            x={x - 1.5}
            y={17 - height / 2}
            width="3"
            height={height}
            rx="1"
          />
        );
      })}
      {current && (
        <g class="head" transform={`translate(${Math.max(7, Math.min(width - 7, current.x))} 0)`}>
          <line y1="2" y2="32" />
          <circle cy="17" r="5.5" />
        </g>
      )}
    </svg>
  );
}

/** Shows that the page is in the past, with possible actions. */
function PastBar({ stop }: { stop: Stop | undefined }): JSX.Element {
  const { mayFork } = useWorld();
  return (
    <div class="past-bar" role="status">
      <span class="past-words">
        <strong>Viewing {timeText(past.time)}</strong> <span class="after">after {stop?.title}</span>
      </span>
      <span class="actions">
        {mayFork && (
          <Action
            tone="primary"
            run={async () => {
              const made = await post<World>('/worlds', { from: { at: past.at } });
              past.look(null);
              go('worlds', 'compare', 'main@', `${made.id}@`);
            }}
          >
            Fork here
          </Action>
        )}
        <Action
          run={async () => {
            await post('/rewind', { to: past.at });
            past.look(null);
          }}
        >
          Rewind to here
        </Action>
        <button type="button" class="quiet" onClick={() => past.look(null)}>
          Back to now
        </button>
      </span>
    </div>
  );
}
