import { Counter, Gauge, Histogram } from 'prom-client';

const labels = ['topic', 'group'] as const;

/**
 * Returns a bus's in-memory bytes by topic. Entries with a group are waiting for that group's handler. Entries without
 * one are waiting to be published.
 */
type BacklogReader = () => Iterable<{ topic: string; group?: string; bytes: number }>;

/** Buses running in this process. They are called when metrics are scraped. */
export const backlogReaders = new Set<BacklogReader>();

/** Batches that are being retried. `since` is a `performance.now()` value. */
export const retriedBatches = new Set<{ topic: string; group: string; since: number }>();

export const busMetrics = {
  published: new Counter({
    name: 'agent_traffic_bus_published_total',
    help: 'Messages published and acknowledged',
    labelNames: ['topic'],
  }),
  publishFailures: new Counter({
    name: 'agent_traffic_bus_publish_failures_total',
    help: 'Failed publications. late, queue_full and too_large are never stored; cut_off and failed may be',
    labelNames: ['topic', 'reason'],
  }),
  outcomes: new Counter({
    name: 'agent_traffic_bus_outcomes_total',
    help: 'Consumed messages. outcome: ok or the reason for a drop or dead letter',
    labelNames: [...labels, 'outcome'],
  }),
  lag: new Gauge({
    name: 'agent_traffic_bus_lag_messages',
    help: 'Unprocessed messages in a partition at the last fetch',
    labelNames: [...labels, 'partition'],
  }),
  retryingSeconds: new Gauge({
    name: 'agent_traffic_bus_retrying_seconds',
    help: 'Longest time that a batch has been retried. Absent if none is being retried',
    labelNames: labels,
    collect() {
      this.reset();
      // A batch overwrites the value of an earlier one with the same topic and group. The oldest batch comes last, so
      // its time is exported.
      const newestFirst = [...retriedBatches].toSorted((one, other) => other.since - one.since);
      for (const { since, ...batchLabels } of newestFirst) this.set(batchLabels, (performance.now() - since) / 1_000);
    },
  }),
  waitingBytes: new Gauge({
    name: 'agent_traffic_bus_waiting_bytes',
    help: 'Size of messages in memory. Messages without a group are waiting to be published',
    labelNames: labels,
    collect() {
      this.reset();
      for (const waiting of backlogReaders) {
        for (const { topic, group = '', bytes } of waiting()) this.inc({ topic, group }, bytes);
      }
    },
  }),
  stalls: new Counter({
    name: 'agent_traffic_bus_stalls_total',
    help: 'Consumers that stalled while Kafka was responding',
    labelNames: ['group'],
  }),
  batchSeconds: new Histogram({
    name: 'agent_traffic_bus_batch_seconds',
    help: 'Time to handle a batch',
    labelNames: labels,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
  }),
  stepSeconds: new Histogram({
    name: 'agent_traffic_pipeline_step_seconds',
    help: 'Duration of a pipeline step per batch',
    labelNames: ['pipeline', 'step'],
    buckets: [0.0002, 0.001, 0.005, 0.02, 0.1, 0.5, 2],
  }),
  batchMessages: new Histogram({
    name: 'agent_traffic_bus_batch_messages',
    help: 'Messages in a batch',
    labelNames: labels,
    buckets: [1, 10, 50, 200, 1_000, 5_000],
  }),
};
