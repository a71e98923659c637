import type { Json, JsonObject } from '../values/index.js';
import type { Provenance } from './rows.js';

/** Which step of the resolution order answered a call. */
export type TraceOutcome = 'fault' | 'scenario' | 'magic_value' | 'normal';

/** An object that a call told of, as it was then. */
export interface TraceSubject {
  readonly resource: number;
  readonly value: JsonObject;
  readonly provenance: readonly Provenance[] | null;
}

/** An armed pin of an object that a call told of, which a magic value of the call left without effect. */
export interface StoodBack {
  readonly pin: string;
  readonly resource: string;
  readonly id: string;
  readonly path: string;
  readonly value: Json;
}

/** Why a vendor call was answered as it was. */
export interface Trace {
  readonly id: string;
  /** `<collection>.<operation>`, or null when no operation was reached. */
  operation: string | null;
  outcome: TraceOutcome;
  /** Objects whose exogenous values the call told of; the first is what it answered. */
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
  /** Pins that stood back for the magic values. */
  stood_back: readonly StoodBack[];
  replayed: boolean;
  transitions: readonly { readonly id: string; readonly from: string; readonly to: string; readonly trigger: string }[];
  events: readonly { readonly id: string; readonly type: string }[];
  /** Simulated time. */
  readonly at: Json;
  /** Number of the world's last ledger entry when the call was answered. */
  readonly entry: number;
  duration_ms: number;
  /** The call asked for a version that the pack answers in another one. */
  readonly version?: { readonly asked: string | null; readonly answered: string };
}

/** The newest traces; older ones are dropped beyond the limit. Adding and finding do not depend on how many there were. */
export class Traces {
  readonly #byId = new Map<string, PackedTrace>();
  /** Stands behind what was dropped: a new iterator would pass all that was ever dropped since the map last grew. */
  #oldest = this.#byId.keys();

  /** Told of each call that is made from now on; nobody unless set. */
  onCall: ((trace: Trace) => void) | null = null;

  constructor(private readonly limit: number) {}

  add(trace: Trace): void {
    this.take({ id: trace.id, list: lists.get(trace) ?? packed(trace) });
  }

  /** Takes a trace over that another world keeps. */
  take({ id, list }: TakenTrace): void {
    this.#byId.set(id, list);
    if (this.#byId.size > this.limit) this.#byId.delete(String(this.#oldest.next().value));
  }

  /**
   * Traces as records of a journal, oldest first, which are written out when somebody reads one: most are only taken over.
   * @param wants which, by their ids and the number of the last entry of each
   * @param facts what else the records have
   */
  records(wants: (id: string, entry: number) => boolean, facts: Pick<TraceRecord, 'requests' | 'pack'>): TraceRecord[] {
    const records: TraceRecord[] = [];
    for (const [id, list] of this.#byId)
      if (wants(id, list[ENTRY] as number)) records.push(new TraceRecord({ id, list }, facts));
    return records;
  }

  get(id: string): Trace | undefined {
    const trace = this.#byId.get(id);
    return trace === undefined ? undefined : unpacked(id, trace);
  }

  /** Newest first. */
  newest(limit: number): Trace[] {
    const newest = [...this.#byId].slice(-limit).reverse();
    return newest.map(([id, trace]) => unpacked(id, trace));
  }

  clear(): void {
    this.#byId.clear();
    this.#oldest = this.#byId.keys();
  }
}

/** A trace as one list: thousands are held, and each object costs every collection of the heap. */
type PackedTrace = readonly unknown[];

/** Where the number of the last entry stands. */
const ENTRY = 12;

/** A trace as it is kept. */
interface TakenTrace {
  readonly id: string;
  readonly list: PackedTrace;
}

/** A record of a journal that tells of a call, as JSON and copies expect it; its function is shared. */
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
      return unpacked(this.#kept.id, this.#kept.list);
    },
  };
}

/** What traces were read from: worlds that go on from the same past share it. */
const lists = new WeakMap<Trace, PackedTrace>();

/** What a trace always has, then its lists, each behind its length. */
function packed(trace: Trace): PackedTrace {
  const { request } = trace;
  const list: unknown[] = [
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
    trace.version,
  ];
  list.push(trace.subjects.length);
  for (const { resource, value, provenance } of trace.subjects) list.push(resource, value, provenance);
  list.push(trace.transitions.length);
  for (const { id, from, to, trigger } of trace.transitions) list.push(id, from, to, trigger);
  list.push(trace.events.length);
  for (const { id, type } of trace.events) list.push(id, type);
  for (const each of [trace.decided, trace.magic_values, trace.stood_back]) list.push(each.length, ...each);
  return list.slice();
}

function unpacked(id: string, list: PackedTrace): Trace {
  const reader = new PackedReader(list);
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
  const [duration_ms, version] = [reader.next<number>() / 1000, reader.next<Trace['version']>()];
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
  const stood_back = reader.list(() => reader.next<StoodBack>());
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
    stood_back,
    replayed,
    transitions,
    events,
    at,
    entry,
    duration_ms,
    ...(version === undefined ? {} : { version }),
  };
  lists.set(trace, list);
  return trace;
}

/** Reads a packed trace in the order in which it was written. */
class PackedReader {
  #at = 0;

  constructor(private readonly packed: PackedTrace) {}

  next<T>(): T {
    return this.packed[this.#at++] as T;
  }

  list<T>(item: () => T): T[] {
    return Array.from({ length: this.next<number>() }, item);
  }
}
