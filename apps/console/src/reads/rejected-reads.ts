import { Counter } from 'prom-client';

export const rejectedReads = new Counter({
  name: 'agent_traffic_console_reading_refusals_total',
  help: 'Rejected reads, live streams and exports',
  labelNames: ['limit'],
});
