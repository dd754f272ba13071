import { RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { withBatchSpans } from './batch-tracing.js';
import type { HandlerContext, Subscription } from './bus.js';
import { busMetrics } from './bus-metrics.js';
import { createDeadLetter, type DeadLetter } from './dead-letter.js';
import type { Delivery } from './delivery.js';

/** Decodes messages without an outcome and passes their values to the handler. Records metrics and traces. */
export async function handleBatch(
  subscription: Subscription,
  messages: readonly Delivery[],
  context: HandlerContext,
): Promise<void> {
  const labels = { topic: subscription.topic.name, group: subscription.group };
  const stopTimer = busMetrics.batchSeconds.startTimer(labels);
  busMetrics.batchMessages.observe(labels, messages.length);
  const unhandled = messages.filter(({ outcome }) => outcome === null);
  const { values, decoded } = decode(subscription, unhandled);
  if (values.length > 0) {
    const outcomes = await withBatchSpans(subscription, values, () => subscription.handler(values, context));
    if (outcomes.length !== values.length) {
      throw new Error(
        `the handler for ${labels.topic} returned ${outcomes.length} outcomes for ${values.length} messages`,
      );
    }
    for (const [index, message] of decoded.entries()) message.outcome = outcomes[index]!;
  }
  stopTimer();
  const counts = new Map<string, number>();
  for (const { outcome } of unhandled) {
    const name = outcome!.kind === 'ok' ? 'ok' : outcome!.reason;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [outcome, count] of counts) busMetrics.outcomes.inc({ ...labels, outcome }, count);
}

/** Returns the decoded values and their messages. If a message can't be decoded, sets its outcome instead. */
function decode({ group }: Subscription, messages: readonly Delivery[]): { values: unknown[]; decoded: Delivery[] } {
  const stopTimer = busMetrics.stepSeconds.startTimer({ pipeline: group, step: 'decode' });
  const values: unknown[] = [];
  const decoded: Delivery[] = [];
  for (const message of messages) {
    const result = message.decode();
    if (result.ok) {
      values.push(result.value);
      decoded.push(message);
    } else message.outcome = result.outcome;
  }
  stopTimer();
  return { values, decoded };
}

/** Returns a handled message's dead letters: the entire message if it was rejected, or otherwise its invalid parts. */
export function getDeadLetters({ topic }: Subscription, message: Delivery): readonly DeadLetter[] {
  const outcome = message.outcome!;
  if (outcome.kind !== 'dead-letter') {
    const decoded = message.decode();
    return (decoded.ok && decoded.deadLetters) || [];
  }
  // A rejected dead letter would be lost, so the batch must fail.
  if (topic.name === TOPICS.visitsDeadLetter) throw new Error(`a dead letter was rejected: ${outcome.detail}`);
  const original = message.toMessage();
  return [createDeadLetter(original, { ...outcome, projectId: original.headers[RECEIVED_HEADERS.projectId] ?? null })];
}
