import type { Response } from 'express';
import type { FaultResponse } from '../world/index.js';
import { type HeaderList, withHeaders } from './headers.js';

/** Maximum number of pieces in which a slowed body is sent. */
const BITS = 20;

/**
 * Sends a response that a fault changes: with other headers, with another body, truncated, or slowly.
 * @param headers the headers of the unchanged response, without Content-Length
 */
export function sendAltered(
  res: Response,
  status: number,
  headers: HeaderList,
  text: string,
  { headers: more, body, truncateAt, dripMs = 0 }: FaultResponse,
): void {
  const whole = Buffer.from(body ?? text);
  const sent = truncateAt === undefined ? whole : whole.subarray(0, truncateAt);
  res.writeHead(status, [...withHeaders(headers, more), 'Content-Length', String(whole.length)]);
  if (truncateAt === undefined && (dripMs === 0 || sent.length === 0)) {
    res.end(sent);
    return;
  }
  // Ends the response. If a fault truncates it, the connection is closed once the socket has sent what it buffers.
  const end = (): void => void (truncateAt === undefined ? res.end() : res.write('', () => res.socket?.destroySoon()));
  if (dripMs === 0 || sent.length === 0) {
    res.flushHeaders();
    res.write(sent);
    end();
    return;
  }
  const size = Math.ceil(sent.length / BITS);
  const pauseMs = dripMs / Math.ceil(sent.length / size);
  const drip = (from: number): void => {
    if (res.destroyed) return;
    res.write(sent.subarray(from, from + size));
    if (from + size >= sent.length) end();
    else setTimeout(() => drip(from + size), pauseMs);
  };
  drip(0);
}
