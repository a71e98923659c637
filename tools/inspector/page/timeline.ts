import { Store } from './store.js';
import { msOf, plural } from './text.js';
import type { CallEvent, DeliveryEvent, EntryEvent, EventName, Instant, TimelineStep, Transition } from './types.js';

type RowKind = 'call' | 'clock' | 'cause' | 'seed' | 'control' | 'outside' | 'gap';

/** A row of the timeline: a call, advance or event with all of its effects. */
export interface Row {
  readonly key: string;
  readonly kind: RowKind;
  readonly title: string;
  at: Instant;
  /** Simulated time before the row's first entry. */
  since: Instant;
  /** The first and the last ledger entry; 0 if there is none. */
  first: number;
  last: number;
  call: CallEvent | null;
  transitions: Transition[];
  events: EventName[];
  /** Number of events, including those that weren't sent individually. */
  eventsTotal: number;
  /** Number of timers that fired in the row. */
  fired: number;
  /** Ids of objects that the row changed. */
  objects: Set<string>;
  /** The ledger entries of the row, unless they are too many. */
  entries: EntryEvent[];
  /** Real time at which the row arrived in this page; null if it was loaded. */
  readonly came: number | null;
  /** Whether the server sent the row as a whole step, instead of entry by entry. */
  readonly isWhole: boolean;
}

const MOST_ROWS = 20_000;
const MOST_ENTRIES = 500;
/** Milliseconds without an entry after which another advance starts. */
const REST_MS = 400;

/** The history of the world, with entries grouped by cause. */
export class Timeline extends Store {
  rows: Row[] = [];
  readonly deliveries = new Map<string, DeliveryEvent>();
  /** Ids of deliveries, by event. */
  readonly byEvent = new Map<string, Set<string>>();
  /** Ledger entries, by the id of their trace. */
  readonly #byTrace = new Map<string, EntryEvent[]>();
  readonly #seen = new Set<string>();
  /** Whether a step of the history is being added; its first entry then starts a new row. */
  #isStep = false;

  /** Notifies subscribers of everything added since the last time. */
  settle(): void {
    this.changed();
  }

  /** Adds a step of the history, as the server returns it: a call or an advance with its entries. */
  step({ call, entries, from, first, last, timers }: TimelineStep): void {
    this.#isStep = true;
    for (const entry of entries) {
      this.entry(entry as unknown as EntryEvent);
      this.#isStep = call !== undefined;
    }
    if (call) this.call(call as unknown as CallEvent);
    this.#isStep = false;
    const row = this.rows.at(-1);
    if (row) Object.assign(row, { first, last, fired: timers, since: from, came: null, isWhole: true });
  }

  call(call: CallEvent): void {
    if (this.#seen.has(call.trace)) return;
    this.#seen.add(call.trace);
    const { method, path } = call.request;
    const row = this.#begin(call.trace, 'call', `${method} ${path}`, call.at, call.entry);
    row.call = call;
    row.transitions = [...call.transitions];
    row.events = [...call.events];
    row.eventsTotal = call.events.length;
    row.first = 0;
    for (const entry of this.#byTrace.get(call.trace) ?? []) this.#take(row, entry, false);
    this.#byTrace.delete(call.trace);
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
      entry.origin === 'clock' && last?.kind === 'clock' && !this.#isStep && isSameMove(last, entry)
        ? last
        : this.#begin(`e${entry.entry}`, kindOf(entry), titleOf(entry), entry.at, entry.entry);
    this.#take(row, entry, true);
    if (entry.command === 'timer') row.fired++;
    row.at = entry.at;
  }

  gap(from: number, to: number): void {
    const row = this.#begin(`gap${from}`, 'gap', `Entries ${from}–${to} aren't loaded`, this.rows.at(-1)?.at ?? 0, to);
    row.first = from;
  }

  delivery(delivery: DeliveryEvent): void {
    this.deliveries.set(delivery.id, delivery);
    const known = this.byEvent.get(delivery.event.id);
    if (known) known.add(delivery.id);
    else this.byEvent.set(delivery.event.id, new Set([delivery.id]));
  }

  /** Returns the deliveries of a row's events. */
  deliveriesOf(row: Row): DeliveryEvent[] {
    if (this.deliveries.size === 0) return [];
    return row.events.flatMap(({ id }) =>
      [...(this.byEvent.get(id) ?? [])].flatMap((delivery) => this.deliveries.get(delivery) ?? []),
    );
  }

  find(key: string): Row | undefined {
    return this.rows.findLast((row) => row.key === key);
  }

  #begin(key: string, kind: RowKind, title: string, at: Instant, entry: number): Row {
    const row: Row = {
      key,
      kind,
      title,
      at,
      since: this.rows.at(-1)?.at ?? at,
      first: entry,
      last: entry,
      call: null,
      transitions: [],
      events: [],
      eventsTotal: 0,
      fired: 0,
      objects: new Set(),
      entries: [],
      came: performance.now(),
      isWhole: false,
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

/** Whether an entry belongs to the previous advance, unless it was caused by another call. */
function isSameMove(last: Row, entry: EntryEvent): boolean {
  if (
    !last.isWhole &&
    performance.now() - (last.came ?? 0) > REST_MS &&
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
