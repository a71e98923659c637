import { isNativeError } from 'node:util/types';
import { LIMITS } from '../limits.js';
import type { OperationResponse, Engine } from '../runtime/index.js';
import { CommitListener } from './commit-listener.js';
import { EMPTY, type OperationVisit, type Pending } from './visit.js';

/** A waiting call. */
interface WaitingCall {
  /** Runs the waiting call again. @param last whether it must respond now, even without a result */
  readonly again: (last: boolean) => void;
  /** Called when the caller of a waiting call disconnects, or when the world ends. */
  readonly drop: () => void;
  /** Simulated time (ms) after which the waiting call responds. */
  readonly untilMs: number;
}

/**
 * The calls of a world that wait for a later commit (long polling). Only the duration of the wait, in real time, isn't part of
 * the world.
 */
export class WaitingCalls {
  readonly #calls = new Set<WaitingCall>();
  readonly #commits: CommitListener;

  /** @param waits if false, every call responds at once instead of waiting */
  constructor(
    private readonly engine: Engine,
    readonly waits: boolean,
  ) {
    this.#commits = new CommitListener(engine, { look: () => this.#look(), end: () => this.end() });
  }

  /**
   * Runs a call again after each later commit until it returns a response.
   * @param make runs the call; with `last` the call must respond
   */
  wait(visit: OperationVisit, ms: number, make: (last: boolean) => Pending): Promise<OperationResponse> {
    if (this.#calls.size >= LIMITS.longPolls.value) [...this.#calls][0]?.again(true);
    this.#commits.start();
    return new Promise((resolve, reject) => {
      const over = (): void => {
        clearTimeout(timer);
        visit.res.off('close', drop);
        this.#calls.delete(call);
        if (this.#calls.size === 0) this.#commits.stop();
      };
      const drop = (): void => {
        over();
        visit.isDropped = true;
        resolve(EMPTY);
      };
      const again = (last: boolean): void => {
        try {
          const response = make(last);
          if (!('then' in response) && response.waitMs !== undefined) return;
          over();
          resolve(response);
        } catch (error) {
          over();
          reject(isNativeError(error) ? error : new Error(String(error)));
        }
      };
      const call: WaitingCall = { again, drop, untilMs: this.engine.world.nowMs + ms };
      const timer = setTimeout(() => again(true), ms);
      visit.res.once('close', drop);
      this.#calls.add(call);
    });
  }

  /** Drops all waiting calls. Called when the world ends or is replaced. */
  end(): void {
    for (const call of [...this.#calls]) call.drop();
  }

  #look(): void {
    const { nowMs } = this.engine.world;
    for (const call of [...this.#calls]) call.again(nowMs >= call.untilMs);
  }
}
