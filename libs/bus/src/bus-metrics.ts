import { Counter, Gauge, Histogram } from 'prom-client';

const labels = ['topic', 'group'] as const;

export const busMetrics = {
  published: new Counter({
    name: 'agent_traffic_bus_published_total',
    help: 'Messages published and safe',
    labelNames: ['topic'],
  }),
  publishFailures: new Counter({
    name: 'agent_traffic_bus_publish_failures_total',
    help: 'Publications refused because they could not be made safe, by why; what was cut_off or failed may be stored all the same',
    labelNames: ['topic', 'reason'],
  }),
  outcomes: new Counter({
    name: 'agent_traffic_bus_outcomes_total',
    help: 'What became of consumed messages: ok, or the reason of a drop or dead letter',
    labelNames: [...labels, 'outcome'],
  }),
  lag: new Gauge({
    name: 'agent_traffic_bus_lag_messages',
    help: 'Messages of a partition that the group has not handled yet, as of its last fetch',
    labelNames: [...labels, 'partition'],
  }),
  stalls: new Counter({
    name: 'agent_traffic_bus_stalls_total',
    help: 'Consumers that stood still though Kafka answers; the process ends then',
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
    help: 'Time that a step of a pipeline takes for a batch',
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
