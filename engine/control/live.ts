import { withOrigin } from '../expression/index.js';
import type { Request, Response } from 'express';
import type { Json, JsonObject } from '../values/index.js';
import { LIMITS } from '../limits.js';
import type { ClockControl, CompletedCommand, Engine } from '../runtime/index.js';
import type { JournalRecord, StoredEntry, Trace } from '../world/index.js';
import type { Deliveries, DeliveryReport } from './deliveries.js';
import { packInstant } from './lookup.js';
import { callMessage, entryMessage, MOST_REPORTED } from './messages.js';
import { effectsSince, type PastEffects } from './replayed-effects.js';

const MOST_WAITING = LIMITS.streamWaiting.value;
/** Milliseconds between lines that only keep the connection open. */
const PING_INTERVAL_MS = 15_000;
/** Milliseconds between progress reports of an advance. */
const LOOK_INTERVAL_MS = 250;

/** An event that is waiting to be sent. */
interface StreamMessage {
  readonly type: string;
  readonly id: string;
  readonly data: Record<string, Json | undefined>;
}

/** A reader's position: the last entry, and the last call. */
interface StreamPosition {
  readonly entry: number;
  readonly trace: string | null;
}

/** Parses the id of an event, which readers send back; undefined if invalid. */
export function readPlace(text: string): StreamPosition | undefined {
  const match = /^(\d{1,15})(?::(trc_\w+))?$/.exec(text);
  return match ? { entry: Number(match[1]), trace: match[2] ?? null } : undefined;
}

/** The server-sent event streams that show a world while it changes. Without readers they cost nothing. */
export class LiveStreams {
  readonly #open = new Set<LiveStream>();

  constructor(
    private readonly engine: Engine,
    private readonly clock: ClockControl,
    private readonly outbox: Deliveries | null,
  ) {}

  /** Starts a stream on a response. @param from the reader's position; null: the present */
  open(req: Request, res: Response, from: StreamPosition | null): void {
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size >= LIMITS.streamReaders.value) {
      oldest.close();
      this.#open.delete(oldest);
    }
    const stream = new LiveStream(this.engine, this.clock, this.outbox, res, from);
    this.#open.add(stream);
    res.on('close', () => {
      stream.close();
      this.#open.delete(stream);
    });
  }

  /** Ends all streams. Called when the world ends or is replaced; readers reconnect. */
  end(): void {
    for (const stream of this.#open) stream.close();
    this.#open.clear();
  }
}

/** The stream of one reader. */
class LiveStream {
  #waiting: StreamMessage[] = [];
  #missed: { from: number; to: number } | null = null;
  #isScheduled = false;
  #isFull = false;
  #isClosed = false;
  #trace: string | null;
  #reported = '';
  readonly #enders: (() => void)[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly clock: ClockControl,
    private readonly outbox: Deliveries | null,
    private readonly res: Response,
    from: StreamPosition | null,
  ) {
    const { world } = engine;
    this.#trace = from?.trace ?? null;
    const keepOpen = setInterval(() => void (this.#isFull || res.write(': open\n\n')), PING_INTERVAL_MS);
    const look = setInterval(() => this.#lookAtClock(), LOOK_INTERVAL_MS);
    keepOpen.unref();
    look.unref();
    this.#enders.push(
      () => clearInterval(keepOpen),
      () => clearInterval(look),
      world.subscribe({ entry: (entry) => this.#entry(entry), record: (record) => this.#record(record) }),
      engine.subscribe((did) => this.#did(did)),
    );
    res.on('drain', () => {
      this.#isFull = false;
      this.#schedule();
    });
    if (from) this.#catchUp(from);
    this.#report('clock', { now: world.now, last: world.ledger.count });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of this.#enders) end();
    this.res.end();
  }

  /** Sends the entries and calls that a reader missed while disconnected, as far as they are still stored. */
  #catchUp({ entry, trace }: StreamPosition): void {
    const { ledger, traces } = this.engine.world;
    if (entry > ledger.count) {
      this.#gap(1, ledger.count);
      return;
    }
    const known = ledger.since(entry);
    const entries = known.slice(-MOST_WAITING / 2);
    const first = entries.at(0)?.n ?? ledger.count + 1;
    if (first > entry + 1) this.#gap(entry + 1, first - 1);
    const calls = traces.calls(MOST_WAITING / 2);
    const seen = trace === null ? -1 : calls.findIndex(({ id }) => id === trace);
    const missed = calls.slice(seen + 1).filter((each) => each.entry >= first - 1 && (seen >= 0 || each.entry > entry));
    const effects = effectsSince(this.engine, first);
    let at = 0;
    for (const each of entries) {
      while (at < missed.length && missed[at].entry < each.n) this.#call(missed[at++].trace);
      this.#entry(each, effects.get(each.n));
    }
    while (at < missed.length) this.#call(missed[at++].trace);
    const deliveries = new Set(
      this.engine.world.journal
        .since(entry)
        .flatMap(({ record }) =>
          record.kind === 'delivery' ? [record.id] : record.kind === 'attempt' ? [record.delivery] : [],
        ),
    );
    for (const id of [...deliveries].slice(-MOST_WAITING / 4)) this.#delivery(id);
  }

  #entry(entry: StoredEntry, effects?: PastEffects): void {
    if (this.#isLate(entry.n)) return;
    this.#report('entry', entryMessage(this.engine, entry, effects));
  }

  /** Adds a command's transitions and events to the message of its entry. Called right after that entry. */
  #did({ transitions, events }: CompletedCommand): void {
    const last = this.#waiting.findLast(({ type }) => type === 'entry');
    if (last === undefined || (transitions.length === 0 && events.length === 0)) return;
    if (last.data['entry'] !== this.engine.world.ledger.count) return;
    last.data['transitions'] = transitions.slice(0, MOST_REPORTED).map((each) => ({ ...each }));
    last.data['events'] = events.slice(0, MOST_REPORTED).map((row) => this.#eventName(row.id, row.value));
    last.data['events_total'] = events.length;
  }

  #record(record: JournalRecord): void {
    switch (record.kind) {
      case 'trace':
        return this.#call(record.trace);
      case 'delivery':
        return this.#delivery(record.id);
      case 'attempt':
      case 'dropped':
        return this.#delivery(record.delivery);
      case 'moment':
        return this.#report('moment', { name: record.name, entry: record.entry });
      case 'reset':
        return this.#report('reset', {});
      case 'learned':
        return;
    }
  }

  #call(trace: Trace): void {
    if (this.#isLate(trace.entry)) return;
    this.#trace = trace.id;
    this.#report('call', callMessage(trace));
  }

  #delivery(id: string): void {
    const found = this.outbox?.find(id);
    if (found) this.#report('delivery', deliverySummary(found));
  }

  #lookAtClock(): void {
    const { progress } = this.clock;
    const { engine } = this;
    const now = engine.world.now;
    const advancing = progress && { to: packInstant(engine, progress.to), fired: progress.fired };
    const clock = JSON.stringify([now, advancing]);
    if (clock === this.#reported) return;
    this.#reported = clock;
    this.#report('clock', { now, last: engine.world.ledger.count, ...(advancing ? { advancing } : {}) });
  }

  #eventName(id: string, value: JsonObject): JsonObject {
    return { id, type: String(value[this.engine.pack.delivery()?.typeField ?? 'type'] ?? '') };
  }

  /** Whether the reader has too many unread messages; the message of this entry is then replaced by a gap. */
  #isLate(n: number): boolean {
    if (this.#waiting.length < MOST_WAITING) return false;
    this.#missed = { from: this.#missed?.from ?? n, to: n };
    return true;
  }

  #gap(from: number, to: number): void {
    this.#report('gap', { from, to });
  }

  #report(type: string, data: StreamMessage['data']): void {
    if (this.#isClosed) return;
    const n = this.engine.world.ledger.count;
    const id = this.#trace === null ? String(data['entry'] ?? n) : `${String(data['entry'] ?? n)}:${this.#trace}`;
    this.#waiting.push({ type, id, data });
    this.#schedule();
  }

  /** Sends the messages of one turn together, once it is over. */
  #schedule(): void {
    if (this.#isScheduled || this.#isFull || this.#isClosed) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    if (this.#isClosed || this.#isFull) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    const missed = this.#missed;
    if (missed) {
      this.#missed = null;
      this.#gap(missed.from, missed.to);
    }
    const text = waiting
      .map(({ type, id, data }) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
      .join('');
    if (text !== '') this.#isFull = !this.res.write(withOrigin(text, this.engine.runtime.reader.baseUrl));
  }
}

/** A delivery without the sent body. */
function deliverySummary({ id, event, type, endpoint, url, status, attempts }: DeliveryReport): JsonObject {
  return { id, event: { id: event, type }, endpoint, url, status, attempts: attempts.length };
}
