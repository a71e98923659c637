import type { Engine } from '../runtime/index.js';
import { EventStreams } from './stream.js';
import { WaitingCalls } from './waiting.js';

/** The open responses of a world that depend on later commits: event streams and waiting calls. */
export class OpenResponses {
  readonly streams: EventStreams;
  readonly waiting: WaitingCalls;

  /**
   * @param paced if true, streams pause and long-polling calls wait in real time, as the pack declares; if false, all events
   * are sent at once and no call waits
   */
  constructor(engine: Engine, paced: boolean) {
    this.streams = new EventStreams(engine, paced);
    this.waiting = new WaitingCalls(engine, paced);
  }

  /** Ends all open responses. Called when the world ends or is replaced. */
  end(): void {
    this.streams.end();
    this.waiting.end();
  }
}
