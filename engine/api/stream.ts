import type { Response } from 'express';
import { eventText, eventTexts } from '../codecs/index.js';
import { LIMITS } from '../limits.js';
import type { Host } from '../expression/index.js';
import type { Operation, Stream } from '../program/index.js';
import { disconnect, type Engine } from '../runtime/index.js';
import type { FaultResponse } from '../world/index.js';
import { type HeaderList, replaced } from './headers.js';

/** A response that goes out event by event. */
export interface StreamedResponse {
  readonly res: Response;
  readonly operation: Operation;
  readonly stream: Stream;
  readonly status: number;
  readonly headers: HeaderList;
  /** All events, as they go over the wire. */
  readonly text: string;
  /** Id of the object that it is about. */
  readonly self: string | null;
  readonly fault: FaultResponse | undefined;
  /** It was given before: nothing happens when the caller goes away. */
  readonly replayed: boolean;
}

/**
 * The event streams of a world that are open. Their events were decided by the commits of their calls; only the pauses between
 * them are of real time. A reset, a rewind and the end of the world cut them, so that no client takes a part for the whole.
 */
export class EventStreams {
  readonly #open = new Set<EventStream>();
  #unsubscribe: (() => void) | null = null;

  /** @param paced with the pauses of the pack; else all events go out at once */
  constructor(
    private readonly engine: Engine,
    private readonly paced: boolean,
  ) {}

  /** Sends a response. Beyond the limit of open streams the oldest one is cut. */
  open(response: StreamedResponse): void {
    if (this.#open.size >= LIMITS.streams.value) this.#open.values().next().value?.cut();
    this.#unsubscribe ??= this.engine.world.subscribe({
      entry: () => undefined,
      record: ({ kind }) => void (kind === 'reset' && this.end()),
    });
    const stream = new EventStream(response, this.engine.runtime, this.paced, (sent) => {
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#stopLooking();
      if (sent !== null) this.#closed(response, sent);
    });
    this.#open.add(stream);
    stream.start();
  }

  /** Cuts all: the world goes, or another one takes its place. */
  end(): void {
    for (const stream of [...this.#open]) stream.cut();
  }

  #stopLooking(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  /** The caller went away: what the pack does then is a command of its own, whose entry holds what came from outside. */
  #closed({ operation, stream, self, replayed }: StreamedResponse, sent: number): void {
    if (stream.closed === null || replayed) return;
    try {
      disconnect(this.engine, operation, self, sent);
    } catch (error) {
      this.engine.options.onDefect(error, `closed stream of ${operation.key}`);
    }
  }
}

/** One of them. */
class EventStream {
  readonly #frames: readonly string[];
  /** It ends as it should; else the connection is cut behind the last event. */
  readonly #ends: boolean;
  readonly #everyMs: number;
  #sent = 0;
  #isOver = false;
  #pause: NodeJS.Timeout | undefined;

  /** @param over told once of its end; `sent` null: not the caller's doing */
  constructor(
    private readonly response: StreamedResponse,
    host: Host,
    paced: boolean,
    private readonly over: (sent: number | null) => void,
  ) {
    const { text, fault, stream } = response;
    this.#everyMs = paced ? stream.everyMs : 0;
    const frames = eventTexts(text);
    const { afterEvents, errorEvent } = fault ?? {};
    const before = afterEvents === undefined ? frames : frames.slice(0, afterEvents);
    this.#frames = errorEvent === undefined ? before : [...before, eventText(stream.broken()(host, errorEvent))];
    this.#ends = afterEvents === undefined || errorEvent !== undefined;
  }

  start(): void {
    const { res, status, headers, fault } = this.response;
    res.writeHead(status, replaced(headers, fault?.headers));
    res.once('close', () => this.#end(this.#sent < this.#frames.length ? this.#sent : null));
    res.flushHeaders();
    this.#next();
  }

  /** Cuts the connection. */
  cut(): void {
    if (this.#isOver) return;
    this.#end(null);
    this.response.res.destroy();
  }

  #next(): void {
    const { res } = this.response;
    while (!this.#isOver && this.#sent < this.#frames.length) {
      res.write(this.#frames[this.#sent++]);
      if (this.#everyMs === 0) continue;
      this.#pause = setTimeout(() => this.#next(), this.#everyMs);
      return;
    }
    if (this.#isOver) return;
    if (this.#ends) res.end();
    else res.write('', () => res.socket?.destroySoon());
  }

  #end(sent: number | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#pause);
    this.over(sent);
  }
}
