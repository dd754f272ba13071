import type { TopicName } from '#libs/contracts';
import {
  batchSpans,
  currentTracer,
  isSampled,
  preciseNow,
  type Span,
  type SpanAttributes,
  type SpanKind,
} from '#libs/platform';
import type { Subscription } from './bus.js';

const MAX_TRACES_PER_BATCH = 16;

export interface StepSpan {
  name: string;
  kind: SpanKind;
  attributes?: SpanAttributes;
}

/** Handles a batch within spans. Each sampled trace in the batch gets a span with links to the other traces. */
export async function withBatchSpans<T>(
  { topic, group }: Subscription,
  values: readonly unknown[],
  handle: () => Promise<T>,
): Promise<T> {
  const tracer = currentTracer();
  if (tracer === null) return handle();
  const traces = getSampledTraces(values.map((value) => topic.getTraceparent(value)));
  const spans = traces.map((parent) =>
    tracer.start(`process ${topic.name}`, {
      kind: 'consumer',
      parent,
      links: traces.filter((other) => other !== parent),
      attributes: {
        'messaging.operation.type': 'process',
        'messaging.destination.name': topic.name,
        'messaging.consumer.group.name': group,
        'messaging.batch.message_count': values.length,
      },
    }),
  );
  for (const [index, span] of spans.entries()) parentTraceparents.set(span, traces[index]!);
  try {
    const result = await batchSpans.run(spans, handle);
    for (const span of spans) span.end();
    return result;
  } catch (error) {
    for (const span of spans) span.end({ error });
    throw error;
  }
}

/** Traceparent that each span continues. */
const parentTraceparents = new WeakMap<Span, string>();

/**
 * Returns the traceparent to set on values derived from a value with the given traceparent. If a batch span continues
 * that trace, returns the span's traceparent. Otherwise, returns the given one.
 */
export function getContinuedTraceparent(traceparent: string | null): string | null {
  const span = batchSpans.getStore()?.find((each) => parentTraceparents.get(each) === traceparent);
  return span?.traceparent ?? traceparent;
}

/** Runs a step of the current batch and records it in each of the batch's traces. */
export async function withStepSpan(span: StepSpan, step: () => void | Promise<void>): Promise<void> {
  const parentSpans = batchSpans.getStore();
  const tracer = currentTracer();
  if (tracer === null || parentSpans === undefined || parentSpans.length === 0) return void (await step());
  const startMs = preciseNow();
  const record = (error?: unknown): void => {
    const endMs = preciseNow();
    for (const { traceparent: parent } of parentSpans) {
      tracer.start(span.name, { ...span, parent, startMs }).end({ endMs, error });
    }
  };
  try {
    await step();
    record();
  } catch (error) {
    record(error);
    throw error;
  }
}

/**
 * Publishes values within a span of their trace.
 *
 * @param publish Receives the traceparent to set on the values.
 */
export async function withPublishSpan(
  { topic, traceparent: parent, count }: { topic: TopicName; traceparent: string; count: number },
  publish: (traceparent: string) => Promise<void>,
): Promise<void> {
  const tracer = currentTracer();
  // The sampling decision was made when the trace started.
  if (tracer === null || !isSampled(parent)) return publish(parent);
  const span = tracer.start(`send ${topic}`, {
    kind: 'producer',
    parent,
    attributes: {
      'messaging.operation.type': 'send',
      'messaging.destination.name': topic,
      'messaging.batch.message_count': count,
    },
  });
  try {
    await publish(span.traceparent);
    span.end();
  } catch (error) {
    span.end({ error });
    throw error;
  }
}

function getSampledTraces(traceparents: readonly (string | null)[]): string[] {
  const traces = new Set<string>();
  for (const traceparent of traceparents) {
    if (traceparent === null || !isSampled(traceparent)) continue;
    traces.add(traceparent);
    if (traces.size === MAX_TRACES_PER_BATCH) break;
  }
  return [...traces];
}
