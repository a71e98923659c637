import { ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { ControlCode } from '../codes.js';
import type { Messages } from './app.js';
import { LARGE_BYTES } from './unread.js';

/** A response that waits for the store, with its delayed steps. */
interface HeldResponse {
  readonly steps: (() => unknown)[];
  /** Whether a writer waits for the event `drain`. */
  isFull: boolean;
}

type GateMethod = (this: ServerResponse, ...args: never[]) => unknown;

const BODY = JSON.stringify({
  error: {
    code: 'store_failed' satisfies ControlCode,
    message: 'what this world does can no longer be kept; its log has the reason. No acknowledged call is lost',
  },
});

const HELD = ['writeHead', 'write', 'end', 'flushHeaders'] as const;

/** Stops delaying responses, by removing the replaced methods. */
export function holdNoMore({ response }: Messages): void {
  // The replaced methods may be above the app's own prototype, since a server may have inserted one.
  for (let each: object | null = response; each !== null && each !== ServerResponse.prototype;) {
    for (const method of HELD) Reflect.deleteProperty(each, method);
    each = Reflect.getPrototypeOf(each);
  }
}

/** Converts a large text to bytes outside of the heap, since many responses may wait. */
function outsideHeap(args: readonly unknown[]): readonly unknown[] {
  const [text, encoding, ...rest] = args;
  if (typeof text !== 'string' || text.length <= LARGE_BYTES) return args;
  const bytes = Buffer.from(text, encoding === 'latin1' ? 'latin1' : 'utf8');
  return typeof encoding === 'string' ? [bytes, ...rest] : [bytes, ...args.slice(1)];
}

/**
 * Delays every response of an app until the world's records so far are stored. If they can't be stored, the caller gets 503, as
 * do all later callers.
 * @param kept resolves once the records are stored; undefined: nothing to wait for; rejects: they can't be stored
 * @param onLost called with the reason, once
 */
export function holdResponses(
  app: Express,
  kept: () => Promise<void> | undefined,
  onLost: (error: unknown) => void,
): void {
  const plain: Readonly<Record<(typeof HELD)[number], GateMethod>> = ServerResponse.prototype;
  const { writeHead, write, end, flushHeaders } = plain;
  const waiting = new WeakMap<ServerResponse, HeldResponse>();
  /** The response whose steps run at once, since it is being sent. */
  let free: ServerResponse | null = null;
  let isLost = false;

  const sendNow = (res: ServerResponse, steps: () => void): void => {
    free = res;
    try {
      steps();
    } finally {
      free = null;
    }
  };
  const reject = (res: ServerResponse): void => {
    if (res.headersSent) {
      res.destroy();
      return;
    }
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    res.writeHead(503, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(BODY),
      'Cache-Control': 'no-store',
    });
    res.end(BODY);
  };
  const release = async (res: ServerResponse, held: HeldResponse): Promise<void> => {
    try {
      for (let seen = 0; seen < held.steps.length;) {
        seen = held.steps.length;
        await kept();
      }
    } catch (error) {
      if (!isLost) onLost(error);
      isLost = true;
      waiting.delete(res);
      sendNow(res, () => reject(res));
      return;
    }
    waiting.delete(res);
    sendNow(res, () => {
      for (const step of held.steps) step();
    });
    if (held.isFull) res.emit('drain');
  };
  /** Delays a step until the records are stored; null: there is nothing to wait for, so the caller runs it. */
  const held = (res: ServerResponse, step: () => unknown): HeldResponse | null => {
    const known = waiting.get(res);
    if (known !== undefined) {
      known.steps.push(step);
      return known;
    }
    if (free === res || kept() === undefined) return null;
    const made = { steps: [step], isFull: false };
    waiting.set(res, made);
    void release(res, made);
    return made;
  };

  Object.assign(app.response, {
    writeHead(this: ServerResponse, ...args: readonly unknown[]): unknown {
      const step = (): unknown => Reflect.apply(writeHead, this, args);
      return held(this, step) === null ? step() : this;
    },
    write(this: ServerResponse, ...args: readonly unknown[]): unknown {
      let given = args;
      const step = (): unknown => Reflect.apply(write, this, given);
      const full = held(this, step);
      if (full === null) return step();
      full.isFull = true;
      given = outsideHeap(args);
      return false;
    },
    end(this: ServerResponse, ...args: readonly unknown[]): unknown {
      let given = args;
      const step = (): unknown => Reflect.apply(end, this, given);
      if (held(this, step) === null) return step();
      given = outsideHeap(args);
      return this;
    },
    flushHeaders(this: ServerResponse): void {
      const step = (): unknown => flushHeaders.call(this);
      if (held(this, step) === null) step();
    },
  });
}
