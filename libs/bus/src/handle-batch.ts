import type { Outcome, ReceivedMessage, Subscription } from './bus.js';
import { busMetrics } from './bus-metrics.js';

/** Runs a handler over a batch, timed and counted; both buses use it. */
export async function handleBatch(
  { topic, group, handler }: Subscription,
  messages: readonly ReceivedMessage[],
): Promise<readonly Outcome[]> {
  const stop = busMetrics.batchSeconds.startTimer({ topic, group });
  busMetrics.batchMessages.observe({ topic, group }, messages.length);
  const outcomes = await handler(messages);
  stop();
  if (outcomes.length !== messages.length) {
    throw new Error(`the handler of ${topic} gave ${outcomes.length} outcomes for ${messages.length} messages`);
  }
  const counts = new Map<string, number>();
  for (const outcome of outcomes) {
    const name = outcome.kind === 'ok' ? 'ok' : outcome.reason;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [outcome, count] of counts) busMetrics.outcomes.inc({ topic, group, outcome }, count);
  return outcomes;
}
