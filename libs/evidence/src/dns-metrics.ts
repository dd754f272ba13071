import { Counter, Gauge } from 'prom-client';

export const dnsMetrics = {
  lookups: new Counter({
    name: 'agent_traffic_dns_lookups_total',
    help: 'DNS lookups; outcome: memory and shared (cached), found and nothing (answers), others are failures',
    labelNames: ['outcome'],
  }),
  inFlight: new Gauge({
    name: 'agent_traffic_dns_lookups_in_flight',
    help: 'Current DNS queries',
  }),
  silent: new Gauge({
    name: 'agent_traffic_dns_servers_silent',
    help: '1 while DNS servers do not respond, and get one query per second',
  }),
};
