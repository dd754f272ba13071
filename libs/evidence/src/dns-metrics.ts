import { Counter, Gauge } from 'prom-client';

export const dnsMetrics = {
  lookups: new Counter({
    name: 'agent_traffic_dns_lookups_total',
    help: 'DNS lookups, by outcome: memory and shared (cache hits), found and nothing (responses), or the failure reason',
    labelNames: ['outcome'],
  }),
  inFlight: new Gauge({
    name: 'agent_traffic_dns_lookups_in_flight',
    help: 'DNS queries in flight',
  }),
  silent: new Gauge({
    name: 'agent_traffic_dns_servers_silent',
    help: '1 while the DNS servers do not respond and are probed once per second',
  }),
};
