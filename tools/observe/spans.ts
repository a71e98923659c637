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
 * A span for each call, below that of the caller if it names one, for whatever SDK of OpenTelemetry the process was started with. An SDK's
 * own API has to be as new as the one here, which therefore is an older one.
 * @returns whether there is an SDK
 */
export function startSpans(): boolean {
  const tracer = trace.getTracer('sandbox');
  watchCalls<Span>({
    began: ({ method = '', headers }) => {
      const parent = propagation.extract(context.active(), headers);
      return tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
    },
    // The span of the other replica becomes a child of this one.
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
