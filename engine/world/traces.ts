import type { Json, JsonObject } from '../values/index.js';
import { SharedPages } from './ledger.js';
import { type HeldValue, type Provenance, writtenOf } from './rows.js';

/** Which step of the resolution order served a call. */
export type TraceOutcome = 'fault' | 'scenario' | 'magic_value' | 'normal';

/** An object that a call returned or emitted, as it was then. */
export interface TraceSubject {
  readonly resource: number;
  readonly value: JsonObject;
  readonly provenance: readonly Provenance[] | null;
}

/** One as the world holds it: thousands of traces are kept, nearly all unread, and would keep a whole object of each. */
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

/** An armed pin of an object of a call, which a test value of the call left without effect. */
export interface IneffectivePin {
  readonly pin: string;
  readonly resource: string;
  readonly id: string;
  readonly path: string;
  readonly value: Json;
}

/** What a call may ask for that a pack lacks. */
export type UnsupportedKind =
  'parameter' | 'value' | 'header' | 'media_type' | 'qualifier' | 'field' | 'path' | 'method' | 'case';

/** Something that the vendor documents, that a call asked for, and that the pack doesn't emulate. */
export interface UnsupportedUse {
  readonly kind: UnsupportedKind;
  readonly name: string;
}

/** Why a vendor call was resolved as it was. */
export interface Trace {
  readonly id: string;
  /** `<collection>.<operation>`, or null when no operation was reached. */
  operation: string | null;
  outcome: TraceOutcome;
  /** Objects whose exogenous values the call showed; the first is its response. */
  subjects: readonly TraceSubject[];
  /** Values that had no object (yet). */
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
  /** Pins without effect because of test values. */
  stood_back: readonly IneffectivePin[];
  /** What the call asked for in vain; none of timers, and in stores of earlier releases. */
  readonly unsupported?: readonly UnsupportedUse[];
  replayed: boolean;
  transitions: readonly { readonly id: string; readonly from: string; readonly to: string; readonly trigger: string }[];
  events: readonly { readonly id: string; readonly type: string }[];
  /** Simulated time. */
  readonly at: Json;
  /** Number of the world's last ledger entry when the call was served. */
  readonly entry: number;
  duration_ms: number;
  /** Real time of the response, in whole seconds of Unix time; none of a timer, and in stores of earlier releases. */
  readonly real_time_s?: number;
  /** The call asked for a version that the pack serves as another one. */
  readonly version?: { readonly asked: string | null; readonly answered: string };
}

/**
 * The newest traces; older ones are dropped beyond the limit. Adding does not depend on how many there are; finding one looks through them,
 * from the newest: nearly all are never asked for, and an index of them took a twentieth of a read.
 */
export class Traces {
  /* Of each its id, the page that it is on, and where it begins there: in a circle once as many are there as are kept. */
  #ids: string[] = [];
  #lists: PackedTrace[] = [];
  #from: number[] = [];
  /** Where the next one goes. */
  #next = 0;
  readonly #pages = new SharedPages();

  /** Called with each call that is made from now on; none unless set. */
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

  /** Takes a trace over that another world keeps. */
  take({ id, page, from }: TakenTrace): void {
    if (this.limit === 0) return;
    this.#ids[this.#next] = id;
    this.#lists[this.#next] = page;
    this.#from[this.#next] = from;
    this.#next = this.#next + 1 === this.limit ? 0 : this.#next + 1;
  }

  /** The one at a place of the circle. */
  #taken(at: number): TakenTrace {
    return { id: this.#ids[at], page: this.#lists[at], from: this.#from[at] };
  }

  /** The places of all, oldest first. */
  *#places(): Generator<number> {
    const { length } = this.#ids;
    const oldest = length === this.limit ? this.#next : 0;
    for (let nth = 0; nth < length; nth++) yield (oldest + nth) % length;
  }

  /**
   * Traces as records of a journal, oldest first, which are written out when one is read: most are only taken over.
   * @param isWanted which, by their ids and the number of the last entry of each
   * @param facts what else the records have
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

  /** Newest first. */
  newest(limit: number): Trace[] {
    return this.calls(limit)
      .reverse()
      .map(({ trace }) => trace);
  }

  /** The newest, oldest first; of each only what is asked for is read. */
  calls(limit = Infinity): KeptCall[] {
    return [...this.#places()].slice(-limit).map((at) => new KeptCall(this.#taken(at)));
  }

  clear(): void {
    [this.#ids, this.#lists, this.#from, this.#next] = [[], [], [], 0];
  }
}

/** Traces as lists, many to a page: thousands are held, and each object costs every collection of the heap. */
type PackedTrace = readonly unknown[];

/** Where `pack` puts what lists of calls show. */
const [METHOD, PATH, STATUS, AT, ENTRY] = [3, 4, 6, 11, 12];

/** A trace as it is kept. */
interface TakenTrace {
  readonly id: string;
  readonly page: PackedTrace;
  /** Where it begins there. */
  readonly from: number;
}

/** A call of the past: of thousands, most are only counted or shown in a word. */
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

  /** Simulated time. */
  get at(): Json {
    return this.#read(AT);
  }

  /** Number of the last entry when it got its response. */
  get entry(): number {
    return this.#read(ENTRY);
  }

  /** All of it. */
  get trace(): Trace {
    return unpacked(this.taken);
  }

  #read<T>(place: number): T {
    return this.taken.page[this.taken.from + place] as T;
  }
}

/** A record of a journal about a call, as JSON and copies expect it; its function is shared. */
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

  /** Lets traces take it over as it is kept, where that is known. */
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

/** What traces were read from: worlds that continue from the same past share it. */
const known = new WeakMap<Trace, TakenTrace>();

/** Puts on a page what a trace always has, then its lists, each behind its length. */
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
    // Whole microseconds need no memory of their own.
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

/** Reads a packed trace in the order in which it was written. */
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
