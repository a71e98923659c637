import type { JSX } from 'preact';
import { dayText, msOf, plural, timeText } from '../text.js';
import type { EntryEvent } from '../types.js';

/** Maximum number of lines: that many kinds of events have their own. */
const LINES = 12;
/** Maximum number of marks per line; close ones are merged. */
const MARKS = 100;

interface Line {
  readonly type: string;
  readonly times: number[];
}

/** Shows the events of an advance on a time axis, one line per kind. */
export function EventStrip({ entries }: { entries: readonly EntryEvent[] }): JSX.Element | null {
  const lines = new Map<string, Line>();
  for (const { at, events } of entries)
    for (const { type } of events) {
      const line = lines.get(type) ?? { type, times: [] };
      lines.set(type, line);
      line.times.push(msOf(at));
    }
  const times = entries.map(({ at }) => msOf(at));
  const [start, end] = [Math.min(...times), Math.max(...times)];
  const span = Math.max(end - start, 1);
  const shown = [...lines.values()].sort((a, b) => b.times.length - a.times.length).slice(0, LINES);
  if (shown.length === 0) return null;
  return (
    <div class="strip">
      <table>
        <caption>
          {dayText(entries[0].at)} to {dayText(entries[entries.length - 1].at)}
        </caption>
        <tbody>
          {shown.map(({ type, times: ofType }) => (
            <tr key={type}>
              <th scope="row">{type}</th>
              <td class="count">{plural(ofType.length, 'time')}</td>
              <td class="marks">
                <svg viewBox={`0 0 ${MARKS + 2} 10`} preserveAspectRatio="none" aria-hidden="true">
                  {marksOf(ofType, start, span).map(([x, count]) => (
                    <rect key={x} x={x} y={count > 1 ? 0 : 2} width={0.8} height={count > 1 ? 10 : 6}>
                      <title>{timeText(new Date(start + (x / MARKS) * span).toISOString())}</title>
                    </rect>
                  ))}
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.size > shown.length && <p class="muted">and {plural(lines.size - shown.length, 'kind')} more</p>}
    </div>
  );
}

function marksOf(times: readonly number[], start: number, span: number): [number, number][] {
  const counts = new Map<number, number>();
  for (const time of times) {
    const x = Math.round(((time - start) / span) * MARKS * 2) / 2;
    counts.set(x, (counts.get(x) ?? 0) + 1);
  }
  return [...counts];
}
