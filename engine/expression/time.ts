import { ExpressionFailure, OutOfRange } from '../values/index.js';

const DAY = 86_400_000;
/** The range of JavaScript dates, in milliseconds around 1970. */
const LAST_INSTANT_MS = 8.64e15;

/** Calendar parts of an instant, in UTC; months count from 1. */
export function dateParts(
  ms: number,
): Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'weekday', number> {
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    // Sunday is 7, as in ISO 8601.
    weekday: date.getUTCDay() || 7,
  };
}

/** Midnight (UTC) of the day of an instant. */
export function startOfDay(ms: number): number {
  return Math.floor(ms / DAY) * DAY;
}

/**
 * Adds calendar intervals in UTC, keeping the time of day. Months and years clamp to the last day of a short month; the day of
 * `anchor` is used again afterwards, so that 31 January + 1 month + 1 month is 31 March.
 */
export function addInterval(ms: number, unit: string, n: number, anchor = ms): number {
  const then = added(ms, unit, n, anchor);
  if (Math.abs(then) <= LAST_INSTANT_MS) return then;
  throw new OutOfRange(`${n} times a ${unit} leads beyond the calendar`);
}

/**
 * The first instant after `t` in a cycle of `n` calendar intervals through `anchor`, in both directions. Always counted from
 * the anchor, so that a cycle on the 31st returns to the 31st after a short month.
 */
export function cycleAfter(anchor: number, unit: string, n: number, t: number): number {
  if (!(Number.isInteger(n) && n > 0)) throw new OutOfRange(`a cycle takes a whole number of ${unit}s, not ${n}`);
  const step = addInterval(anchor, unit, n, anchor) - anchor;
  let turns = Math.floor((t - anchor) / step);
  while (addInterval(anchor, unit, turns * n, anchor) > t) turns--;
  while (addInterval(anchor, unit, turns * n, anchor) <= t) turns++;
  return addInterval(anchor, unit, turns * n, anchor);
}

function added(ms: number, unit: string, n: number, anchor: number): number {
  switch (unit) {
    case 'second':
      return ms + n * 1000;
    case 'minute':
      return ms + n * 60_000;
    case 'hour':
      return ms + n * 3_600_000;
    case 'day':
      return ms + n * DAY;
    case 'week':
      return ms + n * 7 * DAY;
    case 'month':
    case 'year': {
      if (!Number.isInteger(n)) throw new OutOfRange(`only whole ${unit}s can be added, not ${n}`);
      const date = new Date(ms);
      const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + n * (unit === 'year' ? 12 : 1);
      const year = Math.floor(months / 12);
      const month = months - year * 12;
      const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
      return Date.UTC(year, month, Math.min(new Date(anchor).getUTCDate(), last)) + (ms - startOfDay(ms));
    }
    default:
      throw new ExpressionFailure(`'${unit}' is not a calendar unit (second, minute, hour, day, week, month, year)`);
  }
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const TOKEN = /YYYY|YY|MMMM|MMM|MM|DD|D|dddd|ddd|HH|mm|ss|SSS/g;

/** Returns the problem of a time pattern: repeated letters that aren't one of its symbols; undefined: none. */
export function timePatternProblem(pattern: string): string | undefined {
  const strange = /([A-Za-z])\1+/.exec(pattern.replace(TOKEN, '.'))?.[0];
  if (strange === undefined) return undefined;
  return `a pattern of times has YYYY, YY, MMMM, MMM, MM, DD, D, dddd, ddd, HH, mm, ss and SSS, not '${strange}'`;
}

/** Formats an instant in UTC; the pattern may have YYYY, YY, MMMM, MMM, MM, DD, D, dddd, ddd, HH, mm, ss and SSS. */
export function formatTime(ms: number, pattern: string): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) throw new OutOfRange(`${ms} ms are beyond the calendar`);
  const two = (n: number) => String(n).padStart(2, '0');
  const month = date.getUTCMonth();
  const parts: Record<string, string> = {
    YYYY: String(date.getUTCFullYear()),
    YY: two(date.getUTCFullYear() % 100),
    dddd: WEEKDAYS[date.getUTCDay()],
    ddd: WEEKDAYS[date.getUTCDay()].slice(0, 3),
    MMMM: MONTHS[month],
    MMM: MONTHS[month].slice(0, 3),
    MM: two(month + 1),
    DD: two(date.getUTCDate()),
    D: String(date.getUTCDate()),
    HH: two(date.getUTCHours()),
    mm: two(date.getUTCMinutes()),
    ss: two(date.getUTCSeconds()),
    SSS: String(date.getUTCMilliseconds()).padStart(3, '0'),
  };
  return pattern.replace(TOKEN, (key) => parts[key]);
}
