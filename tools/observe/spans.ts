import {
  context,
  propagation,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { watchCalls } from './calls.js';

/**
 * Creates a span for each call, below the caller's span if it sends one, in the OpenTelemetry SDK that the process was started with. The SDK's API
 * must be at least as new as the one used here, which is therefore an older one.
 * @returns whether there is an SDK
 */
export function startSpans(): boolean {
  const tracer = trace.getTracer('sandbox');
  watchCalls<Span>({
    began: ({ method = '', headers }) => {
      const parent = propagation.extract(context.active(), headers);
      return tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
    },
    // Passes this call's span to the other replica, whose span becomes its child.
    handedOn: (headers, span) => propagation.inject(trace.setSpan(context.active(), span), headers),
    ended: ({ method, path, status, world, to }, span) => {
      span.setAttributes({ 'http.request.method': method, 'url.path': path });
      if (status !== null) span.setAttribute('http.response.status_code', status);
      if (world !== null) span.setAttribute('sandbox.world', world);
      if (to !== null) span.setAttribute('sandbox.handed_on_to', to);
      if (status === null || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  });
  const provider = trace.getTracerProvider();
  const without = new ProxyTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== without.getDelegate();
}
