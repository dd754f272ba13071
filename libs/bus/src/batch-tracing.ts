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

const MAX_TRACES = 16;

export interface StepSpan {
  name: string;
  kind: SpanKind;
  attributes?: SpanAttributes;
}

/** Handles a batch within spans. Each sampled trace of the batch gets a span, with links to the other traces. */
export async function inSpans<T>(
  { topic, group }: Subscription,
  values: readonly unknown[],
  handle: () => Promise<T>,
): Promise<T> {
  const tracer = currentTracer();
  if (tracer === null) return handle();
  const traces = tracesOf(values.map((value) => topic.traceparent(value)));
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
  for (const [index, span] of spans.entries()) followed.set(span, traces[index]!);
  try {
    const result = await batchSpans.run(spans, handle);
    for (const span of spans) span.end();
    return result;
  } catch (error) {
    for (const span of spans) span.end({ error });
    throw error;
  }
}

/** Trace that each span continues. */
const followed = new WeakMap<Span, string>();

/**
 * Returns the traceparent for values derived from one with the given traceparent: the batch span that continues the
 * trace, or the same traceparent if there is no such span.
 */
export function followingTrace(traceparent: string | null): string | null {
  const span = batchSpans.getStore()?.find((each) => followed.get(each) === traceparent);
  return span?.traceparent ?? traceparent;
}

/** Runs a step of the current batch and records it in each of its traces. */
export async function inStepSpan(span: StepSpan, step: () => void | Promise<void>): Promise<void> {
  const above = batchSpans.getStore();
  const tracer = currentTracer();
  if (tracer === null || above === undefined || above.length === 0) return void (await step());
  const startMs = preciseNow();
  const record = (error?: unknown): void => {
    const endMs = preciseNow();
    for (const { traceparent: parent } of above) {
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
export async function inPublishSpan(
  { topic, traceparent: parent, count }: { topic: TopicName; traceparent: string; count: number },
  publish: (traceparent: string) => Promise<void>,
): Promise<void> {
  const tracer = currentTracer();
  // The sampling decision was made at the first span of the trace.
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

function tracesOf(traceparents: readonly (string | null)[]): string[] {
  const traces = new Set<string>();
  for (const traceparent of traceparents) {
    if (traceparent === null || !isSampled(traceparent)) continue;
    traces.add(traceparent);
    if (traces.size === MAX_TRACES) break;
  }
  return [...traces];
}
