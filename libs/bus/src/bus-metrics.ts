import { Counter, Gauge, Histogram } from 'prom-client';

const labels = ['topic', 'group'] as const;

/** Returns the bytes held by a bus, by topic. Entries with a group wait for a handler, others wait to be published. */
type Waiting = () => Iterable<{ topic: string; group?: string; bytes: number }>;

/** Running buses of this process. They are called when the metrics are scraped. */
export const busesWaiting = new Set<Waiting>();

/** Batches being retried. `since` is a `performance.now()` value. */
export const retriedBatches = new Set<{ topic: string; group: string; since: number }>();

export const busMetrics = {
  published: new Counter({
    name: 'agent_traffic_bus_published_total',
    help: 'Messages published and safe',
    labelNames: ['topic'],
  }),
  publishFailures: new Counter({
    name: 'agent_traffic_bus_publish_failures_total',
    help: 'Publications that are not safe; late, queue_full and too_large are never stored, cut_off and failed may be',
    labelNames: ['topic', 'reason'],
  }),
  outcomes: new Counter({
    name: 'agent_traffic_bus_outcomes_total',
    help: 'Consumed messages; outcome: ok, or the reason for a drop or dead letter',
    labelNames: [...labels, 'outcome'],
  }),
  lag: new Gauge({
    name: 'agent_traffic_bus_lag_messages',
    help: 'Unprocessed messages of a partition, as of the last fetch',
    labelNames: [...labels, 'partition'],
  }),
  retryingSeconds: new Gauge({
    name: 'agent_traffic_bus_retrying_seconds',
    help: 'Longest time that a batch has been retried; absent without one',
    labelNames: labels,
    collect() {
      this.reset();
      // The last value set for a topic and group wins, so the oldest batch comes last.
      const newestFirst = [...retriedBatches].toSorted((one, other) => other.since - one.since);
      for (const { since, ...of } of newestFirst) this.set(of, (performance.now() - since) / 1_000);
    },
  }),
  waitingBytes: new Gauge({
    name: 'agent_traffic_bus_waiting_bytes',
    help: 'Bytes of messages in memory; without a group: to be published',
    labelNames: labels,
    collect() {
      this.reset();
      for (const waiting of busesWaiting) {
        for (const { topic, group = '', bytes } of waiting()) this.inc({ topic, group }, bytes);
      }
    },
  }),
  stalls: new Counter({
    name: 'agent_traffic_bus_stalls_total',
    help: 'Consumers that hung although Kafka responds',
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
    help: 'Time of a step per batch',
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
