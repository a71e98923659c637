import type { Output } from '../command/output.js';
import { watchCalls } from './calls.js';

/** A log that consists of JSON lines. */
export interface JsonLog {
  /** Output of a command whose errors are logged as JSON lines. */
  readonly output: Output;
  /** Starts logging calls, one line each, except health checks. */
  watch(): void;
}

export async function startLog(output: Output): Promise<JsonLog> {
  const { pino } = await import('pino');
  const log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => output.print(line.trimEnd()) },
  );
  return {
    output: output.withErrors((text) => log.warn(text)),
    watch: () =>
      watchCalls({
        began: () => undefined,
        ended: ({ method, path, status, ms, world, to }) => {
          if (path === '/healthz' || path === '/readyz') return;
          const took = Math.round(ms * 10) / 10;
          log.info({ method, path, status, ms: took, ...(world && { world }), ...(to && { to }) }, 'call');
        },
      }),
  };
}
