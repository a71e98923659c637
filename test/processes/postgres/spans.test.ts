import { propagation, type Span, trace, type Tracer } from '@opentelemetry/api';
import { createReplica, PackCache } from '../../../engine/index.js';
import { startSpans } from '../../../tools/observe/spans.js';
import { call } from '../../support/http.js';
import { describePostgres, postgres } from '../../support/postgres.js';

/** Calls that pass from replica to replica as a collector of traces sees them. */

const KEY = 'sk_test_of_the_host_123456789';
const TRACE = 'a'.repeat(32);
const CALLER = 'c'.repeat(16);

interface Made {
  readonly id: string;
  readonly parent: string | undefined;
}

/** As an SDK registers itself, with the format of the W3C. */
function startSdk(): readonly Made[] {
  const made: Made[] = [];
  const tracer: Pick<Tracer, 'startSpan'> = {
    startSpan: (_name, _options, parent): Span => {
      const id = String(made.length + 1).padStart(16, '0');
      made.push({ id, parent: parent && trace.getSpanContext(parent)?.spanId });
      return trace.wrapSpanContext({ traceId: TRACE, spanId: id, traceFlags: 1 });
    },
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer as Tracer });
  propagation.setGlobalPropagator({
    inject: (context, carrier, setter) => {
      const { traceId, spanId } = trace.getSpanContext(context) ?? { traceId: '', spanId: '' };
      setter.set(carrier, 'traceparent', `00-${traceId}-${spanId}-01`);
    },
    extract: (context, carrier, getter) => {
      const [, traceId, spanId] = String(getter.get(carrier, 'traceparent')).split('-');
      return spanId === undefined ? context : trace.setSpanContext(context, { traceId, spanId, traceFlags: 1 });
    },
    fields: () => ['traceparent'],
  });
  return made;
}

function stopSdk(): void {
  trace.disable();
  propagation.disable();
}

describePostgres('a call at a replica that has not its world', () => {
  // Suites share a process, and another one may have registered an SDK.
  beforeAll(stopSdk);
  afterAll(stopSdk);

  test('is a span below that of the caller, and one of the other replica below that', async () => {
    const database = await postgres.newDatabase();
    const start = () =>
      createReplica({
        pack: 'packs/payments',
        cache: PackCache.ofInstallation(),
        key: KEY,
        t0: 1_736_942_400,
        database,
      });
    const replicas = [await start(), await start()];
    const spans = startSdk();
    expect(startSpans()).toBe(true);
    const traceparent = `00-${TRACE}-${CALLER}-01`;
    const response = await call({ url: replicas[1].url, key: KEY }, 'GET /v1/customers', undefined, { traceparent });
    await Promise.all(replicas.map((each) => each.close(100)));
    expect(response.status).toBe(200);
    expect(spans).toEqual([
      { id: '0000000000000001', parent: CALLER },
      { id: '0000000000000002', parent: '0000000000000001' },
    ]);
  });
});
