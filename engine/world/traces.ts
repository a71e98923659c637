import type { Json, JsonObject } from '../values/index.js';
import { SharedPages } from './ledger.js';
import type { Provenance } from './rows.js';

/** Which step of the resolution order served a call. */
export type TraceOutcome = 'fault' | 'scenario' | 'magic_value' | 'normal';

/** An object that a call returned or emitted, as it was then. */
export interface TraceSubject {
  readonly resource: number;
  readonly value: JsonObject;
  readonly provenance: readonly Provenance[] | null;
}

/** An armed pin of an object of a call, which a test value of the call left without effect. */
export interface IneffectivePin {
  readonly pin: string;
  readonly resource: string;
  readonly id: string;
  readonly path: string;
  readonly value: Json;
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

/** The newest traces; older ones are dropped beyond the limit. Adding and finding do not depend on how many there were. */
export class Traces {
  /** Where each is: a number until another world takes it over. */
  readonly #byId = new Map<string, TakenTrace | number>();
  readonly #pages = new SharedPages();
  /** By their numbers those that some of them are on. */
  readonly #kept = new Map<number, PackedTrace>();
  #firstPage = 0;
  #lastPage = -1;
  /** Stays behind what was dropped: a new iterator would pass all that was ever dropped since the map last grew. */
  #oldest = this.#byId.keys();

  /** Called with each call that is made from now on; none unless set. */
  onCall: ((trace: Trace) => void) | null = null;

  constructor(private readonly limit: number) {}

  add(trace: Trace): void {
    const taken = known.get(trace);
    if (taken !== undefined) return this.take(taken);
    const page = this.#pages.next();
    if (page.length === 0) this.#kept.set(++this.#lastPage, page);
    this.#put(trace.id, this.#lastPage * PLACES + page.length);
    pack(trace, page);
  }

  /** Takes a trace over that another world keeps. */
  take(taken: TakenTrace): void {
    this.#put(taken.id, taken);
  }

  #put(id: string, at: TakenTrace | number): void {
    this.#byId.set(id, at);
    if (this.#byId.size <= this.limit) return;
    const oldest = String(this.#oldest.next().value);
    const place = this.#byId.get(oldest);
    this.#byId.delete(oldest);
    if (typeof place !== 'number') return;
    for (; this.#firstPage < Math.floor(place / PLACES); this.#firstPage++) this.#kept.delete(this.#firstPage);
  }

  #taken(id: string, at: TakenTrace | number): TakenTrace {
    if (typeof at !== 'number') return at;
    return { id, page: this.#kept.get(Math.floor(at / PLACES)) as PackedTrace, from: at % PLACES };
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
    for (const [id, at] of this.#byId) {
      const taken = this.#taken(id, at);
      if (!isWanted(id, taken.page[taken.from + ENTRY] as number)) continue;
      // Worlds that continue from here share it.
      this.#byId.set(id, taken);
      records.push(new TraceRecord(taken, facts));
    }
    return records;
  }

  get(id: string): Trace | undefined {
    const at = this.#byId.get(id);
    return at === undefined ? undefined : unpacked(this.#taken(id, at));
  }

  /** Newest first. */
  newest(limit: number): Trace[] {
    return this.calls(limit)
      .reverse()
      .map(({ trace }) => trace);
  }

  /** The newest, oldest first; of each only what is asked for is read. */
  calls(limit = Infinity): KeptCall[] {
    return [...this.#byId].slice(-limit).map(([id, at]) => new KeptCall(this.#taken(id, at)));
  }

  clear(): void {
    this.#byId.clear();
    this.#kept.clear();
    this.#firstPage = ++this.#lastPage;
    this.#kept.set(this.#lastPage, this.#pages.next());
    this.#oldest = this.#byId.keys();
  }
}

/** Traces as lists, many to a page: thousands are held, and each object costs every collection of the heap. */
type PackedTrace = readonly unknown[];

/** More places than a page ever has. */
const PLACES = 1 << 20;

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
  for (const { resource, value, provenance } of trace.subjects) list.push(resource, value, provenance);
  list.push(trace.transitions.length);
  for (const { id, from, to, trigger } of trace.transitions) list.push(id, from, to, trigger);
  list.push(trace.events.length);
  for (const { id, type } of trace.events) list.push(id, type);
  for (const each of [trace.decided, trace.magic_values, trace.stood_back]) list.push(each.length, ...each);
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
  const subjects = reader.list((): TraceSubject => ({
    resource: reader.next(),
    value: reader.next(),
    provenance: reader.next(),
  }));
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
