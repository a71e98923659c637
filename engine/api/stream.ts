import type { Operation, Stream } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import type { HeaderList } from './headers.js';
import type { Visit } from './visit.js';

/** A response that goes out as server-sent events. */
export interface StreamedResponse {
  readonly stream: Stream;
  readonly status: number;
  readonly headers: HeaderList;
  /** The text of all events. */
  readonly text: string;
  /** Id of the object that it is about; null: none. */
  readonly self: string | null;
}

/** Headers of a response that is a stream. */
export const EVENT_STREAM = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' };

/** Whether a body that was kept went out as server-sent events. */
export function isEventStream({ stream }: Operation, status: number, body: string): boolean {
  return stream !== null && status < 400 && body.startsWith('data: ');
}

/** Sends events one after another. What they say was decided by the call's commit; only the pauses are of real time. */
export function sendEvents(engine: Engine, { res, fault, operation }: Visit, response: StreamedResponse): void {
  const { stream, status, headers, text, self } = response;
  const { afterEvents, errorEvent } = fault?.answer ?? {};
  const frames = text.split(/(?<=\n\n)/).slice(0, afterEvents);
  if (errorEvent !== undefined) frames.push(`data: ${JSON.stringify(stream.broken()(engine.runtime, errorEvent))}\n\n`);
  let sent = 0;
  res.writeHead(status, headers);
  const end = (): void => {
    if (afterEvents === undefined || errorEvent !== undefined) res.end();
    else res.write('', () => res.socket?.destroySoon());
  };
  const next = (): void => {
    if (res.destroyed) return;
    if (sent === frames.length) return end();
    res.write(frames[sent++]);
    if (stream.everyMs === 0) next();
    else setTimeout(next, stream.everyMs);
  };
  const { closed } = stream;
  res.once('close', () => {
    if (closed === null || operation === null || sent >= frames.length) return;
    engine.command(
      `stream closed ${operation.key}`,
      'outside',
      (x) => {
        const row = self === null ? null : (x.row(operation.resource.index, self) ?? null);
        closed(x, row, sent);
      },
      { object: self, sent },
    );
  });
  next();
}
