import type { Instant, Json } from './types.js';

/** Converts an instant in the vendor's format to milliseconds. */
export function msOf(at: Instant): number {
  return typeof at === 'number' ? at * 1000 : Date.parse(at);
}

/** Formats an instant as `2025-01-31 12:00:00`, in UTC, since the vendor's clock has no time zone. */
export function timeText(at: Instant | null | undefined): string {
  if (at === null || at === undefined) return '';
  const ms = msOf(at);
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 19).replace('T', ' ') : String(at);
}

export function dayText(at: Instant): string {
  return timeText(at).slice(0, 10);
}

/** Formats a duration by its two largest units, such as `3 days 4 h`. */
export function spanText(ms: number): string {
  if (ms <= 0) return 'due now';
  const units: readonly (readonly [number, string])[] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
    [1, 'ms'],
  ];
  const first = units.findIndex(([size]) => ms >= size);
  const parts = [];
  let left = ms;
  for (const [size, name] of units.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(' ');
}

/** Formats an elapsed time, such as `7 s ago`; after a day, the time itself. */
export function agoText(at: string): string {
  const ms = Math.max(0, Date.now() - Date.parse(at));
  if (ms < 5_000) return 'just now';
  if (ms >= 86_400_000) return new Date(at).toLocaleString('en');
  const [size, name] = ms < 60_000 ? [1_000, 's'] : ms < 3_600_000 ? [60_000, 'min'] : [3_600_000, 'h'];
  return `${String(Math.floor(ms / size))} ${name} ago`;
}

/** Formats a duration as the control API accepts it. */
export function durationOf(ms: number): string {
  return `${Math.max(1, Math.ceil(ms))}ms`;
}

/** Formats a value on one line. */
export function shortText(value: Json | undefined, most = 80): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Formats a body readably: JSON and forms on several lines. */
export function prettyBody(body: string, type: string | undefined): string {
  if (type?.includes('form')) {
    return [...new URLSearchParams(body)].map(([name, value]) => `${name} = ${value}`).join('\n');
  }
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Describes a trigger in words: timed transitions have their own names. */
export function triggerText(trigger: string | null): string {
  if (trigger === null) return '';
  const wait = /^xstate\.after\.(.+)\.[^.]+\.[^.]+$/.exec(trigger);
  return wait ? `when ${wait[1]} ends` : trigger;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 400;
}

/** Describes the origin of a value in words. */
export function sourceText(source: string): string {
  return source === 'magic_value' ? 'test value' : source.replaceAll('_', ' ');
}
