import { toneOf } from './parts.js';
import { msOf, spanText } from './text.js';
import { causeTitle } from './titles.js';
import type { Instant, Marks, Pack } from './types.js';

/** A position on the slider: the world right after a ledger entry. */
export interface Stop {
  readonly x: number;
  readonly entry: number;
  readonly at: Instant;
  readonly isFailed: boolean;
  readonly kind: Marks['data'][number]['kind'];
  readonly title: string;
}

/** An advance of the clock, with its width on the slider. */
interface Span {
  readonly x: number;
  readonly width: number;
  readonly text: string;
  readonly isFailed: boolean;
}

export interface Laid {
  readonly stops: readonly Stop[];
  readonly spans: readonly Span[];
}

const STEP = 7;
const DAY_MS = 86_400_000;
/** Maximum distance of marks in pixels, so that the slider of a new world starts at the left and grows. */
const WIDEST = 3;

/** Lays out the marks at equal distances, since a frozen clock puts thousands at one instant; an advance is as wide as the logarithm of its days. */
export function laidOut({ data }: Marks, pack: Pack, width: number): Laid {
  const stops: Stop[] = [];
  const spans: Span[] = [];
  let x = STEP;
  for (const { kind, entry, at, from, title, count, failed, points } of data) {
    if (kind !== 'clock') {
      const more = count > 1 ? ` and ${count - 1} more` : '';
      const name = kind === 'cause' ? causeTitle(pack, title.replace(/^cause /, '')) : title;
      stops.push({ x, entry, at, isFailed: failed, kind, title: name + more });
      x += STEP;
      continue;
    }
    const ms = Math.max(1, msOf(at) - msOf(from));
    const wide = 26 + 16 * Math.log2(1 + ms / DAY_MS);
    let isFailed = false;
    for (const point of points) {
      const isBad = point.events.some((type) => isBadEvent(type));
      isFailed ||= isBad;
      const passed = msOf(point.at) - msOf(from);
      const text = point.events.find((type) => !isBad || isBadEvent(type)) ?? `${spanText(passed)} later`;
      stops.push({ x: x + (passed / ms) * wide, entry: point.entry, at: point.at, isFailed: isBad, kind, title: text });
    }
    spans.push({ x, width: wide, text: spanText(ms), isFailed });
    x += wide + STEP;
  }
  const scale = Math.min(width / Math.max(x, 1), WIDEST);
  return {
    stops: stops.map((stop) => ({ ...stop, x: stop.x * scale })),
    spans: spans.map((span) => ({ ...span, x: span.x * scale, width: Math.max(2, span.width * scale) })),
  };
}

/** Whether an event reports a failure, by the words in its type. */
function isBadEvent(type: string): boolean {
  return /_?fail|declin|past_due|error/.test(type) || type.split('.').some((word) => toneOf(word) === 'bad');
}
