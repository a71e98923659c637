import { subscribe } from 'node:diagnostics_channel';
import type { Replica } from '../../engine/index.js';
import type { UnreadNews } from '../../engine/http/index.js';
import type { FlushNews } from '../../engine/store/index.js';
import { watchCalls } from './calls.js';

/** The Prometheus metrics of a replica. */
export interface Metrics {
  read(): Promise<{ readonly type: string; readonly text: string }>;
  /** Counts the worlds of a replica. */
  watch(replica: Pick<Replica, 'held'>): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts calls by response status; world names are no labels, since their number is unbounded. */
export async function startMetrics(): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registers = [new Registry()];
  const [registry] = registers;
  collectDefaultMetrics({ register: registry });
  // The suffix `_total` is reserved for counters; Prometheus tools reject other metrics with it.
  for (const { name, type } of await registry.getMetricsAsJSON())
    if (name.endsWith('_total') && String(type) !== 'counter') registry.removeSingleMetric(name);
  const calls = new Counter({
    name: 'sandbox_calls_total',
    help: 'Calls that got a response; status is none where a connection ended without a response.',
    labelNames: ['method', 'status', 'plane'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'sandbox_call_seconds',
    help: 'Time from the head of a call to the end of its response.',
    labelNames: ['plane'] as const,
    buckets: SECONDS,
    registers,
  });
  const handedOn = new Counter({
    name: 'sandbox_calls_handed_on_total',
    help: 'Calls that another replica handled, since it has their world.',
    registers,
  });
  const flush = new Histogram({
    name: 'sandbox_flush_seconds',
    help: 'Time until PostgreSQL has kept what worlds did.',
    buckets: SECONDS,
    registers,
  });
  const unread = new Counter({
    name: 'sandbox_connections_ended_total',
    help: 'Connections that were ended since their clients did not read their responses.',
    registers,
  });
  subscribe('sandbox:unread', (message) => unread.inc((message as UnreadNews).connections));
  let replica: Pick<Replica, 'held'> | null = null;
  new Gauge({
    name: 'sandbox_worlds',
    help: 'Worlds that this replica has in memory.',
    registers,
    collect() {
      this.set(replica?.held ?? 0);
    },
  });
  watchCalls({
    began: () => undefined,
    ended: ({ method, path, status, ms, to }) => {
      const plane = planeOf(path);
      calls.inc({ method, status: status ?? 'none', plane });
      duration.observe({ plane }, ms / 1000);
      if (to !== null) handedOn.inc();
    },
  });
  subscribe('sandbox:flush', (message) => flush.observe((message as FlushNews).seconds));
  return {
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    watch: (each) => (replica = each),
  };
}

function planeOf(path: string): string {
  if (path === '/healthz' || path === '/readyz' || path === '/metrics') return 'own';
  if (path.startsWith('/__admin__')) return 'control';
  return path.startsWith('/w/') ? 'page' : 'vendor';
}
