import type { Engine } from '../runtime/index.js';
import { EventStreams } from './stream.js';
import { WaitingCalls } from './waiting.js';

/** The open responses of a world that depend on later commits: event streams and waiting calls. */
export class OpenResponses {
  readonly streams: EventStreams;
  readonly waiting: WaitingCalls;

  /**
   * @param paced streams and long-polling calls take real time, as the pack declares; otherwise all events are sent
   * immediately, and no call waits
   */
  constructor(engine: Engine, paced: boolean) {
    this.streams = new EventStreams(engine, paced);
    this.waiting = new WaitingCalls(engine, paced);
  }

  /** Ends all open responses: the world ends or is replaced. */
  end(): void {
    this.streams.end();
    this.waiting.end();
  }
}
