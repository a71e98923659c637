import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { LIMITS } from '../limits.js';

/** Message on the diagnostics channel `sandbox:unread`: connections that were closed since their clients didn't read. */
export interface UnreadNews {
  readonly connections: number;
  /** Unread bytes of responses. */
  readonly bytes: number;
}

/** The progress of a connection with unread responses. */
interface Waiting {
  /** Bytes sent when the connection last made progress. */
  sentBytes: number;
  progressMs: number;
  readonly sinceMs: number;
}

const LOOK_INTERVAL_MS = 250;
/** Connections without progress for this time are closed first if responses take too much memory. */
const STALLED_MS = 1_000;
/** Sent bytes below this number don't count as progress. */
const PROGRESS_BYTES = 16 * 1024;
/** Size above which a response's bytes count as soon as it is sent, instead of at the next check. */
export const LARGE_BYTES = 64 * 1024;

const news = channel('sandbox:unread');
const open = new Set<Socket>();
const waiting = new Map<Socket, Waiting>();
let timer: NodeJS.Timeout | undefined;
let unreadBytes = 0;

/** Counts a connection's unread bytes, and closes it if reading takes too long or too much memory. */
export function watchReading(socket: Socket): void {
  open.add(socket);
  timer ??= setInterval(endSlow, LOOK_INTERVAL_MS).unref();
  socket.once('close', () => {
    open.delete(socket);
    waiting.delete(socket);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
}

/** Makes room before a large response is sent, if too much is unread. */
export function beforeLarge(bytes: number): void {
  unreadBytes += bytes;
  if (unreadBytes > LIMITS.unread.value) endSlow();
}

/** Whether a connection must be closed. @param unreadBytes of all connections */
export function mustEnd(
  { stalledMs, waitedMs }: { readonly stalledMs: number; readonly waitedMs: number },
  unreadBytes: number,
): boolean {
  const { unread, unreadTime } = LIMITS;
  if (stalledMs > unreadTime.value) return true;
  if (unreadBytes > unread.value && stalledMs > STALLED_MS) return true;
  return unreadBytes > 2 * unread.value && waitedMs > 0;
}

function endSlow(): void {
  const now = performance.now();
  unreadBytes = 0;
  for (const socket of open) {
    const bytes = socket.writableLength;
    if (bytes === 0) {
      waiting.delete(socket);
      continue;
    }
    unreadBytes += bytes;
    const sentBytes = socket.bytesWritten - bytes;
    const known = waiting.get(socket);
    if (known === undefined) waiting.set(socket, { sentBytes, progressMs: now, sinceMs: now });
    else if (sentBytes - known.sentBytes >= PROGRESS_BYTES) Object.assign(known, { sentBytes, progressMs: now });
  }
  // Starts with the connections that have waited longest: maps keep the order of insertion.
  let ended = 0;
  let endedBytes = 0;
  for (const [socket, { progressMs, sinceMs }] of waiting) {
    if (!mustEnd({ stalledMs: now - progressMs, waitedMs: now - sinceMs }, unreadBytes)) continue;
    ended++;
    endedBytes += socket.writableLength;
    unreadBytes -= socket.writableLength;
    waiting.delete(socket);
    socket.destroy();
  }
  if (ended > 0 && news.hasSubscribers) news.publish({ connections: ended, bytes: endedBytes } satisfies UnreadNews);
}
