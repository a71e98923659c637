import { msOf } from '../text.js';
import type { Json, Life } from '../types.js';

type LaneObject = Life['lanes'][number]['objects'][number];
type Span = LaneObject['spans'][number];

/** A state of an object, drawn as a bar on the time axis. */
export interface Bar {
  readonly id: string;
  readonly span: Span;
  /** Left edge of the bar, in percent of the chart's width. */
  readonly left: number;
  readonly width: number;
}

/** Objects of one collection; bars that don't overlap share a row. */
export interface Lane {
  readonly collection: string;
  readonly title: string;
  readonly objects: readonly LaneObject[];
  readonly rows: readonly (readonly Bar[])[];
  readonly more: number;
}

export interface Axis {
  /** Returns the position of an instant, in percent of the chart's width. */
  readonly x: (ms: number) => number;
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
}

const MOST_ROWS = 4;
/** Minimum width of a bar and minimum distance of dates, in percent. */
const LEAST = 2;
const BETWEEN_TICKS = 7;
/** Right end of the axis, at the shown moment, in percent of the width. */
const END = 97;
const TWO_HOURS_MS = 7_200_000;

/** Creates a time axis on which idle time is compressed: the distance between two moments grows with the logarithm of the time. */
export function axisOf({ now, lanes, causes, events }: Life): Axis {
  const changes = lanes.flatMap(({ objects }) => objects.flatMap(({ spans }) => spans.map(({ from }) => msOf(from))));
  const begin = changes.length === 0 ? msOf(now) : Math.min(...changes);
  const others = [...causes, ...events].map(({ at }) => msOf(at)).filter((ms) => ms >= begin);
  const times = [...new Set([...changes, ...others, msOf(now)])].sort((a, b) => a - b);
  const sums = [0];
  for (let at = 1; at < times.length; at++)
    sums.push(sums[at - 1] + 0.6 + Math.log2(1 + (times[at] - times[at - 1]) / TWO_HOURS_MS));
  const whole = Math.max(sums[sums.length - 1], 1);
  const x = (ms: number): number => {
    const at = Math.max(
      0,
      times.findLastIndex((time) => time <= ms),
    );
    return 1 + ((END - 2) * sums[at]) / whole;
  };
  const ticks: { x: number; text: string }[] = [];
  for (const time of times) {
    const text = new Date(time).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
    const last = ticks.at(-1);
    if (!last || (last.text !== text && x(time) - last.x > BETWEEN_TICKS)) ticks.push({ x: x(time), text });
  }
  return { x, ticks };
}

/** Lays out lanes of objects: those that the object refers to, then its own, then those that refer to it. */
export function lanesOf({ lanes }: Life, axis: Axis): Lane[] {
  return lanes.flatMap(({ collection, title, objects }): Lane[] => {
    const rows: Bar[][] = [];
    const ends: number[] = [];
    const begins = (each: LaneObject): number => (each.spans.length === 0 ? Infinity : msOf(each.spans[0].from));
    for (const each of [...objects].sort((a, b) => begins(a) - begins(b))) {
      const bars = barsOf(each, axis);
      if (bars.length === 0) continue;
      const free = ends.findIndex((end) => end <= bars[0].left);
      const row = free < 0 ? rows.length : free;
      (rows[row] ??= []).push(...bars);
      ends[row] = Math.max(...bars.map(({ left, width }) => left + width));
    }
    if (rows.length === 0) return [];
    return [{ collection, title, objects, rows: rows.slice(0, MOST_ROWS), more: Math.max(0, rows.length - MOST_ROWS) }];
  });
}

const OVER =
  /^(?:paid|succeeded|cancell?ed|void|failed|closed|completed?|expired|lost|won|destroyed|delivered|uncollectible)$/;

/** Lays out the states of an object as bars; a final state is short, to leave space for others. */
function barsOf({ id, spans }: LaneObject, axis: Axis): Bar[] {
  return spans.flatMap((span, at): Bar[] => {
    const isOver = span.until === null && isFinal(span.status);
    const left = axis.x(msOf(span.from));
    const right = span.until === null && !isOver ? END : axis.x(msOf(span.until ?? span.from));
    // Omits states without duration between others: they would be invisible.
    if (span.until !== null && right - left < 0.1 && spans.length > at + 1) return [];
    return [{ id, span, left, width: Math.max(LEAST, right - left) }];
  });
}

function isFinal(status: Json): boolean {
  return typeof status === 'string' && OVER.test(status);
}
