import { RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { inSpans } from './batch-tracing.js';
import type { HandlerContext, Subscription } from './bus.js';
import { busMetrics } from './bus-metrics.js';
import { deadLetter, type DeadLetter } from './dead-letter.js';
import type { Delivery } from './delivery.js';

/** Decodes the messages that have no outcome yet and passes their values to the handler. Records metrics and traces. */
export async function handleBatch(
  subscription: Subscription,
  messages: readonly Delivery[],
  context: HandlerContext,
): Promise<void> {
  const labels = { topic: subscription.topic.name, group: subscription.group };
  const stop = busMetrics.batchSeconds.startTimer(labels);
  busMetrics.batchMessages.observe(labels, messages.length);
  const open = messages.filter(({ outcome }) => outcome === null);
  const { values, decoded } = decode(subscription, open);
  if (values.length > 0) {
    const outcomes = await inSpans(subscription, values, () => subscription.handler(values, context));
    if (outcomes.length !== values.length) {
      throw new Error(
        `the handler of ${labels.topic} returned ${outcomes.length} outcomes for ${values.length} messages`,
      );
    }
    for (const [index, message] of decoded.entries()) message.outcome = outcomes[index]!;
  }
  stop();
  const counts = new Map<string, number>();
  for (const { outcome } of open) {
    const name = outcome!.kind === 'ok' ? 'ok' : outcome!.reason;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [outcome, count] of counts) busMetrics.outcomes.inc({ ...labels, outcome }, count);
}

/** Returns the decoded values and their messages. Messages that can't be decoded get their outcome here. */
function decode({ group }: Subscription, messages: readonly Delivery[]): { values: unknown[]; decoded: Delivery[] } {
  const stop = busMetrics.stepSeconds.startTimer({ pipeline: group, step: 'decode' });
  const values: unknown[] = [];
  const decoded: Delivery[] = [];
  for (const message of messages) {
    const result = message.decode();
    if (result.ok) {
      values.push(result.value);
      decoded.push(message);
    } else message.outcome = result.outcome;
  }
  stop();
  return { values, decoded };
}

/** Returns a handled message's dead letters: the entire message if it was rejected, otherwise its invalid parts. */
export function deadLettersOf({ topic }: Subscription, message: Delivery): readonly DeadLetter[] {
  const outcome = message.outcome!;
  if (outcome.kind !== 'dead-letter') {
    const decoded = message.decode();
    return (decoded.ok && decoded.deadLetters) || [];
  }
  // A rejected dead letter would be lost, so fail the batch.
  if (topic.name === TOPICS.visitsDeadLetter) throw new Error(`a dead letter was rejected: ${outcome.detail}`);
  const original = message.encode();
  return [deadLetter(original, { ...outcome, projectId: original.headers[RECEIVED_HEADERS.projectId] ?? null })];
}
