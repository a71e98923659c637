import type { Engine } from '../runtime/index.js';
import { EventStreams } from './stream.js';
import { WaitingCalls } from './waiting.js';

/** The responses of a world that later commits may concern: event streams, and calls that wait. */
export class OpenResponses {
  readonly streams: EventStreams;
  readonly waiting: WaitingCalls;

  /** @param paced in real time, as the pack says; else all is sent at once, and no call waits */
  constructor(engine: Engine, paced: boolean) {
    this.streams = new EventStreams(engine, paced);
    this.waiting = new WaitingCalls(engine, paced);
  }

  /** Ends all: the world goes, or another one takes its place. */
  end(): void {
    this.streams.end();
    this.waiting.end();
  }
}
