import { type Json, OutOfRange } from '../values/index.js';
import { LIMITS } from '../limits.js';

/** The formats in which packs write instants. */
export type TimeFormat = 'unix' | 'iso8601' | 'iso8601_seconds';

/** Formats an instant in milliseconds. @throws OutOfRange if the format can't express it */
export function writeInstant(format: TimeFormat, ms: number): Json {
  if (format === 'unix') return Math.floor(ms / 1000);
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) throw new OutOfRange(`${ms} ms are beyond the calendar`);
  const text = date.toISOString();
  return format === 'iso8601' ? text : text.replace(/\.\d+Z$/, 'Z');
}

/** Formats an instant with milliseconds: Unix seconds and texts may have a fraction. */
export function exactInstant(format: TimeFormat, ms: number): Json {
  return format === 'unix' ? ms / 1000 : writeInstant('iso8601', ms);
}

/** Parses an instant in the pack's format, to milliseconds; NaN if invalid. */
export function readInstant(value: Json): number {
  if (typeof value === 'number') return value * 1000;
  return typeof value === 'string' ? Date.parse(value) : NaN;
}

/** Returns a whole number below 2^31 in V8's form without a heap object, which the result of a division isn't. */
export function compact(value: number): number {
  const whole = value | 0;
  return whole === value ? whole : value;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$|^\d{4}-\d\d(-\d\d)?$/;

/** Parses an instant that a user wrote: ISO 8601 or Unix seconds. Undefined if invalid. */
export function parseInstant(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 8.64e12) return Math.floor(value * 1000);
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,12}$/.test(value)) return Number(value) * 1000;
  const ms = ISO.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Parses a duration such as `60s`, `1d12h` or `0s`, to milliseconds. Undefined if invalid or above the limit. */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/gy)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== text) return undefined;
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit], 0);
  return total <= LIMITS.duration.value ? Math.round(total) : undefined;
}

/** Formats a duration in the largest units that divide it, such as `1d12h`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  let rest = ms;
  let text = '';
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const count = Math.floor(rest / UNITS[unit]);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * UNITS[unit];
  }
  return text;
}
