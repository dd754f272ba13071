import { Counter } from 'prom-client';

export const refusedReads = new Counter({
  name: 'agent_traffic_console_reading_refusals_total',
  help: 'Refused reads, live streams and exports',
  labelNames: ['limit'],
});
