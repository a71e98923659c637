import type { Logger } from 'pino';
import type { Output } from '../command/output.js';
import { watchCalls } from './calls.js';

/** A log of lines of JSON: one for each call, and for whatever goes wrong. Health checks are not calls. */
export async function startLog(output: Output): Promise<Logger> {
  const { pino } = await import('pino');
  const log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => output.print(line.trimEnd()) },
  );
  watchCalls({
    began: () => undefined,
    ended: ({ method, path, status, ms, world, to }) => {
      if (path === '/healthz' || path === '/readyz') return;
      const took = Math.round(ms * 10) / 10;
      log.info({ method, path, status, ms: took, ...(world && { world }), ...(to && { to }) }, 'call');
    },
  });
  return log;
}
