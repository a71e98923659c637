import { type Attributes, type Context, type Span, type SpanOptions, type Tracer } from '@opentelemetry/api';
import { startLog } from '../../tools/observe/log.js';
import { startMetrics } from '../../tools/observe/metrics.js';
import { startSpans } from '../../tools/observe/spans.js';
import { Output } from '../../tools/command/output.js';
import { TestSandbox } from '../support/start-sandbox.js';
import { form } from '../support/http.js';

/** Calls as those see them who look after a server. */

interface Spanned {
  readonly name: string;
  readonly options: SpanOptions | undefined;
  readonly attributes: Attributes;
  isOver: boolean;
}

test('a call is a line of the log, a number and a span, and none of them tells its key, query or body', async () => {
  const lines: string[] = [];
  const spans: Spanned[] = [];
  const sink = { write: (text: string) => lines.push(text), on: () => undefined };
  // As the API of an SDK registers itself, which may be newer than the one here, and is another copy of it.
  Object.assign(globalThis, {
    [Symbol.for('opentelemetry.js.api.1')]: { version: '1.9.1', trace: { getTracer: () => tracerInto(spans) } },
  });
  expect(startSpans()).toBe(true);
  (await startLog(new Output(sink, sink))).watch();
  const metrics = await startMetrics();
  const sandbox = await new TestSandbox('packs/payments').open();
  await sandbox.call('GET /v1/customers?limit=3');
  await sandbox.call('POST /v1/customers', form({ name: 'Ada' }));
  await sandbox.call('GET /healthz');
  await sandbox.close();
  const { text } = await metrics.read();

  const calls = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(calls).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      method: 'GET',
      path: '/v1/customers',
      status: 200,
      ms: expect.any(Number),
      msg: 'call',
    },
    {
      level: 'info',
      time: expect.any(String),
      method: 'POST',
      path: '/v1/customers',
      status: 200,
      ms: expect.any(Number),
      msg: 'call',
    },
  ]);
  expect(text).toContain('sandbox_calls_total{method="GET",status="200",plane="vendor"} 1');
  expect(text).toContain('sandbox_call_seconds_count{plane="own"} 1');
  expect(spans.slice(0, 2)).toMatchObject([
    { name: 'GET', isOver: true, attributes: { 'url.path': '/v1/customers', 'http.response.status_code': 200 } },
    { name: 'POST', isOver: true, attributes: { 'http.request.method': 'POST' } },
  ]);
  for (const told of [lines.join(''), text, JSON.stringify(spans)])
    for (const secret of [sandbox.key, 'limit', 'Ada']) expect(told).not.toContain(secret);
});

function tracerInto(spans: Spanned[]): Tracer {
  const startSpan = (name: string, options?: SpanOptions, _context?: Context): Span => {
    const attributes: Attributes = {};
    const made: Spanned = { name, options, attributes, isOver: false };
    spans.push(made);
    const span: Span = {
      spanContext: () => ({ traceId: '', spanId: '', traceFlags: 0 }),
      setAttribute: (key, value) => {
        if (value !== undefined) attributes[key] = value;
        return span;
      },
      setAttributes: (more) => {
        Object.assign(attributes, more);
        return span;
      },
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      setStatus: () => span,
      updateName: () => span,
      end: () => {
        made.isOver = true;
      },
      isRecording: () => true,
      recordException: () => undefined,
    };
    return span;
  };
  return {
    startSpan,
    startActiveSpan: () => {
      throw new Error('nobody needs it');
    },
  };
}
