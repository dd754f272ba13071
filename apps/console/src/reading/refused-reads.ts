import { Counter } from 'prom-client';

export const refusedReads = new Counter({
  name: 'agent_traffic_console_reading_refusals_total',
  help: 'Reads, live streams and exports that were refused, by limit',
  labelNames: ['limit'],
});
