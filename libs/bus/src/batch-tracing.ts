import { RECEIVED_HEADERS } from '#libs/contracts';
import {
  batchSpans,
  currentTracer,
  isSampled,
  preciseNow,
  type Span,
  type SpanAttributes,
  type SpanKind,
} from '#libs/platform';
import type { BusMessage, ReceivedMessage, Subscription } from './bus.js';

/** Traces of a batch that are followed, and that a span is linked with. */
const MAX_TRACES = 16;

/** What of a step is recorded beyond its name and time. */
export interface StepSpan {
  name: string;
  kind: SpanKind;
  attributes?: SpanAttributes;
}

const { traceparent: HEADER } = RECEIVED_HEADERS;

/**
 * Handles a batch within spans: each of its sampled traces goes on with one of its own, and is linked with the others that
 * it met here.
 */
export async function inSpans<T>(
  { topic, group }: Subscription,
  messages: readonly ReceivedMessage[],
  handle: () => Promise<T>,
): Promise<T> {
  const tracer = currentTracer();
  if (tracer === null) return handle();
  const traces = tracesOf(messages);
  const spans = traces.map((parent) =>
    tracer.start(`process ${topic}`, {
      kind: 'consumer',
      parent,
      links: traces.filter((other) => other !== parent),
      attributes: {
        'messaging.operation.type': 'process',
        'messaging.destination.name': topic,
        'messaging.consumer.group.name': group,
        'messaging.batch.message_count': messages.length,
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

/** Which trace each span goes on with. */
const followed = new WeakMap<Span, string>();

/** What a message made of another carries on: the span in which that is handled now, or its own trace. */
export function followingTrace(message: ReceivedMessage): string | undefined {
  const own = message.headers[HEADER];
  const span = batchSpans.getStore()?.find((each) => followed.get(each) === own);
  return span?.traceparent ?? own;
}

/** Runs a step of the batch that is handled, recorded in each of its traces. */
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

/** Publishes new messages of one trace within a span, which they go on with. */
export async function inPublishSpan(messages: readonly BusMessage[], publish: () => Promise<void>): Promise<void> {
  const tracer = currentTracer();
  const first = messages[0];
  const parent = first?.headers[HEADER];
  // Whether a trace is recorded was decided with its first span.
  if (tracer === null || first === undefined || parent === undefined || !isSampled(parent)) return publish();
  const span = tracer.start(`send ${first.topic}`, {
    kind: 'producer',
    parent,
    attributes: {
      'messaging.operation.type': 'send',
      'messaging.destination.name': first.topic,
      'messaging.batch.message_count': messages.length,
    },
  });
  for (const { headers } of messages) if (HEADER in headers) headers[HEADER] = span.traceparent;
  try {
    await publish();
    span.end();
  } catch (error) {
    span.end({ error });
    throw error;
  }
}

function tracesOf(messages: readonly ReceivedMessage[]): string[] {
  const traces = new Set<string>();
  for (const { headers } of messages) {
    const traceparent = headers[HEADER];
    if (traceparent === undefined || traces.has(traceparent) || !isSampled(traceparent)) continue;
    traces.add(traceparent);
    if (traces.size === MAX_TRACES) break;
  }
  return [...traces];
}
