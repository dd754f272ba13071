import { Counter, Gauge } from 'prom-client';

export const dnsMetrics = {
  /** `memory` and `shared`: nobody was asked. `found` and `nothing`: answers. Else a fault by its name. */
  lookups: new Counter({
    name: 'agent_traffic_dns_lookups_total',
    help: 'Questions for the DNS; outcome: memory and shared were known, found and nothing are answers of servers, others are faults',
    labelNames: ['outcome'],
  }),
  inFlight: new Gauge({
    name: 'agent_traffic_dns_lookups_in_flight',
    help: 'Questions that DNS servers are asked now',
  }),
  silent: new Gauge({
    name: 'agent_traffic_dns_servers_silent',
    help: '1 while the DNS servers are taken to be down, and asked once a second only',
  }),
};
