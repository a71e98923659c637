import type { Response } from 'express';
import { eventText, eventTexts } from '../codecs/index.js';
import { LIMITS } from '../limits.js';
import { withOrigin } from '../expression/index.js';
import type { Operation, Stream } from '../program/index.js';
import { disconnect, type Engine, type StreamState, type WorldReader } from '../runtime/index.js';
import type { FaultResponse } from '../world/index.js';
import { CommitListener } from './commit-listener.js';
import { type HeaderList, withHeaders } from './send.js';

/** A response that is sent event by event. */
interface StreamedResponse {
  readonly res: Response;
  readonly operation: Operation;
  readonly stream: Stream;
  readonly status: number;
  readonly headers: HeaderList;
  /** All events, in the wire format. */
  readonly text: string;
  /** Milliseconds of real time between two events. */
  readonly everyMs: number;
  /** Recomputes the events of the stream after a commit; null: the events never change. */
  readonly follow: (() => StreamState) | null;
  /** Id of the last event that the caller has; null: none. */
  readonly after: string | null;
  /** Id of the response's object. */
  readonly self: string | null;
  readonly fault: FaultResponse | undefined;
  /** Whether this is a repeated response of an idempotency key: the pack's steps for a disconnect then don't run. */
  readonly replayed: boolean;
}

/**
 * The open event streams of a world. The commits of calls decide their events; only the pauses between events take real time. A
 * reset, a rewind and the end of the world close the connection without an end of the stream, so that no client mistakes a part
 * for the whole.
 */
export class EventStreams {
  readonly #open = new Set<EventStream>();
  readonly #commits: CommitListener;

  /** @param paced if true, streams pause between events as the pack declares; if false, all events are sent at once */
  constructor(
    private readonly engine: Engine,
    private readonly paced: boolean,
  ) {
    this.#commits = new CommitListener(engine, { look: () => this.#look(), end: () => this.end() });
  }

  /** Sends a response. If there are too many open streams, cuts the oldest one. */
  open(response: StreamedResponse): void {
    if (this.#open.size >= LIMITS.streams.value) this.#open.values().next().value?.cut();
    this.#commits.start();
    const stream = new EventStream(response, this.engine.runtime.reader, this.paced, (sent) => {
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#commits.stop();
      if (sent !== null) this.#closed(response, sent);
    });
    this.#open.add(stream);
    stream.start();
  }

  /** Cuts the connections of all streams. Called when the world ends or is replaced. */
  end(): void {
    for (const stream of [...this.#open]) stream.cut();
  }

  #look(): void {
    for (const stream of [...this.#open]) {
      try {
        stream.look();
      } catch (error) {
        stream.cut();
        this.engine.options.onDefect(error, 'events of an open stream');
      }
    }
  }

  /** Runs the pack's steps for a caller that disconnected, as a command; its ledger entry records the disconnect. */
  #closed({ operation, stream, self, replayed }: StreamedResponse, sent: number): void {
    if (stream.closed === null || replayed) return;
    try {
      disconnect(this.engine, operation, self, sent);
    } catch (error) {
      this.engine.options.onDefect(error, `closed stream of ${operation.key}`);
    }
  }
}

/** One open stream. */
class EventStream {
  readonly #frames: string[];
  /** Number of events so far, including those that this caller has. */
  #known: number;
  readonly #everyMs: number;
  readonly #follow: (() => StreamState) | null;
  /** Whether the stream gets no further events. */
  #isComplete: boolean;
  #sent = 0;
  #isOver = false;
  #pause: NodeJS.Timeout | undefined;
  #ping: NodeJS.Timeout | undefined;

  /**
   * @param paced whether the stream pauses between events and stays open as the pack declares
   * @param over called once at the end with the number of sent events; null if the caller didn't cause the end
   */
  constructor(
    private readonly response: StreamedResponse,
    private readonly host: WorldReader,
    paced: boolean,
    private readonly over: (sent: number | null) => void,
  ) {
    const { text, stream, everyMs, follow, after } = response;
    this.#everyMs = paced ? everyMs : 0;
    this.#follow = paced ? follow : null;
    this.#isComplete = this.#follow === null;
    const frames = eventTexts(text);
    this.#known = frames.length;
    const last = after === null ? -1 : frames.findIndex((frame) => frame.split('\n').includes(`id: ${after}`));
    this.#frames = stream.until === null ? frames : frames.slice(last + 1);
  }

  start(): void {
    const { res, status, headers, fault, stream } = this.response;
    res.writeHead(status, withHeaders(headers, fault?.headers));
    res.once('close', () => this.#end(this.#isDone ? null : this.#sent));
    res.flushHeaders();
    const { pingMs } = stream;
    if (pingMs !== null && !this.#isComplete) this.#ping = setInterval(() => res.write(': ping\n\n'), pingMs);
    this.#look();
    this.#next();
  }

  /** Sends events that commits added. @throws ExpressionFailure if the pack's expressions fail */
  look(): void {
    if (this.#isOver || this.#isComplete) return;
    this.#look();
    if (this.#pause === undefined) this.#next();
  }

  #look(): void {
    if (this.#follow === null || this.#isComplete) return;
    const { text, isOver } = this.#follow();
    const frames = eventTexts(withOrigin(text, this.host.baseUrl));
    this.#frames.push(...frames.slice(this.#known));
    this.#known = Math.max(this.#known, frames.length);
    if (!isOver) return;
    this.#isComplete = true;
    clearInterval(this.#ping);
    if (this.response.stream.last !== '') this.#frames.push(this.response.stream.last);
  }

  /** Cuts the connection of the stream. */
  cut(): void {
    if (this.#isOver) return;
    this.#end(null);
    this.response.res.destroy();
  }

  /** Number of events after which a fault cuts the stream. */
  get #most(): number {
    return this.response.fault?.afterEvents ?? Infinity;
  }

  /** Whether all events were sent. */
  get #isDone(): boolean {
    return this.#sent >= this.#most || (this.#isComplete && this.#sent >= this.#frames.length);
  }

  #next(): void {
    this.#pause = undefined;
    const { res } = this.response;
    while (!this.#isOver && this.#sent < this.#frames.length && this.#sent < this.#most) {
      res.write(this.#frames[this.#sent++]);
      if (this.#everyMs === 0) continue;
      this.#pause = setTimeout(() => this.#next(), this.#everyMs);
      return;
    }
    if (this.#isOver || !this.#isDone) return;
    const { fault, stream } = this.response;
    clearInterval(this.#ping);
    if (fault?.errorEvent !== undefined)
      res.end(withOrigin(eventText(stream.broken()(this.host, fault.errorEvent)), this.host.baseUrl));
    else if (fault?.afterEvents === undefined) res.end();
    else res.write('', () => res.socket?.destroySoon());
  }

  #end(sent: number | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#pause);
    clearInterval(this.#ping);
    this.over(sent);
  }
}
