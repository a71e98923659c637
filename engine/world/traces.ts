import type { Json, JsonObject } from '../values/index.js';
import { SharedPages } from './ledger.js';
import { type HeldValue, type Provenance, writtenOf } from './rows.js';

/** What decided the response of a call, by the order of resolution. */
export type TraceOutcome = 'fault' | 'scenario' | 'magic_value' | 'normal';

/** An object that a call returned, or described in an event, with its value at that time. */
export interface TraceSubject {
  readonly resource: number;
  readonly value: JsonObject;
  readonly provenance: readonly Provenance[] | null;
}

/** An object of a trace in its stored form, to save memory: thousands of traces are kept, and nearly all stay unread. */
export class HeldSubject implements TraceSubject {
  constructor(
    readonly resource: number,
    readonly held: HeldValue,
    readonly provenance: readonly Provenance[] | null,
  ) {}

  get value(): JsonObject {
    return writtenOf(this.held);
  }

  toJSON(): TraceSubject {
    const { resource, value, provenance } = this;
    return { resource, value, provenance };
  }
}

/** A pin that had no effect on a call's object, because the call used a test value. */
export interface IneffectivePin {
  readonly pin: string;
  readonly resource: string;
  readonly id: string;
  readonly path: string;
  readonly value: Json;
}

/** Kinds of things in a call that a pack may not emulate. */
export type UnsupportedKind =
  | 'parameter'
  | 'value'
  | 'header'
  | 'media_type'
  | 'qualifier'
  | 'field'
  | 'path'
  | 'method'
  | 'case';

/** A use, in a call, of something that the vendor documents and the pack doesn't emulate. */
export interface UnsupportedUse {
  readonly kind: UnsupportedKind;
  readonly name: string;
}

/** Record of a vendor API call that explains its response. */
export interface Trace {
  readonly id: string;
  /** `<collection>.<operation>`, or null if no operation matched. */
  operation: string | null;
  outcome: TraceOutcome;
  /** Objects of the call with values from outside; the first one is the object of the response. */
  subjects: readonly TraceSubject[];
  /** Values from outside that the call decided without an object to store them in. */
  decided: readonly Provenance[];
  readonly request: {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly idempotency_key: string | null;
  };
  status: number;
  error: string | null;
  fault: string | null;
  scenario: string | null;
  magic_values: readonly string[];
  /** Pins that had no effect because the call used test values. */
  stood_back: readonly IneffectivePin[];
  /** Uses of things that the pack doesn't emulate; absent for timers, and in stores of earlier releases. */
  readonly unsupported?: readonly UnsupportedUse[];
  replayed: boolean;
  transitions: readonly { readonly id: string; readonly from: string; readonly to: string; readonly trigger: string }[];
  events: readonly { readonly id: string; readonly type: string }[];
  /** Simulated time of the call, in the pack's format. */
  readonly at: Json;
  /** Number of the world's last ledger entry when the response was sent. */
  readonly entry: number;
  duration_ms: number;
  /** Real time of the response, in whole Unix seconds; absent for timers, and in stores of earlier releases. */
  readonly real_time_s?: number;
  /** API versions of the call: the requested one, and the one that served it. */
  readonly version?: { readonly asked: string | null; readonly answered: string };
}

/**
 * The newest traces; older ones are dropped. Adding takes O(1). Finding searches from the newest on: traces are rarely read,
 * and keeping an index of them took a twentieth of the time of a read call.
 */
export class Traces {
  /** Ids of the traces; `#lists`, `#from`: their pages, and start indexes there. A ring buffer once it is full. */
  #ids: string[] = [];
  #lists: PackedTrace[] = [];
  #from: number[] = [];
  /** Index in the ring buffer at which the next trace is stored. */
  #next = 0;
  readonly #pages = new SharedPages();

  /** Called with the trace of each new call; null: no listener. */
  onCall: ((trace: Trace) => void) | null = null;

  constructor(private readonly limit: number) {}

  add(trace: Trace): void {
    const taken = known.get(trace);
    if (taken !== undefined) return this.take(taken);
    const page = this.#pages.next();
    const from = page.length;
    pack(trace, page);
    this.take({ id: trace.id, page, from });
  }

  /** Adds a trace from another world, without copying its data. */
  take({ id, page, from }: TakenTrace): void {
    if (this.limit === 0) return;
    this.#ids[this.#next] = id;
    this.#lists[this.#next] = page;
    this.#from[this.#next] = from;
    this.#next = this.#next + 1 === this.limit ? 0 : this.#next + 1;
  }

  /** Returns the location of the trace at an index of the ring buffer. */
  #taken(at: number): TakenTrace {
    return { id: this.#ids[at], page: this.#lists[at], from: this.#from[at] };
  }

  /** Yields the indexes in the ring buffer, oldest trace first. */
  *#places(): Generator<number> {
    const { length } = this.#ids;
    const oldest = length === this.limit ? this.#next : 0;
    for (let nth = 0; nth < length; nth++) yield (oldest + nth) % length;
  }

  /**
   * Converts traces to journal records, oldest first; a record's trace is decoded when read, since most records are only
   * copied.
   * @param isWanted selects traces by id and number of the last ledger entry
   * @param facts further members of each record
   */
  records(
    isWanted: (id: string, entry: number) => boolean,
    facts: Pick<TraceRecord, 'requests' | 'pack'>,
  ): TraceRecord[] {
    const records: TraceRecord[] = [];
    for (const at of this.#places()) {
      const taken = this.#taken(at);
      if (isWanted(taken.id, taken.page[taken.from + ENTRY] as number)) records.push(new TraceRecord(taken, facts));
    }
    return records;
  }

  get(id: string): Trace | undefined {
    const { length } = this.#ids;
    for (let nth = 1; nth <= length; nth++) {
      const at = (this.#next - nth + length) % length;
      if (this.#ids[at] === id) return unpacked(this.#taken(at));
    }
    return undefined;
  }

  /** Returns the most recent traces, newest first. */
  newest(limit: number): Trace[] {
    return this.calls(limit)
      .reverse()
      .map(({ trace }) => trace);
  }

  /** Returns the newest calls, oldest first; each is decoded as far as it is read. */
  calls(limit = Infinity): KeptCall[] {
    return [...this.#places()].slice(-limit).map((at) => new KeptCall(this.#taken(at)));
  }

  clear(): void {
    [this.#ids, this.#lists, this.#from, this.#next] = [[], [], [], 0];
  }
}

/** A trace in packed form, many per page: thousands are kept, and each heap object slows down garbage collection. */
type PackedTrace = readonly unknown[];

/** Indexes in a packed trace of the members that `GET /traces` lists: method, path, status, time and ledger entry. */
const [METHOD, PATH, STATUS, AT, ENTRY] = [3, 4, 6, 11, 12];

/** Where a packed trace is stored: its page, and its start index. */
interface TakenTrace {
  readonly id: string;
  readonly page: PackedTrace;
  /** Index of the trace's first member on its page. */
  readonly from: number;
}

/** A past call, whose trace is decoded only if it is read: most are only counted or listed. */
export class KeptCall {
  constructor(private readonly taken: TakenTrace) {}

  get id(): string {
    return this.taken.id;
  }

  get method(): string {
    return this.#read(METHOD);
  }

  get path(): string {
    return this.#read(PATH);
  }

  get status(): number {
    return this.#read(STATUS);
  }

  /** Simulated time of the call, in the pack's format. */
  get at(): Json {
    return this.#read(AT);
  }

  /** Number of the world's last ledger entry when the call's response was sent. */
  get entry(): number {
    return this.#read(ENTRY);
  }

  /** The decoded trace of the call. */
  get trace(): Trace {
    return unpacked(this.taken);
  }

  #read<T>(place: number): T {
    return this.taken.page[this.taken.from + place] as T;
  }
}

/** A journal record of a call. A shared getter decodes its trace, as an ordinary member for JSON and copies. */
export class TraceRecord {
  readonly kind = 'trace';
  declare readonly trace: Trace;
  readonly requests: number;
  declare readonly pack?: string;
  readonly #kept: TakenTrace;

  constructor(kept: TakenTrace, { requests, pack }: Pick<TraceRecord, 'requests' | 'pack'>) {
    Object.defineProperty(this, 'trace', TraceRecord.#trace);
    this.requests = requests;
    if (pack !== undefined) this.pack = pack;
    this.#kept = kept;
  }

  /** Adds the record's trace to another world's, without copying its data if its packed form is known. */
  static take(record: { readonly trace: Trace }, traces: Traces): void {
    if (record instanceof TraceRecord) traces.take(record.#kept);
    else traces.add(record.trace);
  }

  static readonly #trace: PropertyDescriptor = {
    enumerable: true,
    get(this: TraceRecord): Trace {
      return unpacked(this.#kept);
    },
  };
}

/** Locations of the packed forms of decoded traces, so that worlds with the same past share them. */
const known = new WeakMap<Trace, TakenTrace>();

/** Appends a trace to a page: first its fixed members, then its lists, each after its length. */
function pack(trace: Trace, list: unknown[]): void {
  const { request } = trace;
  list.push(
    trace.operation,
    trace.outcome,
    request.id,
    request.method,
    request.path,
    request.idempotency_key,
    trace.status,
    trace.error,
    trace.fault,
    trace.scenario,
    trace.replayed,
    trace.at,
    trace.entry,
    // Rounded to microseconds, since V8 stores whole numbers without a heap object.
    Math.round(trace.duration_ms * 1000),
    trace.real_time_s,
    trace.version,
  );
  list.push(trace.subjects.length);
  for (const subject of trace.subjects) {
    const held = subject instanceof HeldSubject ? subject.held : subject.value;
    list.push(subject.resource, held, subject.provenance);
  }
  list.push(trace.transitions.length);
  for (const { id, from, to, trigger } of trace.transitions) list.push(id, from, to, trigger);
  list.push(trace.events.length);
  for (const { id, type } of trace.events) list.push(id, type);
  for (const each of [trace.decided, trace.magic_values, trace.stood_back, trace.unsupported ?? []])
    list.push(each.length, ...each);
}

function unpacked(taken: TakenTrace): Trace {
  const { id } = taken;
  const reader = new PackedReader(taken);
  const operation = reader.next<Trace['operation']>();
  const outcome = reader.next<TraceOutcome>();
  const request: Trace['request'] = {
    id: reader.next(),
    method: reader.next(),
    path: reader.next(),
    idempotency_key: reader.next(),
  };
  const [status, error, fault, scenario] = [
    reader.next<number>(),
    reader.next<Trace['error']>(),
    reader.next<Trace['fault']>(),
    reader.next<Trace['scenario']>(),
  ];
  const [replayed, at, entry] = [reader.next<boolean>(), reader.next<Json>(), reader.next<number>()];
  const duration_ms = reader.next<number>() / 1000;
  const [real_time_s, version] = [reader.next<Trace['real_time_s']>(), reader.next<Trace['version']>()];
  const subjects = reader.list(() => new HeldSubject(reader.next(), reader.next(), reader.next()));
  const transitions = reader.list((): Trace['transitions'][number] => ({
    id: reader.next(),
    from: reader.next(),
    to: reader.next(),
    trigger: reader.next(),
  }));
  const events = reader.list((): Trace['events'][number] => ({ id: reader.next(), type: reader.next() }));
  const decided = reader.list(() => reader.next<Provenance>());
  const magic_values = reader.list(() => reader.next<string>());
  const ineffective = reader.list(() => reader.next<IneffectivePin>());
  const unsupported = reader.list(() => reader.next<UnsupportedUse>());
  const trace: Trace = {
    id,
    operation,
    outcome,
    subjects,
    decided,
    request,
    status,
    error,
    fault,
    scenario,
    magic_values,
    stood_back: ineffective,
    replayed,
    transitions,
    events,
    at,
    entry,
    duration_ms,
    ...(unsupported.length === 0 ? {} : { unsupported }),
    ...(real_time_s === undefined ? {} : { real_time_s }),
    ...(version === undefined ? {} : { version }),
  };
  known.set(trace, taken);
  return trace;
}

/** Reads the items of a packed trace in the order in which `pack` appends them. */
class PackedReader {
  #at: number;

  constructor(private readonly taken: TakenTrace) {
    this.#at = taken.from;
  }

  next<T>(): T {
    return this.taken.page[this.#at++] as T;
  }

  list<T>(item: () => T): T[] {
    return Array.from({ length: this.next<number>() }, item);
  }
}
