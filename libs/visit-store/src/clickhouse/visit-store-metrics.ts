import { Gauge, Histogram } from 'prom-client';

const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const visitStoreMetrics = {
  insertSeconds: new Histogram({
    name: 'agent_traffic_visit_store_insert_seconds',
    help: 'Duration of an insert of visits into ClickHouse. outcome: ok or failed',
    labelNames: ['outcome'],
    buckets: BUCKETS,
  }),
  querySeconds: new Histogram({
    name: 'agent_traffic_visit_store_query_seconds',
    help: 'Duration of a ClickHouse query. outcome: ok or failed',
    labelNames: ['outcome'],
    buckets: BUCKETS,
  }),
  pendingBatches: new Gauge({
    name: 'agent_traffic_visit_store_pending_batches',
    help: "Batches of accepted visits that aren't in ClickHouse yet",
  }),
  pendingSeconds: new Gauge({
    name: 'agent_traffic_visit_store_pending_seconds',
    help: 'Age of the oldest of these batches, or 0 if there are none',
  }),
};

/** Runs an operation and records its duration and outcome. */
export async function measure<T>(seconds: Histogram<'outcome'>, work: () => Promise<T>): Promise<T> {
  const stop = seconds.startTimer();
  try {
    const result = await work();
    stop({ outcome: 'ok' });
    return result;
  } catch (error) {
    stop({ outcome: 'failed' });
    throw error;
  }
}
