import { Store } from './store.js';
import { msOf, plural, triggerText } from './text.js';
import type { CallEvent, DeliveryEvent, EntryEvent, EventName, Instant, Transition } from './types.js';

type RowKind = 'call' | 'clock' | 'cause' | 'seed' | 'control' | 'outside' | 'gap';

/** Something that happened, with all that came of it. */
export interface Row {
  readonly key: string;
  readonly kind: RowKind;
  readonly title: string;
  at: Instant;
  /** The first and the last ledger entry; 0: there is none. */
  first: number;
  last: number;
  call: CallEvent | null;
  transitions: Transition[];
  events: EventName[];
  /** Events altogether, also those that were not sent one by one. */
  eventsTotal: number;
  /** Timers that fired. */
  fired: number;
  /** Objects that changed. */
  objects: Set<string>;
  /** Entries that belong to it, as long as they are few. */
  entries: EntryEvent[];
  /** What is looked for in it. */
  words: string;
  /** When it came here. */
  readonly came: number;
}

const MOST_ROWS = 20_000;
const MOST_ENTRIES = 500;
/** Milliseconds of rest after which a move of the clock is another one. */
const REST_MS = 400;

/** What has happened, grouped by what caused it. */
export class Timeline extends Store {
  rows: Row[] = [];
  readonly deliveries = new Map<string, DeliveryEvent>();
  /** Deliveries of an event. */
  readonly byEvent = new Map<string, Set<string>>();
  /** How many rows have come while the list was scrolled elsewhere. */
  readonly #byTrace = new Map<string, EntryEvent[]>();
  readonly #seen = new Set<string>();
  #number = 0;

  /** Draws what was taken in since the last time. */
  settle(): void {
    this.changed();
  }

  clear(): void {
    this.rows = [];
    this.deliveries.clear();
    this.byEvent.clear();
    this.#byTrace.clear();
    this.#seen.clear();
    this.changed();
  }

  call(call: CallEvent): void {
    if (this.#seen.has(call.trace)) return;
    this.#seen.add(call.trace);
    const { method, path } = call.request;
    const row = this.#begin('call', `${method} ${path}`, call.at, call.entry);
    row.call = call;
    row.transitions = [...call.transitions];
    row.events = [...call.events];
    row.eventsTotal = call.events.length;
    row.first = 0;
    for (const entry of this.#byTrace.get(call.trace) ?? []) this.#take(row, entry, false);
    this.#byTrace.delete(call.trace);
    row.words = wordsOf(row);
  }

  entry(entry: EntryEvent): void {
    const seen = `entry ${entry.entry}`;
    if (this.#seen.has(seen)) return;
    this.#seen.add(seen);
    if (entry.trace !== null && entry.origin !== 'clock') {
      this.#byTrace.set(entry.trace, [...(this.#byTrace.get(entry.trace) ?? []), entry]);
      return;
    }
    const last = this.rows.at(-1);
    const row =
      entry.origin === 'clock' && last?.kind === 'clock' && isSameMove(last, entry)
        ? last
        : this.#begin(kindOf(entry), titleOf(entry), entry.at, entry.entry);
    this.#take(row, entry, true);
    if (entry.command === 'timer') row.fired++;
    row.at = entry.at;
    row.words = wordsOf(row);
  }

  gap(from: number, to: number): void {
    const row = this.#begin('gap', `Entries ${from}–${to} aren't loaded`, this.rows.at(-1)?.at ?? 0, to);
    row.first = from;
    row.words = row.title;
  }

  delivery(delivery: DeliveryEvent): void {
    this.deliveries.set(delivery.id, delivery);
    const known = this.byEvent.get(delivery.event.id);
    if (known) known.add(delivery.id);
    else this.byEvent.set(delivery.event.id, new Set([delivery.id]));
  }

  /** Deliveries of a row's events. */
  deliveriesOf(row: Row): DeliveryEvent[] {
    if (this.deliveries.size === 0) return [];
    return row.events.flatMap(({ id }) =>
      [...(this.byEvent.get(id) ?? [])].flatMap((delivery) => this.deliveries.get(delivery) ?? []),
    );
  }

  find(key: string): Row | undefined {
    return this.rows.findLast((row) => row.key === key || row.call?.trace === key);
  }

  #begin(kind: RowKind, title: string, at: Instant, entry: number): Row {
    const row: Row = {
      key: `r${++this.#number}`,
      kind,
      title,
      at,
      first: entry,
      last: entry,
      call: null,
      transitions: [],
      events: [],
      eventsTotal: 0,
      fired: 0,
      objects: new Set(),
      entries: [],
      words: '',
      came: performance.now(),
    };
    this.rows.push(row);
    if (this.rows.length > MOST_ROWS) this.rows.splice(0, MOST_ROWS / 10);
    return row;
  }

  #take(row: Row, entry: EntryEvent, notify: boolean): void {
    row.first = row.first === 0 ? entry.entry : Math.min(row.first, entry.entry);
    row.last = Math.max(row.last, entry.entry);
    if (row.entries.length < MOST_ENTRIES) row.entries.push(entry);
    for (const { op, id } of entry.changes)
      if ((op === 'put' || op === 'delete') && id !== undefined) row.objects.add(id);
    if (!notify) return;
    if (row.transitions.length < MOST_ENTRIES) row.transitions.push(...entry.transitions);
    if (row.events.length < MOST_ENTRIES) row.events.push(...entry.events);
    row.eventsTotal += entry.events_total ?? entry.events.length;
  }
}

function kindOf({ origin, command }: EntryEvent): RowKind {
  switch (origin) {
    case 'clock':
    case 'cause':
    case 'seed':
    case 'outside':
      return command === 'reset' ? 'control' : origin;
    case 'call':
      return 'call';
    default:
      return 'control';
  }
}

function titleOf({ command, origin, changes_total }: EntryEvent): string {
  if (origin === 'clock') return 'Clock advanced';
  if (origin === 'cause') return command.replace(/^cause /, '');
  if (command === 'seed') return `Seed data: ${plural(changes_total, 'change')}`;
  return command;
}

/** Whether an entry of the clock belongs to the move before it: each call that advances the clock names itself. */
function isSameMove(last: Row, entry: EntryEvent): boolean {
  if (
    performance.now() - last.came > REST_MS &&
    last.entries.at(-1)?.command !== 'timer' &&
    entry.command === 'clock'
  ) {
    const before = last.entries.findLast(({ command }) => command === 'clock');
    return JSON.stringify(before?.args) === JSON.stringify(entry.args) && isInProgress(last);
  }
  return true;
}

function isInProgress({ at, entries }: Row): boolean {
  const first = entries.at(0);
  return first !== undefined && msOf(at) === msOf(first.at);
}

function wordsOf({ title, call, transitions, events, objects, kind }: Row): string {
  return [
    kind,
    title,
    call ? `status:${call.status} ${call.operation ?? ''} ${call.error ?? ''} ${call.outcome}` : '',
    ...transitions.map(({ id, from, to, trigger }) => `${id} ${from} ${to} ${triggerText(trigger)}`),
    ...events.map(({ id, type }) => `${type} ${id}`),
    ...[...objects].slice(0, 200),
  ]
    .join(' ')
    .toLowerCase();
}

/** Rows that hold every word that is looked for. */
export function filtered(rows: readonly Row[], text: string): readonly Row[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length === 0 ? rows : rows.filter((row) => words.every((word) => row.words.includes(word)));
}
