import type { Link } from '@opentelemetry/api';
import { errorMessage } from '../logged-error.js';
import type { Logger } from '../logger.js';
import { getProductVersion } from '../version.js';
import type { TracingOptions } from './tracing-settings.js';
import { preciseNow, setTracer, type Span, type SpanKind } from './tracing.js';

/** Minimum time between log lines about failed exports, in milliseconds. */
const LOG_INTERVAL_MS = 60_000;
const TRACEPARENT_PARTS = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Loads OpenTelemetry, records spans and exports them over OTLP.
 *
 * @returns A function that exports the remaining spans and stops tracing.
 */
export async function startOpenTelemetry({ sampler, ratio }: TracingOptions, logger: Logger) {
  const [api, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  const { ROOT_CONTEXT, trace, isSpanContextValid, SpanStatusCode } = api;
  api.diag.setLogger(createDiagnosticsLogger(logger), api.DiagLogLevel.WARN);

  const samplers: Record<TracingOptions['sampler'], () => InstanceType<typeof sdk.ParentBasedSampler>> = {
    always_on: () => new sdk.AlwaysOnSampler() as never,
    always_off: () => new sdk.AlwaysOffSampler() as never,
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio) as never,
    parentbased_always_on: () => new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() }),
    parentbased_always_off: () => new sdk.ParentBasedSampler({ root: new sdk.AlwaysOffSampler() }),
    parentbased_traceidratio: () => new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
  };
  const { service } = logger.bindings() as { service: string };
  const serviceAttributes = { 'service.name': service === 'agent-traffic' ? service : `agent-traffic-${service}` };
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ ...serviceAttributes, 'service.version': getProductVersion() }))
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const provider = new sdk.TracerProvider({
    resource,
    sampler: samplers[sampler](),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('agent-traffic', getProductVersion());
  const otelKinds: Record<SpanKind, number> = {
    internal: api.SpanKind.INTERNAL,
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    producer: api.SpanKind.PRODUCER,
    consumer: api.SpanKind.CONSUMER,
  };

  setTracer({
    start: (name, { kind = 'internal', parent, links = [], attributes = {}, startMs = preciseNow() }) => {
      const parentContext = parent === undefined ? null : toSpanContext(parent);
      const context = parentContext === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parentContext);
      const linkedContexts = links.map(toSpanContext).filter((link) => link !== null && isSpanContextValid(link));
      const options = {
        kind: otelKinds[kind],
        attributes,
        links: linkedContexts.map((link) => ({ context: link }) as Link),
        startTime: startMs,
      };
      const span = tracer.startSpan(name, options, context);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end: ({ attributes: endAttributes, error, endMs = preciseNow() } = {}) => {
          if (endAttributes !== undefined) span.setAttributes(endAttributes);
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage(error) });
          span.end(endMs);
        },
      } satisfies Span;
    },
  });
  logger.info({ sampler, ratio }, 'OpenTelemetry tracing started');
  return async (): Promise<void> => {
    setTracer(null);
    await provider.shutdown();
  };
}

function toSpanContext(traceparent: string) {
  const [, traceId, spanId, flags] = TRACEPARENT_PARTS.exec(traceparent) ?? [];
  if (traceId === undefined) return null;
  return { traceId, spanId: spanId!, traceFlags: parseInt(flags!, 16), isRemote: true };
}

/** Export failures are logged at most once a minute instead of once per batch of spans. */
function createDiagnosticsLogger(logger: Logger) {
  let nextAt = 0;
  const warn = (message: string): void => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + LOG_INTERVAL_MS;
    logger.warn({ reason: message.slice(0, 500) }, 'failed to export traces');
  };
  const ignore = (): void => undefined;
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}
