import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';

/** The format of a value in a response: its type, and for ids, times and URLs a pattern of the text. */
type Form = string;

/** A difference in format between two responses: a member on one side only, another format, or the order of members. */
export interface FormDifference {
  /** Path of keys; `*` for items of lists. */
  readonly path: string;
  readonly kind: 'missing' | 'more' | 'form' | 'order';
  readonly recorded: string;
  readonly ours: string;
}

const PLAIN = 'text';
const SECONDS = 1_000_000_000;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const TIMES = [/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/, /^[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} .*$/];

/** Describes the format of a value: `null`, `text`, `time 0000-00-00T00:00:00Z`, `pi_ and 24 of 0-9A-Za-z`. */
export function formOfValue(value: Json): Form {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'number') return ofNumber(value);
  return ofText(value);
}

function ofNumber(value: number): Form {
  if (!Number.isInteger(value)) return 'number';
  return value >= SECONDS && value < 4 * SECONDS
    ? 'seconds'
    : value >= 1000 * SECONDS && value < 4000 * SECONDS
      ? 'milliseconds'
      : 'number';
}

function ofText(value: string): Form {
  if (TIMES.some((each) => each.test(value)))
    return `time ${value
      .replace(/[A-Z][a-z]{2}/g, 'Aaa')
      .replace(/\b\d\d? Aaa/, '00 Aaa')
      .replace(/\d/g, '0')}`;
  if (UUID.test(value)) return 'uuid';
  const [, address] = /^(https?:\/\/[^/?#]+)/.exec(value) ?? [];
  if (address !== undefined) return address.replace(/\/\/[^.]+(?=\.[^.]+\.[^.]+$)/, '//*');
  const [, prefix, rest] = /^([A-Za-z]+(?:[_-][A-Za-z]+)*[_-])([0-9A-Za-z]{8,})$/.exec(value) ?? [];
  if (prefix !== undefined && /\d/.test(rest)) return `${prefix} and ${rest.length} of ${alphabetOf(rest)}`;
  if (/^[A-Z]{1,3}[0-9a-f]{32}$/.test(value)) return `${value.slice(0, -32)} and 32 of 0-9a-f`;
  if (/^[0-9a-f]{16,}$/.test(value) && /\d/.test(value)) return `${value.length} of 0-9a-f`;
  return PLAIN;
}

function alphabetOf(text: string): string {
  if (/^\d+$/.test(text)) return '0-9';
  if (/^[0-9a-f]+$/.test(text)) return '0-9a-f';
  return /^[0-9a-z]+$/.test(text) ? '0-9a-z' : '0-9A-Za-z';
}

/** Whether a text has a specific pattern. */
function hasForm(form: Form): boolean {
  return / of |^time |^uuid$|^https?:/.test(form);
}

/** All formats in recorded responses by member, to exclude differences that occur between recordings. */
export class RecordedForms {
  #count = 0;
  readonly #forms = new Set<Form>();
  readonly #members = new Map<string, RecordedForms>();
  readonly #orders = new Set<string>();

  add(value: Json): void {
    this.#count++;
    this.#forms.add(formOfValue(value));
    if (Array.isArray(value)) for (const each of value as readonly Json[]) this.#inside('*').add(each);
    if (!isObject(value)) return;
    this.#orders.add(Object.keys(value).join('\n'));
    for (const [name, each] of Object.entries(value)) this.#inside(name).add(each);
  }

  #inside(name: string): RecordedForms {
    const known = this.#members.get(name) ?? new RecordedForms();
    this.#members.set(name, known);
    return known;
  }

  /** Returns the recorded formats of a member; empty if it was never recorded. */
  member(name: string): RecordedForms {
    return this.#members.get(name) ?? new RecordedForms();
  }

  has(form: Form): boolean {
    return this.#forms.has(form);
  }

  /** Whether some recorded object lacks the member. */
  mayLack(name: string): boolean {
    return this.member(name).#count < this.#count;
  }

  mayHave(name: string): boolean {
    return this.#members.has(name);
  }

  /** Whether some recorded object has a member before another one. */
  mayOrder(first: string, second: string): boolean {
    return [...this.#orders].some((order) => {
      const keys = order.split('\n');
      return keys.includes(second) && keys.includes(first) && keys.indexOf(first) < keys.indexOf(second);
    });
  }
}

/**
 * Yields the differences in format between two responses that don't occur between recorded responses.
 * @param ordered whether the recording kept the order of members
 */
export function* formDifferences(
  recorded: Json,
  ours: Json,
  known: RecordedForms,
  ordered: boolean,
  path = '',
): Iterable<FormDifference> {
  const [wanted, got] = [formOfValue(recorded), formOfValue(ours)];
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    for (const [at, each] of (recorded as readonly Json[]).entries())
      if (at < ours.length)
        yield* formDifferences(each, (ours as readonly Json[])[at], known.member('*'), ordered, inside(path, '*'));
  } else if (isObject(recorded) && isObject(ours)) yield* ofMembers(recorded, ours, known, ordered, path);
  else if (wanted !== got && !known.has(got) && (hasForm(wanted) || kindOf(wanted) !== kindOf(got)))
    yield { path, kind: 'form', recorded: wanted, ours: got };
}

function* ofMembers(
  recorded: JsonObject,
  ours: JsonObject,
  known: RecordedForms,
  ordered: boolean,
  path: string,
): Iterable<FormDifference> {
  for (const [name, value] of Object.entries(recorded)) {
    const other = ours[name];
    if (other !== undefined) yield* formDifferences(value, other, known.member(name), ordered, inside(path, name));
    else if (!known.mayLack(name))
      yield { path: inside(path, name), kind: 'missing', recorded: formOfValue(value), ours: 'absent' };
  }
  for (const [name, value] of Object.entries(ours))
    if (!(name in recorded) && !known.mayHave(name))
      yield { path: inside(path, name), kind: 'more', recorded: 'absent', ours: formOfValue(value) };
  if (!ordered) return;
  const wanted = Object.keys(recorded).filter((name) => name in ours);
  const got = Object.keys(ours).filter((name) => name in recorded);
  const at = wanted.findIndex((name, index) => name !== got[index]);
  if (at >= 0 && !known.mayOrder(got[at], wanted[at]))
    yield {
      path: inside(path, `{${wanted[at]}}`),
      kind: 'order',
      recorded: `${wanted[at]} before ${got[at]}`,
      ours: `${got[at]} before ${wanted[at]}`,
    };
}

/** Returns the type of a value from its format: all texts have one type. */
function kindOf(form: Form): string {
  if (hasForm(form) || form === PLAIN) return PLAIN;
  return form === 'seconds' || form === 'milliseconds' ? 'number' : form;
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
